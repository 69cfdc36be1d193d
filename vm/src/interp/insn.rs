//! The instructions of translated code: which operands each kind has, and where they are. Emitting, reading, patching and
//! listing use the declarations here.
//!
//! An instruction begins with the address of its handler. The rest is a *layout*: a module with the places of the operands (for
//! handlers and patches), and a structure of all of them (for the translator), both made from one declaration.

use super::Handler;
use super::frame::Ip;
use std::marker::PhantomData;

/// Where an operand of an instruction is: `O` bytes behind its start.
pub(crate) struct OperandPosition<T, const O: usize>(PhantomData<T>);

impl<T: Copy, const O: usize> OperandPosition<T, O> {
    pub const fn new() -> Self {
        OperandPosition(PhantomData)
    }
    /// The operand of the instruction at `ip`.
    ///
    /// # Safety
    /// That instruction has such an operand.
    #[inline(always)]
    pub unsafe fn get(self, ip: Ip) -> T {
        *(ip.add(O) as *const T)
    }
    /// The half-word (word * 2, + 1: upper half) of the operand in code whose word `p` is the instruction's first.
    pub const fn half(self, p: usize) -> usize {
        p * 2 + O / 4
    }
    /// Address of the operand.
    ///
    /// # Safety
    /// The instruction at `ip` has such an operand.
    #[inline(always)]
    pub unsafe fn address(self, ip: Ip) -> Ip {
        ip.add(O)
    }
    /// Changes the operand of the instruction at `p`.
    ///
    /// # Safety
    /// That instruction has such an operand, and may be written to.
    #[inline(always)]
    pub unsafe fn set(self, p: *mut u8, v: T) {
        *(p.add(O) as *mut T) = v;
    }
}

/// Gives an instruction another handler.
///
/// # Safety
/// `p` is an instruction that may be written to, with the operands that the handler reads.
pub(crate) unsafe fn set_handler(p: *mut u8, handler: Handler) {
    *(p as *mut u64) = word(handler);
}

/// A handler as the first word of an instruction.
pub(crate) fn word(handler: Handler) -> u64 {
    handler as usize as u64
}

/// Instead of the slot of a result that stays in the accumulator.
pub(crate) const ACCUMULATOR_ONLY: u16 = u16::MAX;

/// What an operand means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    /// First operand: a slot, unless the instruction takes it from the accumulator.
    First,
    /// Second operand: a slot or a constant, unless it is in the accumulator.
    Second,
    /// A value to be stored: a slot or a small constant, unless it is in the accumulator.
    Value,
    /// Slot of the result, unless it stays in the accumulator.
    Dest,
    /// A slot.
    Slot,
    /// A number.
    Number,
    /// Byte offset of a field, in its object or from the heap's base.
    Offset,
    /// A class.
    Class,
    /// A root cell.
    Cell,
    /// A method.
    Method,
    /// Byte offset of a child slot in a context's node.
    Kid,
    /// A way to another instruction.
    Edge,
    /// Bytecodes to be added to the ticks.
    Ticks,
    /// What an inline cache holds, or nobody reads.
    Hidden,
}

/// One operand of a layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OperandField {
    pub name: &'static str,
    pub at: usize,
    pub bytes: usize,
    pub what: Operand,
}

/// The operands of an instruction, as the translator gives them.
pub(crate) trait Layout: Copy {
    /// Bytes of the instruction, handler included; switches have their ways behind these.
    const BYTES: usize;
    /// All operands.
    const FIELDS: &'static [OperandField];
    /// Writes the operands behind the handler, to zeroed words.
    fn write(self, instruction: &mut [u64]);
    /// The operands of an instruction of this layout.
    fn read(instruction: &[u64]) -> Self;
}

/// Puts the lowest `bytes` of `v` at byte `at`.
#[inline(always)]
fn put(words: &mut [u64], at: usize, bytes: usize, v: u64) {
    let mask = u64::MAX >> (64 - 8 * bytes);
    words[at / 8] |= (v & mask) << (at % 8 * 8);
}

/// What begins at byte `at`, and what follows in its word.
fn get(words: &[u64], at: usize) -> u64 {
    words[at / 8] >> (at % 8 * 8)
}

/// An interface call remembers no class and method any more.
pub(crate) fn forget_cached(instruction: &mut [u64]) {
    let call = Call {
        aux: 0,
        cache: 0,
        ..Call::read(instruction)
    };
    instruction[1..Call::BYTES / 8].fill(0);
    call.write(instruction);
}

/// Names the slot of an instruction's result.
pub(crate) fn set_dest(instruction: &mut [u64], d: u16) {
    instruction[1] &= !(0xffff << 16);
    put(instruction, 10, 2, d.into());
}

/// Whether operands lie behind the handler, inside of the instruction, aligned, and none on another.
const fn is_sound(len: usize, fields: &[OperandField]) -> bool {
    let mut taken = 0u64;
    let mut i = 0;
    while i < fields.len() {
        let OperandField { at, bytes, .. } = fields[i];
        let bits = ((1 << bytes) - 1) << at;
        if at < 8 || at + bytes > len || !at.is_multiple_of(bytes) || taken & bits != 0 {
            return false;
        }
        taken |= bits;
        i += 1;
    }
    len.is_multiple_of(8)
}

/// `/// Doc. module Structure [bytes] { operand: type = place meaning, … }`
macro_rules! layouts {
    ($($(#[$doc:meta])* $module:ident $name:ident [$len:literal] { $($field:ident : $ty:ty = $at:literal $what:ident),* $(,)? })*) => { $(
        $(#[$doc])*
        #[allow(non_upper_case_globals, reason = "named as the operands of the structure")]
        pub(crate) mod $module {
            #[allow(unused_imports, reason = "a layout may be without operands")]
            use super::OperandPosition;
            $(
                #[allow(dead_code, reason = "an operand that may be in several places is read by these")]
                pub const $field: OperandPosition<$ty, $at> = OperandPosition::new();
            )*
            /// Bytes of the instruction.
            #[allow(dead_code, reason = "not every length is used")]
            pub const BYTES: usize = $len;
        }
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name { $(pub $field: $ty),* }
        impl Layout for $name {
            const BYTES: usize = $len;
            const FIELDS: &'static [OperandField] = &[$(OperandField {
                name: stringify!($field),
                at: $at,
                bytes: size_of::<$ty>(),
                what: Operand::$what,
            }),*];
            #[inline(always)]
            #[allow(unused_variables, reason = "a layout may be without operands")]
            fn write(self, instruction: &mut [u64]) {
                const { assert!(is_sound($len, <$name as Layout>::FIELDS)) }
                $(put(instruction, $at, size_of::<$ty>(), self.$field as u64);)*
            }
            #[allow(unused_variables, reason = "a layout may be without operands")]
            fn read(instruction: &[u64]) -> Self {
                $name { $($field: get(instruction, $at) as $ty),* }
            }
        }
    )* };
}

layouts! {
    /// No operands.
    plain Plain [16] {}
    /// One or two operands, one result.
    operation Operation [16] { a: u16 = 8 First, d: u16 = 10 Dest, b: i32 = 12 Second }
    /// Two moves.
    moves Moves [16] { from: u16 = 8 Slot, to: u16 = 10 Slot, from2: u16 = 12 Slot, to2: u16 = 14 Slot }
    /// A constant that does not fit elsewhere; resolved constants have a root cell.
    constant Constant [24] { d: u16 = 10 Dest, cell: u32 = 12 Cell, value: u64 = 16 Number }
    /// Adds to a local; `from` is the local and `to` gets its old value, where that is wanted.
    increment Increment [16] { from: u16 = 8 Slot, to: u16 = 10 Slot, by: i32 = 12 Number }
    /// A field: of an object, or static. Either its value's source or the result's slot.
    field Access [16] { object: u16 = 8 First, value: u16 = 10 Value, offset: u32 = 12 Offset }
    /// Stores an array element.
    store Store [16] { array: u16 = 8 Slot, value: u16 = 10 Value, index: i32 = 12 Second }
    /// Stores an element of a `byte[]` or `boolean[]`; which of them, the latter's class reports.
    store_byte StoreByte [24] { array: u16 = 8 Slot, value: u16 = 10 Value, index: i32 = 12 Second, booleans: u32 = 16 Class }
    /// A type test.
    type_test TypeTest [16] { object: u16 = 8 First, d: u16 = 10 Dest, class: u32 = 12 Class }
    /// Allocates an object.
    new New [24] { d: u16 = 10 Dest, class: u32 = 12 Class, bytes: u32 = 16 Number }
    /// Allocates an array with elements of `1 << shift` bytes.
    new_array NewArray [24] { length: u16 = 8 First, d: u16 = 10 Dest, class: u32 = 12 Class, shift: u32 = 16 Number }
    /// Allocates nested arrays; their lengths are in slots from `first` on.
    multi_array MultiArray [24] { first: u16 = 8 Slot, d: u16 = 10 Dest, class: u32 = 12 Class, dimensions: u32 = 16 Number }
    /// An object that is locked, unlocked or thrown.
    object Object [16] { object: u16 = 8 Slot }
    /// The lock of a synchronized method.
    lock Lock [16] { lock: u16 = 10 Slot }
    /// Whether a large frame fits.
    frame_check FrameCheck [16] { bytes: u32 = 12 Number }
    /// A look at the limit in straight code.
    limit_check LimitCheck [16] { edge: u64 = 8 Edge }
    /// A watched place: the number of the watched bytecode, and what the ticks lack of those that have
    /// begun before it.
    watch Watch [16] { point: u32 = 8 Number, ticks: i32 = 12 Ticks }
    /// Before an access to memory, for who decides the schedule: which point, and ticks as above.
    point Point [16] { number: u32 = 8 Number, ticks: i32 = 12 Ticks }
    /// After an access of which something else may come than what it does to what is there: the slot with a read's result.
    amend Amend [16] { result: u16 = 8 Slot }
    /// Before a return: which result the method returns instead of the one in a slot.
    replaced Replaced [16] { result: u16 = 8 Slot, number: u32 = 12 Number }
    /// Where a block begins, if that is noted.
    trace Trace [16] { place: u64 = 8 Number }
    /// Compares and branches.
    branch Branch [24] { a: u16 = 8 First, b: i32 = 12 Second, edge: u64 = 16 Edge }
    /// Adds to a local, compares and branches.
    inc_branch IncBranch [24] { by: i16 = 8 Number, local: u16 = 10 Slot, b: i32 = 12 Second, edge: u64 = 16 Edge }
    /// Jumps.
    jump Jump [24] { edge: u64 = 16 Edge }
    /// `tableswitch`; the default's edge follows, then the others.
    table_switch TableSwitch [24] { a: u16 = 8 First, count: u32 = 12 Number, low: i32 = 16 Number }
    /// `lookupswitch`; for each key 16 bytes follow: the key, its edge, 4 bytes of nothing.
    lookup_switch LookupSwitch [24] { a: u16 = 8 First, count: u32 = 12 Number, default: u64 = 16 Edge }
    /// Returns, after so many bytecodes since the ticks were right.
    leave Leave [16] { a: u16 = 8 First, ticks: i32 = 12 Ticks }
    /// The same with a constant.
    leave_with LeaveWith [24] { ticks: i32 = 12 Ticks, value: u64 = 16 Number }
    /// Returns from a subroutine to the bytecode index in a slot.
    subroutine_return SubroutineReturn [16] { address: u16 = 8 Slot, ticks: i32 = 12 Ticks }
    /// Calls: one layout for every kind, so that quickening can turn one into another. The receiver or first
    /// argument is in slot `first`, which becomes the callee's local 0. One argument may still are in
    /// a slot elsewhere: the call moves it, if `moved_to` is not 0. An instruction that runs again moves it
    /// again. What `aux` and `cache` are for depends on the kind; `constant`, `opcode` and `bci` are those of
    /// the bytecode.
    call Call [48] {
        first: u16 = 8 Slot,
        moved_from: u16 = 10 Slot,
        kid: u32 = 12 Kid,
        method: u64 = 16 Method,
        ticks: i16 = 24 Ticks,
        moved_to: u16 = 26 Slot,
        aux: u32 = 28 Hidden,
        cache: u64 = 32 Hidden,
        constant: u16 = 40 Number,
        slots: u16 = 42 Number,
        opcode: u8 = 44 Hidden,
        bci: u16 = 46 Number,
    }
}

/// A way to another instruction: 8 bytes inside of an instruction.
#[allow(non_upper_case_globals, reason = "named as operands are")]
pub(crate) mod edge {
    use super::OperandPosition;
    /// Byte offset of the target, relative to the instruction.
    pub const offset: OperandPosition<i32, 0> = OperandPosition::new();
    /// What taking it adds to the ticks.
    pub const ticks: OperandPosition<i16, 4> = OperandPosition::new();
    /// What the ticks lag at its target; in profiles of basic blocks the slot of the context's node in which it counts.
    pub const last: OperandPosition<u16, 6> = OperandPosition::new();
}

/// Bytes of an edge in a [`TableSwitch`].
pub(crate) const TABLE_ENTRY: usize = 8;
/// Bytes of a key with its edge in a [`LookupSwitch`].
pub(crate) const LOOKUP_ENTRY: usize = 16;

/// A key with its edge.
#[allow(non_upper_case_globals, reason = "named as operands are")]
pub(crate) mod lookup_entry {
    use super::OperandPosition;
    pub const key: OperandPosition<i32, 0> = OperandPosition::new();
    pub const edge: OperandPosition<[u32; 2], 4> = OperandPosition::new();
}

/// The words of a key with its edge.
pub(crate) fn lookup_entry(key: i32, edge: u64) -> [u64; 2] {
    let mut entry = [0; 2];
    put(&mut entry, 0, 4, key as u64);
    put(&mut entry, 8, 4, edge >> 32);
    entry
}

/// An edge's word: offset and counter are still open.
pub(crate) fn edge_word(ticks: i32) -> u64 {
    debug_assert_eq!(ticks, ticks as i16 as i32, "potentials are small");
    u64::from(ticks as u16) << 32
}

/// The word of an edge that leads `bytes` on, with nothing open.
pub(crate) fn edge_to_next(bytes: usize, ticks: i32) -> u64 {
    bytes as u64 | edge_word(ticks)
}

/// Fills in what was left open in the edge at half-word `half` (word * 2, + 1: upper half) of `code`.
pub(crate) fn set_edge(code: &mut [u64], half: usize, offset: i32, last: u16) {
    put_half(code, half, offset as u32);
    let rest = get_half(code, half + 1) & 0xffff;
    put_half(code, half + 1, rest | u32::from(last) << 16);
}

fn get_half(code: &[u64], half: usize) -> u32 {
    (code[half / 2] >> (half % 2 * 32)) as u32
}

fn put_half(code: &mut [u64], half: usize, v: u32) {
    let shift = half % 2 * 32;
    let word = &mut code[half / 2];
    *word = *word & !(0xffff_ffff << shift) | u64::from(v) << shift;
}
