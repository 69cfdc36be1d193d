//! The questions of a probe to the VM when it is hit. The VM (or its replacement in a test) implements [`Hit`]; all answers are
//! about this one moment, and asking changes nothing: no allocation in the program's heap, no bytecode, no class loaded.

/// A value of the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Datum {
    /// There is none, such as the result of a void method.
    Absent,
    /// A boolean.
    Bool(bool),
    /// A char.
    Char(u16),
    /// A byte, short, int or long.
    Int(i64),
    /// A float or double.
    Float(f64),
    /// No object.
    Null,
    /// An object.
    Object(Object),
}

/// An object, under a name that means something to the VM until the end of the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object(pub u64);

/// A class, by a number that the VM gives it as long as it is not unloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassId(pub u32);

/// A method, by a number that the VM gives it as long as it is not unloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MethodId(pub u32);

/// A field of a class, by whatever the VM finds it again with. It is only used with objects of the class it was found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldId(pub u64);

/// A frame of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The method.
    pub method: MethodId,
    /// The source line it is at; 0 if it is not known.
    pub line: u16,
}

/// A text about the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Text {
    /// The running thread's name.
    Thread,
    /// `call`: the called method, `Class.method`.
    Callee,
    /// `read`, `write`: `Class.field`.
    Field,
    /// `class`, `alloc`: the class's name. `exception`, `throw`: the exception's class; `monitor`: the object's; otherwise the class of the
    /// running method.
    Class,
    /// `class`: the name of the class's loader as stack traces have it, or `bootstrap`.
    Loader,
    /// `gc:end`: Young or Full.
    Kind,
    /// `gc:end`: what requested it, in HotSpot's words.
    Cause,
    /// `io`: the path or address.
    Path,
    /// The source file of the running method.
    File,
    /// `io`: the operation, open and so on.
    Operation,
    /// The point as the probe has it. The evaluator knows it; the hit is not asked.
    Point,
}

/// A number about the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// The running thread's number.
    ThreadId,
    /// The line the running method is at.
    Line,
    /// The index of the bytecode the running method is at.
    Index,
    /// Frames on the thread's stack.
    Depth,
    /// Bytecodes that all threads have executed.
    Bytecodes,
    /// Bytecodes that the running thread has executed.
    ThreadBytecodes,
    /// Bytes that the running thread has allocated.
    Allocated,
    /// Nanoseconds by the VM's clock, from any point on.
    Wall,
    /// Nanoseconds of processor time of the running thread.
    Cpu,
    /// `alloc`: bytes of the object. `io`: bytes moved, -1 for none. `gc:end`: bytes freed.
    Bytes,
    /// `alloc`: elements of an array, -1 for other objects.
    Length,
    /// `gc:end`, `monitor:contended`, `monitor:wait`, `io`: nanoseconds it took by the VM's clock.
    Took,
    /// `gc:end`: bytes in use before it.
    Before,
    /// `gc:end`: bytes in use after it.
    After,
    /// `return`, `throw`, `around`: bytecodes the thread has executed since entry, callees included.
    ElapsedBytecodes,
    /// Bytes of the objects in the heap.
    Heap,
    /// Where the running method's frame is: the same at its entry and its exit, greater for those that it calls.
    Frame,
}

/// What can be asked about an event. Everything may be asked at any point; values that do not exist there are [`Datum::Absent`] or
/// `None`.
pub trait Hit {
    /// The running method's argument `n`, `this` not counted, as it was passed (`entry`) or is about to be (`call`).
    fn arg(&mut self, n: u32) -> Datum;
    /// The receiver: of the running method, or of the call at `call`, the object whose field is read or written.
    fn this(&mut self) -> Datum;
    /// The subject of the event. `return`, `around`: the result; `throw`, `exception`: the exception; `alloc`: the object;
    /// `read`, `write`: the value of the field; `monitor`: the object.
    fn value(&mut self) -> Datum;
    /// A number.
    fn number(&mut self, what: Number) -> Option<i64>;
    /// A text, appended. False if there is none.
    fn text(&mut self, what: Text, into: &mut String) -> bool;
    /// A number that goes with a text: if it is the same as at another event, the text is the same, so it is not asked again.
    fn stamp(&mut self, _what: Text) -> Option<u64> {
        None
    }
    /// The running method.
    fn method(&mut self) -> Option<MethodId>;
    /// The method `n` frames above the running one; 1: its caller. (At `call` the running method is the caller.)
    fn caller(&mut self, n: u32) -> Option<Frame>;
    /// Appends at most `most` frames, the running method's first.
    fn stack(&mut self, most: usize, into: &mut Vec<Frame>);
    /// The method's name, `Class.method`, appended.
    fn method_name(&mut self, method: MethodId, into: &mut String);
    /// Is the method of a class of the JDK (or of the VM)?
    fn is_library(&mut self, method: MethodId) -> bool;
    /// The object's class.
    fn class_of(&mut self, object: Object) -> ClassId;
    /// The class's name with dots, appended.
    fn class_name(&mut self, class: ClassId, into: &mut String);
    /// The instance field or else static field of that name, of the class or what it extends; of several the one
    /// declared nearest to the class.
    fn find_field(&mut self, class: ClassId, name: &str) -> Option<FieldId>;
    /// The field's value. `field` was found in the object's class.
    fn field(&mut self, object: Object, field: FieldId) -> Datum;
    /// The characters of a `java.lang.String`, at most `most`, appended. False if it is not one.
    fn string(&mut self, object: Object, most: usize, into: &mut String) -> bool;
    /// Elements of an array.
    fn length(&mut self, object: Object) -> Option<i64>;
    /// An element of an array. `Absent` beyond its end.
    fn element(&mut self, object: Object, index: i64) -> Datum;
    /// Bytes that the object takes in the heap.
    fn size_of(&mut self, object: Object) -> i64;
    /// The identity hash, if the object has one already.
    fn identity(&mut self, object: Object) -> Option<i64>;
}

/// The facts of an event that need no look around, which are enough for the usual probes. They equal the answers of a [`Hit`];
/// `None`: unknown here, though a [`Hit`] may know.
pub trait FastEvent {
    /// Argument `n`, if it is a byte, short, int or long.
    fn arg(&mut self, n: u32) -> Option<i64>;
    /// The subject of the event, if it is such an integer.
    fn value(&mut self) -> Option<i64>;
    /// The running method.
    fn method(&mut self) -> Option<MethodId>;
    /// Its caller.
    fn caller(&mut self) -> Option<MethodId>;
    /// What [`Hit::stamp`] says of the running thread's name.
    fn thread(&mut self) -> Option<u64>;
}
