//! The table of instructions: for each its name, its operands, what it may do beside computing, and the handlers that execute
//! it, one for each choice of places. The address of its handler identifies an instruction in memory. (Handlers that come to the
//! same machine code may be one function; then they do the same with the same operands, and either name is right.)

use super::code::K;
use super::insn::*;
use super::instruction::{
    ALLOCATES, BRANCHES, CALLS, ENDS, Insn, InsnMap, InsnTable, THROWS, TemplateOp,
};
use super::ops_call::CallKind;
use super::ops_flow::C;
use super::{
    Handler, ops_arith as oa, ops_call as oc, ops_flow as of, ops_mem as om, ops_sync, slow,
};
use rjvm_classfile::opcodes as o;

const SA: [K; 2] = [K::S, K::A];
const SAI: [K; 3] = [K::S, K::A, K::I];
const BOTH: [bool; 2] = [false, true];
const CONDITIONS: [C; 6] = [C::Eq, C::Ne, C::Lt, C::Ge, C::Gt, C::Le];
/// Descriptor letters that fields are distinguished by; a reference is read as an int.
const FIELDS: &[u8] = b"ZBCSIJFDL";
/// The kinds of calls.
const CALL_KINDS: [CallKind; 13] = [
    CallKind::Static,
    CallKind::Special,
    CallKind::Virtual,
    CallKind::Interface,
    CallKind::CheckedSpecial,
    CallKind::CheckedVirtual,
    CallKind::Appendix,
    CallKind::Handle,
    CallKind::Basic,
    CallKind::Link(0),
    CallKind::Link(1),
    CallKind::Link(2),
    CallKind::Link(3),
];

/// What methods return, by letters that handlers are distinguished by.
const RETURNED: &[u8] = b"VILFDA";
/// Of these, what constants are there for.
const RETURNED_CONSTANTS: &[u8] = b"IA";

/// The return of a value of that letter from there.
fn return_handler(letter: u8, a: K, prof: bool) -> Handler {
    oc::return_handler(if letter == b'A' { b'L' } else { letter }, a, prof)
}
/// The handlers of all returns, each that does not know contexts with the one that does.
pub(super) fn returns() -> Vec<[Handler; 2]> {
    let values = RETURNED.iter().flat_map(|&t| SA.map(|a| (t, a)));
    let constants = RETURNED_CONSTANTS.iter().map(|&t| (t, K::I));
    let both = |(t, a)| BOTH.map(|prof| return_handler(t, a, prof));
    values.chain(constants).map(both).collect()
}
/// The handlers of all calls, in the same way.
pub(super) fn calls() -> Vec<[Handler; 2]> {
    let all = CALL_KINDS
        .into_iter()
        .flat_map(|k| BOTH.map(|moved| (k, moved)));
    let both = |(k, moved)| BOTH.map(|prof| oc::call_handler(k, prof, moved));
    all.map(both).collect()
}

/// Places of two operands of which the first is not a constant.
fn two() -> impl Iterator<Item = (K, K)> {
    SA.into_iter().flat_map(|a| SAI.map(|b| (a, b)))
}
/// The same with a constant as first operand, too.
fn two_or_first() -> impl Iterator<Item = (K, K)> {
    two().chain(SA.map(|b| (K::I, b)))
}
/// Names of two operands: a constant is in the second's place, wherever it belongs.
fn named((a, b): (K, K)) -> Vec<(&'static str, K)> {
    match a {
        K::I => vec![("b", K::I), ("a", b)],
        _ => vec![("a", a), ("b", b)],
    }
}
fn binary() -> impl Iterator<Item = u8> {
    (o::IADD..=o::DREM).chain(o::ISHL..=o::LXOR)
}
fn is_division(op: u8) -> bool {
    matches!(op, o::IDIV | o::IREM | o::LDIV | o::LREM)
}
/// There is no template for a branch that counts the edges it takes.
fn uncounted(count: bool, op: TemplateOp) -> TemplateOp {
    if count { TemplateOp::Other } else { op }
}
fn unary_name(op: u8) -> &'static str {
    match op {
        oa::LLOW => "llow",
        _ => o::name(op),
    }
}

/// A loop in a loop in a loop ….
macro_rules! each {
    ($body:block) => { $body };
    ($v:pat, $in:expr; $($vs:pat, $ins:expr;)* $body:block) => {
        for $v in $in { each!($($vs, $ins;)* $body) }
    };
}

/// `Layout, what it does, what it is, name, [operands], result; for each choice => handler;`
macro_rules! instructions {
    ($table:ident; $($layout:ty, $does:expr, $op:expr, $name:expr, $places:expr, $result:expr; $(for $v:pat in $in:expr),* => $handler:expr;)*) => { $(
        each!($($v, $in;)* {
            let handler: Handler = $handler;
            $table.entry(word(handler)).or_insert_with(|| Insn {
                name: $name.to_string(),
                places: $places,
                result: $result,
                fields: <$layout as Layout>::FIELDS,
                bytes: <$layout as Layout>::BYTES,
                does: $does,
                op: $op,
            });
        });
    )* };
}

/// All instructions.
pub(crate) fn table() -> InsnTable {
    let mut all = InsnMap::new();
    instructions! { all;
        Operation, if is_division(op) { THROWS } else { 0 }, TemplateOp::Binary(op), o::name(op), named(p), Some(d);
            for op in binary(), for p in two_or_first(), for d in BOTH => oa::binary(op, p.0, p.1, d);
        Operation, 0, TemplateOp::Compare(op), o::name(op), named(p), Some(d);
            for op in o::LCMP..=o::DCMPG, for p in two(), for d in BOTH => oa::binary(op, p.0, p.1, d);
        Operation, 0, TemplateOp::Unary(op), unary_name(op), vec![("a", a)], Some(d);
            for op in (o::INEG..=o::DNEG).chain(o::I2L..=o::I2S).chain([oa::LLOW]), for a in SA, for d in BOTH => oa::unary(op, a, d);
        Operation, 0, TemplateOp::Move, "move", vec![(if a == K::I { "b" } else { "a" }, a)], Some(true);
            for a in SAI => oa::mov_handler(a);
        Operation, 0, TemplateOp::MoveFloat, "movef", vec![("a", K::A)], Some(true); => oa::movf;
        Moves, 0, TemplateOp::MoveTwo, "move2", vec![], None; => oa::mov2;
        Increment, 0, TemplateOp::MoveAdd, "move_add", vec![], None; => oa::mov_iinc;
        Increment, 0, TemplateOp::Add, "add", vec![], None; => oa::iinc;
        Constant, 0, TemplateOp::Constant, "constant", vec![("value", K::I)], Some(true); => oa::movl;
        Constant, 0, TemplateOp::Cell, "cell", vec![("cell", K::I)], Some(d); for d in BOTH => oa::cell(d);

        Access, THROWS, TemplateOp::GetField(t), format!("getfield.{}", t as char), vec![("object", a), ("offset", K::I)], Some(d);
            for &t in FIELDS, for a in SA, for d in BOTH => om::get_field(t, a, d);
        Access, THROWS, TemplateOp::PutField(t), format!("putfield.{}", t as char), vec![("object", K::S), ("offset", K::I), ("value", v)], None;
            for &t in FIELDS, for v in SAI => om::put_field(t, v);
        Access, 0, TemplateOp::GetStatic(t), format!("getstatic.{}", t as char), vec![("offset", K::I)], Some(d);
            for &t in FIELDS, for d in BOTH => om::get_static(t, d);
        Access, 0, TemplateOp::PutStatic(t), format!("putstatic.{}", t as char), vec![("offset", K::I), ("value", v)], None;
            for &t in FIELDS, for v in SAI => om::put_static(t, v);
        Operation, THROWS, TemplateOp::ArrayLength, o::name(o::ARRAYLENGTH), vec![("a", a)], Some(d);
            for a in SA, for d in BOTH => om::array_length(a, d);
        Operation, THROWS, TemplateOp::Load(t), format!("load.{}", t as char), named(p), Some(d);
            for &t in b"BCSIJFDL", for p in two(), for d in BOTH => om::array_load(t, p.0, p.1, d);
        Store, THROWS, TemplateOp::Store(t), format!("store.{}", t as char), vec![("array", K::S), ("index", i), ("value", v)], None;
            for &t in b"CSIJFDL", for i in SAI, for v in SAI => om::array_store(t, i, v);
        StoreByte, THROWS, TemplateOp::Store(b'B'), "store.B", vec![("array", K::S), ("index", i), ("value", v)], None;
            for i in SAI, for v in SAI => om::array_store(b'B', i, v);
        TypeTest, THROWS, TemplateOp::CheckCast, o::name(o::CHECKCAST), vec![("object", a)], None; for a in SA => om::check_cast(a);
        TypeTest, 0, TemplateOp::InstanceOf, o::name(o::INSTANCEOF), vec![("object", a)], Some(d);
            for a in SA, for d in BOTH => om::instance_of(a, d);
        New, ALLOCATES | THROWS, TemplateOp::New(alloc), "new", vec![], Some(d);
            for alloc in 0..3, for d in BOTH => om::new_handler(alloc, d);
        NewArray, ALLOCATES | THROWS, TemplateOp::NewArray(alloc), "newarray", vec![("length", K::S)], Some(d);
            for alloc in 0..3, for d in BOTH => om::newarray_handler(alloc, d);
        MultiArray, ALLOCATES | THROWS, TemplateOp::Other, o::name(o::MULTIANEWARRAY), vec![], Some(true); => slow::multianewarray;
        Plain, CALLS, TemplateOp::RegisterFinalizer, "register_finalizer", vec![], None; => om::register_finalizer;

        Branch, BRANCHES, uncounted(count, TemplateOp::IfInt(c)), format!("if_int.{c:?}"), named(p), None;
            for count in BOTH, for c in CONDITIONS, for p in two() => of::branch_int(count, c, p.0, p.1);
        Branch, BRANCHES, uncounted(count, TemplateOp::IfLong(c)), format!("if_long.{c:?}"), named(p), None;
            for count in BOTH, for c in CONDITIONS, for p in two() => of::branch_long(count, c, p.0, p.1);
        Branch, BRANCHES, uncounted(count, TemplateOp::IfFloat { double, condition: c, nan }), format!("if_{}.{c:?}{}", ["float", "double"][usize::from(double)], ["", "_or_nan"][usize::from(nan)]), named(p), None;
            for count in BOTH, for double in BOTH, for nan in BOTH, for c in CONDITIONS, for p in two() => of::branch_float(count, double, c, nan, p.0, p.1);
        IncBranch, BRANCHES, uncounted(count, TemplateOp::AddIf(c)), format!("add_if.{c:?}"), vec![("b", b)], None;
            for count in BOTH, for c in CONDITIONS, for b in [K::S, K::I] => of::inc_branch(count, c, b);
        Jump, BRANCHES | ENDS, uncounted(count, TemplateOp::Jump), "jump", vec![], None; for count in BOTH => of::jump(count);
        Jump, 0, TemplateOp::Other, "count_edge", vec![], None; => of::count_edge;
        LimitCheck, 0, TemplateOp::CheckLimit, "check_limit", vec![], None; => of::check;
        TableSwitch, BRANCHES | ENDS, uncounted(count, TemplateOp::TableSwitch), o::name(o::TABLESWITCH), vec![("a", a)], None;
            for count in BOTH, for a in SA => of::switch(count, true, a == K::S);
        LookupSwitch, BRANCHES | ENDS, uncounted(count, TemplateOp::LookupSwitch), o::name(o::LOOKUPSWITCH), vec![("a", a)], None;
            for count in BOTH, for a in SA => of::switch(count, false, a == K::S);
        SubroutineReturn, BRANCHES | ENDS, TemplateOp::Other, "ret", vec![], None; => slow::ret_subroutine;

        Call, CALLS | THROWS, TemplateOp::Call { kind, contexts: prof }, format!("call.{kind:?}").to_lowercase(), vec![], None;
            for kind in CALL_KINDS, for prof in BOTH, for moved in BOTH => oc::call_handler(kind, prof, moved);
        Leave, ENDS, TemplateOp::Return { letter: t, contexts: prof }, format!("return.{}", t as char), if t == b'V' { vec![] } else { vec![("a", a)] }, None;
            for &t in RETURNED, for a in SA, for prof in BOTH => return_handler(t, a, prof);
        LeaveWith, ENDS, TemplateOp::Return { letter: t, contexts: prof }, format!("return.{}", t as char), vec![("value", K::I)], None;
            for &t in RETURNED_CONSTANTS, for prof in BOTH => return_handler(t, K::I, prof);
        Object, THROWS | ENDS, TemplateOp::Other, "athrow", vec![], None; => slow::athrow;

        Object, THROWS, TemplateOp::MonitorEnter, o::name(o::MONITORENTER), vec![], None; => ops_sync::monitor_enter;
        Object, THROWS, TemplateOp::MonitorExit, o::name(o::MONITOREXIT), vec![], None; => ops_sync::monitor_exit;
        Object, THROWS, TemplateOp::Other, "monitorenter_tracked", vec![], None; => slow::enter_tracked;
        Object, THROWS, TemplateOp::Other, "monitorexit_tracked", vec![], None; => slow::exit_tracked;
        Plain, THROWS, TemplateOp::Other, "leave_tracked", vec![], None; => slow::leave_tracked;
        Lock, THROWS, TemplateOp::Lock, "lock", vec![], None; => ops_sync::sync_enter;
        Lock, THROWS, TemplateOp::Unlock, "unlock", vec![], None; => ops_sync::sync_exit;
        Watch, 0, TemplateOp::Other, "watch", vec![], None; => slow::watch;
        Watch, 0, TemplateOp::Other, "pass", vec![], None; => slow::pass;
        Point, 0, TemplateOp::Other, "point", vec![], None; => slow::point;
        Amend, 0, TemplateOp::Other, "amend", vec![], None; => slow::amend;
        Object, THROWS, TemplateOp::Other, "monitorenter_controlled", vec![], None; => slow::monitor_enter;
        Object, THROWS, TemplateOp::Other, "monitorexit_controlled", vec![], None; => slow::monitor_exit;
        Lock, THROWS, TemplateOp::Other, "lock_controlled", vec![], None; => slow::sync_enter;
        Lock, THROWS, TemplateOp::Other, "unlock_controlled", vec![], None; => slow::sync_exit;
        Replaced, 0, TemplateOp::Other, "replace_result", vec![], None; => slow::replace_result;
        Trace, 0, TemplateOp::Other, "trace", vec![], None; => of::trace;
        FrameCheck, THROWS, TemplateOp::CheckFrame, "check_frame", vec![], None; => slow::check_frame;
    }
    InsnTable(all)
}

/// An instruction that is not resolved yet has the layout of what it becomes, which its bytecode reports.
fn unresolved(op: u8) -> (&'static [OperandField], usize) {
    fn of<L: Layout>() -> (&'static [OperandField], usize) {
        (L::FIELDS, L::BYTES)
    }
    match op {
        o::LDC | o::LDC_W | o::LDC2_W => of::<Constant>(),
        o::GETSTATIC..=o::PUTFIELD => of::<Access>(),
        o::NEW => of::<New>(),
        o::ANEWARRAY => of::<NewArray>(),
        o::MULTIANEWARRAY => of::<MultiArray>(),
        o::CHECKCAST | o::INSTANCEOF => of::<TypeTest>(),
        _ => of::<Call>(),
    }
}

impl InsnTable {
    /// The instruction whose first word is `handler`, translated from a bytecode of opcode `op`.
    /// `None`: there is no such instruction.
    pub fn decode(&self, handler: u64, op: u8) -> Option<Insn> {
        if handler == word(slow::unresolved) {
            let (fields, bytes) = unresolved(op);
            return Some(Insn {
                name: format!("unresolved.{}", o::name(op)),
                places: Vec::new(),
                result: None,
                fields,
                bytes,
                does: THROWS | ALLOCATES | CALLS,
                op: TemplateOp::Other,
            });
        }
        self.find(handler).cloned()
    }
    /// The instruction whose first word is `handler`; none if it is not resolved yet.
    pub fn find(&self, handler: u64) -> Option<&Insn> {
        self.0.get(&handler)
    }
}
