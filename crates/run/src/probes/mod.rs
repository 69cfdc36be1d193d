//! Probes in a VM: where the language of `rjvm_probes` meets the instruments of `rjvm_vm`. Points are placed as instruments, hits
//! are shown to the evaluator, and what it prints goes to a sink. Nothing of the program's is another because of it.

mod hit;
mod io;
mod place;

use hashbrown::HashMap;
use hit::{FastHit, HitView, Outside};
use rjvm_probes::{Point, Script, Session};
use rjvm_vm::events::{Event, EventSet, EventView, Observer, ObserverId};
use rjvm_vm::instruments::{self, FastEvent, FastOutcome, Hit, HitKind, InstrumentId, Spec};
use rjvm_vm::jdk::outside::OutsideRow;
use rjvm_vm::{Ref, ThreadId, Vm};
use std::cell::RefCell;

/// Where printed lines go.
pub type Sink = Box<dyn FnMut(&str) + Send>;

/// The methods of the JDK that the `io` points of a script are about.
pub fn outside(script: &Script) -> Vec<OutsideRow> {
    let points = script.points().filter_map(|placed| match placed.point {
        Point::Io(what) => Some(*what),
        _ => None,
    });
    io::methods(&points.collect::<Vec<_>>())
}

/// Probes in a VM. What they know lies with the VM, as an observer.
#[derive(Debug)]
pub struct Probes {
    known: ObserverId,
    instruments: Vec<InstrumentId>,
}

/// What probes know. From outside it is borrowed; a hit has it for itself.
struct ProbeState(RefCell<Inner>);

struct Inner {
    session: Session,
    sink: Sink,
    /// The printed text, if it is kept.
    printed: Option<String>,
    /// What the evaluator knows objects of the event by.
    refs: Vec<Ref>,
    fields: hit::Fields,
    /// The probe that has ended the program.
    stopped: Option<String>,
    /// What natives that reach outside are doing, by thread.
    io: io::PendingIo,
    /// Since when threads wait, in `Object.wait` or for a monitor.
    waits: HashMap<(ThreadId, HitKind), i64>,
    /// A point reports how long they have waited.
    times_waits: bool,
    /// Points that instruments count by themselves, with the number of hits of each that the session has.
    counted: Vec<(usize, InstrumentId, u64)>,
    ended: bool,
    /// There are no notifications any more: the program has ended, or a probe has stopped it.
    over: bool,
}

/// Numbers that instruments are placed with: a point's own; of one of `io`, or of an exit whose entry is a hit too, with
/// these bits; or the end of a thread.
const OF_IO: u32 = 1 << 31;
const WITH_ENTRY: u32 = 1 << 30;
const END_OF_THREAD: u32 = u32::MAX;

impl Probes {
    /// Places all points, of classes that are loaded now or later, and lets `BEGIN` happen. Without a sink, their output is
    /// stored for [`Probes::text`].
    pub fn place(vm: &mut Vm, script: Script, sink: Option<Sink>) -> Probes {
        let points: Vec<(Point, bool)> = script
            .points()
            .map(|placed| (placed.point.clone(), placed.wants_entry))
            .collect();
        let printed = sink.is_none().then(String::new);
        let mut session = script.session();
        if printed.is_some() {
            session.keep_output();
        }
        let times_waits = points
            .iter()
            .any(|(point, _)| matches!(point, Point::Monitor(..)));
        let known = vm.observe(Box::new(ProbeState(RefCell::new(Inner {
            session,
            sink: sink.unwrap_or_else(|| Box::new(|_| {})),
            printed,
            refs: Vec::new(),
            fields: hit::Fields::default(),
            stopped: None,
            io: io::PendingIo::default(),
            times_waits,
            waits: HashMap::new(),
            counted: Vec::new(),
            ended: false,
            over: false,
        }))));
        let mut probes = Probes {
            known,
            instruments: Vec::new(),
        };
        probes.outside(vm, &Point::Begin);
        for (i, (point, wants_entry)) in points.into_iter().enumerate() {
            probes.place_point(vm, i, point, wants_entry);
        }
        // after those that are about the end themselves
        let end = instruments::Point::Thread(false);
        probes.notify(vm, end, END_OF_THREAD);
        probes
    }

    /// Places an instrument that reports the probes.
    fn notify(&mut self, vm: &mut Vm, at: instruments::Point, number: u32) {
        let id = vm.place_instrument(Spec::notify_all(at, self.known, number));
        self.instruments.push(id);
    }

    /// Places an instrument that counts by itself.
    fn count_at(&mut self, vm: &mut Vm, at: instruments::Point, number: usize) {
        let id = vm.place_instrument(Spec::count(at));
        self.instruments.push(id);
        self.with(vm, |inner| inner.counted.push((number, id, 0)));
    }

    /// Computes something from the state of the probes. `None`: it is gone.
    fn with<T>(&self, vm: &Vm, f: impl FnOnce(&mut Inner) -> T) -> Option<T> {
        let held: &ProbeState = vm.observer(self.known)?;
        Some(f(&mut held.0.borrow_mut()))
    }

    /// Lets the points that are `at` happen, which are about no bytecode.
    fn outside(&self, vm: &mut Vm, at: &Point) {
        vm.with_observer(self.known, |held: &mut ProbeState, vm| {
            let inner = held.0.get_mut();
            let points = inner.session.script().points().enumerate();
            let these = points.filter(|(_, placed)| placed.point == at);
            let points: Vec<usize> = these.map(|(i, _)| i).collect();
            for point in points {
                inner.session.fire(point, &mut Outside(vm));
            }
            inner.print();
            let requested = inner.session.take_requests();
            if requested.snapshot {
                vm.want_snapshot();
            }
            if let Some(place) = requested.stop
                && *at == Point::Begin
            {
                inner.stopped = Some(place);
                inner.over = true;
                vm.canceller().cancel();
            }
        });
    }

    /// The program has ended: `END` happens. Afterwards, nothing does.
    pub fn end(&self, vm: &mut Vm) {
        self.count(vm);
        if self.with(vm, |inner| inner.ended) == Some(false) {
            self.outside(vm, &Point::End);
            self.with(vm, |inner| (inner.ended, inner.over) = (true, true));
        }
    }

    /// Removes all probes from the program. Their results are gone.
    pub fn remove(self, vm: &mut Vm) {
        for id in self.instruments {
            let _ = vm.remove_instrument(id);
        }
        let _ = vm.remove_observer(self.known);
    }

    /// Takes over what instruments have counted by themselves.
    fn count(&self, vm: &Vm) {
        self.with(vm, |inner| {
            for (point, id, reported) in &mut inner.counted {
                let hits = vm.instrument_reading(*id).map_or(*reported, |r| r.hits);
                if !inner.ended {
                    inner.session.counted(*point, hits - *reported);
                }
                *reported = hits;
            }
        });
    }

    /// The results as text, after the printed output if that is stored.
    pub fn text(&self, vm: &Vm) -> String {
        self.count(vm);
        let text = self.with(vm, |inner| {
            let printed = inner.printed.as_deref().unwrap_or_default();
            format!("{printed}{}", inner.session.text())
        });
        text.unwrap_or_default()
    }

    /// The same as data.
    pub fn json(&self, vm: &Vm) -> serde_json::Value {
        self.count(vm);
        self.with(vm, |inner| inner.session.json())
            .unwrap_or_default()
    }

    /// The place of the probe that has ended the program, if one has.
    pub fn stopped(&self, vm: &Vm) -> Option<String> {
        self.with(vm, |inner| inner.stopped.clone())?
    }
}

impl Observer for ProbeState {
    /// Events needed beside hits: classes that go, threads that end, and when threads begin to wait.
    fn events(&self) -> EventSet {
        let always = EventSet::UNLOADING.and(EventSet::THREAD_END);
        match self.0.borrow().times_waits {
            true => always
                .and(EventSet::MONITOR_CONTENDED_ENTER)
                .and(EventSet::MONITOR_WAIT),
            false => always,
        }
    }

    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let (thread, now) = (seen.thread(), seen.peek_uptime());
        let inner = self.0.get_mut();
        match event {
            Event::ClassUnloaded(_) => {
                inner.session.classes_changed();
                inner.fields.forget();
            }
            Event::MonitorContendedEnter { .. } => {
                let key = thread.map(|t| (t, HitKind::MonitorContended));
                inner.waits.extend(key.map(|key| (key, now)));
            }
            Event::MonitorWait { .. } => {
                let key = thread.map(|t| (t, HitKind::MonitorWait));
                inner.waits.extend(key.map(|key| (key, now)));
            }
            Event::ThreadEnded(thread) => inner.waits.retain(|(t, _), _| *t != thread),
            _ => {}
        }
    }

    fn hit(&mut self, hit: &mut Hit<'_>, number: u32) {
        self.0.get_mut().reported(hit, number);
    }

    fn fast_event(&mut self, fast_event: &FastEvent<'_>, number: u32) -> FastOutcome {
        let inner = self.0.get_mut();
        if inner.over {
            return FastOutcome::Look;
        }
        // numbers with further bits are of no point
        match inner
            .session
            .fast_event(number as usize, &mut FastHit(fast_event))
        {
            Some(true) => FastOutcome::Done,
            Some(false) => FastOutcome::Look,
            None => FastOutcome::Never,
        }
    }
}

impl Inner {
    /// An instrument has notified the session.
    #[inline(always)]
    fn reported(&mut self, hit: &mut Hit<'_>, number: u32) {
        if self.over {
            return;
        }
        let kind = hit.kind();
        if number & (OF_IO | WITH_ENTRY) != 0
            || matches!(kind, HitKind::MonitorContended | HitKind::MonitorWait)
        {
            return self.report_more(hit, number);
        }
        self.fire(hit, number as usize, None, None);
    }

    /// The same of points at which there is more to do.
    #[inline(never)]
    fn report_more(&mut self, hit: &mut Hit<'_>, number: u32) {
        if number == END_OF_THREAD {
            return self.session.thread_ended(hit.thread_number());
        }
        let point = (number & !(OF_IO | WITH_ENTRY)) as usize;
        match hit.kind() {
            kind @ (HitKind::MonitorContended | HitKind::MonitorWait) => {
                let began = self.waits.remove(&(hit.thread(), kind));
                let waited = began.map(|began| hit.wall() - began);
                self.fire(hit, point, None, waited);
            }
            _ if number & OF_IO != 0 => {
                if let Some(done) = self.io.reported(hit, number) {
                    self.fire(hit, point, Some(&done), None);
                }
            }
            HitKind::Entry => {
                self.refs.clear();
                let mut shown = HitView {
                    hit,
                    refs: &mut self.refs,
                    fields: &mut self.fields,
                    io: None,
                    waited: None,
                };
                self.session.enter(point, &mut shown);
            }
            _ => self.fire(hit, point, None, None),
        }
    }

    #[inline(always)]
    fn fire(
        &mut self,
        hit: &mut Hit<'_>,
        point: usize,
        io: Option<&io::CompletedIo>,
        waited: Option<i64>,
    ) {
        self.refs.clear();
        let mut shown = HitView {
            hit,
            refs: &mut self.refs,
            fields: &mut self.fields,
            io,
            waited,
        };
        self.session.fire(point, &mut shown);
        if self.session.has_output() || self.session.has_requests() {
            self.after(hit);
        }
    }

    /// What a hit has led to.
    #[cold]
    fn after(&mut self, hit: &mut Hit<'_>) {
        self.print();
        let requested = self.session.take_requests();
        if requested.snapshot {
            hit.snapshot();
        }
        if let Some(place) = requested.stop {
            self.stopped = Some(place);
            self.over = true;
            hit.stop();
        }
    }

    fn print(&mut self) {
        if self.session.has_output() {
            let text = self.session.take_output();
            match &mut self.printed {
                Some(printed) => printed.push_str(&text),
                None => (self.sink)(&text),
            }
        }
    }
}
