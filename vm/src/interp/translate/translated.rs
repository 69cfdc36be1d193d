//! A method's translated code, behind operations: where an address is in the bytecode, which slots hold
//! references there, where to stop, where handlers and subroutines are entered. How the tables are laid
//! out is known in this folder only.

use super::covers::{Cover, TableLayout, Tables};
use super::entries::Entries;
use super::shape::Shapes;
use super::site::InstrumentSites;
use crate::classes::{Method, RareData};
use crate::interp::Handler;
use crate::interp::frame::Ip;
use crate::interp::held::HeldBytes;
use crate::interp::insn::{self, Call, Layout};

/// An exception handler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExHandler {
    /// First bytecode index covered.
    pub(super) start: u16,
    /// End, exclusive.
    pub(super) end: u16,
    /// Constant-pool index of the class caught; 0: everything.
    pub catch_type: u16,
    /// Byte offset of its code.
    pub(super) off: u32,
    /// Number of its first bytecode.
    pub number: u16,
    /// Potential of its first bytecode.
    pub pot: u32,
}

impl ExHandler {
    /// Whether it is for what bytecode index `bci` throws.
    pub fn covers(&self, bci: u16) -> bool {
        (self.start..self.end).contains(&bci)
    }
}

/// Where a `ret` can go to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReturnTarget {
    /// Bytecode index.
    pub(super) bci: u16,
    /// Byte offset of the code.
    pub(super) off: u32,
    /// Number of the bytecode.
    pub number: u16,
    /// Its potential.
    pub pot: u32,
}

/// A taken edge of a method's control flow; the i-th has the i-th counter of a node's edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Numbers of a jump and its target that are executed before (a loop's `goto`).
    pub before: Option<(u16, u16)>,
    /// Number of the bytecode that branches; `None`: control falls through to the target.
    pub branch: Option<u16>,
    /// Number of the bytecode control comes to.
    pub target: u16,
    /// Not counted: it follows from the rest.
    pub free: bool,
}

impl Edge {
    pub(super) fn new(branch: u16, target: u16) -> Edge {
        Edge {
            before: None,
            branch: Some(branch),
            target,
            free: false,
        }
    }
}

/// Addresses of a method's code, of its careful copy, and of what follows the copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stepping {
    pub code: Ip,
    pub careful: Ip,
    pub done: Ip,
}

impl Default for Stepping {
    fn default() -> Self {
        Stepping {
            code: std::ptr::null(),
            careful: std::ptr::null(),
            done: std::ptr::null(),
        }
    }
}

/// A breakpoint in a method's code: the word of an instruction's handler, and that handler.
#[derive(Debug)]
pub struct Breakpoint {
    pub(super) word: *mut u64,
    pub(super) handler: u64,
    /// The code, whose entries are lifted meanwhile.
    pub(super) code: *mut Translated,
}

impl Breakpoint {
    /// Whether it is in this code.
    pub(crate) fn is_in(&self, code: &Translated) -> bool {
        code.offset(self.word.cast_const().cast()).is_some()
    }
    /// Takes the breakpoint away.
    ///
    /// # Safety
    /// The code it was put into is still there.
    pub(crate) unsafe fn take_away(self) {
        // SAFETY: by contract.
        unsafe {
            *self.word = self.handler;
            (*self.code).lay_entries();
        }
    }
}

/// A method's translated code and the tables that lead from it back to bytecodes.
pub struct Translated {
    /// Instructions, then the tables.
    pub(super) words: Box<[u64]>,
    pub(super) rest: RareData<RareTables>,
    /// Words of the instructions.
    pub(super) instructions: u32,
    pub(super) shape: TableLayout,
    /// Slots of a context's node before the counters of its edges.
    pub(super) first_edge: u32,
    /// Byte offset of the first bytecode's code: a synchronized method holds its lock from here on.
    pub(super) body_start: u32,
    /// First slot of the operand stack.
    pub(super) stack_base: u16,
    /// Slot of the locked object of a synchronized method.
    pub(super) lock_slot: u16,
    /// Which monitors a frame holds is noted: see `locking`.
    pub(super) tracked: bool,
    /// Counts its memory, if there is a limit.
    pub(super) weight: Option<Box<HeldBytes>>,
}

// one for each method that was ever called
const _: () = assert!(size_of::<Translated>() <= 64);

/// What most methods have nothing of.
#[derive(Default)]
pub(super) struct RareTables {
    /// The code with every handler replaced by the stepping one, then as many words again: for each
    /// instruction, at its offset, the ticks' distance to the count when it is done. Made when first
    /// needed.
    pub(super) careful: Option<Box<[u64]>>,
    /// Where the stepping handler finds these.
    pub(super) stepping: Stepping,
    /// In search order.
    pub(super) handlers: Box<[ExHandler]>,
    /// By ascending bytecode index.
    pub(super) labels: Box<[ReturnTarget]>,
    /// Taken edges, in profiles of basic blocks.
    pub(super) edges: Box<[Edge]>,
    /// While returns report: where in the code they are, in words, and their own handlers.
    pub(super) returns: Vec<(u32, u64)>,
    /// The contents of the frame at each bytecode, in a VM that can be inspected.
    pub(super) shapes: Option<Box<Shapes>>,
    /// Where instruments are notified.
    pub(super) sites: Option<Box<InstrumentSites>>,
    /// Where compiled code is entered.
    pub(super) entries: Option<Box<Entries>>,
    /// How much speaks for compiling it.
    pub(super) points: u8,
}

impl Translated {
    /// Bytes it takes, except for data that is derived later.
    pub(super) fn bytes(&self) -> usize {
        let rest = self.rest.get().map_or(0, |r| {
            r.handlers.len() * size_of::<ExHandler>()
                + r.labels.len() * size_of::<ReturnTarget>()
                + r.edges.len() * size_of::<Edge>()
                + size_of::<RareTables>()
        });
        size_of::<Translated>() + self.words.len() * 8 + rest
    }
    /// The instructions.
    #[inline(always)]
    pub(super) fn code(&self) -> &[u64] {
        &self.words[..self.instructions as usize]
    }
    #[inline(always)]
    pub(super) fn code_mut(&mut self) -> &mut [u64] {
        &mut self.words[..self.instructions as usize]
    }
    /// The instructions to be changed, the tables, and the rest.
    pub(super) fn parts(&mut self) -> (&mut [u64], Tables<'_>, &mut RareData<RareTables>) {
        let (code, tables) = self.words.split_at_mut(self.instructions as usize);
        (code, self.shape.tables(tables), &mut self.rest)
    }
    /// The tables.
    #[inline(always)]
    pub(super) fn tables(&self) -> Tables<'_> {
        self.shape.tables(&self.words[self.instructions as usize..])
    }
    /// Address of the first instruction.
    pub(crate) fn start(&self) -> Ip {
        self.code().as_ptr().cast()
    }
    /// Address of the instruction at byte offset `off`.
    pub(crate) fn at(&self, off: usize) -> Ip {
        assert!(off <= self.code().len() * 8, "an offset of this method");
        self.start().wrapping_add(off)
    }
    /// Offset of an instruction in the code or in the careful copy; `None` if `ip` is in neither.
    pub(crate) fn offset(&self, ip: Ip) -> Option<usize> {
        let bytes = self.code().len() * 8;
        let o = (ip as usize).wrapping_sub(self.code().as_ptr() as usize);
        if o <= bytes {
            return Some(o);
        }
        let c = self.rest.get()?.careful.as_ref()?;
        let o = (ip as usize).wrapping_sub(c.as_ptr() as usize);
        (o <= bytes).then_some(o)
    }
    /// Where the instruction at `ip` is, or the one before it (`exact` false: `ip` is a return address).
    pub(crate) fn position(&self, ip: Ip, exact: bool) -> Option<Position<'_>> {
        // offsets are multiples of 8
        let off = self.offset(ip)? + usize::from(exact);
        let at = self.covers_before(off).checked_sub(1)?;
        Some(Position { code: self, at })
    }
    /// Whether `ip` comes before the first bytecode: a synchronized method has not locked yet.
    pub(crate) fn is_prologue(&self, ip: Ip) -> bool {
        self.offset(ip)
            .is_some_and(|o| o < self.body_start as usize)
    }
    /// Slot of the locked object of a synchronized method.
    pub(crate) fn lock_slot(&self) -> usize {
        self.lock_slot.into()
    }
    /// Whether it is noted which monitors a frame holds, since its locking may be unstructured.
    pub(crate) fn tracks_monitors(&self) -> bool {
        self.tracked
    }
    /// The exception handlers, in search order.
    pub(crate) fn handlers(&self) -> &[ExHandler] {
        self.rest.get().map_or(&[], |r| &r.handlers)
    }
    /// Where subroutines return to, by ascending bytecode index.
    pub(super) fn labels(&self) -> &[ReturnTarget] {
        self.rest.get().map_or(&[], |r| &r.labels)
    }
    /// Where a handler is entered, and the slot in which it finds the exception.
    pub(crate) fn landing(&self, handler: &ExHandler) -> (Ip, usize) {
        (self.at(handler.off as usize), self.stack_base.into())
    }
    /// Where a subroutine returns to, if it may return to bytecode index `bci`.
    pub(crate) fn return_to(&self, bci: u16) -> Option<(Ip, ReturnTarget)> {
        let labels = self.labels();
        let label = labels[labels.binary_search_by_key(&bci, |l| l.bci).ok()?];
        Some((self.at(label.off as usize), label))
    }
    /// Bytecode indices by number: those of all bytecodes, in code order.
    pub fn bytecodes(&self) -> Vec<u16> {
        self.tables().bcis()
    }
    /// Index of the bytecode with that number, if there is one.
    pub(crate) fn find_bci(&self, number: u16) -> Option<u16> {
        self.tables().bci(number.into())
    }
    /// The same of a number that there is.
    pub(crate) fn bci(&self, number: u16) -> u16 {
        self.find_bci(number).expect("a bytecode of this method")
    }
    /// The edges of control flow, in profiles of basic blocks.
    pub(crate) fn edges(&self) -> &[Edge] {
        self.rest.get().map_or(&[], |r| &r.edges)
    }
    /// Slot of a context's node in which edge number `i` counts.
    pub(crate) fn edge_slot(&self, i: usize) -> u32 {
        self.first_edge + i as u32
    }
    /// What the stepping handler reads.
    #[inline(always)]
    pub(crate) fn stepping(&self) -> *const Stepping {
        let none = std::ptr::null();
        self.rest.get().map_or(none, |r| &raw const r.stepping)
    }
    /// The instruction before the one at `ip`, if it has this handler.
    pub(crate) fn before(&self, ip: Ip, handler: Handler) -> Option<Ip> {
        let i = self.tables().find(self.offset(ip)?)?;
        let before = self.tables().off(i.checked_sub(1)?)?;
        let is_it = self.own_word(before as u32) == insn::word(handler);
        is_it.then(|| self.at(before))
    }
    /// Number of the class that the interface call at byte offset `at` remembers.
    pub(crate) fn cached_class(&self, at: usize) -> Option<u32> {
        let call = at / 8..at / 8 + Call::BYTES / 8;
        Some(Call::read(self.code().get(call)?).aux)
    }
    /// The interface call at byte offset `at` forgets the class and its method.
    pub(crate) fn forget_cached(&mut self, at: usize) {
        let (code, _, rest) = self.parts();
        let careful = rest.get_mut().and_then(|r| r.careful.as_deref_mut());
        for code in std::iter::once(code).chain(careful) {
            insn::forget_cached(&mut code[at / 8..]);
        }
    }
}

/// Where an instruction is in its method's bytecode. It represents one bytecode that may throw or call, and possibly others
/// before and after it.
#[derive(Clone, Copy)]
pub(crate) struct Position<'a> {
    pub(super) code: &'a Translated,
    /// Which instruction it is.
    at: usize,
}

impl<'a> Position<'a> {
    /// What the instruction represents. Most who ask want a part.
    pub(super) fn cover(self) -> Cover {
        self.code.tables().get(self.at).expect("an instruction")
    }
    /// Index of the bytecode that may throw or call.
    pub fn bci(self) -> u16 {
        self.code.bci(self.number())
    }
    /// Number of that bytecode, counted from 0 in the method.
    pub fn number(self) -> u16 {
        let number = self.code.tables().number_of(self.at);
        number.expect("an instruction")
    }
    /// Number of a bytecode from which control has come straight to it.
    pub fn first(self) -> u16 {
        self.cover().first
    }
    /// What the ticks lack of the bytecodes that have begun when that one has.
    pub fn begun(self) -> i64 {
        let pot = self.code.tables().pot_of(self.at);
        i64::from(pot.expect("an instruction")) + 1
    }
    /// Bytecodes after it that are executed with it if it does not throw.
    pub fn more(self) -> i64 {
        self.cover().more.into()
    }
    /// What the ticks lag behind the bytecodes that have begun before the instruction.
    pub fn lag(self) -> i64 {
        self.cover().lag()
    }
    /// Index of the bytecode that began `back` bytecodes before, in straight code.
    pub fn back(self, back: i64) -> u16 {
        self.code.bci(self.cover().before(back) as u16)
    }
    /// Index of the bytecode that began `back` bytecodes before the last of those that are before this
    /// instruction and need none.
    pub fn before(self, back: i64) -> u16 {
        self.code
            .bci((i64::from(self.cover().first) - 1 - back) as u16)
    }
    /// Whether `ip`, of this code, is the instruction's own address.
    pub fn is_at(self, ip: Ip) -> bool {
        self.code.offset(ip) == self.code.tables().off(self.at)
    }
    /// The slots that hold references before the instruction, ascending; `None` if that is not known,
    /// since nothing can happen there.
    pub fn roots(self) -> Option<impl Iterator<Item = usize> + 'a> {
        let i = (self.cover().map as usize).checked_sub(1)?;
        Some(self.code.tables().references(i))
    }
}

impl Method {
    /// The translated code, if there is any.
    pub fn translated(&self) -> Option<&Translated> {
        self.xlat.as_deref()
    }
    /// The same, to be changed.
    pub(crate) fn translated_mut(&mut self) -> Option<&mut Translated> {
        self.xlat.as_deref_mut()
    }
    /// See [`Translated::position`].
    pub(crate) fn position(&self, ip: Ip, exact: bool) -> Option<Position<'_>> {
        self.xlat.as_ref()?.position(ip, exact)
    }
}
