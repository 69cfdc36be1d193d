//! Instruments in Java: where an agent asks for them, the program's VM gets instruments that report the agent's.

use super::JavaAgent;
use super::request::{AgentInstrument, AgentRequest};
use rjvm_vm::events::EventView;
use rjvm_vm::instruments::{Hit, HitKind, InstrumentId, MethodFilter, Point, Spec, Typed};
use rjvm_vm::{Value, Vm};

/// Characters of a string that are shown.
const SHOWN: usize = 100;

/// Places instruments: a VM, or the view of it in an event or a hit.
pub(super) trait Places {
    fn place(&mut self, spec: Spec) -> InstrumentId;
    fn remove(&mut self, id: InstrumentId);
}

impl Places for Vm {
    fn place(&mut self, spec: Spec) -> InstrumentId {
        self.place_instrument(spec)
    }
    fn remove(&mut self, id: InstrumentId) {
        let _ = self.remove_instrument(id);
    }
}

impl Places for EventView<'_> {
    fn place(&mut self, spec: Spec) -> InstrumentId {
        self.place_instrument(spec)
    }
    fn remove(&mut self, id: InstrumentId) {
        self.remove_instrument(id);
    }
}

impl Places for Hit<'_> {
    fn place(&mut self, spec: Spec) -> InstrumentId {
        Hit::place(self, spec)
    }
    fn remove(&mut self, id: InstrumentId) {
        Hit::remove(self, id);
    }
}

impl JavaAgent {
    /// Does what the agent has requested.
    pub(super) fn place_in(&self, requests: Vec<AgentRequest>, vm: &mut impl Places) {
        for request in requests {
            match request {
                AgentRequest::Remove(number) => {
                    let ids = self.machine().mail().placed.remove(&number);
                    ids.into_iter().flatten().for_each(|id| vm.remove(id));
                }
                AgentRequest::Place(p) => {
                    let kinds: &[fn(MethodFilter) -> Point] = match p.strategy {
                        0 => &[Point::Block],
                        1 => &[Point::Entry],
                        2 => &[Point::Return, Point::Throw],
                        _ => &[Point::Around],
                    };
                    let ids = kinds.iter().map(|at| {
                        let (agent, number) = (self.clone(), p.number);
                        let notify = move |hit: &mut Hit<'_>| agent.reported(number, hit);
                        vm.place(Spec::notify(at(methods(&p)), notify))
                    });
                    let ids = ids.collect();
                    self.machine().mail().placed.insert(p.number, ids);
                }
            }
        }
    }
    fn reported(&self, number: i32, hit: &mut Hit<'_>) {
        let after = matches!(hit.kind(), HitKind::Return | HitKind::Throw);
        let elapsed = hit.elapsed();
        let value = hit.value().filter(|_| after);
        let flags = i32::from(after)
            | i32::from(hit.kind() == HitKind::Throw) << 1
            | i32::from(elapsed.is_some_and(|e| e.late)) << 2
            | i32::from(value.is_some()) << 3;
        let n = hit.arguments();
        let arguments = (0..n).map(|i| shown(hit, hit.argument(i)));
        let mut texts: Vec<String> = arguments.collect();
        texts.extend(value.map(|v| shown(hit, Some(v))));
        let method = hit.method().map_or(0, |m| m.0);
        let at = i64::from(method) << 32 | i64::from(hit.line());
        let counts = elapsed.map_or([-1; 2], |e| [e.bytecodes, e.allocated as i64]);
        let counts = [at, counts[0], counts[1]];
        let mut machine = self.machine();
        let reported = machine.notify_hit(&mut hit.seen(), [number, flags], counts, (n, texts));
        let mut requests = std::mem::take(&mut machine.mail().requests);
        drop(machine);
        if !reported {
            requests.push(AgentRequest::Remove(number));
        }
        self.place_in(requests, hit);
    }
}

/// The methods an agent means.
fn methods(p: &AgentInstrument) -> MethodFilter {
    let (classes, name) = (p.classes.clone(), p.method.clone());
    MethodFilter::of(move |m| {
        let is_named = name == "*" || m.name() == name;
        is_named && classes.iter().any(|c| c.matches_class(&m.class().name()))
    })
}

/// A value as text.
fn shown(hit: &Hit<'_>, v: Option<Typed>) -> String {
    let Some(v) = v else {
        return "?".into();
    };
    match (v.letter, v.value) {
        (b'Z', Value::Int(i)) => (i != 0).to_string(),
        (b'C', Value::Int(i)) => char::from_u32(i as u32).unwrap_or('\u{fffd}').to_string(),
        (_, Value::Int(i)) => i.to_string(),
        (_, Value::Long(i)) => i.to_string(),
        (_, Value::Float(f)) => f.to_string(),
        (_, Value::Double(d)) => d.to_string(),
        (_, Value::Ref(r)) if r.is_null() => "null".into(),
        (_, Value::Ref(r)) => match hit.text(r, SHOWN) {
            Some(text) => format!("\"{text}\""),
            None => hit.class_view(hit.class_of(r)).name(),
        },
        (_, Value::Void) => String::new(),
    }
}
