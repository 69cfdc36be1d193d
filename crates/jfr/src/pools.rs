//! Constants that events name by number: classes, methods, stacks, threads, names. Each is kept once in a chunk, in the form in which it is
//! written.

use crate::leb;
use crate::types::{Content, Field, Type};
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use std::hash::BuildHasher;

macro_rules! pools {
    ($( $(#[doc = $doc:literal])* $pool:ident $name:literal $label:literal $simple:literal { $( $field:literal $text:literal $is:expr; )* } )*) => {
        /// A kind of constants.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Pool { $( $(#[doc = $doc])* $pool ),* }

        impl Pool {
            /// All kinds.
            pub const ALL: &[Pool] = &[$(Pool::$pool),*];

            /// The type's name in metadata.
            pub fn name(self) -> &'static str {
                match self { $(Pool::$pool => $name),* }
            }
            /// Whether a constant keeps its number in later chunks of the file. Readers know classes by it.
            fn is_stable(self) -> bool {
                !matches!(self, Pool::Stack | Pool::Thread | Pool::Group)
            }
            /// What people are shown.
            pub fn label(self) -> &'static str {
                match self { $(Pool::$pool => $label),* }
            }
            /// Whether readers show its one field in its place.
            pub(crate) fn is_simple(self) -> bool {
                match self { $(Pool::$pool => $simple),* }
            }
            /// What a constant consists of.
            pub(crate) fn fields(self) -> &'static [Field] {
                match self { $(Pool::$pool => {
                    const FIELDS: &[Field] = &[$( Field { name: $field, label: $text, is: $is, means: Content::Plain } ),*];
                    FIELDS
                }),* }
            }
        }
    };
}

use Pool::*;
use Type::{Bool, Constant, Frames, Int, Long, Text};

pools! {
    /// A name.
    Symbol "jdk.types.Symbol" "Symbol" true { "string" "String" Text; }
    /// A class.
    Class "java.lang.Class" "Java Class" false {
        "classLoader" "Class Loader" Constant(Loader);
        "name" "Name" Constant(Symbol);
        "package" "Package" Constant(Package);
        "modifiers" "Access Modifiers" Int;
        "hidden" "Hidden" Bool;
    }
    /// A class loader.
    Loader "jdk.types.ClassLoader" "Java Class Loader" false {
        "type" "Type" Constant(Class);
        "name" "Name" Constant(Symbol);
    }
    /// A package.
    Package "jdk.types.Package" "Package" false {
        "name" "Name" Constant(Symbol);
        "module" "Module" Constant(Module);
        "exported" "Exported" Bool;
    }
    /// A module.
    Module "jdk.types.Module" "Module" false {
        "name" "Name" Constant(Symbol);
        "version" "Version" Constant(Symbol);
        "location" "Location" Constant(Symbol);
        "classLoader" "Class Loader" Constant(Loader);
    }
    /// A method.
    Method "jdk.types.Method" "Java Method" false {
        "type" "Type" Constant(Class);
        "name" "Name" Constant(Symbol);
        "descriptor" "Descriptor" Constant(Symbol);
        "modifiers" "Access Modifiers" Int;
        "hidden" "Hidden" Bool;
    }
    /// A stack.
    Stack "jdk.types.StackTrace" "Stack Trace" false {
        "truncated" "Truncated" Bool;
        "frames" "Stack Frames" Frames;
    }
    /// How a frame's method runs.
    FrameType "jdk.types.FrameType" "Frame Type" true { "description" "Description" Text; }
    /// A thread.
    Thread "java.lang.Thread" "Thread" false {
        "osName" "OS Thread Name" Text;
        "osThreadId" "OS Thread Id" Long;
        "javaName" "Java Thread Name" Text;
        "javaThreadId" "Java Thread Id" Long;
        "group" "Java Thread Group" Constant(Group);
    }
    /// A group of threads.
    Group "jdk.types.ThreadGroup" "Thread Group" false {
        "parent" "Parent" Constant(Group);
        "name" "Name" Text;
    }
    /// What a thread does.
    ThreadState "jdk.types.ThreadState" "Java Thread State" true { "name" "Name" Text; }
    /// A collector.
    Collector "jdk.types.GCName" "GC Name" true { "name" "Name" Text; }
    /// Why the heap is collected.
    Cause "jdk.types.GCCause" "GC Cause" true { "cause" "Cause" Text; }
    /// Before or after a collection.
    When "jdk.types.GCWhen" "GC When" true { "when" "When" Text; }
}

/// The number of a constant, or [`Id::NONE`]. Of two chunks that follow each other, readers take constants of one number for the same,
/// and those of different numbers for different ones: so [`Numbers`] go from chunk to chunk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Id {
    /// Index of the pool, beginning with 1.
    pool: u8,
    number: u64,
}

impl Id {
    /// No constant; readers show none.
    pub const NONE: Id = Id { pool: 0, number: 0 };

    pub(crate) fn is_of(self, pool: Pool) -> bool {
        self == Id::NONE || usize::from(self.pool) == pool as usize + 1
    }
    pub(crate) fn number(self) -> i64 {
        self.number as i64
    }
}

/// The facts about a class.
#[derive(Clone, Copy, Debug)]
pub struct ClassFacts<'a> {
    /// The definer.
    pub loader: Id,
    /// Its name, with slashes.
    pub name: &'a str,
    /// Its package.
    pub package: Id,
    /// Its modifiers.
    pub modifiers: i32,
    /// Whether it is a hidden one.
    pub hidden: bool,
}

/// The facts about a method.
#[derive(Clone, Copy, Debug)]
pub struct MethodFacts<'a> {
    /// Its class.
    pub class: Id,
    /// Its name.
    pub name: &'a str,
    /// Its descriptor.
    pub descriptor: &'a str,
    /// Its modifiers.
    pub modifiers: i32,
    /// Whether people are not shown it.
    pub hidden: bool,
}

/// The facts about a thread.
#[derive(Clone, Copy, Debug)]
pub struct ThreadFacts<'a> {
    /// Its name.
    pub name: &'a str,
    /// Number of the operating system's thread.
    pub os_id: i64,
    /// `Thread.getId`
    pub id: i64,
    /// Its group.
    pub group: Id,
}

/// A frame of a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its method.
    pub method: Id,
    /// Source line, 0 if it is not known.
    pub line: i32,
    /// Index of the bytecode it is at.
    pub bci: i32,
    /// Its type.
    pub kind: Id,
}

/// The fields of a frame, which is not a separate constant.
pub(crate) const FRAME: &[Field] = &[
    frame_field("method", "Java Method", Constant(Method)),
    frame_field("lineNumber", "Line Number", Int),
    frame_field("bytecodeIndex", "Bytecode Index", Int),
    frame_field("type", "Frame Type", Constant(FrameType)),
];

const fn frame_field(name: &'static str, label: &'static str, is: Type) -> Field {
    Field {
        name,
        label,
        is,
        means: Content::Plain,
    }
}

/// Constants of a file that later chunks know by their numbers, at most: it is begun again then, so that a recording of months takes
/// no more memory than one of hours.
const MOST: usize = 1 << 20;

/// The numbers that the constants of a file's chunks have had so far.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// The greatest one of each kind.
    last: Vec<u64>,
    /// Those of constants that keep them, by kind and content.
    known: HashMap<(u8, Box<[u8]>), u64>,
}

impl Numbers {
    /// Whether no constant has a number yet: there is no chunk before.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.last.iter().all(|&last| last == 0)
    }
    fn of(&mut self, pool: Pool, content: &[u8]) -> u64 {
        let kind = pool as usize;
        self.last.resize(Pool::ALL.len(), 0);
        let next = self.last[kind] + 1;
        let number = match pool.is_stable() {
            true => {
                if self.known.len() >= MOST {
                    self.known.clear();
                }
                let content = content.into();
                *self.known.entry((kind as u8, content)).or_insert(next)
            }
            false => next,
        };
        self.last[kind] = self.last[kind].max(number);
        number
    }
}

/// The constants of one kind.
#[derive(Default)]
struct Constants {
    bytes: Vec<u8>,
    /// Where each constant ends.
    ends: Vec<usize>,
    /// The number of each in the file.
    numbers: Vec<u64>,
    /// Indices by content, from 1.
    known: HashTable<u32>,
}

impl Constants {
    fn content(&self, number: u32) -> &[u8] {
        let i = number as usize - 1;
        let start = i.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[i]]
    }
    fn intern(&mut self, hasher: &DefaultHashBuilder, content: &[u8]) -> u32 {
        let hash = hasher.hash_one(content);
        if let Some(&n) = self.known.find(hash, |&n| self.content(n) == content) {
            return n;
        }
        self.bytes.extend(content);
        self.ends.push(self.bytes.len());
        let number = self.ends.len() as u32;
        let mut known = std::mem::take(&mut self.known);
        known.insert_unique(hash, number, |&n| hasher.hash_one(self.content(n)));
        self.known = known;
        number
    }
    /// Bytes of memory.
    fn size(&self) -> usize {
        self.bytes.len() + self.ends.len() * 24
    }
}

/// The constants of a chunk.
pub(crate) struct Pools {
    all: Vec<Constants>,
    hasher: DefaultHashBuilder,
    /// Where constants are built.
    scratch: Vec<u8>,
    /// Bytes of memory that all take.
    size: usize,
    numbers: Numbers,
}

impl Pools {
    /// Constants whose numbers continue those of the chunks before.
    pub fn new(numbers: Numbers) -> Pools {
        Pools {
            numbers,
            all: Pool::ALL.iter().map(|_| Constants::default()).collect(),
            hasher: DefaultHashBuilder::default(),
            scratch: Vec::new(),
            size: 0,
        }
    }
    /// Bytes of memory that they take, about.
    pub fn size(&self) -> usize {
        self.size
    }
    /// The numbers that have been given.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }
    /// The same, for the next chunk.
    pub fn take_numbers(&mut self) -> Numbers {
        std::mem::take(&mut self.numbers)
    }
    fn intern(&mut self, pool: Pool, write: impl FnOnce(&mut Vec<u8>)) -> Id {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        write(&mut scratch);
        let constants = &mut self.all[pool as usize];
        let before = constants.size();
        let index = constants.intern(&self.hasher, &scratch) as usize - 1;
        if index == constants.numbers.len() {
            constants.numbers.push(self.numbers.of(pool, &scratch));
        }
        let number = constants.numbers[index];
        self.size += constants.size() - before;
        self.scratch = scratch;
        Id {
            pool: pool as u8 + 1,
            number,
        }
    }
    /// A constant that is a text: a symbol, or a name of a simple kind.
    pub fn text(&mut self, pool: Pool, text: &str) -> Id {
        assert!(pool.is_simple(), "{pool:?} is more than a text");
        self.intern(pool, |out| leb::text(out, Some(text)))
    }
    pub fn symbol(&mut self, text: &str) -> Id {
        self.text(Pool::Symbol, text)
    }
    pub fn loader(&mut self, class: Id, name: &str) -> Id {
        let name = match name {
            "" => Id::NONE,
            name => self.symbol(name),
        };
        self.intern(Pool::Loader, |out| {
            constant(out, class, Pool::Class);
            constant(out, name, Pool::Symbol);
        })
    }
    pub fn module(&mut self, name: &str, version: Option<&str>, loader: Id) -> Id {
        let name = self.symbol(name);
        let version = version.map_or(Id::NONE, |v| self.symbol(v));
        self.intern(Pool::Module, |out| {
            constant(out, name, Pool::Symbol);
            constant(out, version, Pool::Symbol);
            constant(out, Id::NONE, Pool::Symbol);
            constant(out, loader, Pool::Loader);
        })
    }
    pub fn package(&mut self, name: &str, module: Id, exported: bool) -> Id {
        let name = self.symbol(name);
        self.intern(Pool::Package, |out| {
            constant(out, name, Pool::Symbol);
            constant(out, module, Pool::Module);
            out.push(exported.into());
        })
    }
    pub fn class(&mut self, class: &ClassFacts<'_>) -> Id {
        let name = self.symbol(class.name);
        self.intern(Pool::Class, |out| {
            constant(out, class.loader, Pool::Loader);
            constant(out, name, Pool::Symbol);
            constant(out, class.package, Pool::Package);
            leb::int(out, class.modifiers);
            out.push(class.hidden.into());
        })
    }
    pub fn method(&mut self, method: &MethodFacts<'_>) -> Id {
        let (name, descriptor) = (self.symbol(method.name), self.symbol(method.descriptor));
        self.intern(Pool::Method, |out| {
            constant(out, method.class, Pool::Class);
            constant(out, name, Pool::Symbol);
            constant(out, descriptor, Pool::Symbol);
            leb::int(out, method.modifiers);
            out.push(method.hidden.into());
        })
    }
    pub fn stack(&mut self, truncated: bool, frames: impl ExactSizeIterator<Item = Frame>) -> Id {
        self.intern(Pool::Stack, |out| {
            out.push(truncated.into());
            leb::long(out, frames.len() as i64);
            for f in frames {
                constant(out, f.method, Pool::Method);
                leb::int(out, f.line);
                leb::int(out, f.bci);
                constant(out, f.kind, Pool::FrameType);
            }
        })
    }
    pub fn group(&mut self, parent: Id, name: &str) -> Id {
        self.intern(Pool::Group, |out| {
            constant(out, parent, Pool::Group);
            leb::text(out, Some(name));
        })
    }
    pub fn thread(&mut self, thread: &ThreadFacts<'_>) -> Id {
        self.intern(Pool::Thread, |out| {
            leb::text(out, Some(thread.name));
            leb::long(out, thread.os_id);
            leb::text(out, Some(thread.name));
            leb::long(out, thread.id);
            constant(out, thread.group, Pool::Group);
        })
    }
    /// What follows the flags of a checkpoint: the number of pools, and each pool that has something.
    pub fn write(&self, out: &mut Vec<u8>, type_id: impl Fn(Pool) -> i64) {
        let all = Pool::ALL.iter().zip(&self.all);
        let filled = all.filter(|(_, constants)| !constants.ends.is_empty());
        leb::long(out, filled.clone().count() as i64);
        for (&pool, constants) in filled {
            leb::long(out, type_id(pool));
            leb::long(out, constants.ends.len() as i64);
            for number in 1..=constants.ends.len() as u32 {
                leb::long(out, constants.numbers[number as usize - 1] as i64);
                out.extend(constants.content(number));
            }
        }
    }
}

fn constant(out: &mut Vec<u8>, id: Id, of: Pool) {
    assert!(id.is_of(of), "{id:?} is no {of:?}");
    leb::long(out, id.number());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_constants_have_one_number() {
        let mut pools = Pools::new(Numbers::default());
        let a = pools.symbol("a");
        let b = pools.symbol("b");
        assert_ne!(a, b);
        assert_eq!(pools.symbol("a"), a);
        let class = pools.class(&ClassFacts {
            loader: Id::NONE,
            name: "a",
            package: Id::NONE,
            modifiers: 1,
            hidden: false,
        });
        assert_eq!(class.number(), 1, "each kind counts from 1");
        for n in 0..10_000 {
            let id = pools.symbol(&n.to_string());
            assert_eq!(pools.symbol(&n.to_string()), id);
        }
        let mut out = Vec::new();
        pools.write(&mut out, |pool| pool as i64);
        let mut at = &out[..];
        assert_eq!(leb::read::long(&mut at), 2, "kinds");
        assert_eq!(leb::read::long(&mut at), Pool::Symbol as i64);
        assert_eq!(leb::read::long(&mut at), 10_002);
        assert_eq!(leb::read::long(&mut at), 1);
        assert_eq!(leb::read::text(&mut at).as_deref(), Some("a"));
    }

    #[test]
    #[should_panic(expected = "is no Class")]
    fn a_constant_of_another_kind_is_refused() {
        let mut pools = Pools::new(Numbers::default());
        let symbol = pools.symbol("a");
        pools.loader(symbol, "app");
    }
}
