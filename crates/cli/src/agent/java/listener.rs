//! The Java interface `EventListener`: events as calls, with numbers for what they name, and the questions that a listener may ask
//! the program's VM meanwhile. For a question the agent's VM is stopped, the answer is made from the program's VM, and the agent
//! continues.

use super::JavaAgent;
use super::machine::Machine;
use rjvm_vm::events::{Event, EventSet, EventView, Observer};
use rjvm_vm::inspect::InspectLimits;
use rjvm_vm::{ClassId, MethodId, Ref, ThreadId};

/// Kinds by the numbers that class `VM` of the agents' API gives them.
const KINDS: [EventSet; 25] = [
    EventSet::VM,
    EventSet::VM,
    EventSet::THREAD_START,
    EventSet::THREAD_END,
    EventSet::CLASSES,
    EventSet::UNLOADING,
    EventSet::CLASS_FILES,
    EventSet::ARENAS,
    EventSet::ARENAS,
    EventSet::ALLOCATIONS,
    EventSet::MOVES,
    EventSet::FREES,
    EventSet::COLLECTIONS,
    EventSet::COLLECTIONS,
    EventSet::METHOD_ENTRY,
    EventSet::METHOD_EXIT,
    EventSet::INSTRUCTIONS,
    EventSet::MONITOR_CONTENDED_ENTER,
    EventSet::MONITOR_CONTENDED_ENTERED,
    EventSet::MONITOR_CONTENDED_EXIT,
    EventSet::MONITOR_WAIT,
    EventSet::MONITOR_WAITED,
    EventSet::PARK,
    EventSet::PARKED,
    EventSet::HEAP_DUMP,
];

/// The kinds that are enabled: bit `i` for number `i`.
fn wanted(enabled: u32) -> EventSet {
    let kinds = KINDS.iter().enumerate();
    let on = kinds.filter(|(i, _)| enabled & 1 << i != 0);
    on.fold(EventSet::NONE, |set, (_, kind)| set | *kind)
}

/// An event as it is handed to the agent.
#[derive(Default)]
pub(super) struct AgentEvent {
    pub kind: u32,
    pub numbers: [i64; 4],
    pub text: Option<String>,
    pub file: Option<Vec<u8>>,
}

/// What a dump of an object shows.
const SHOWN: InspectLimits = InspectLimits {
    depth: 1,
    ..InspectLimits::DEFAULT
};

/// The agent as an observer.
pub(super) struct AgentListener(pub JavaAgent);

impl Observer for AgentListener {
    fn events(&self) -> EventSet {
        wanted(self.0.machine().begin_listening())
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let Some(reported) = reported(seen, event) else {
            return;
        };
        let mut machine = self.0.machine();
        if machine.enabled() & 1 << reported.kind == 0 {
            return;
        }
        let replacement = machine.notify_event(seen, reported);
        for path in std::mem::take(&mut machine.mail().dumps) {
            seen.request_heap_dump(path.as_bytes());
        }
        let requests = std::mem::take(&mut machine.mail().requests);
        let now = wanted(machine.enabled());
        drop(machine);
        self.0.place_in(requests, seen);
        if now != seen.wanted() {
            seen.want(now);
        }
        if let Some(file) = replacement {
            seen.replace_class_file(file);
        }
    }
}

fn reported(seen: &mut EventView<'_>, event: Event<'_>) -> Option<AgentEvent> {
    let of = |r: Ref| r.slot() as i64;
    let arena = |seen: &EventView<'_>, r: Ref| seen.heap().arena_of(r).map_or(0, |a| a.id().into());
    let (kind, numbers) = match event {
        Event::Initialized => (0, [0; 4]),
        Event::Ended => (1, [0; 4]),
        Event::ThreadStarted(t) => {
            let text = Some(seen.thread_name(t));
            return Some(AgentEvent {
                kind: 2,
                numbers: [t.0.into(), 0, 0, 0],
                text,
                file: None,
            });
        }
        Event::ThreadEnded(t) => (3, [t.0.into(), 0, 0, 0]),
        Event::ClassLoaded(c) => {
            return Some(AgentEvent {
                kind: 4,
                numbers: [c.0.into(), 0, 0, 0],
                text: Some(seen.class(c).dotted()),
                file: None,
            });
        }
        Event::ClassUnloaded(c) => (5, [c.0.into(), 0, 0, 0]),
        Event::ClassFile(file) => {
            return Some(AgentEvent {
                kind: 6,
                numbers: [0; 4],
                text: file.name.map(str::to_string),
                file: Some(file.bytes.to_vec()),
            });
        }
        Event::NewArena(a) => {
            return Some(AgentEvent {
                kind: 7,
                numbers: [a.id().into(), 0, 0, 0],
                text: Some(a.name().into()),
                file: None,
            });
        }
        Event::DeleteArena(a) => (8, [a.id().into(), 0, 0, 0]),
        Event::Allocated { object, bytes } => {
            let class = seen.class_of(object).0.into();
            let arena = arena(seen, object);
            (9, [arena, of(object), class, bytes as i64])
        }
        Event::Moved { from, to, .. } => {
            let arenas = (arena(seen, from), arena(seen, to));
            (10, [arenas.0, of(from), arenas.1, of(to)])
        }
        Event::Freed { object, .. } => (11, [of(object), 0, 0, 0]),
        Event::CollectionStarted => (12, [0; 4]),
        Event::CollectionEnded(c) => {
            let mut objects = 0;
            seen.each_object_of_heap(|_| objects += 1);
            (13, [objects, c.after as i64, c.capacity as i64, 0])
        }
        Event::MethodEntry { method } => (14, [method.0.into(), 0, 0, 0]),
        Event::MethodExit { method, exception } => (15, [method.0.into(), exception.into(), 0, 0]),
        Event::Instruction(at) => {
            let top = at.stack.last()?;
            (16, [top.method.into(), top.bci.into(), 0, 0])
        }
        Event::MonitorContendedEnter { object, owner } => {
            let owner = owner.map_or(-1, |t| t.0.into());
            (17, [of(object), owner, 0, 0])
        }
        Event::MonitorContendedEntered { object } => (18, [of(object), 0, 0, 0]),
        Event::MonitorContendedExit { object } => (19, [of(object), 0, 0, 0]),
        Event::MonitorWait { object, timeout } => (20, [of(object), timeout.unwrap_or(0), 0, 0]),
        Event::MonitorWaited { object, timed_out } => (21, [of(object), timed_out.into(), 0, 0]),
        Event::Park { blocker, timeout } => (22, [of(blocker), timeout.unwrap_or(0), 0, 0]),
        Event::Parked { blocker, timed_out } => (23, [of(blocker), timed_out.into(), 0, 0]),
        Event::HeapDumped(path, result) => {
            return Some(AgentEvent {
                kind: 24,
                numbers: [result.map_or(-1, |n| n as i64), 0, 0, 0],
                text: Some(String::from_utf8_lossy(path).into_owned()),
                file: None,
            });
        }
        _ => return None,
    };
    Some(AgentEvent {
        kind,
        numbers,
        ..AgentEvent::default()
    })
}

/// The answer to a question of a listener.
pub(super) fn answer(seen: &mut EventView<'_>, what: i32, about: i32) -> String {
    let about = about as u32;
    let of_heap = matches!(what, 0 | 3 | 5..=7);
    if of_heap && seen.is_in_collection() {
        return String::new();
    }
    match what {
        0 => {
            let lives = seen.live_threads().any(|t| t.0 == about);
            let name = lives.then(|| seen.thread_name(ThreadId(about)));
            name.unwrap_or_default()
        }
        1 if seen.heap().is_class(ClassId(about)) => seen.class(ClassId(about)).dotted(),
        2 if seen.knows_method(MethodId(about)) => seen.method_name(MethodId(about)),
        3 => match seen.object_at(about) {
            Some(r) => seen.class(seen.class_of(r)).dotted(),
            None => String::new(),
        },
        4 => {
            let stack = seen.stack();
            let frames = stack.iter().rev().take(about as usize).map(|f| {
                let bci = i32::try_from(f.bci).unwrap_or(-1);
                seen.frame_line(MethodId(f.method), bci)
            });
            frames.collect::<Vec<_>>().join("\n")
        }
        5 => {
            let dump = seen.monitor_dump();
            seen.describe_monitors(&dump)
        }
        6 => seen.thread_dump(),
        7 => match seen.object_at(about) {
            Some(r) => seen.object_dump(r, &SHOWN),
            None => String::new(),
        },
        _ => String::new(),
    }
}

impl Machine {
    /// The kinds that are enabled, by number.
    pub(super) fn enabled(&mut self) -> u32 {
        self.mail().enabled
    }
}
