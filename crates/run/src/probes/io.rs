//! `io`: what the JDK's methods do outside, by the VM's table of these.

use hashbrown::HashMap;
use rjvm_probes::Io;
use rjvm_vm::instruments::{Hit, HitKind, MethodFilter, MethodView, Point};
use rjvm_vm::jdk::outside::{Bytes, NamedBy, OUTSIDE, OutsideAction, OutsideRow, outside};
use rjvm_vm::{Ref, ThreadId, Value};

/// An operation that has been done.
#[derive(Clone, Debug)]
pub struct CompletedIo {
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
pub struct PendingIo(HashMap<(ThreadId, u32), (CompletedIo, i64)>);

/// What the JDK's methods do, in the words of probes. None: no probe is about that.
fn what(does: OutsideAction) -> Option<Io> {
    Some(match does {
        OutsideAction::Open => Io::Open,
        OutsideAction::Read => Io::Read,
        OutsideAction::Write => Io::Write,
        OutsideAction::Close => Io::Close,
        OutsideAction::Connect => Io::Connect,
        OutsideAction::Accept => Io::Accept,
        OutsideAction::Seek
        | OutsideAction::Sync
        | OutsideAction::Stat
        | OutsideAction::Directory => return None,
    })
}

/// The methods that a point is about.
fn is_about(row: &OutsideRow, point: Option<Io>) -> bool {
    // where the path is known is enough
    row.reported != NamedBy::InFront
        && what(row.does).is_some_and(|does| point.is_none_or(|point| point == does))
}

/// The methods that `points` are about.
pub fn methods(points: &[Option<Io>]) -> Vec<OutsideRow> {
    let rows = OUTSIDE.iter();
    let wanted = rows.filter(|row| points.iter().any(|&point| is_about(row, point)));
    wanted.copied().collect()
}

/// The methods of a point.
pub fn point(what: Option<Io>) -> Point {
    let wanted = move |m: &MethodView<'_>| {
        let row = outside(&m.class().name(), m.name());
        row.is_some_and(|row| is_about(row, what))
    };
    Point::Around(MethodFilter::of(wanted))
}

impl PendingIo {
    /// A method of the point with this number is entered or left: returns the operation that has been done then.
    pub fn reported(&mut self, hit: &mut Hit<'_>, number: u32) -> Option<CompletedIo> {
        let view = hit.method_view()?;
        let row = outside(&view.class().name(), view.name())?;
        let (what, count) = (what(row.does)?, row.bytes);
        let key = (hit.thread(), number);
        if hit.kind() == HitKind::Entry {
            let bytes = match count {
                Bytes::Arg(n) => integer(hit, n),
                Bytes::One => Some(1),
                Bytes::No | Bytes::Result => None,
            };
            let path = where_to(hit, row.reported);
            let began = hit.wall();
            let done = CompletedIo {
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
            (_, HitKind::Throw) => done.bytes = None,
            (Bytes::Result, _) => done.bytes = result.filter(|n| *n >= 0),
            (Bytes::One, _) if result == Some(-1) => done.bytes = None,
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
fn where_to(hit: &Hit<'_>, reported: NamedBy) -> String {
    let value = match reported {
        NamedBy::No | NamedBy::InFront => None,
        NamedBy::Arg(n) => hit.argument(n),
        NamedBy::Field(name) => hit.this().and_then(|this| {
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
