//! Classes of one name that are not the same, from several loaders. A class is its loader and its name (JVMS 5.3), but a
//! loader has no name that is the same in each run. So profiles number classes of one name by the contents of their files, in
//! the order in which they were first defined. Those whose files say the same are one.

use crate::classes::bodies::of_class;
use crate::ids::{ClassId, Sym};
use rjvm_classfile::ClassFile;
use rjvm_profiler::origin::Digest;
use std::collections::{BTreeMap, HashMap};

/// Facts about the classes of a name.
#[derive(Default)]
pub(crate) struct Variants {
    /// The class that was defined last, by another loader than the boot loader.
    pub(super) latest: HashMap<Sym, ClassId>,
    /// Digests in the order of definition, of names with several classes, or with one that is gone.
    pub(super) seen: BTreeMap<Sym, Vec<u64>>,
}

/// What a class file says, constants in whatever order.
pub(super) fn digest(cf: &ClassFile) -> u64 {
    let pool = &cf.constant_pool;
    let mut digest = Digest::default();
    digest.number(of_class(cf)[0]);
    let file = cf.attributes.source_file.map(|file| pool.utf8(file));
    digest.add(file.and_then(Result::ok).unwrap_or_default());
    for m in cf.methods.iter() {
        digest.number(m.access_flags.into());
        digest.add(pool.utf8(m.name).unwrap_or_default());
        digest.add(m.attributes.bytecodes());
        let attributes = m.attributes.once();
        for (at, line) in attributes.code.iter().flat_map(|code| &code.line_numbers) {
            digest.number(u64::from(*at) << 16 | u64::from(*line));
        }
    }
    digest.finish()
}
