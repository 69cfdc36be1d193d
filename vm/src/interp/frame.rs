//! Control frames, the registers of a suspended thread, and the VM state the interpreter reads.

use crate::classes::Method;
use crate::ids::Ref;
use rjvm_profiler::cct::ContextNode;

/// Address of an instruction.
pub type Ip = *const u8;
/// Address of a frame's local 0.
pub type Fp = *mut u64;
/// Address of a control frame; the control stack grows down.
pub type Cs = *mut Frame;

/// A control frame. It belongs to the running (callee) method and keeps where its caller continues.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Frame {
    /// Where the caller continues.
    pub rip: Ip,
    /// The caller's frame pointer.
    pub fp: Fp,
    /// Calling-context node of this frame (null with profiling off).
    pub node: *mut ContextNode,
    /// Ticks when this frame was entered.
    pub ticks: i64,
    /// The method of this frame; null for a stub frame, which marks a continuation.
    pub method: *mut Method,
}

/// Registers of a thread that is not running.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Regs {
    /// Next instruction.
    pub ip: Ip,
    /// Frame pointer.
    pub fp: Fp,
    /// Top control frame.
    pub cs: Cs,
    /// Ticks (see the counting rules: bytecodes executed, up to the potential of `ip`).
    pub ticks: i64,
    /// Integer accumulator.
    pub acc: u64,
    /// Floating accumulator.
    pub facc: f64,
}

/// A VM as what lies below it knows it: by address. `owner` knows its type.
pub enum VmOwner {}

/// What the interpreter reads of the VM with every check; it lies at the region's base, so its
/// address is also the origin of all references.
#[repr(C)]
pub struct Hot {
    /// The VM while it runs (see `run`), else null.
    pub vm: *mut VmOwner,
    /// When `ticks` reaches this (less the margin), something has to be looked at.
    pub limit: i64,
    /// When as many bytecodes have begun where the limit is looked at, there is something to do.
    pub due: i64,
    /// When `ticks` reaches this, it is not only for a sample that can be taken quickly.
    pub other: i64,
    /// The bytecode at which stepping stops.
    pub trigger: i64,
    /// Where the limit was found reached: the edge taken (see `ops_flow`).
    pub edge: Ip,
    /// Where the limit was found reached: the instruction from which control has come.
    pub source: Ip,
    /// Mark word of an object that the running thread has locked once.
    pub thin: u32,
    /// What `Thread.currentThread` returns to the running thread; null: its native finds it.
    pub current: Ref,
    /// Next free byte of the nursery (address).
    pub bump: *mut u8,
    /// End of the nursery (address).
    pub bump_end: *mut u8,
    /// Registers handed between the interpreter and the VM when one calls the other.
    pub regs: Regs,
    /// Operands of a fault on its way to the slow path.
    pub fault: [u64; 2],
    /// Not zero: a request from outside asks the VM to stop.
    pub requested: *const std::sync::atomic::AtomicU8,
    /// Whether the dispatch loop continues (only the portable back end looks).
    pub running: bool,
    /// All methods by number.
    pub methods: *const *mut Method,
    /// Field offsets for method-handle calls.
    pub mh: MhOffsets,
    /// Objects and bytes the running thread has allocated since it got its turn, if they are counted.
    pub allocated: [u64; 2],
    /// A hash of the blocks that all threads have begun, in their order, if these are noted.
    pub path: u64,
}

/// Byte offsets that method-handle calls read through.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct MhOffsets {
    /// `MethodHandle.form`
    pub form: u32,
    /// `LambdaForm.vmentry`
    pub vmentry: u32,
    /// `MemberName.method`
    pub method: u32,
    /// `ResolvedMethodName.$vmtarget`
    pub vmtarget: u32,
}
