//! The data of a VM's compiled tier: when points are given next, and the compiled methods.
#![cfg_attr(not(tier), allow(dead_code, reason = "for compiled code alone"))]

#[cfg(tier)]
use super::tier::space::CodeSpace;
use crate::ids::MethodId;
use std::collections::{BTreeMap, BTreeSet};
#[cfg(tier)]
use std::sync::{Arc, Mutex};

/// Whether there is a compiled tier.
pub const TIER: bool = cfg!(tier);

/// Bytecodes of the program before which nothing is compiled: what runs no longer than that starts as it always has.
const FIRST: i64 = 4_000_000;

/// Figures of the compiled tier: methods, instructions and bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TierUse {
    /// Methods that have been compiled, each time counted.
    pub compiled: u64,
    /// Their instructions, and those of these with a template.
    pub instructions: (u64, u64),
    /// Bytes of compiled code that were made.
    pub bytes: u64,
    /// Calls in it that are inlined.
    pub inlined: u64,
    /// The system refuses memory that is executed: all is interpreted.
    pub refused: bool,
}

/// A method that was compiled, or that could not be.
#[derive(Clone, Copy, Debug)]
pub struct Compilation<'a> {
    /// Bytecodes that all threads together had executed.
    pub at: i64,
    /// The method's class, with dots.
    pub class: &'a str,
    /// Its name, and its descriptor.
    pub method: &'a str,
    /// Bytes of its bytecode.
    pub bytecode: usize,
    /// Its code, or why there is none.
    pub outcome: Result<CompiledCode, NotCompiled>,
}

/// The machine code of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompiledCode {
    /// Its address.
    pub address: u64,
    /// Its bytes.
    pub bytes: usize,
    /// Its instructions with a template, and all.
    pub instructions: (usize, usize),
}

/// Why a method is not compiled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum NotCompiled {
    /// Its translated code is too large.
    #[error("its translated code has more than 256 KiB")]
    Large,
    /// None of its instructions has a template.
    #[error("none of its instructions has a template")]
    NoTemplates,
    /// The code has no room.
    #[error("the limit of compiled code is reached")]
    NoRoom,
    /// The system refuses memory that is executed.
    #[error("the system has no memory for compiled code")]
    Refused,
    /// Instruments or notified returns lie over its instructions.
    #[error("it has instruments or returns that notify")]
    Notifies,
    /// A thread is in its single-step code, a breakpoint is in it, or a frame of it was changed from outside.
    #[error("a thread is at a stop in it")]
    Stopped,
}

/// A method's compiled code as data ([`Vm::list_compiled`](crate::Vm::list_compiled)).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CompiledListing {
    /// The method's name.
    pub method: String,
    /// Bytes of its bytecode.
    pub bytecode: usize,
    /// The machine code, which runs at any address.
    pub code: Vec<u8>,
    /// Where the code of each instruction begins, and its text: the bytecodes before it, then the instruction. Ways out of the code
    /// come after the last one's.
    pub places: Vec<(u32, String)>,
    /// Where the code of the last instruction ends.
    pub exits: u32,
    /// Its instructions with a template, and all. The others are left to the interpreter.
    pub instructions: (usize, usize),
    /// Why there is no code.
    pub problem: Option<String>,
}

/// Why a VM interprets all methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InterpretedMode {
    /// The options say so.
    #[error("the options ask for it")]
    Chosen,
    /// There is no compiled tier on this platform.
    #[error("rjvm compiles on x86-64 Linux only")]
    Platform,
    /// The system refuses memory that is executed.
    #[error("the system has no memory for compiled code")]
    Refused,
    /// Executions of single bytecodes are counted.
    #[error("counts of blocks need each taken edge")]
    Blocks,
    /// The path of the program is noted.
    #[error("the run notes the path of the program")]
    Path,
    /// A debugger may attach.
    #[error("a debugger may stop at each bytecode")]
    Debugger,
    /// The VM can come under control.
    #[error("the run can come under the control of an exploration")]
    Explored,
}

/// Receives each method that is compiled, or that could not be.
pub type OnCompilation = Box<dyn FnMut(&Compilation<'_>) + Send>;

/// The compiled tier of a VM.
pub(crate) struct Tier {
    /// Bytecodes of the running thread at which points are given; if it were not for this, the limit would be `plain`.
    pub(super) next: i64,
    pub(super) plain: i64,
    /// Bytecodes until then, while no thread runs.
    pub(super) left: i64,
    pub(super) found: TierUse,
    /// By method the methods whose compiled code relies on how it is entered, and what it does.
    pub(super) inliners: BTreeMap<MethodId, Vec<MethodId>>,
    /// Methods of which a frame was changed from outside.
    pub(super) changed: BTreeSet<MethodId>,
    /// Methods that were to be compiled, each time counted.
    pub(super) attempts: u64,
    pub(super) on_compilation: Option<OnCompilation>,
    /// Methods that were reported as not compiled, and why.
    pub(super) refused: BTreeSet<(u32, NotCompiled)>,
    #[cfg(tier)]
    pub(super) table: Option<super::instruction::InsnTable>,
    #[cfg(tier)]
    pub(super) space: Option<Arc<Mutex<CodeSpace>>>,
    /// Methods whose code had no room, and the bytes that it wanted.
    #[cfg(tier)]
    without_room: BTreeMap<MethodId, usize>,
}

#[cfg(tier)]
impl Tier {
    /// Whether the method's code had no room, and has none now.
    pub(super) fn has_no_room(&self, id: MethodId) -> bool {
        let (space, wanted) = (&self.space, self.without_room.get(&id));
        let both = space.as_ref().zip(wanted);
        both.is_some_and(|(space, wanted)| !CodeSpace::has(space, *wanted))
    }
    /// The method's code had no room.
    pub(super) fn note_no_room(&mut self, id: MethodId) {
        let wanted = self.space.as_ref().map_or(0, CodeSpace::refused);
        self.without_room.insert(id, wanted);
    }
}

impl Default for Tier {
    fn default() -> Tier {
        Tier {
            next: i64::MAX,
            plain: i64::MIN,
            left: FIRST,
            found: TierUse::default(),
            inliners: BTreeMap::new(),
            changed: BTreeSet::new(),
            attempts: 0,
            on_compilation: None,
            refused: Default::default(),
            #[cfg(tier)]
            table: None,
            #[cfg(tier)]
            space: None,
            #[cfg(tier)]
            without_room: Default::default(),
        }
    }
}
