//! Handles to Java objects: roots for the collector, which may outlive the VM and be dropped on any thread.

use super::error::Error;
use super::state::{State, VmId};
use rjvm_vm::{ClassId, Ref, Vm as Core};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Root cells whose handles are gone, to be used again by their VM.
pub(super) type Dropped = Arc<Mutex<Vec<u32>>>;

struct Root {
    vm: VmId,
    cell: u32,
    dropped: Dropped,
}

impl Drop for Root {
    fn drop(&mut self) {
        let mut cells = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        cells.push(self.cell);
    }
}

/// A handle of a Java object. The object stays alive as long as the handle or a clone exists, also when the collector
/// moves it. Use the handle only with its own VM: others return [`Error::Foreign`].
#[derive(Clone)]
pub struct Object(Arc<Root>);

impl Object {
    /// A handle to an object that is not null.
    pub(super) fn new(core: &mut Core, object: Ref) -> Object {
        let state = State::of(core);
        let (vm, dropped) = (state.id, state.dropped.clone());
        let free = state.free_cell();
        let cell = match free {
            Some(cell) => {
                core.heap_mut().set_cell(cell, object);
                cell
            }
            None => core.heap_mut().new_cell(object),
        };
        Object(Arc::new(Root { vm, cell, dropped }))
    }
    /// The object, until the next collection.
    pub(super) fn at(&self, core: &mut Core) -> Result<Ref, Error> {
        match State::of(core).id == self.0.vm {
            true => Ok(core.heap().cell(self.0.cell)),
            false => Err(Error::Foreign),
        }
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Object({}.{})", self.0.vm.0, self.0.cell)
    }
}

/// A loaded Java class. It stays loaded as long as this handle or a clone exists.
#[derive(Clone)]
pub struct Class {
    name: Arc<str>,
    mirror: Object,
}

impl Class {
    pub(super) fn new(core: &mut Core, class: ClassId) -> Class {
        let (name, mirror) = (core.class(class).dotted(), core.mirror(class));
        Class {
            name: name.into(),
            mirror: Object::new(core, mirror),
        }
    }
    pub(super) fn of(name: &str, mirror: Object) -> Class {
        Class {
            name: name.replace('/', ".").into(),
            mirror,
        }
    }
    /// Its name, as in Java sources but with `$` before the names of nested classes: `java.util.Map$Entry`.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The `java.lang.Class` object.
    pub fn object(&self) -> Object {
        self.mirror.clone()
    }
    pub(super) fn id(&self, core: &mut Core) -> Result<ClassId, Error> {
        let mirror = self.mirror.at(core)?;
        Ok(core.of_mirror(mirror))
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Class({})", self.name)
    }
}

const _: () = {
    const fn sent<T: Send + Sync>() {}
    sent::<(Object, Class, Error)>();
};
