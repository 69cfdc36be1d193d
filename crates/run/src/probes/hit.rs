//! A hit of an instrument, as the evaluator of probes asks it.

use super::io;
use hashbrown::HashMap;
use rjvm_probes::hit::{ClassId, Datum, FieldId, Frame, MethodId, Number, Object, Text};
use rjvm_vm::instruments::{self, Hit, HitKind, ObjectField, Typed};
use rjvm_vm::{Ref, Value, Vm};

/// Fields that have been found.
#[derive(Default)]
pub struct Fields {
    found: Vec<ObjectField>,
    by_class: HashMap<u32, Vec<(Box<str>, Option<FieldId>)>>,
}

impl Fields {
    /// Classes have changed.
    pub fn forget(&mut self) {
        self.found.clear();
        self.by_class.clear();
    }
}

/// A hit, with what objects are called by while it lasts.
pub struct HitView<'h, 'v> {
    pub hit: &'h mut Hit<'v>,
    pub refs: &'h mut Vec<Ref>,
    pub fields: &'h mut Fields,
    /// The completed I/O, if the hit is about that.
    pub io: Option<&'h io::CompletedIo>,
    /// Nanoseconds that the thread has waited, if the hit is about a wait.
    pub waited: Option<i64>,
}

impl HitView<'_, '_> {
    #[inline]
    fn object(&mut self, r: Ref) -> Datum {
        if r.is_null() {
            return Datum::Null;
        }
        self.refs.push(r);
        Datum::Object(Object(self.refs.len() as u64 - 1))
    }

    #[inline]
    fn datum(&mut self, typed: Option<Typed>) -> Datum {
        let Some(Typed { letter, value }) = typed else {
            return Datum::Absent;
        };
        match value {
            Value::Void => Datum::Absent,
            Value::Int(n) => match letter {
                b'Z' => Datum::Bool(n != 0),
                b'C' => Datum::Char(n as u16),
                _ => Datum::Int(n.into()),
            },
            Value::Long(n) => Datum::Int(n),
            Value::Float(x) => Datum::Float(x.into()),
            Value::Double(x) => Datum::Float(x),
            Value::Ref(r) => self.object(r),
        }
    }

    fn of(&self, object: Object) -> Ref {
        self.refs
            .get(object.0 as usize)
            .copied()
            .unwrap_or(Ref::NULL)
    }

    /// The class that `class` means at the point.
    fn class_name(&mut self, into: &mut String) -> bool {
        let name = match self.hit.kind() {
            HitKind::Class => self.hit.class().map(|c| c.name()),
            HitKind::Alloc
            | HitKind::Exception
            | HitKind::Throw
            | HitKind::MonitorEnter
            | HitKind::MonitorExit
            | HitKind::MonitorContended
            | HitKind::MonitorWait
            | HitKind::ThreadStart
            | HitKind::ThreadEnd => {
                let object = self.hit.value().and_then(|v| v.object());
                object.map(|o| self.hit.class_view(self.hit.class_of(o)).name())
            }
            _ => self.hit.method_view().map(|m| m.class().name()),
        };
        name.is_some_and(|name| append(into, &name))
    }
}

fn append(into: &mut String, text: &str) -> bool {
    into.push_str(text);
    true
}

impl rjvm_probes::Hit for HitView<'_, '_> {
    #[inline]
    fn arg(&mut self, n: u32) -> Datum {
        let typed = self.hit.argument(n as usize);
        self.datum(typed)
    }

    fn this(&mut self) -> Datum {
        match self.hit.this() {
            Some(r) => self.object(r),
            None => Datum::Absent,
        }
    }

    #[inline(always)]
    fn value(&mut self) -> Datum {
        let typed = self.hit.value();
        self.datum(typed)
    }

    fn number(&mut self, what: Number) -> Option<i64> {
        if let Some(done) = self.io {
            match what {
                Number::Bytes => return done.bytes,
                Number::Took => return Some(done.took),
                _ => {}
            }
        }
        let hit = &mut *self.hit;
        Some(match what {
            Number::ThreadId => hit.thread_number(),
            Number::Line => hit.line().into(),
            Number::Index => hit.bci()?.into(),
            Number::Depth => hit.depth() as i64,
            Number::Frame => hit.frame() as i64,
            Number::Bytecodes => hit.bytecodes(),
            Number::ThreadBytecodes => hit.executed(),
            Number::Allocated => hit.allocated() as i64,
            Number::Wall => hit.wall(),
            Number::Cpu => hit.cpu(),
            Number::Heap => hit.vm().heap_used() as i64,
            Number::Bytes => match hit.kind() {
                HitKind::GcEnd => {
                    let (_, before, after, _) = hit.collection()?;
                    before as i64 - after as i64
                }
                _ => hit.bytes()? as i64,
            },
            Number::Length => {
                let object = hit.value()?.object()?;
                hit.length(object).map_or(-1, |n| n as i64)
            }
            Number::Took => match hit.kind() {
                HitKind::GcEnd => hit.collection()?.3,
                _ => self.waited?,
            },
            Number::Before => hit.collection()?.1 as i64,
            Number::After => hit.collection()?.2 as i64,
            Number::ElapsedBytecodes => {
                let elapsed = hit.elapsed().filter(|e| !e.late)?;
                elapsed.bytecodes
            }
        })
    }

    fn text(&mut self, what: Text, into: &mut String) -> bool {
        match what {
            Text::Thread => append(into, &self.hit.thread_name()),
            Text::Callee | Text::Field => match self.hit.member() {
                Some((class, name, _)) => {
                    append(into, &class) && append(into, ".") && append(into, name)
                }
                None => false,
            },
            Text::Class => self.class_name(into),
            Text::Loader => match self.hit.class().map(|c| c.id()) {
                Some(class) => {
                    let name = self.hit.loader_name(class);
                    append(into, &name)
                }
                None => false,
            },
            Text::Kind => match self.hit.collection() {
                Some((full, ..)) => append(into, if full { "Full" } else { "Young" }),
                None => false,
            },
            Text::Cause => self.hit.cause().is_some_and(|cause| append(into, cause)),
            Text::File => {
                let file = self.hit.method_view().and_then(|m| m.source_file());
                file.is_some_and(|file| append(into, file))
            }
            Text::Path => match self.io {
                Some(done) => append(into, &done.path),
                None => false,
            },
            Text::Operation => match self.io {
                Some(done) => append(into, done.what.name()),
                None => false,
            },
            Text::Point => false,
        }
    }

    fn stamp(&mut self, what: Text) -> Option<u64> {
        match what {
            Text::Thread => self.hit.thread_name_stamp(),
            _ => None,
        }
    }

    fn method(&mut self) -> Option<MethodId> {
        self.hit.method().map(|m| MethodId(m.0))
    }

    fn caller(&mut self, n: u32) -> Option<Frame> {
        let frame = self.hit.caller(n as usize)?;
        Some(self.frame(frame))
    }

    fn stack(&mut self, most: usize, into: &mut Vec<Frame>) {
        let mut frames = Vec::new();
        self.hit.stack(most, &mut frames);
        for frame in frames {
            let frame = self.frame(frame);
            into.push(frame);
        }
    }

    fn method_name(&mut self, method: MethodId, into: &mut String) {
        let view = self.hit.view_of(rjvm_vm::MethodId(method.0));
        into.push_str(&view.class().name());
        into.push('.');
        into.push_str(view.name());
    }

    fn is_library(&mut self, method: MethodId) -> bool {
        let view = self.hit.view_of(rjvm_vm::MethodId(method.0));
        view.class().is_library()
    }

    fn class_of(&mut self, object: Object) -> ClassId {
        let object = self.of(object);
        ClassId(match object.is_null() {
            true => u32::MAX,
            false => self.hit.class_of(object).0,
        })
    }

    fn class_name(&mut self, class: ClassId, into: &mut String) {
        if class.0 != u32::MAX {
            let view = self.hit.class_view(rjvm_vm::ClassId(class.0));
            into.push_str(&view.name());
        }
    }

    fn find_field(&mut self, class: ClassId, name: &str) -> Option<FieldId> {
        if class.0 == u32::MAX {
            return None;
        }
        let known = self.fields.by_class.entry(class.0).or_default();
        if let Some((_, field)) = known.iter().find(|(n, _)| **n == *name) {
            return *field;
        }
        let found = self.hit.find_field(rjvm_vm::ClassId(class.0), name);
        let id = found.map(|field| {
            self.fields.found.push(field);
            FieldId(self.fields.found.len() as u64 - 1)
        });
        known.push((name.into(), id));
        id
    }

    fn field(&mut self, object: Object, field: FieldId) -> Datum {
        let Some(&field) = self.fields.found.get(field.0 as usize) else {
            return Datum::Absent;
        };
        let typed = self.hit.field(self.of(object), field);
        self.datum(typed)
    }

    fn string(&mut self, object: Object, most: usize, into: &mut String) -> bool {
        match self.hit.text(self.of(object), most) {
            Some(text) => append(into, &text),
            None => false,
        }
    }

    fn length(&mut self, object: Object) -> Option<i64> {
        self.hit.length(self.of(object)).map(|n| n as i64)
    }

    fn element(&mut self, object: Object, index: i64) -> Datum {
        let typed = usize::try_from(index)
            .ok()
            .and_then(|index| self.hit.element(self.of(object), index));
        self.datum(typed)
    }

    fn size_of(&mut self, object: Object) -> i64 {
        self.hit.size_of(self.of(object)) as i64
    }

    fn identity(&mut self, object: Object) -> Option<i64> {
        self.hit.identity(self.of(object)).map(i64::from)
    }
}

impl HitView<'_, '_> {
    fn frame(&self, frame: rjvm_vm::instruments::StackFrame) -> Frame {
        let view = self.hit.view_of(frame.method);
        Frame {
            method: MethodId(frame.method.0),
            line: frame.bci.map_or(0, |bci| view.line(bci)),
        }
    }
}

/// The facts at hand where a method is entered or returns.
pub struct FastHit<'h, 'v>(pub &'h instruments::FastEvent<'v>);

impl rjvm_probes::FastEvent for FastHit<'_, '_> {
    #[inline(always)]
    fn arg(&mut self, n: u32) -> Option<i64> {
        self.0.whole_argument(n as usize)
    }
    #[inline(always)]
    fn value(&mut self) -> Option<i64> {
        self.0.whole_value()
    }
    #[inline(always)]
    fn method(&mut self) -> Option<MethodId> {
        Some(MethodId(self.0.method().0))
    }
    #[inline(always)]
    fn caller(&mut self) -> Option<MethodId> {
        self.0.caller().map(|m| MethodId(m.0))
    }
    #[inline(always)]
    fn thread(&mut self) -> Option<u64> {
        self.0.thread_name_stamp()
    }
}

/// A VM before its program's first bytecode, or after the last one.
pub struct Outside<'v>(pub &'v mut Vm);

impl rjvm_probes::Hit for Outside<'_> {
    fn number(&mut self, what: Number) -> Option<i64> {
        match what {
            Number::Bytecodes => Some(self.0.bytecodes_now()),
            Number::Wall => Some(self.0.peek_uptime()),
            Number::Heap => Some(self.0.heap_used() as i64),
            _ => None,
        }
    }

    fn arg(&mut self, _: u32) -> Datum {
        Datum::Absent
    }
    fn this(&mut self) -> Datum {
        Datum::Absent
    }
    fn value(&mut self) -> Datum {
        Datum::Absent
    }
    fn text(&mut self, _: Text, _: &mut String) -> bool {
        false
    }
    fn method(&mut self) -> Option<MethodId> {
        None
    }
    fn caller(&mut self, _: u32) -> Option<Frame> {
        None
    }
    fn stack(&mut self, _: usize, _: &mut Vec<Frame>) {}
    fn method_name(&mut self, _: MethodId, _: &mut String) {}
    fn is_library(&mut self, _: MethodId) -> bool {
        false
    }
    fn class_of(&mut self, _: Object) -> ClassId {
        ClassId(u32::MAX)
    }
    fn class_name(&mut self, _: ClassId, _: &mut String) {}
    fn find_field(&mut self, _: ClassId, _: &str) -> Option<FieldId> {
        None
    }
    fn field(&mut self, _: Object, _: FieldId) -> Datum {
        Datum::Absent
    }
    fn string(&mut self, _: Object, _: usize, _: &mut String) -> bool {
        false
    }
    fn length(&mut self, _: Object) -> Option<i64> {
        None
    }
    fn element(&mut self, _: Object, _: i64) -> Datum {
        Datum::Absent
    }
    fn size_of(&mut self, _: Object) -> i64 {
        0
    }
    fn identity(&mut self, _: Object) -> Option<i64> {
        None
    }
}
