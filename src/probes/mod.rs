//! Probes in a VM: where the language of `rjvm_probes` meets the instruments of `rjvm_vm`. Points are placed as instruments, hits
//! are shown to the evaluator, and what it prints goes to a sink. Nothing of the program's is another because of it.

mod hit;
mod io;
mod place;

use hashbrown::HashMap;
use hit::{Outside, Shown};
use rjvm_probes::{Point, Script, Session};
use rjvm_vm::events::{Event, EventSet, Seen, Subscriber};
use rjvm_vm::instruments::{self, Hit, InstrumentId, Kind, Spec};
use rjvm_vm::{Ref, ThreadId, Vm};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where printed lines go.
pub type Sink = Box<dyn FnMut(&str) + Send>;

/// Probes of a run.
#[derive(Clone)]
pub struct Probes(Arc<Mutex<Inner>>);

struct Inner {
    session: Session,
    sink: Sink,
    /// What has been printed, if that is kept.
    printed: Option<String>,
    /// What the evaluator knows objects of the event by.
    refs: Vec<Ref>,
    fields: hit::Fields,
    /// The probe that has ended the program.
    stopped: Option<String>,
    /// What natives that reach outside are doing, by thread.
    io: io::UnderWay,
    /// Since when threads wait.
    waits: HashMap<ThreadId, i64>,
    /// Points that instruments count by themselves, with how often each has been told to the session.
    counted: Vec<(usize, InstrumentId, u64)>,
    ended: bool,
}

impl Probes {
    /// Probes that have been read.
    pub fn new(script: Script, sink: Sink) -> Probes {
        Probes(Arc::new(Mutex::new(Inner {
            session: script.session(),
            sink,
            printed: None,
            refs: Vec::new(),
            fields: hit::Fields::default(),
            stopped: None,
            io: io::UnderWay::default(),
            waits: HashMap::new(),
            counted: Vec::new(),
            ended: false,
        })))
    }

    /// The same, with what they print kept for [`Probes::text`].
    pub fn collecting(script: Script) -> Probes {
        let probes = Probes::new(script, Box::new(|_| {}));
        probes.lock().printed = Some(String::new());
        probes
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Places all points, of classes that are loaded and of those that will be, and lets `BEGIN` happen.
    pub fn place(&self, vm: &mut Vm) {
        self.outside(vm, &Point::Begin);
        let points: Vec<(usize, Point, bool)> = {
            let inner = self.lock();
            let points = inner.session.script().points().enumerate();
            points
                .map(|(i, placed)| (i, placed.point.clone(), placed.wants_entry))
                .collect()
        };
        let waits = points
            .iter()
            .any(|(_, point, _)| matches!(point, Point::Monitor(..)));
        vm.subscribe(Box::new(Beside {
            probes: self.clone(),
            waits,
        }));
        let over = self.clone();
        let end_of_thread =
            move |hit: &mut Hit<'_>| over.lock().session.thread_ended(hit.thread_number());
        for (i, point, wants_entry) in points {
            place::place(vm, self, i, point, wants_entry);
        }
        // after those that are about the end themselves
        vm.place_instrument(Spec::tell(instruments::Point::Thread(false), end_of_thread));
    }

    /// Lets the points that are `at` happen, which are about no bytecode.
    fn outside(&self, vm: &mut Vm, at: &Point) {
        let mut inner = self.lock();
        let points: Vec<usize> = {
            let points = inner.session.script().points().enumerate();
            let these = points.filter(|(_, placed)| placed.point == at);
            these.map(|(i, _)| i).collect()
        };
        for point in points {
            inner.session.fire(point, &mut Outside(vm));
        }
        inner.print();
    }

    fn only_counts(&self, point: usize) -> bool {
        self.lock().session.only_counts(point)
    }

    /// The point is counted by an instrument.
    fn counts(&self, point: usize, id: InstrumentId) {
        self.lock().counted.push((point, id, 0));
    }

    /// The program is over: `END` happens. Afterwards, nothing does.
    pub fn end(&self, vm: &mut Vm) {
        self.count(vm);
        if !self.lock().ended {
            self.outside(vm, &Point::End);
            self.lock().ended = true;
        }
    }

    /// Takes over what instruments have counted by themselves.
    fn count(&self, vm: &Vm) {
        let mut inner = self.lock();
        let inner = &mut *inner;
        for (point, id, told) in &mut inner.counted {
            let hits = vm.instrument_reading(*id).map_or(*told, |r| r.hits);
            if !inner.ended {
                inner.session.counted(*point, hits - *told);
            }
            *told = hits;
        }
    }

    /// What has been gathered, as text, after what has been printed if that is kept.
    pub fn text(&self, vm: &Vm) -> String {
        self.count(vm);
        let inner = self.lock();
        let printed = inner.printed.as_deref().unwrap_or_default();
        format!("{printed}{}", inner.session.text())
    }

    /// The same as data.
    pub fn json(&self, vm: &Vm) -> serde_json::Value {
        self.count(vm);
        self.lock().session.json()
    }

    /// The place of the probe that has ended the program, if one has.
    pub fn stopped(&self) -> Option<String> {
        self.lock().stopped.clone()
    }

    /// An instrument of the point has been told.
    #[inline]
    fn told(&self, point: usize, hit: &mut Hit<'_>) {
        let mut inner = self.lock();
        let inner = &mut *inner;
        if inner.ended || inner.stopped.is_some() {
            return;
        }
        inner.refs.clear();
        let kind = hit.kind();
        let waited = match kind {
            Kind::MonitorContended | Kind::MonitorWait => {
                let began = inner.waits.get(&hit.thread()).copied();
                began.map(|began| hit.wall() - began)
            }
            _ => None,
        };
        let mut shown = Shown {
            hit,
            refs: &mut inner.refs,
            fields: &mut inner.fields,
            io: None,
            waited,
        };
        match kind {
            Kind::Entry if inner.session.is_exit(point) => inner.session.enter(point, &mut shown),
            _ => inner.session.fire(point, &mut shown),
        }
        if inner.session.has_output() || inner.session.has_asked() {
            inner.after(hit);
        }
    }
}

impl Inner {
    /// What a hit has led to.
    #[cold]
    fn after(&mut self, hit: &mut Hit<'_>) {
        self.print();
        let asked = self.session.take_asked();
        if asked.snapshot {
            hit.snapshot();
        }
        if let Some(place) = asked.stop {
            self.stopped = Some(place);
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

/// What has to be known beside hits: classes that go, threads that end, and when threads begin to wait.
struct Beside {
    probes: Probes,
    waits: bool,
}

impl Subscriber for Beside {
    fn events(&self) -> EventSet {
        let always = EventSet::UNLOADING.and(EventSet::THREAD_END);
        match self.waits {
            true => always
                .and(EventSet::MONITOR_CONTENDED_ENTER)
                .and(EventSet::MONITOR_WAIT),
            false => always,
        }
    }

    fn event(&mut self, seen: &mut Seen<'_>, event: Event<'_>) {
        let mut inner = self.probes.lock();
        match event {
            Event::ClassUnloaded(_) => {
                inner.session.classes_changed();
                inner.fields.forget();
            }
            Event::MonitorContendedEnter { .. } | Event::MonitorWait { .. } => {
                if let Some(thread) = seen.thread() {
                    inner.waits.insert(thread, seen.uptime());
                }
            }
            Event::ThreadEnded(thread) => {
                inner.waits.remove(&thread);
            }
            _ => {}
        }
    }
}
