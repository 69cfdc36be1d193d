//! Handles of objects: what C code has instead of references. A handle is the number of a place in one table, whose
//! objects the collector knows, with the kind of the handle and how often the place has been given out; so one that has
//! been deleted is recognized.

use rjvm_vm::{Env, Ref, jdk};

/// Kinds of handles, as `GetObjectRefType` numbers them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum HandleKind {
    Free = 0,
    Local = 1,
    Global = 2,
    /// Its object is a `WeakReference`.
    Weak = 3,
}

/// Bits of a handle: the kind, the place, how often it has been given out.
const PLACE: u32 = 2;
const GENERATION: u32 = 34;
/// A handle has as many bits as an address.
const GENERATIONS: u16 = (1 << 13) - 1;

struct HandleSlot {
    /// Root cell, for as long as the table lives.
    cell: u32,
    generation: u16,
    kind: HandleKind,
}

/// The table.
#[derive(Default)]
pub struct HandleTable {
    places: Vec<HandleSlot>,
    free: Vec<u32>,
}

fn parts(handle: usize) -> (u8, usize, u16) {
    let place = handle as u64 >> PLACE & 0xffff_ffff;
    let kind = (handle & 3) as u8;
    (kind, place as usize, (handle as u64 >> GENERATION) as u16)
}

impl HandleTable {
    /// A handle of an object; 0 of null.
    pub fn add(&mut self, vm: &mut Env, r: Ref, kind: HandleKind) -> usize {
        if r.is_null() {
            return 0;
        }
        let i = match self.free.pop() {
            Some(i) => {
                vm.heap_mut().set_cell(self.places[i as usize].cell, r);
                i
            }
            None => {
                let cell = vm.heap_mut().new_cell(r);
                self.places.push(HandleSlot {
                    cell,
                    generation: 0,
                    kind: HandleKind::Free,
                });
                self.places.len() as u32 - 1
            }
        };
        let place = &mut self.places[i as usize];
        place.kind = kind;
        place.generation = match place.generation {
            GENERATIONS => 1,
            n => n + 1,
        };
        let generation = u64::from(place.generation) << GENERATION;
        (generation | u64::from(i) << PLACE | kind as u64) as usize
    }
    fn place(&self, handle: usize) -> Option<&HandleSlot> {
        let (kind, i, generation) = parts(handle);
        let place = self.places.get(i)?;
        (place.kind as u8 == kind && place.generation == generation && kind != 0).then_some(place)
    }
    /// The kind of a handle; [`HandleKind::Free`] if it is none.
    pub fn kind(&self, handle: usize) -> HandleKind {
        self.place(handle).map_or(HandleKind::Free, |p| p.kind)
    }
    /// The object; null for 0 and for a weak handle whose object is gone, `None` if it is not a handle.
    pub fn get(&self, vm: &Env, handle: usize) -> Option<Ref> {
        if handle == 0 {
            return Some(Ref::NULL);
        }
        let place = self.place(handle)?;
        let r = vm.heap().cell(place.cell);
        Some(match place.kind {
            HandleKind::Weak => vm.get(r, jdk::reference::REFERENT),
            _ => r,
        })
    }
    /// Deletes a handle; `false` if it is none.
    pub fn remove(&mut self, vm: &mut Env, handle: usize) -> bool {
        let Some(place) = self.place(handle) else {
            return false;
        };
        vm.heap_mut().set_cell(place.cell, Ref::NULL);
        let i = parts(handle).1;
        self.places[i].kind = HandleKind::Free;
        self.free.push(i as u32);
        true
    }
}

/// The local handles of a call of native code, in frames.
pub struct Locals(Vec<Vec<usize>>);

impl Default for Locals {
    fn default() -> Locals {
        Locals(vec![Vec::new()])
    }
}

/// From so many handles on, a frame forgets those that have been deleted as it grows.
const MANY: usize = 64;

impl Locals {
    /// A handle of an object in the innermost frame.
    pub fn add(&mut self, vm: &mut Env, handles: &mut HandleTable, r: Ref) -> usize {
        let handle = handles.add(vm, r, HandleKind::Local);
        let frame = self.0.last_mut().expect("there is a frame");
        if handle != 0 {
            if frame.len() >= MANY && frame.len() == frame.capacity() {
                frame.retain(|&h| handles.kind(h) == HandleKind::Local);
            }
            frame.push(handle);
        }
        handle
    }
    /// A handle has been deleted.
    pub fn forget(&mut self, handle: usize) {
        let frame = self.0.last_mut().expect("there is a frame");
        if frame.last() == Some(&handle) {
            frame.pop();
        }
    }
    pub fn push(&mut self) {
        self.0.push(Vec::new());
    }
    /// Frees the handles of the innermost frame; `false` if that is the call's own.
    pub fn pop(&mut self, vm: &mut Env, handles: &mut HandleTable) -> bool {
        if self.0.len() == 1 {
            return false;
        }
        for handle in self.0.pop().unwrap_or_default() {
            handles.remove(vm, handle);
        }
        true
    }
    /// Frees all handles.
    pub fn clear(&mut self, vm: &mut Env, handles: &mut HandleTable) {
        for handle in self.0.drain(..).flatten() {
            handles.remove(vm, handle);
        }
        self.0.push(Vec::new());
    }
}
