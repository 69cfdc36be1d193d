//! How much metadata there may be (`-XX:MaxMetaspaceSize`, `-XX:CompressedClassSpaceSize`), and when it
//! is time to look for classes that can be unloaded (`-XX:MetaspaceSize`).

use crate::classes::tables::MethodIndex;
use crate::classes::{Class, ClassHot, Field, Method, VtableEntry};
use crate::heap::units::UnitId;
use crate::ids::{ClassId, LoaderId, MethodId};
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_classfile::ClassFile;

/// What a collection for the sake of metadata is called in `-verbose:gc`, by how many there were before.
pub(crate) const CAUSES: [&str; 2] = ["Metadata GC Threshold", "Metadata GC Clear Soft References"];

/// Bytes of a class's block, with that many entries in its table of virtual methods.
pub(super) fn block_bytes(vtable_len: usize) -> usize {
    size_of::<ClassHot>() + vtable_len * size_of::<VtableEntry>()
}

/// Bytes of a class outside the metaspace, more or less: class file, fields and methods, with their
/// places in lists.
fn bytes_elsewhere(cf: &ClassFile) -> usize {
    let method = size_of::<Method>() + size_of::<*const Method>() + size_of::<MethodId>();
    let methods = cf.methods.len() * method + MethodIndex::bytes(cf.methods.len());
    let fields = cf.fields.len() * size_of::<Field>();
    size_of::<Class>() + cf.memory() + methods + fields
}

impl Vm {
    /// Whether there is room for the metadata of a class; a collection first, if it is time for one.
    /// OutOfMemoryError when there is none. The boot loader's classes are not refused.
    pub(super) fn metadata_room(
        &mut self,
        loader: LoaderId,
        vtable_len: usize,
        cf: &ClassFile,
    ) -> R<()> {
        if loader == LoaderId::BOOT {
            return Ok(());
        }
        let (o, m) = (&self.options, &self.heap.metaspace);
        let block = block_bytes(vtable_len);
        let most = o.max_metaspace.unwrap_or(usize::MAX);
        let all = m.used() + block + bytes_elsewhere(cf);
        let lacks = if m.class_space() + block > o.class_space.min(most) || !m.fits(block) {
            Some("Compressed class space")
        } else if all > most {
            Some("Metaspace")
        } else {
            None
        };
        let tries = m.tries;
        let due = lacks.is_some() && usize::from(tries) < CAUSES.len()
            || tries == 0 && m.is_over_threshold(all - m.used());
        let m = &mut self.heap.metaspace;
        if due {
            m.tries += 1;
            return Err(Box::new(Throw::Collect(0)));
        }
        m.tries = 0;
        match lacks {
            Some(what) => Err(Throw::msg("java/lang/OutOfMemoryError", what)),
            None => Ok(()),
        }
    }
    /// A class has been made, or is about to be dropped.
    pub(super) fn account_metadata(&mut self, c: ClassId, gone: bool) {
        let k = self.class(c);
        let elsewhere = k.cf.as_deref().map_or(0, bytes_elsewhere);
        let block = block_bytes(k.vtable().len());
        self.heap.metaspace.account(block, elsewhere, gone);
    }
    /// After a full collection: when the next one is due for the sake of metadata.
    pub(crate) fn set_metadata_threshold(&mut self) {
        let least = self.options.metaspace_size;
        self.heap.metaspace.set_threshold(least);
    }
    /// Classes loaded and unloaded since the VM was made, arrays left out.
    pub fn class_counts(&self) -> (u64, u64) {
        (self.loaded.defined, self.loaded.unloaded)
    }
    /// The unit that a class which is about to be made belongs to.
    pub(super) fn unit_for(&mut self, loader: LoaderId, alone: bool) -> UnitId {
        match alone {
            true => self.heap.gc.units.add(loader, true),
            false => self.heap.unit_of_loader(loader),
        }
    }
}
