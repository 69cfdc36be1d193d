//! `io`: what the JDK's natives do outside, and the two methods in front of them that are given a path. They are few, so each stands here with where its path and its bytes are.

use hashbrown::HashMap;
use rjvm_probes::Io;
use rjvm_vm::instruments::{Hit, Kind, Methods, Point};
use rjvm_vm::{Ref, ThreadId, Value};

/// What has been done.
#[derive(Clone, Debug)]
pub struct Done {
    pub what: Io,
    /// The path or address, or the number of a descriptor.
    pub path: String,
    /// None if it failed, or if it moves none.
    pub bytes: Option<i64>,
    /// Nanoseconds by the VM's clock.
    pub took: i64,
}

/// What threads have begun, with the time, and the point it is about.
#[derive(Default)]
pub struct UnderWay(HashMap<(ThreadId, u32), (Done, i64)>);

/// Where something is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    /// Nowhere.
    No,
    /// A string, a path of `java.nio`, or a descriptor, in an argument.
    Arg(usize),
    /// A field of the receiver.
    Field(&'static str),
}

/// How many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    No,
    /// One, unless the result says that there was none.
    One,
    /// The result.
    Result,
    /// An argument.
    Arg(usize),
}

/// The methods: class, name, what they do, path, bytes.
const METHODS: [(&str, &str, Io, From, Count); 30] = [
    (
        "java.io.FileInputStream",
        "open0",
        Io::Open,
        From::Arg(0),
        Count::No,
    ),
    (
        "java.io.FileInputStream",
        "read0",
        Io::Read,
        From::Field("path"),
        Count::One,
    ),
    (
        "java.io.FileInputStream",
        "readBytes",
        Io::Read,
        From::Field("path"),
        Count::Result,
    ),
    (
        "java.io.FileOutputStream",
        "open0",
        Io::Open,
        From::Arg(0),
        Count::No,
    ),
    (
        "java.io.FileOutputStream",
        "write",
        Io::Write,
        From::Field("path"),
        Count::One,
    ),
    (
        "java.io.FileOutputStream",
        "writeBytes",
        Io::Write,
        From::Field("path"),
        Count::Arg(2),
    ),
    (
        "java.io.RandomAccessFile",
        "open0",
        Io::Open,
        From::Arg(0),
        Count::No,
    ),
    (
        "java.io.RandomAccessFile",
        "read0",
        Io::Read,
        From::Field("path"),
        Count::One,
    ),
    (
        "java.io.RandomAccessFile",
        "readBytes",
        Io::Read,
        From::Field("path"),
        Count::Result,
    ),
    (
        "java.io.RandomAccessFile",
        "write0",
        Io::Write,
        From::Field("path"),
        Count::One,
    ),
    (
        "java.io.RandomAccessFile",
        "writeBytes",
        Io::Write,
        From::Field("path"),
        Count::Arg(2),
    ),
    (
        "java.io.FileDescriptor",
        "close0",
        Io::Close,
        From::Field("fd"),
        Count::No,
    ),
    (
        "sun.nio.fs.UnixNativeDispatcher",
        "open",
        Io::Open,
        From::Arg(0),
        Count::No,
    ),
    (
        "sun.nio.fs.UnixNativeDispatcher",
        "openat",
        Io::Open,
        From::Arg(1),
        Count::No,
    ),
    (
        "sun.nio.ch.FileDispatcherImpl",
        "read0",
        Io::Read,
        From::Arg(0),
        Count::Result,
    ),
    (
        "sun.nio.ch.FileDispatcherImpl",
        "pread0",
        Io::Read,
        From::Arg(0),
        Count::Result,
    ),
    (
        "sun.nio.ch.FileDispatcherImpl",
        "readv0",
        Io::Read,
        From::Arg(0),
        Count::Result,
    ),
    (
        "sun.nio.ch.FileDispatcherImpl",
        "write0",
        Io::Write,
        From::Arg(0),
        Count::Result,
    ),
    (
        "sun.nio.ch.FileDispatcherImpl",
        "pwrite0",
        Io::Write,
        From::Arg(0),
        Count::Result,
    ),
    (
        "sun.nio.ch.FileDispatcherImpl",
        "writev0",
        Io::Write,
        From::Arg(0),
        Count::Result,
    ),
    (
        "sun.nio.ch.FileDispatcherImpl",
        "close0",
        Io::Close,
        From::Arg(0),
        Count::No,
    ),
    (
        "sun.nio.ch.FileDispatcherImpl",
        "closeIntFD",
        Io::Close,
        From::Arg(0),
        Count::No,
    ),
    (
        "sun.nio.ch.SocketDispatcher",
        "read0",
        Io::Read,
        From::Arg(0),
        Count::Result,
    ),
    (
        "sun.nio.ch.SocketDispatcher",
        "readv0",
        Io::Read,
        From::Arg(0),
        Count::Result,
    ),
    (
        "sun.nio.ch.DatagramDispatcher",
        "read0",
        Io::Read,
        From::Arg(0),
        Count::Result,
    ),
    (
        "sun.nio.ch.DatagramDispatcher",
        "write0",
        Io::Write,
        From::Arg(0),
        Count::Result,
    ),
    (
        "sun.nio.ch.UnixDomainSockets",
        "connect0",
        Io::Connect,
        From::Arg(0),
        Count::No,
    ),
    (
        "sun.nio.ch.UnixDomainSockets",
        "accept0",
        Io::Accept,
        From::Arg(0),
        Count::No,
    ),
    (
        "sun.nio.ch.Net",
        "connect0",
        Io::Connect,
        From::Arg(2),
        Count::No,
    ),
    ("sun.nio.ch.Net", "accept", Io::Accept, From::No, Count::No),
];

fn row(class: &str, name: &str) -> Option<usize> {
    METHODS.iter().position(|m| m.0 == class && m.1 == name)
}

/// The methods of a point.
pub fn point(what: Option<Io>) -> Point {
    let wanted = move |m: &rjvm_vm::instruments::MethodView<'_>| {
        METHODS.iter().any(|r| r.1 == m.name())
            && row(&m.class().name(), m.name())
                .is_some_and(|i| what.is_none_or(|w| w == METHODS[i].2))
    };
    Point::Around(Methods::of(wanted))
}

impl UnderWay {
    /// A method of the point with this number has been entered or is left: what has been done then.
    pub fn told(&mut self, hit: &mut Hit<'_>, number: u32) -> Option<Done> {
        let view = hit.method_view()?;
        let (_, _, what, path, count) = METHODS[row(&view.class().name(), view.name())?];
        let key = (hit.thread(), number);
        if hit.kind() == Kind::Entry {
            let bytes = match count {
                Count::Arg(n) => integer(hit, n),
                Count::One => Some(1),
                Count::No | Count::Result => None,
            };
            let path = where_to(hit, path);
            let began = hit.wall();
            let done = Done {
                what,
                path,
                bytes,
                took: 0,
            };
            self.0.insert(key, (done, began));
            return None;
        }
        let (mut done, began) = self.0.remove(&key)?;
        done.took = hit.wall() - began;
        let result = match hit.value().map(|v| v.value) {
            Some(Value::Int(n)) => Some(i64::from(n)),
            Some(Value::Long(n)) => Some(n),
            _ => None,
        };
        match (count, hit.kind()) {
            (_, Kind::Throw) => done.bytes = None,
            (Count::Result, _) => done.bytes = result.filter(|n| *n >= 0),
            (Count::One, _) if result == Some(-1) => done.bytes = None,
            _ => {}
        }
        Some(done)
    }
}

fn integer(hit: &Hit<'_>, n: usize) -> Option<i64> {
    match hit.argument(n)?.value {
        Value::Int(n) => Some(n.into()),
        Value::Long(n) => Some(n),
        _ => None,
    }
}

/// A path, an address, or the number of a descriptor.
fn where_to(hit: &Hit<'_>, from: From) -> String {
    let value = match from {
        From::No => None,
        From::Arg(n) => hit.argument(n),
        From::Field(name) => hit.this().and_then(|this| {
            let of = hit.field_named(this, name);
            // a stream that was made of a descriptor
            of.filter(|v| v.value != Value::Ref(Ref::NULL))
                .or_else(|| hit.field_named(this, "fd"))
        }),
    };
    match value.map(|v| v.value) {
        Some(Value::Int(fd)) => format!("fd {fd}"),
        Some(Value::Ref(r)) if !r.is_null() => of_object(hit, r),
        _ => String::new(),
    }
}

fn of_object(hit: &Hit<'_>, object: Ref) -> String {
    if let Some(text) = hit.text(object, 4096) {
        return text;
    }
    let field = |name: &str| hit.field_named(object, name).map(|v| v.value);
    if let Some(Value::Int(fd)) = field("fd") {
        return format!("fd {fd}");
    }
    // a UnixPath, or an address of the local machine
    let Some(bytes) = field("path").and_then(|v| match v {
        Value::Ref(r) => hit.length(r).map(|n| (r, n)),
        _ => None,
    }) else {
        return address(hit, object);
    };
    String::from_utf8_lossy(&characters(hit, bytes.0, bytes.1)).into_owned()
}

/// Bytes of an array.
fn characters(hit: &Hit<'_>, array: Ref, length: usize) -> Vec<u8> {
    (0..length.min(4096))
        .map_while(|i| match hit.element(array, i)?.value {
            Value::Int(b) => Some(b as u8),
            _ => None,
        })
        .collect()
}

/// An `InetAddress`.
fn address(hit: &Hit<'_>, object: Ref) -> String {
    let holder = hit.field_named(object, "holder").and_then(|v| v.object());
    let number = holder.and_then(|h| hit.field_named(h, "address"));
    match number.map(|v| v.value) {
        Some(Value::Int(n)) if n != 0 => std::net::Ipv4Addr::from(n as u32).to_string(),
        _ => {
            let view = hit.class_view(hit.class_of(object));
            view.name()
        }
    }
}
