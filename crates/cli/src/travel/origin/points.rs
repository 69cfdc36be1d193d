//! Where a watch is notified while a program runs, and what it notes there.

use super::data::{FrameKey, How, OriginVariable, Watch};
use super::watch::WriteSearch;
use crate::travel::query::is;
use rjvm_vm::ThreadId;
use rjvm_vm::instruments::{ClassFilter, Hit, HitKind, MemberView, Members, MethodFilter, Point};

pub type OnHit = Box<dyn Fn(&mut WriteSearch, &mut Hit<'_>) + Send>;

/// Where a watch is notified, and what it notes there.
pub fn points(watch: &Watch) -> Vec<(Point, OnHit)> {
    let one = |frame: &FrameKey| {
        let key = frame.method.clone();
        MethodFilter::of(move |m| is(m, &key))
    };
    match watch {
        Watch::Local { frame, stores } => {
            let mut points = vec![(Point::Entry(one(frame)), entered(frame))];
            for &index in stores {
                let at = Point::Bytecode {
                    within: one(frame),
                    indices: (index, index),
                };
                points.push((at, stored(frame)));
            }
            points
        }
        Watch::Path { frame, .. } => {
            let at = Point::Bytecode {
                within: one(frame),
                indices: (0, u16::MAX),
            };
            vec![
                (Point::Entry(one(frame)), entered(frame)),
                (at, executed(frame)),
            ]
        }
        Watch::Memory(variable) => {
            let mut points = vec![(
                Point::Around(MethodFilter::of(|m| {
                    let (of, _) = m.descriptor().rsplit_once(')').unwrap_or_default();
                    m.is_native() && (!m.is_static() || of.contains(['L', '[']))
                })),
                Box::new(|s: &mut WriteSearch, hit: &mut Hit<'_>| match hit.kind() {
                    HitKind::Entry => s.native_begins(hit),
                    _ => s.native_ends(hit),
                }) as OnHit,
            )];
            points.extend(memory(variable));
            points
        }
        Watch::Birth { class, .. } => {
            let on_hit = |s: &mut WriteSearch, hit: &mut Hit<'_>| {
                if let Some(r) = hit.value().and_then(|v| v.object()) {
                    let position = hit.bytecodes() - 1;
                    // the bytecode that makes it, in the frame of a method with bytecodes
                    let own = hit.method().zip(hit.bci());
                    let by = own.or_else(|| hit.caller(1).and_then(|f| Some((f.method, f.bci?))));
                    s.written(hit, r, position, by);
                }
            };
            vec![(Point::Alloc(ClassFilter::named(class)), Box::new(on_hit))]
        }
        Watch::Thrown { thread } => {
            let thread = ThreadId(*thread);
            let on_hit = move |s: &mut WriteSearch, hit: &mut Hit<'_>| {
                if hit.thread() == thread {
                    // the bytecode that throws has been counted
                    let position = hit.bytecodes() - 1;
                    s.note(position, How::Bytecode);
                }
            };
            vec![(Point::Exception(ClassFilter::All), Box::new(on_hit))]
        }
        Watch::Calls { library, .. } => {
            let on_hit = |s: &mut WriteSearch, hit: &mut Hit<'_>| s.called.hit(hit);
            vec![(super::calls::point(*library), Box::new(on_hit))]
        }
        Watch::Return { thread, name } => {
            let (thread, name) = (ThreadId(*thread), name.clone());
            let within = match name {
                Some(name) => MethodFilter::of(move |m| m.name() == name),
                None => MethodFilter::All,
            };
            let on_hit = move |s: &mut WriteSearch, hit: &mut Hit<'_>| {
                if hit.thread() == thread {
                    // the bytecode that returns has been counted
                    let position = hit.bytecodes() - 1;
                    let native = hit.method_view().filter(|m| m.is_native());
                    let native = native.map(|m| format!("{}.{}", m.class().name(), m.name()));
                    s.note(position, How::Return { native });
                }
            };
            vec![(Point::Return(within), Box::new(on_hit))]
        }
    }
}

/// Where a field or an element is written by bytecodes.
fn memory(variable: &OriginVariable) -> Option<(Point, OnHit)> {
    let field = |class: &str, name: &str| {
        let (class, name) = (class.to_owned(), name.to_owned());
        let related = move |m: &MemberView<'_>| {
            // a class that is not loaded yet may turn out to be one below it
            let below = m
                .class()
                .is_none_or(|c| c.supertypes().any(|s| s.name() == class));
            m.name() == name && (m.class_name() == class || below)
        };
        Point::Field {
            field: Members::of(related),
            within: MethodFilter::All,
            write: true,
        }
    };
    Some(match variable {
        OriginVariable::Static { class, name } => {
            let on_hit = {
                let class = class.clone();
                move |s: &mut WriteSearch, hit: &mut Hit<'_>| {
                    if hit.this().is_some() {
                        return;
                    }
                    let named = hit.member().map(|m| m.0);
                    if named.is_some_and(|n| n == class || is_below(hit, &n, &class)) {
                        s.announce(hit);
                    }
                }
            };
            (field(class, name), Box::new(on_hit))
        }
        OriginVariable::Field { class, name, .. } => {
            let on_hit = |s: &mut WriteSearch, hit: &mut Hit<'_>| {
                if let Some(r) = hit.this() {
                    s.announce_of(hit, r);
                }
            };
            (field(class, name), Box::new(on_hit))
        }
        OriginVariable::Element { index, .. } => {
            let index = i32::try_from(*index).ok()?;
            let on_hit = move |s: &mut WriteSearch, hit: &mut Hit<'_>| {
                if hit.index() != Some(index) || !hit.stores() {
                    return;
                }
                let Some(r) = hit.this() else { return };
                let class = hit.class_of(r);
                if s.concerns(hit.vm(), class) {
                    s.announce_of(hit, r);
                }
            };
            (Point::Element(MethodFilter::All), Box::new(on_hit))
        }
        _ => return None,
    })
}

/// Whether a class of that name has one of the other name above it.
fn is_below(hit: &Hit<'_>, name: &str, above: &str) -> bool {
    let classes = hit.vm().debug_classes();
    let mut named = classes.into_iter().map(|c| hit.class_view(c));
    named.any(|c| c.name() == name && c.supertypes().any(|s| s.name() == above))
}

fn in_frame(frame: &FrameKey) -> impl Fn(&Hit<'_>) -> bool + Send + use<> {
    let (thread, height) = (ThreadId(frame.thread), frame.height);
    move |hit| hit.thread() == thread && hit.frame() == height
}

/// The call begins.
fn entered(frame: &FrameKey) -> OnHit {
    let is_it = in_frame(frame);
    Box::new(move |s, hit| {
        let position = hit.bytecodes();
        if is_it(hit) && position < s.before {
            s.path.begin();
            s.note(position, How::Entry);
        }
    })
}

/// It is about to write the local.
fn stored(frame: &FrameKey) -> OnHit {
    let is_it = in_frame(frame);
    Box::new(move |s, hit| {
        if is_it(hit) {
            let position = hit.bytecodes();
            s.note(position, How::Bytecode);
        }
    })
}

/// It is about to execute a bytecode.
fn executed(frame: &FrameKey) -> OnHit {
    let is_it = in_frame(frame);
    Box::new(move |s, hit| {
        let position = hit.bytecodes();
        if is_it(hit)
            && position < s.before
            && let (Some(method), Some(index)) = (hit.method(), hit.bci())
        {
            s.path.add(method, position, index);
        }
    })
}
