//! Searches while a program runs on: instruments of the VM that note the counts of bytecodes at which they are hit.

use super::filtered::{self, ArrivalFilter, Filtered};
use super::origin::PlacedWatch;
use super::wire::{
    DebugStop, Found, FoundHit, MethodKey, NumberedStop, Query, StepKind, StepQuery,
};
use rjvm_vm::instruments::{
    ClassFilter, Hit, InstrumentId, Members, MethodFilter, MethodView, Point, Spec,
};
use rjvm_vm::{ThreadId, Vm};
use std::sync::{Arc, Mutex, PoisonError};

/// A query that is placed in a VM.
pub struct PlacedQuery {
    instruments: Vec<InstrumentId>,
    search: Arc<Mutex<Search>>,
    origin: Option<PlacedWatch>,
}

/// The search, with its findings so far.
struct Search {
    query: Query,
    found: Found,
    /// The frames of the thread that steps, the lowest one first.
    frames: Vec<LineFrame>,
    /// The rules of the stops, by their place in the query.
    filters: Vec<ArrivalFilter>,
}

/// A frame, and where its line began.
#[derive(Clone, Copy)]
struct LineFrame {
    height: usize,
    line: u16,
    began: Option<i64>,
}

impl Search {
    /// The program arrives at a stop of the query.
    fn arrive(&mut self, position: i64, stop: usize, hit: &mut Hit<'_>) {
        if position < self.query.after {
            return;
        }
        match self.filters[stop].arrive(hit) {
            Filtered::Passed => {}
            Filtered::Stops => self.hit(position, self.query.stops[stop].number),
            Filtered::Logs(text) if position > self.query.after => {
                filtered::log(&mut self.found.logged, position, text);
            }
            Filtered::Logs(_) => {}
        }
    }
    /// Whether the program stops here, before it does anything more.
    fn halts(&self) -> bool {
        let found = &self.found;
        self.query.halts && (found.first.is_some() || !found.logged.is_empty())
    }
    /// One of the stops is hit, or the step's end is (0).
    fn hit(&mut self, position: i64, stop: u32) {
        let stops = |number: u32| (number > 0).then_some(number);
        let note = |slot: &mut Option<FoundHit>| match slot {
            Some(hit) if hit.position == position => {
                let new = stops(stop).filter(|n| !hit.stops.contains(n));
                hit.stops.extend(new);
            }
            _ => {
                *slot = Some(FoundHit {
                    position,
                    stops: stops(stop).into_iter().collect(),
                });
            }
        };
        let is_first = self
            .found
            .first
            .as_ref()
            .is_none_or(|f| f.position == position);
        if position > self.query.after && is_first {
            note(&mut self.found.first);
        }
        if position < self.query.before {
            note(&mut self.found.last);
        }
    }
    /// The code of a line begins, or a part of it, in the thread that steps.
    fn line(&mut self, position: i64, height: usize, line: u16, bci: u16) {
        while self.frames.last().is_some_and(|f| f.height > height) {
            self.frames.pop();
        }
        if bci == 0 && self.frames.last().is_some_and(|f| f.height == height) {
            // another call, or the same line once more
            self.frames.pop();
        }
        let began = Some(position);
        match self.frames.last_mut() {
            Some(f) if f.height == height && f.line == line => return,
            Some(f) if f.height == height => (f.line, f.began) = (line, began),
            _ => self.frames.push(LineFrame {
                height,
                line,
                began,
            }),
        }
        match self.query.step.as_ref().map(|s| &s.kind) {
            Some(StepKind::Over { height: most, .. }) => {
                if height <= *most && position > self.query.after && self.found.first.is_none() {
                    self.hit_first(position);
                }
            }
            _ => self.hit(position, 0),
        }
    }
    fn hit_first(&mut self, position: i64) {
        self.found.first = Some(FoundHit {
            position,
            stops: Vec::new(),
        });
    }
    /// Of a step over calls: where the line of one of the frames that are still there began.
    fn settle(&mut self, alive: &[usize]) {
        let Some(StepKind::Over { height: most, .. }) = self.query.step.as_ref().map(|s| &s.kind)
        else {
            return;
        };
        let (after, before) = (self.query.after, self.query.before);
        let frames = self.frames.iter();
        let frames = frames.filter(|f| f.height <= *most && alive.contains(&f.height));
        let began = frames.filter_map(|f| f.began);
        let last = began.filter(|&n| n > after && n < before).max();
        if let Some(n) = last
            && self.found.last.as_ref().is_none_or(|f| f.position < n)
        {
            self.found.last = Some(FoundHit {
                position: n,
                stops: Vec::new(),
            });
        }
    }
}

impl PlacedQuery {
    /// Places what a query looks for.
    pub fn new(vm: &mut Vm, query: Query) -> PlacedQuery {
        let thread = query.step.as_ref().map(|s| ThreadId(s.thread));
        let frames = thread.map_or_else(Vec::new, |t| line_frames(vm, t));
        let specs: Vec<(Point, i64)> = query
            .stops
            .iter()
            .map(|s| {
                // the bytecode that throws has been counted, and the stop is before it
                let ahead = i64::from(matches!(s.at, DebugStop::Throw(_)));
                (point(s), ahead)
            })
            .collect();
        let filters = query.stops.iter().map(ArrivalFilter::new).collect();
        let step = query.step.clone();
        let origin = query.origin.clone();
        let origin = origin.map(|watch| PlacedWatch::new(vm, watch, query.before));
        let search = Arc::new(Mutex::new(Search {
            query,
            found: Found::default(),
            frames,
            filters,
        }));
        let mut instruments = Vec::new();
        for (stop, (at, ahead)) in specs.into_iter().enumerate() {
            let search = search.clone();
            let listener = move |hit: &mut Hit<'_>| {
                let position = hit.bytecodes() - ahead;
                let mut search = lock(&search);
                search.arrive(position, stop, hit);
                if search.halts() {
                    hit.attend();
                }
            };
            instruments.push(vm.place_instrument(Spec::notify(at, listener)));
        }
        if let Some(step) = step {
            for (at, is_line) in step_points(&step) {
                let (search, step) = (search.clone(), step.clone());
                let listener = move |hit: &mut Hit<'_>| step_hit(&search, &step, is_line, hit);
                instruments.push(vm.place_instrument(Spec::notify(at, listener)));
            }
        }
        PlacedQuery {
            instruments,
            search,
            origin,
        }
    }
    /// The hits up to here.
    pub fn found(&self, vm: &mut Vm) -> Found {
        let mut search = lock(&self.search);
        if let Some(step) = &search.query.step {
            let t = ThreadId(step.thread);
            let is_alive = vm.live_threads().any(|l| l == t);
            let alive = if is_alive {
                vm.frame_heights(t)
            } else {
                Vec::new()
            };
            search.settle(&alive);
        }
        let trail = self.origin.as_ref().map(|o| o.found(vm));
        let search = &mut *search;
        let stops = search.query.stops.iter().zip(&search.filters);
        let counted = stops.filter_map(|(s, f)| Some((s.number, f.arrivals()?)));
        search.found.arrivals = counted.collect();
        let logged = std::mem::take(&mut search.found.logged);
        Found {
            trail,
            logged,
            ..search.found.clone()
        }
    }
    /// Nothing is looked for any more.
    pub fn remove(self, vm: &mut Vm) {
        for id in self.instruments {
            let _ = vm.remove_instrument(id);
        }
        if let Some(origin) = self.origin {
            origin.remove(vm);
        }
    }
}

fn lock(search: &Mutex<Search>) -> std::sync::MutexGuard<'_, Search> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}

fn step_hit(search: &Mutex<Search>, step: &StepQuery, is_line: bool, hit: &mut Hit<'_>) {
    if hit.thread().0 != step.thread {
        return;
    }
    let height = hit.frame();
    match step.kind {
        StepKind::Over { height: most, .. } if height > most => return,
        StepKind::Entry { height: at, .. } | StepKind::End { height: at, .. } if height != at => {
            return;
        }
        _ => {}
    }
    let position = hit.bytecodes();
    let mut search = lock(search);
    match (is_line, hit.bci()) {
        (true, Some(bci)) => search.line(position, height, hit.line(), bci),
        _ => search.hit(position, 0),
    }
    if search.halts() {
        hit.attend();
    }
}

/// The frames that a thread has now, with their lines.
fn line_frames(vm: &mut Vm, t: ThreadId) -> Vec<LineFrame> {
    if !vm.live_threads().any(|l| l == t) {
        return Vec::new();
    }
    let mut frames: Vec<LineFrame> = Vec::new();
    for f in vm.debug_frames(t) {
        if let Some(bci) = f.bci {
            frames.push(LineFrame {
                height: f.height,
                line: MethodView::new(vm, f.method).line(bci),
                began: None,
            });
        }
    }
    frames.reverse();
    frames
}

/// Where a stop is hit.
fn point(stop: &NumberedStop) -> Point {
    match stop.at.clone() {
        DebugStop::Index(name, bci) => Point::Bytecode {
            within: MethodFilter::named(&name),
            indices: (bci, bci),
        },
        DebugStop::Line(name, line) => Point::Line {
            within: MethodFilter::of(move |m| {
                let class = m.class().name();
                let method = name.strip_prefix(&*class).and_then(|r| r.strip_prefix('.'));
                let nested = class.strip_prefix(&*name);
                method == Some(m.name())
                    || nested.is_some_and(|r| r.is_empty() || r.starts_with('$'))
            }),
            lines: (line, line),
        },
        DebugStop::Source(path, line) => Point::Line {
            within: MethodFilter::of(move |m| is_of_source(m, &path)),
            lines: (line, line),
        },
        DebugStop::Write(name) => Point::Field {
            field: Members::named(&name),
            within: MethodFilter::All,
            write: true,
        },
        DebugStop::Uncaught => {
            let row = rjvm_vm::jdk::calls::thread::DISPATCH_UNCAUGHT_EXCEPTION;
            Point::Entry(MethodFilter::of(move |m| {
                m.class().is_library() && m.name() == row.name && m.descriptor() == row.desc
            }))
        }
        DebugStop::Throw(name) => Point::Exception(ClassFilter::of(move |c| {
            c.name() == name || c.supertypes().any(|s| s.name() == name)
        })),
    }
}

/// Whether a method is of a class in this source file: the path ends with its package's folders and its file's name.
pub fn is_of_source(m: &MethodView<'_>, path: &str) -> bool {
    let Some(file) = m.source_file().filter(|f| path.ends_with(*f)) else {
        return false;
    };
    let class = m.class().name();
    let package = class.rsplit_once('.').map_or("", |p| p.0);
    let mut folders = path[..path.len() - file.len()].rsplit('/').skip(1);
    let ends = path.len() == file.len() || path[..path.len() - file.len()].ends_with('/');
    let mut packages = package.rsplit('.').filter(|p| !p.is_empty());
    ends && packages.all(|p| folders.next() == Some(p))
}

/// Where a step may end, and whether that is where a line begins.
fn step_points(step: &StepQuery) -> Vec<(Point, bool)> {
    const LINES: (u16, u16) = (0, u16::MAX);
    let one = |method: &MethodKey| {
        let key = method.clone();
        MethodFilter::of(move |m| is(m, &key))
    };
    match &step.kind {
        StepKind::Into { library } => {
            let library = *library;
            let within = MethodFilter::of(move |m| library || !m.class().is_library());
            vec![(
                Point::Line {
                    within,
                    lines: LINES,
                },
                true,
            )]
        }
        StepKind::Over { methods, .. } => {
            let methods = methods.clone();
            let within = MethodFilter::of(move |m| methods.iter().any(|key| is(m, key)));
            vec![(
                Point::Line {
                    within,
                    lines: LINES,
                },
                true,
            )]
        }
        StepKind::Entry { method, .. } => vec![(Point::Entry(one(method)), false)],
        StepKind::End { method, .. } => vec![
            (Point::Return(one(method)), false),
            (Point::Throw(one(method)), false),
        ],
    }
}

/// Whether it is the method.
pub fn is(m: &MethodView<'_>, key: &MethodKey) -> bool {
    m.name() == key.name && m.descriptor() == key.descriptor && m.class().name() == key.class
}
