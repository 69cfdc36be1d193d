//! The references among the statics of a class, which lie in its mirror.

use super::object;
use crate::ids::{ClassId, Ref};

/// Calls `f` with the reference fields of the class's mirror and the static fields in it.
pub(super) fn each_mirror_slot(
    base: *mut u8,
    class: *mut crate::classes::ClassHot,
    f: &mut dyn FnMut(&mut Ref),
) {
    // SAFETY: hot blocks and mirrors lie in the metaspace and are initialised when the class is in the
    // VM's list; the maps name reference slots of the mirror.
    unsafe {
        let m = (*class).mirror.0;
        if m == 0 || ClassId(object::word(base, m, 0)).is_none() {
            return;
        }
        for &o in object::oop_map(object::hot(base, m)) {
            f(&mut *object::at(base, m, o).cast::<Ref>());
        }
        if (*class).static_oops_len > 0 {
            let n = (*class).static_oops_len as usize;
            for &o in std::slice::from_raw_parts((*class).static_oops, n) {
                f(&mut *object::at(base, m, o).cast::<Ref>());
            }
        }
    }
}
