//! The names of values in expressions, in one table, and the points at which each is known.

use crate::builtins::Ty;
use crate::hit::{Number, Text};
use crate::point::Point;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Builtin {
    Number(Number),
    Text(Text),
    This,
    Value,
    Method,
    Caller,
    Site,
    Stack,
    UserStack,
    Point,
}

/// Sets of points.
pub mod at {
    pub const BEGIN_END: u32 = 1;
    pub const ENTRY: u32 = 1 << 1;
    pub const RETURN: u32 = 1 << 2;
    pub const THROW: u32 = 1 << 3;
    pub const AROUND: u32 = 1 << 4;
    pub const CALL: u32 = 1 << 5;
    /// `block`, `line`, `bytecode`
    pub const INSIDE: u32 = 1 << 6;
    pub const ALLOC: u32 = 1 << 7;
    pub const FIELD: u32 = 1 << 8;
    pub const MONITOR: u32 = 1 << 9;
    pub const WAITED: u32 = 1 << 10;
    pub const THREAD: u32 = 1 << 11;
    pub const CLASS: u32 = 1 << 12;
    pub const GC_START: u32 = 1 << 13;
    pub const GC_END: u32 = 1 << 14;
    pub const EXCEPTION: u32 = 1 << 15;
    pub const IO: u32 = 1 << 16;
    pub const EVERY: u32 = 1 << 17;
    pub const EXIT: u32 = RETURN | THROW | AROUND;
    pub const GC: u32 = GC_START | GC_END;
    pub const ALL: u32 = (1 << 18) - 1;
    /// In a thread's code.
    pub const CODE: u32 = ALL & !BEGIN_END & !GC;
    /// In a method that the point names.
    pub const METHOD: u32 = ENTRY | EXIT | CALL | INSIDE | FIELD;
}

/// The set a point is in alone.
pub fn kind(point: &Point) -> u32 {
    use crate::point::Monitor;
    match point {
        Point::Begin | Point::End => at::BEGIN_END,
        Point::Entry(_) => at::ENTRY,
        Point::Return(_) => at::RETURN,
        Point::Throw(_) => at::THROW,
        Point::Around(_) => at::AROUND,
        Point::Call { .. } => at::CALL,
        Point::Block(_) | Point::Line { .. } | Point::Bytecode { .. } => at::INSIDE,
        Point::Alloc(_) => at::ALLOC,
        Point::Read(_) | Point::Write(_) => at::FIELD,
        Point::Monitor(Monitor::Contended | Monitor::Wait, _) => at::WAITED,
        Point::Monitor(..) => at::MONITOR,
        Point::Thread(_) => at::THREAD,
        Point::Class(_) => at::CLASS,
        Point::Gc(true) => at::GC_START,
        Point::Gc(false) => at::GC_END,
        Point::Exception(_) => at::EXCEPTION,
        Point::Io(_) => at::IO,
        Point::Every(_) => at::EVERY,
    }
}

/// A name, its meaning, its type, where it is known, and a description.
pub struct Named {
    pub name: &'static str,
    pub builtin: Builtin,
    pub ty: Ty,
    pub at: u32,
    pub about: &'static str,
}

const fn named(
    name: &'static str,
    builtin: Builtin,
    ty: Ty,
    at: u32,
    about: &'static str,
) -> Named {
    Named {
        name,
        builtin,
        ty,
        at,
        about,
    }
}

use Builtin as B;

/// All names but `arg0` and so on, and `elapsed`.
pub const NAMES: &[Named] = &[
    named(
        "this",
        B::This,
        Ty::Object,
        at::METHOD,
        "the method's object; at call, read and write, the object that is called or accessed",
    ),
    named(
        "ret",
        B::Value,
        Ty::Any,
        at::RETURN | at::AROUND,
        "the method's result; null if it throws",
    ),
    named(
        "thrown",
        B::Value,
        Ty::Object,
        at::THROW | at::EXCEPTION,
        "the exception",
    ),
    named(
        "object",
        B::Value,
        Ty::Object,
        at::ALLOC | at::MONITOR | at::WAITED | at::THREAD,
        "the allocated object, the object of the monitor, or the thread that starts or ends",
    ),
    named(
        "value",
        B::Value,
        Ty::Any,
        at::FIELD,
        "the value that is read or written",
    ),
    named(
        "method",
        B::Method,
        Ty::Str,
        at::CODE,
        "the running method, Class.method",
    ),
    named(
        "caller",
        B::Caller,
        Ty::Str,
        at::CODE,
        "its caller; caller(2): the caller's caller, and so on",
    ),
    named(
        "class",
        B::Text(Text::Class),
        Ty::Str,
        at::CODE,
        "the class of the method, object or exception, or the defined class",
    ),
    named(
        "line",
        B::Number(Number::Line),
        Ty::Int,
        at::CODE,
        "the source line",
    ),
    named(
        "file",
        B::Text(Text::File),
        Ty::Str,
        at::CODE,
        "the source file",
    ),
    named(
        "index",
        B::Number(Number::Index),
        Ty::Int,
        at::CODE,
        "the index of the bytecode",
    ),
    named(
        "site",
        B::Site,
        Ty::Str,
        at::CODE,
        "the innermost place on the stack outside of the JDK, Class.method:line",
    ),
    named(
        "callee",
        B::Text(Text::Callee),
        Ty::Str,
        at::CALL,
        "the called method, Class.method",
    ),
    named(
        "field",
        B::Text(Text::Field),
        Ty::Str,
        at::FIELD,
        "the field, Class.field",
    ),
    named(
        "thread",
        B::Text(Text::Thread),
        Ty::Str,
        at::CODE,
        "the thread's name",
    ),
    named(
        "tid",
        B::Number(Number::ThreadId),
        Ty::Int,
        at::CODE,
        "the thread's number",
    ),
    named(
        "depth",
        B::Number(Number::Depth),
        Ty::Int,
        at::CODE,
        "number of frames on its stack",
    ),
    named(
        "stack",
        B::Stack,
        Ty::Stack,
        at::CODE,
        "its stack; stack(5): five frames of it",
    ),
    named(
        "ustack",
        B::UserStack,
        Ty::Stack,
        at::CODE,
        "its stack without methods of the JDK; ustack(5)",
    ),
    named(
        "bytecodes",
        B::Number(Number::Bytecodes),
        Ty::Int,
        at::ALL,
        "bytecodes executed by all threads",
    ),
    named(
        "thread_bytecodes",
        B::Number(Number::ThreadBytecodes),
        Ty::Int,
        at::CODE,
        "bytecodes executed by this thread",
    ),
    named(
        "allocated",
        B::Number(Number::Allocated),
        Ty::Int,
        at::CODE,
        "bytes allocated by this thread",
    ),
    named(
        "heap",
        B::Number(Number::Heap),
        Ty::Int,
        at::ALL,
        "bytes in use in the heap, garbage included",
    ),
    named(
        "wall",
        B::Number(Number::Wall),
        Ty::Int,
        at::ALL,
        "nanoseconds by the VM's clock",
    ),
    named(
        "cpu",
        B::Number(Number::Cpu),
        Ty::Int,
        at::CODE,
        "nanoseconds of processor time of this thread",
    ),
    named(
        "bytes",
        B::Number(Number::Bytes),
        Ty::Int,
        at::ALLOC | at::IO | at::GC_END,
        "bytes of the object, of the transfer, or freed",
    ),
    named(
        "length",
        B::Number(Number::Length),
        Ty::Int,
        at::ALLOC,
        "elements of an array; -1 for other objects",
    ),
    named(
        "took",
        B::Number(Number::Took),
        Ty::Int,
        at::WAITED | at::GC_END | at::IO,
        "nanoseconds that it took",
    ),
    named(
        "before",
        B::Number(Number::Before),
        Ty::Int,
        at::GC,
        "bytes in use before the collection",
    ),
    named(
        "after",
        B::Number(Number::After),
        Ty::Int,
        at::GC_END,
        "bytes in use after the collection",
    ),
    named(
        "kind",
        B::Text(Text::Kind),
        Ty::Str,
        at::GC,
        "kind of the collection: Young or Full",
    ),
    named(
        "cause",
        B::Text(Text::Cause),
        Ty::Str,
        at::GC_END,
        "cause of the collection: Allocation Failure, System.gc() ...",
    ),
    named(
        "loader",
        B::Text(Text::Loader),
        Ty::Str,
        at::CLASS,
        "the class's loader",
    ),
    named(
        "path",
        B::Text(Text::Path),
        Ty::Str,
        at::IO,
        "the file's path or the address",
    ),
    named(
        "operation",
        B::Text(Text::Operation),
        Ty::Str,
        at::IO,
        "open, read, write, close, connect or accept",
    ),
    named(
        "point",
        B::Point,
        Ty::Str,
        at::ALL,
        "the point, as in the probe",
    ),
];

/// What `elapsed` has, and of which number it is the difference; none: bytecodes, which frames know themselves.
pub const ELAPSED: [(&str, Option<Number>); 4] = [
    ("bytecodes", None),
    ("allocated", Some(Number::Allocated)),
    ("wall", Some(Number::Wall)),
    ("cpu", Some(Number::Cpu)),
];
