//! A run of probes: the actions at each hit, and the results at the end.

mod entered;
mod functions;
mod operations;
mod quick;
mod report;
mod run;
mod steps;
mod values;

use crate::code::{Compiled, Op};
use crate::compile::compile;
use crate::gathered::Slot;
use crate::hit::{FastEvent, Hit, Number};
use crate::limits::Limits;
use crate::maps::Map;
use crate::point::Point;
use crate::source::{Mistake, Source, Span, place};
use crate::strings::{Stacks, Strings};
use crate::value::{Sym, Val};
use hashbrown::HashMap;
use quick::FastView;
use std::collections::BTreeMap;

/// Probes that have been read and checked.
#[derive(Debug)]
pub struct Script {
    sources: Vec<Source>,
    compiled: Compiled,
    limits: Limits,
}

/// A point of a probe.
#[derive(Clone, Copy, Debug)]
pub struct ProbePoint<'a> {
    /// Where.
    pub point: &'a Point,
    /// At an exit: something has to be known of the entry. [`Session::enter`] is to be called there.
    pub wants_entry: bool,
}

impl Script {
    /// Reads and checks probes.
    ///
    /// # Errors
    /// The first mistake.
    pub fn compile(sources: &[Source], limits: Limits) -> Result<Script, Mistake> {
        match compile(sources) {
            Ok(compiled) => Ok(Script {
                sources: sources.to_vec(),
                compiled,
                limits,
            }),
            Err(wrong) => Err(wrong.shown(sources)),
        }
    }

    /// All points, by the numbers that hits are reported with.
    pub fn points(&self) -> impl Iterator<Item = ProbePoint<'_>> {
        self.compiled.units.iter().map(|unit| {
            let body = &self.compiled.bodies[unit.body as usize];
            ProbePoint {
                point: &unit.point,
                wants_entry: unit.point.is_exit() && (!body.captures.is_empty() || body.is_timed()),
            }
        })
    }

    /// A run of them.
    pub fn session(self) -> Session {
        Session::new(self)
    }
}

/// The requests of a hit's actions to the code that runs the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HitRequests {
    /// The program is to end here; says which probe wants it.
    pub stop: Option<String>,
    /// A profile is to be written as it is now.
    pub snapshot: bool,
}

/// What could not be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum EvaluationError {
    NoNumber,
    NoString,
    NoObject,
    NoField,
    ByZero,
    NoEntry,
    NoTruth,
    /// The method has no argument of this number.
    NoArgument(u32),
    NoThis,
}

/// Fields of a class as they were found.
#[derive(Clone, Copy, Default)]
struct Site {
    class: Option<u32>,
    field: Option<crate::hit::FieldId>,
}

/// Probes at work. All methods come back after a bounded number of steps.
pub struct Session {
    script: Script,
    state: State,
}

/// What changes.
struct State {
    limits: Limits,
    /// How many more bytes the stored data may take: maps, strings, stacks, and values remembered at method entries.
    memory: usize,
    stack: Vec<Val>,
    strings: Strings,
    stacks: Stacks,
    maps: Vec<Map>,
    /// Variables by thread.
    vars: HashMap<i64, Vec<Val>>,
    /// The thread whose variables were used last, and these.
    current: Option<(i64, Vec<Val>)>,
    /// Whether a variable has been given an object, which is known until the event's end only.
    objects_kept: bool,
    entered: entered::Remembered,
    entries_refused: u64,
    /// The values remembered at the entry of the method that is left.
    remembered: Vec<Val>,
    /// Names of threads.
    names: steps::Names,
    /// Names of methods by their numbers.
    methods: Vec<Option<(Sym, bool)>>,
    classes: Vec<Option<Sym>>,
    sites: Vec<Site>,
    /// Of each unit.
    hits: Vec<u64>,
    trouble: BTreeMap<(EvaluationError, u32, u32), (Span, u64, String)>,
    strings_refused: u64,
    output: String,
    /// Printed text counts as stored.
    keeps_output: bool,
    lines: usize,
    lines_refused: u64,
    snapshot: bool,
    stop: Option<Span>,
    /// Points' texts.
    points: Vec<Option<Sym>>,
    /// Points whose bodies are known.
    quick: Vec<Option<quick::Quick>>,
    frames: Vec<crate::hit::Frame>,
}

impl Session {
    fn new(script: Script) -> Session {
        let compiled = &script.compiled;
        let limits = script.limits;
        let mut strings = Strings::default();
        // Constants have the numbers that the code has; they are different strings.
        for text in &compiled.strings {
            strings.own(text);
        }
        let state = State {
            memory: limits.memory,
            limits,
            stack: Vec::with_capacity(16),
            strings,
            stacks: Stacks::default(),
            maps: compiled.maps.iter().map(|_| Map::default()).collect(),
            vars: HashMap::new(),
            current: None,
            objects_kept: false,
            entered: entered::Remembered::default(),
            entries_refused: 0,
            remembered: Vec::new(),
            names: steps::Names::default(),
            methods: Vec::new(),
            classes: Vec::new(),
            sites: vec![Site::default(); compiled.fields.len()],
            hits: vec![0; compiled.units.len()],
            trouble: BTreeMap::new(),
            strings_refused: 0,
            output: String::new(),
            keeps_output: false,
            lines: 0,
            lines_refused: 0,
            snapshot: false,
            stop: None,
            points: vec![None; compiled.units.len()],
            quick: compiled
                .units
                .iter()
                .map(|unit| quick::Quick::of(&compiled.bodies[unit.body as usize], &compiled.maps))
                .collect(),
            frames: Vec::new(),
        };
        Session { script, state }
    }

    /// The receiver keeps the printed text: it counts among what may take so much memory.
    pub fn keep_output(&mut self) {
        self.state.keeps_output = true;
    }

    /// The probes.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// A point has been reached. `point` is its number in [`Script::points`]; other numbers do nothing.
    #[inline(always)]
    pub fn fire<H: Hit>(&mut self, point: usize, hit: &mut H) {
        if self.fast_event(point, &mut FastView(hit)) != Some(true) {
            self.run(point, hit);
        }
    }

    /// The same with the facts at hand. False: they are not enough, nothing has been done, and [`Session::fire`] is to be called.
    /// `None`: so it is at this point from now on.
    #[inline(always)]
    pub fn fast_event<G: FastEvent>(&mut self, point: usize, at: &mut G) -> Option<bool> {
        self.state.quick(point, at)
    }

    /// The same step by step.
    #[inline(never)]
    fn run<H: Hit>(&mut self, point: usize, hit: &mut H) {
        let Session { script, state } = self;
        let compiled = &script.compiled;
        let Some(unit) = compiled.units.get(point) else {
            return;
        };
        state.hits[point] += 1;
        let body = &compiled.bodies[unit.body as usize];
        if !body.captures.is_empty() {
            state.leave(unit.body, hit);
        }
        state.run(compiled, &body.code, point, hit);
        state.event_over(hit);
    }

    /// Is all that is done at the point to count it, in a map without keys that nothing else looks at, and can nothing end the
    /// counting? Who runs the program may then count by itself, and report by [`Session::counted`] from time to time.
    pub fn only_counts(&self, point: usize) -> bool {
        let compiled = &self.script.compiled;
        let Some(unit) = compiled.units.get(point) else {
            return false;
        };
        let [Op::Count(map)] = compiled.bodies[unit.body as usize].code.ops[..] else {
            return false;
        };
        let codes = compiled.bodies.iter();
        let mut ops = codes.flat_map(|b| b.captures.iter().chain([&b.code]).flat_map(|c| &c.ops));
        compiled.maps[map as usize].keys == 0
            && ops.all(|op| {
                !matches!(op, Op::Stop) && (*op == Op::Count(map) || op.map() != Some(map))
            })
    }

    /// A point that [`Session::only_counts`] has been reached so many times more.
    pub fn counted(&mut self, point: usize, times: u64) {
        let Session { script, state } = self;
        let compiled = &script.compiled;
        let Some(unit) = compiled.units.get(point).filter(|_| times > 0) else {
            return;
        };
        state.hits[point] += times;
        if let [Op::Count(map)] = compiled.bodies[unit.body as usize].code.ops[..] {
            let info = &compiled.maps[map as usize];
            let most = state.limits.keys;
            match state.maps[map as usize].slot(&[], info, most, &mut state.memory) {
                Some(Slot::Count(n)) => *n += times as i64,
                _ => state.maps[map as usize].refused += times - 1,
            }
        }
    }

    /// A method has been entered that the point, an exit, is about.
    #[inline]
    pub fn enter<H: Hit>(&mut self, point: usize, hit: &mut H) {
        let Session { script, state } = self;
        let compiled = &script.compiled;
        let Some(unit) = compiled.units.get(point) else {
            return;
        };
        let body = &compiled.bodies[unit.body as usize];
        if body.captures.is_empty() {
            return;
        }
        let (Some(thread), Some(frame)) = (hit.number(Number::ThreadId), hit.number(Number::Frame))
        else {
            return;
        };
        let mut values = std::mem::take(&mut state.remembered);
        values.clear();
        for code in &body.captures {
            state.run(compiled, code, point, hit);
            let value = state.stack.pop().unwrap_or(Val::Null);
            values.push(state.keepable(value, hit));
        }
        state.event_over(hit);
        let (most, memory) = (state.limits.entries, &mut state.memory);
        if !state
            .entered
            .enter(thread, frame, unit.body, &values, most, memory)
        {
            state.entries_refused += 1;
        }
        state.remembered = values;
    }

    /// A thread has ended: its variables are forgotten.
    pub fn thread_ended(&mut self, thread: i64) {
        let state = &mut self.state;
        if state.current.as_ref().is_some_and(|(t, _)| *t == thread) {
            state.current = None;
        }
        state.vars.remove(&thread);
        state.entered.forget(thread, &mut state.memory);
    }

    /// Numbers of classes and methods may mean others from now on: a class has been unloaded.
    pub fn classes_changed(&mut self) {
        self.state.methods.clear();
        self.state.classes.clear();
        self.state.sites.fill(Site::default());
    }

    /// The output printed since the last call.
    pub fn take_output(&mut self) -> String {
        std::mem::take(&mut self.state.output)
    }

    /// Is there something to take?
    #[inline]
    pub fn has_output(&self) -> bool {
        !self.state.output.is_empty()
    }

    /// What actions have requested since the last call.
    pub fn take_requests(&mut self) -> HitRequests {
        let stop = self.state.stop.take();
        HitRequests {
            stop: stop.map(|span| self.place(span)),
            snapshot: std::mem::take(&mut self.state.snapshot),
        }
    }

    /// Have they asked for something?
    #[inline]
    pub fn has_requests(&self) -> bool {
        self.state.stop.is_some() || self.state.snapshot
    }

    /// How often each point was reached.
    pub fn hits(&self) -> &[u64] {
        &self.state.hits
    }

    /// Source, line and column.
    fn place(&self, span: Span) -> String {
        match self.script.sources.get(span.source as usize) {
            Some(source) => {
                let (line, column) = place(&source.text, span.start as usize);
                format!("{}:{line}:{column}", source.name)
            }
            None => String::new(),
        }
    }
}
