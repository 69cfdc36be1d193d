//! All methods of a VM by number, and the remembered facts about methods of unloaded classes.

use crate::classes::Method;
use crate::ids::MethodId;
use crate::interp::held::HeldBytes;
use rjvm_profiler::origin::Origin;
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// Where a method is in the sources, as its class file reports.
#[derive(Clone, Debug)]
pub struct MethodSource {
    /// The file's name, without its folder (JVMS 4.7.10).
    pub file: Arc<str>,
    /// Bytecode indices and lines, in the class file's order (JVMS 4.7.12).
    pub lines: Box<[(u16, u16)]>,
}

/// What a profile says of a method whose class is gone.
pub struct Retired {
    /// Internal name of the class.
    pub class: Arc<str>,
    /// Which it was of the classes of its name that are not the same, 0 for the first one.
    pub variant: u32,
    /// Whether the class was hidden.
    pub hidden: bool,
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub desc: Arc<str>,
    /// Whether it was native.
    pub native: bool,
    /// Its source file, and the lines of its bytecodes.
    pub source: Option<MethodSource>,
    /// Where it comes from, if its name or its class's is a number.
    pub origin: Option<Origin>,
    /// The method itself, where the profile's counts mean nothing without its code.
    pub(crate) method: Option<Box<Method>>,
    /// All of this, as long as it is there.
    pub(crate) weight: Option<HeldBytes>,
}

impl Retired {
    /// Bytes that it takes, more or less.
    pub(super) fn bytes(&self) -> usize {
        let names = self.class.len() + self.name.len() + self.desc.len();
        let source = |s: &MethodSource| s.file.len() + size_of_val(&*s.lines);
        let method = self.method.as_ref().map_or(0, |_| size_of::<Method>());
        size_of::<Retired>() + names + self.source.as_ref().map_or(0, source) + method
    }
}

/// The methods by number. A number is used again when its method is gone, unless a profile names it.
#[derive(Default)]
pub struct Methods {
    // the interpreter reads it as an array of pointers
    list: Vec<Option<Box<Method>>>,
    free: Vec<u32>,
    retired: BTreeMap<u32, Retired>,
}

impl Methods {
    /// The number of the next method.
    pub(crate) fn next(&self) -> MethodId {
        let new = self.list.len() as u32;
        MethodId(self.free.last().copied().unwrap_or(new))
    }
    /// Adds the method that has got the next number.
    pub(crate) fn add(&mut self, m: Method) -> MethodId {
        let id = m.id;
        debug_assert_eq!(id, self.next());
        match self.free.pop() {
            Some(i) => self.list[i as usize] = Some(Box::new(m)),
            None => self.list.push(Some(Box::new(m))),
        }
        id
    }
    /// Numbers given out so far, those used again counted once.
    pub fn len(&self) -> usize {
        self.list.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    /// The methods of loaded classes, and retired ones that have their code still, by number.
    pub fn iter(&self) -> impl Iterator<Item = &Method> {
        let retired = |i: usize| self.retired.get(&(i as u32))?.method.as_deref();
        let of = move |(i, m): (usize, &'_ Option<Box<Method>>)| (i, m.is_some());
        self.list
            .iter()
            .enumerate()
            .map(of)
            .filter_map(move |(i, live)| match live {
                true => self.list[i].as_deref(),
                false => retired(i),
            })
    }
    /// The remembered facts about a method whose class is unloaded.
    pub fn retired(&self, m: MethodId) -> Option<&Retired> {
        self.retired.get(&m.0)
    }
    /// A method, or a retired one that has its code still.
    pub fn find(&self, m: MethodId) -> Option<&Method> {
        match self.list.get(m.0 as usize)? {
            Some(m) => Some(m),
            None => self.retired(m)?.method.as_deref(),
        }
    }
    /// A method, to be changed; none if its class is unloaded.
    pub(crate) fn find_mut(&mut self, m: MethodId) -> Option<&mut Method> {
        self.list.get_mut(m.0 as usize)?.as_deref_mut()
    }
    /// Takes the method of a class that is unloaded out of the list.
    pub(super) fn take(&mut self, m: MethodId) -> Option<Box<Method>> {
        self.list[m.0 as usize].take()
    }
    /// Nothing names the number any more.
    pub(super) fn free(&mut self, m: MethodId) {
        self.free.push(m.0);
    }
    /// A profile names it.
    pub(super) fn retire(&mut self, m: MethodId, what: Retired) {
        self.retired.insert(m.0, what);
    }
    /// Numbers are given out in a fixed order, whatever the order they came free in.
    pub(super) fn sort_free(&mut self) {
        self.free.sort_unstable_by(|a, b| b.cmp(a));
    }
    /// The array of pointers that the interpreter reads; null for a number that is not in use.
    pub(crate) fn as_ptr(&self) -> *const *mut Method {
        self.list.as_ptr().cast()
    }
}

impl Index<usize> for Methods {
    type Output = Box<Method>;
    #[inline(always)]
    fn index(&self, i: usize) -> &Box<Method> {
        match &self.list[i] {
            Some(m) => m,
            None => gone(i),
        }
    }
}

impl IndexMut<usize> for Methods {
    #[inline(always)]
    fn index_mut(&mut self, i: usize) -> &mut Box<Method> {
        match &mut self.list[i] {
            Some(m) => m,
            None => gone(i),
        }
    }
}

#[cold]
#[inline(never)]
fn gone(i: usize) -> ! {
    panic!("method {i} was unloaded with its class")
}
