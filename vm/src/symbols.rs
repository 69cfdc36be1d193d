//! Interned names and descriptors.

use crate::ids::Sym;
use hashbrown::{DefaultHashBuilder, HashTable};
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::{ConstantPool, mutf8};
use std::hash::BuildHasher;
use std::sync::Arc;

/// The symbol table of one VM.
pub struct Symbols {
    hasher: DefaultHashBuilder,
    map: HashTable<Sym>,
    list: Vec<Symbol>,
    /// Numbers of symbols that are gone, the next to be used at the end.
    free: Vec<Sym>,
    /// How many symbols trigger a search for unused ones.
    many: usize,
    /// Bytes of their texts.
    texts: usize,
    /// The most bytes there may be, if there is a limit.
    most: Option<usize>,
}

struct Symbol {
    text: Arc<str>,
    shape: Option<DescriptorShape>,
}

/// What calls and frames need to know of a method descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescriptorShape {
    /// Slots of the parameters, without the receiver.
    pub slots: u16,
    /// How many parameters there are.
    pub count: u16,
    /// First character of the return descriptor.
    pub ret: u8,
}

/// There is room for these from the beginning: somewhat more than every start makes.
const USUAL: usize = 9000;

/// The number of symbols from which on unused ones are searched for.
const MANY: usize = 28_000;

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols {
            hasher: DefaultHashBuilder::default(),
            map: HashTable::with_capacity(USUAL),
            list: Vec::with_capacity(USUAL),
            free: Vec::new(),
            many: MANY,
            texts: 0,
            most: None,
        }
    }
}

/// Bytes that a symbol takes beside its text, and its place in the table.
const ENTRY: usize = size_of::<Symbol>() + 2 * size_of::<usize>() + 16;

impl DescriptorShape {
    /// The slots of all arguments: the receiver's too, unless the method is static.
    pub fn argument_slots(&self, is_static: bool) -> u16 {
        self.slots.saturating_add(u16::from(!is_static))
    }
}

impl Symbols {
    /// The symbol of `s`, made at first use.
    pub fn intern(&mut self, s: &str) -> Sym {
        let hash = self.hasher.hash_one(s.as_bytes());
        match self.lookup(hash, s.as_bytes()) {
            Some(y) => y,
            None => self.insert(hash, s),
        }
    }
    /// The symbol of a `Utf8` entry; unpaired surrogates are replaced.
    pub fn intern_entry(&mut self, pool: &ConstantPool, i: u16) -> rjvm_classfile::Result<Sym> {
        let bytes = pool.utf8(i)?;
        // bytes that are UTF-8 mean the same in both encodings, and the texts found here are
        let hash = self.hasher.hash_one(bytes);
        if let Some(y) = self.lookup(hash, bytes) {
            return Ok(y);
        }
        let text = mutf8::to_str_lossy(bytes);
        Ok(match text.as_bytes() == bytes {
            true => self.insert(hash, &text),
            false => self.intern(&text),
        })
    }
    fn lookup(&self, hash: u64, text: &[u8]) -> Option<Sym> {
        let is = |y: &Sym| self.list[y.0 as usize].text.as_bytes() == text;
        self.map.find(hash, is).copied()
    }
    fn insert(&mut self, hash: u64, text: &str) -> Sym {
        self.texts += text.len();
        let symbol = Symbol {
            text: text.into(),
            shape: None,
        };
        let y = match self.free.pop() {
            Some(y) => {
                self.list[y.0 as usize] = symbol;
                y
            }
            None => {
                self.list.push(symbol);
                Sym(self.list.len() as u32 - 1)
            }
        };
        let (hasher, list) = (&self.hasher, &self.list);
        self.map.insert_unique(hash, y, |y| {
            hasher.hash_one(list[y.0 as usize].text.as_bytes())
        });
        y
    }
    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.list.len() - self.free.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Whether there have come many symbols since [`Symbols::sweep`].
    pub(crate) fn wants_sweep(&self) -> bool {
        self.len() > self.many || self.most.is_some_and(|most| self.bytes() > most)
    }
    /// Bytes that all of them take.
    pub(crate) fn bytes(&self) -> usize {
        self.texts + self.list.len() * ENTRY
    }
    /// Sets the most bytes there may be: beyond that it is time for a sweep.
    pub(crate) fn set_most(&mut self, most: Option<usize>) {
        self.most = most;
    }
    /// Forgets all symbols but those that `used` names.
    pub(crate) fn sweep(&mut self, used: impl FnOnce(&mut dyn FnMut(Sym))) {
        let mut live = vec![false; self.list.len()];
        used(&mut |y| {
            // what only may be a symbol can be anything
            if let Some(live) = live.get_mut(y.0 as usize) {
                *live = true;
            }
        });
        self.map.retain(|y| live[y.0 as usize]);
        self.free.clear();
        let none: Arc<str> = "".into();
        for (i, symbol) in self.list.iter_mut().enumerate().rev() {
            if !live[i] {
                self.texts -= symbol.text.len();
                symbol.text = none.clone();
                symbol.shape = None;
                self.free.push(Sym(i as u32));
            }
        }
        self.many = (2 * self.len()).max(MANY);
    }
    /// The symbol of `s` if it has been interned before.
    pub fn find(&self, s: &str) -> Option<Sym> {
        self.lookup(self.hasher.hash_one(s.as_bytes()), s.as_bytes())
    }
    /// The text of a symbol.
    pub fn str(&self, y: Sym) -> &Arc<str> {
        &self.list[y.0 as usize].text
    }
    /// The shape of the method descriptor `y`, found once for each descriptor. An invalid descriptor has no parameters.
    pub fn shape(&mut self, y: Sym) -> DescriptorShape {
        let k = &mut self.list[y.0 as usize];
        let text = &k.text;
        *k.shape
            .get_or_insert_with(|| match MethodDescriptor::parse(text) {
                Ok(d) => DescriptorShape {
                    slots: d.parameter_slots,
                    count: d.parameter_count,
                    ret: d.return_type.map_or(b'V', FieldType::letter),
                },
                Err(_) => DescriptorShape {
                    slots: 0,
                    count: 0,
                    ret: b'V',
                },
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_unused_symbols_are_used_again() {
        let mut syms = Symbols::default();
        let [a, b, c] = ["a", "(JI)J", "c"].map(|s| syms.intern(s));
        assert_eq!(syms.shape(b).slots, 3);
        syms.sweep(|used| [a, c, Sym(u32::MAX)].into_iter().for_each(used));
        assert_eq!(syms.len(), 2);
        assert_eq!((syms.find("a"), syms.find("(JI)J")), (Some(a), None));
        let d = syms.intern("()V");
        assert_eq!(d, b);
        assert_eq!(
            (&**syms.str(d), syms.list[d.0 as usize].shape),
            ("()V", None)
        );
        assert_eq!([syms.intern("c"), syms.intern("e")], [c, Sym(3)]);
        assert!(!syms.wants_sweep());
        for i in 0..MANY {
            syms.intern(&i.to_string());
        }
        assert!(syms.wants_sweep());
    }
}
