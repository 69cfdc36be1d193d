//! A profile as a JFR file, for the JDK's `jfr`, JDK Mission Control and converters of their files.
//!
//! * Each calling context is an event `rjvm.ContextCount` with its stack and exact counts, those of the context itself and of all below it.
//! * Readers that know only of HotSpot's events find `jdk.ExecutionSample`s: those of a sampled profile, or, of an exact one, one for
//!   every so many bytecodes. These lie at equal distances along the tree, in which the subtree of a context comes right after it:
//!   so any context has, with all below it, as many samples as its share of the bytecodes is, at most one more or less.
//! * Time is bytecodes in the order of the tree: a nanosecond since 1970 is one. The profile's facts about the run are events
//!   `rjvm.ProfileFact`, with the distance of the samples.
//!
//! Contexts deeper than [`DEEPEST`] frames are added to the one at that depth.

use super::pprof::DEEPEST;
use crate::Kind;
use crate::method::MethodInfo;
use crate::profile::{Profile, ThreadProfile};
use rjvm_jfr::{Chunk, Clock, FULL, Frame, Id, Kind as Event};
pub use rjvm_jfr::{ClassDescription, LoaderDescription};
use rjvm_jfr::{MethodFacts, Numbers, Pool, ThreadFacts, Value};
use std::io::{self, Write};

/// Samples that represent an exact profile, at most; at least half as many except for one that is very short.
const MOST: u64 = 100_000;

/// Samples of a sampled profile that are written, at most: fewer events represent more than that.
const MOST_SAMPLES: u64 = 1_000_000;

/// A bytecode is a nanosecond after 1970.
const CLOCK: Clock = Clock {
    began: 0,
    frequency: 1_000_000_000,
};

/// Modifier of native methods (JVMS 4.6).
const NATIVE: i32 = 0x100;

/// Chunks that report something else than a profile.
pub trait Chunks: std::fmt::Debug {
    /// Writes them; the numbers of their constants.
    fn write(&self, out: &mut dyn Write) -> io::Result<Numbers>;
}

/// A method as a running VM knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownMethod {
    /// Its modifiers.
    pub modifiers: i32,
    /// Its class.
    pub class: ClassDescription,
}

/// The methods of a running VM.
pub trait KnownMethods: std::fmt::Debug {
    /// A method of the profile, if the VM still has it.
    fn of(&self, method: &MethodInfo) -> Option<KnownMethod>;
}

/// Writes the file, whose other chunks have constants with the numbers `before`.
pub fn write(
    profile: &Profile,
    before: Numbers,
    known: Option<&dyn KnownMethods>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let weight = |thread: &ThreadProfile| match profile.kind {
        Kind::Exact => thread.tree.nodes().iter().map(|n| n.bytecodes).sum::<u64>(),
        Kind::Samples => thread.tree.nodes().iter().map(|n| n.invocations).sum(),
    };
    let total: u64 = profile.threads.iter().map(weight).sum();
    let distance = distance(profile.kind, total);
    // JDK Mission Control keeps one chunk of those that begin at the same time, and others begin at 0.
    let begin = u64::from(!before.is_empty());
    let mut writer = JfrWriter {
        profile,
        known,
        out,
        chunk: Chunk::new(CLOCK, begin as i64, before),
        methods: vec![None; profile.methods.len()],
        now: begin,
        weight: 0,
        distance,
    };
    writer.facts();
    for thread in &profile.threads {
        writer.thread(thread)?;
    }
    let (end, out) = (writer.now as i64, writer.out);
    writer.chunk.write(end, true, out)?;
    Ok(())
}

/// Bytecodes that a sample represents, or samples that an event represents: 1, 2 or 5, and zeros.
fn distance(kind: Kind, total: u64) -> u64 {
    let most = match kind {
        Kind::Exact => MOST,
        Kind::Samples => MOST_SAMPLES,
    };
    let steps = (0..18).flat_map(|zeros| [1, 2, 5].map(|n| n * 10u64.pow(zeros)));
    let mut fitting = steps.filter(|step| total / step <= most);
    fitting.next().unwrap_or(u64::MAX)
}

/// A frame on the way to a context.
#[derive(Clone, Copy)]
struct PathFrame {
    method: u32,
    bci: i32,
    line: i32,
}

/// Counts of a context.
#[derive(Clone, Copy, Default)]
struct ContextCounts {
    bytecodes: u64,
    inclusive: u64,
    calls: u64,
    objects: u64,
    bytes: u64,
}

struct JfrWriter<'a> {
    profile: &'a Profile,
    known: Option<&'a dyn KnownMethods>,
    out: &'a mut dyn Write,
    chunk: Chunk,
    /// Numbers of methods in the chunk.
    methods: Vec<Option<Id>>,
    /// Bytecodes so far.
    now: u64,
    /// What samples are taken along, so far.
    weight: u64,
    distance: u64,
}

fn long(n: u64) -> Value<'static> {
    Value::Long(i64::try_from(n).unwrap_or(i64::MAX))
}

impl JfrWriter<'_> {
    fn facts(&mut self) {
        let totals = self.profile.totals();
        let unit = match self.profile.kind {
            Kind::Exact => ("Sample distance", "bytecodes"),
            Kind::Samples => ("Samples of an event", "samples"),
        };
        let sums = [
            ("Bytecodes", totals.bytecodes.to_string()),
            (
                super::count_name(self.profile.kind),
                totals.invocations.to_string(),
            ),
            (unit.0, format!("{} {}", self.distance, unit.1)),
        ];
        let about = self
            .profile
            .about
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()));
        let sums = sums.iter().map(|(n, v)| (*n, v.as_str()));
        for (name, value) in about.chain(sums) {
            let values = [Value::Text(Some(name)), Value::Text(Some(value))];
            let none = (Id::NONE, Id::NONE);
            self.chunk.event(Event::ProfileFact, 0, 0, none, &values);
        }
    }
    fn method(&mut self, method: u32) -> Id {
        if let Some(id) = self.methods[method as usize] {
            return id;
        }
        let m = &self.profile.methods[method as usize];
        let known = self.known.and_then(|known| known.of(m));
        let modifiers = known.as_ref().map(|known| known.modifiers);
        let class = self.class(m, known.map(|known| known.class));
        let id = self.chunk.method(&MethodFacts {
            class,
            name: &m.name,
            descriptor: &m.descriptor,
            modifiers: modifiers.unwrap_or(if m.native { NATIVE } else { 0 }),
            hidden: false,
        });
        self.methods[method as usize] = Some(id);
        id
    }
    fn class(&mut self, m: &MethodInfo, known: Option<ClassDescription>) -> Id {
        // classes of one name are of several loaders
        let variant = &m.class[m.plain_class().len()..];
        let mut class = known.unwrap_or_else(|| ClassDescription {
            name: m.plain_class().replace('.', "/"),
            modifiers: 0,
            hidden: m.hidden,
            module: None,
            loader: LoaderDescription::Unknown,
        });
        if !variant.is_empty() {
            class.loader = match class.loader {
                LoaderDescription::Object(of, name) => {
                    let name = format!("{}{variant}", name.unwrap_or_default());
                    LoaderDescription::Object(of, Some(name))
                }
                _ => LoaderDescription::Named(variant.to_owned()),
            };
        }
        self.chunk.described_class(&class)
    }
    fn stack(&mut self, path: &[PathFrame]) -> Id {
        let kinds = ["Interpreted", "Native"].map(|k| self.chunk.text(Pool::FrameType, k));
        let frames: Vec<Frame> = path
            .iter()
            .rev()
            .map(|place| Frame {
                method: self.method(place.method),
                line: place.line,
                bci: place.bci,
                kind: kinds[usize::from(self.profile.methods[place.method as usize].native)],
            })
            .collect();
        self.chunk.stack(false, frames.into_iter())
    }
    fn thread(&mut self, thread: &ThreadProfile) -> io::Result<()> {
        let sums = thread.tree.inclusive();
        let mut path: Vec<PathFrame> = Vec::new();
        // the context at the deepest level waits for those below it
        let mut pending: Option<ContextCounts> = None;
        for (index, (depth, node)) in (0u32..).zip(thread.tree.preorder()) {
            let own = thread.tree.allocation(index);
            let counts = ContextCounts {
                bytecodes: node.bytecodes,
                inclusive: sums[index as usize],
                calls: node.invocations,
                objects: own.objects,
                bytes: own.bytes,
            };
            if depth >= DEEPEST {
                if let Some(sum) = &mut pending {
                    sum.bytecodes = sum.bytecodes.saturating_add(counts.bytecodes);
                    sum.calls = sum.calls.saturating_add(counts.calls);
                    sum.objects = sum.objects.saturating_add(counts.objects);
                    sum.bytes = sum.bytes.saturating_add(counts.bytes);
                }
                continue;
            }
            if let Some(counts) = pending.take() {
                self.context(thread, &path, counts)?;
            }
            path.truncate(depth);
            if let (Some(caller), Some(site)) = (path.last_mut(), node.site()) {
                let method = &self.profile.methods[caller.method as usize];
                caller.bci = site as i32;
                caller.line = method.line(Some(site)).map_or(caller.line, |l| l as i32);
            }
            let method = &self.profile.methods[node.method as usize];
            path.push(PathFrame {
                method: node.method,
                bci: 0,
                line: method.first_line().map_or(-1, |l| l as i32),
            });
            match depth + 1 == DEEPEST {
                true => pending = Some(counts),
                false => self.context(thread, &path, counts)?,
            }
        }
        match pending {
            Some(counts) => self.context(thread, &path, counts),
            None => Ok(()),
        }
    }
    fn context(
        &mut self,
        thread: &ThreadProfile,
        path: &[PathFrame],
        c: ContextCounts,
    ) -> io::Result<()> {
        let id = thread.id as i64;
        let thread = self.chunk.thread(&ThreadFacts {
            name: thread.name.as_deref().unwrap_or("all threads"),
            os_id: id + 1,
            id: 0,
            group: Id::NONE,
        });
        let stack = self.stack(path);
        let at = self.now as i64;
        let none = (Id::NONE, Id::NONE);
        let (thread, stack) = (Value::Constant(thread), Value::Constant(stack));
        let [own, inclusive, calls, objects, bytes] =
            [c.bytecodes, c.inclusive, c.calls, c.objects, c.bytes].map(long);
        let values = [thread, stack, own, inclusive, calls, objects, bytes];
        self.chunk.event(Event::ContextCount, at, 0, none, &values);
        let weight = match self.profile.kind {
            Kind::Exact => c.bytecodes,
            Kind::Samples => c.calls,
        };
        // the middle of each distance, so that no sum is too small as a rule
        let due = |weight: u64| (weight + self.distance / 2) / self.distance;
        let (first, end) = (due(self.weight), due(self.weight + weight));
        let state = self.chunk.text(Pool::ThreadState, "STATE_RUNNABLE");
        let values = [thread, stack, Value::Constant(state)];
        let samples = end - first;
        for i in 0..samples {
            let part = u128::from(c.bytecodes) * u128::from(i) / u128::from(samples);
            self.chunk
                .event(Event::ExecutionSample, at + part as i64, 0, none, &values);
        }
        self.now += c.bytecodes;
        self.weight += weight;
        if self.chunk.size() > FULL {
            let now = self.now as i64;
            let next = Chunk::new(CLOCK, now, self.chunk.take_numbers());
            let full = std::mem::replace(&mut self.chunk, next);
            self.methods.fill(None);
            full.write(now, false, self.out)?;
        }
        Ok(())
    }
}
