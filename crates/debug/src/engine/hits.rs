//! Where the VM reports something that a request may be about: it is noted, and the VM asked to stop.

use super::raw::{About, Raw, RawSubject, descriptor};
use super::types::{Filter, Location, Request, What};
use super::world::Shared;
use rjvm_vm::events::{Event as VmEvent, EventView, Observer};
use rjvm_vm::instruments::{Hit, HitKind};
use rjvm_vm::{MethodId, Ref, Value};

/// The engine, as the VM knows it.
pub(super) struct Hits(pub Shared);

/// It wants no events until a request is about some.
impl Observer for Hits {
    fn hit(&mut self, hit: &mut Hit<'_>, number: u32) {
        // while the engine is at work, nobody is asked
        let Some(mut engine) = self.0.try_lock() else {
            return;
        };
        let thread = hit.thread();
        let Some(request) = engine.requests.iter().find(|r| r.id == number) else {
            return;
        };
        let object = hit.vm().a_thread(thread).object;
        let is_it = |id: u64| engine.objects.get(hit.vm(), id) == Some(object);
        let others = |f: &Filter| matches!(f, Filter::Thread(id) if !is_it(*id));
        if request.filters.iter().any(others) {
            return;
        }
        let Some(method) = hit.method() else {
            return;
        };
        let at = Location {
            method,
            bci: hit.bci().filter(|_| !hit.vm().method(method).is_native()),
        };
        if let What::Step(..) = request.what {
            let ended = engine.steps.get_mut(&number).is_some_and(|step| {
                step.thread == thread && step.ends_over(hit.vm(), at, hit.frame())
            });
            if !ended {
                return;
            }
        }
        let subject = match hit.kind() {
            _ if matches!(request_kind(&engine.requests, number), Some(What::Step(..))) => {
                RawSubject::Step
            }
            HitKind::Return => match hit.value() {
                None => RawSubject::Value(b'V', 0),
                Some(v) => match v.value {
                    Value::Ref(r) => RawSubject::Object(r.non_null().map(|r| hit.watch_object(r))),
                    value => RawSubject::Value(v.letter, value.slot()),
                },
            },
            HitKind::Exception => match hit.value().and_then(|v| v.object()) {
                Some(e) => RawSubject::Exception(e),
                None => return,
            },
            HitKind::Read | HitKind::Write => {
                let object = hit.this();
                let is_static = hit.member().is_none();
                let Some((class, name, descriptor)) = hit.member() else {
                    return;
                };
                let (name, descriptor) = (name.to_owned(), descriptor.to_owned());
                debug_assert!(!is_static);
                let value = match hit.kind() {
                    HitKind::Write => hit.value().map(|v| (v.letter, v.value)),
                    _ => None,
                };
                RawSubject::Field {
                    class,
                    name,
                    descriptor,
                    object,
                    value,
                }
            }
            _ => RawSubject::None,
        };
        let executed = hit.executed();
        let this = match at.bci {
            None => hit.this(),
            Some(_) => None,
        };
        engine.raw.push(Raw::Hit {
            request: number,
            thread,
            executed,
            at,
            this,
            subject,
        });
        drop(engine);
        hit.attend();
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: VmEvent<'_>) {
        let Some(mut engine) = self.0.try_lock() else {
            return;
        };
        let thread = seen.thread();
        let number = |seen: &mut EventView<'_>, r: Ref| r.non_null().map(|r| seen.watch_object(r));
        let monitor =
            |seen: &mut EventView<'_>, object, timeout: Option<i64>, timed_out| About::Monitor {
                object: number(seen, object),
                at: place(seen),
                timeout: timeout.map_or(0, |n| n / 1_000_000),
                timed_out,
            };
        let raw = match event {
            VmEvent::ClassPrepared(c) => Raw::Event {
                thread,
                what: What::ClassPrepare,
                about: About::Class(c),
            },
            VmEvent::ClassUnloaded(c) => {
                let mirror = seen.mirror(c);
                let watched = engine.objects.unloaded(mirror);
                let descriptor = descriptor(&seen.class(c).name);
                engine.raw.push(Raw::Unloaded(descriptor, watched));
                if engine.requests.iter().any(|r| r.what == What::ClassUnload) {
                    seen.attend();
                }
                return;
            }
            VmEvent::ThreadStarted(t) | VmEvent::ThreadEnded(t) => {
                let what = match event {
                    VmEvent::ThreadStarted(_) => What::ThreadStart,
                    _ => What::ThreadEnd,
                };
                let object = seen.a_thread(t).object;
                if object.is_null() {
                    // there is nothing by which to show it, before the host has constructed it
                    if what == What::ThreadStart {
                        engine.nameless.push(t);
                    }
                    return;
                }
                Raw::Event {
                    thread: Some(t),
                    what,
                    about: About::Thread(number(seen, object)),
                }
            }
            VmEvent::MonitorContendedEnter { object, .. } => Raw::Event {
                thread,
                what: What::MonitorEnter,
                about: monitor(seen, object, None, false),
            },
            VmEvent::MonitorContendedEntered { object } => Raw::Event {
                thread,
                what: What::MonitorEntered,
                about: monitor(seen, object, None, false),
            },
            // a sleep waits for nobody
            VmEvent::MonitorWait { object, timeout } if !object.is_null() => Raw::Event {
                thread,
                what: What::MonitorWait,
                about: monitor(seen, object, timeout, false),
            },
            VmEvent::MonitorWaited { object, timed_out } if !object.is_null() => Raw::Event {
                thread,
                what: What::MonitorWaited,
                about: monitor(seen, object, None, timed_out),
            },
            _ => return,
        };
        engine.raw.push(raw);
        drop(engine);
        seen.attend();
    }
}

/// Where the thread is to which something happens.
fn place(seen: &mut EventView<'_>) -> Option<Location> {
    let top = seen.top_frames(1).pop()?;
    Some(Location {
        method: MethodId(top.method),
        bci: u16::try_from(top.bci).ok(),
    })
}

fn request_kind(all: &[Request], id: u32) -> Option<What> {
    all.iter().find(|r| r.id == id).map(|r| r.what)
}
