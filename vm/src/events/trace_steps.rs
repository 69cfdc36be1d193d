//! Numbers the stacks that events happen on.

use super::traces::{FIRST_TRACE, NO_NODE, Node, TracePlace, Traces};
use crate::ids::{ClassId, MethodId, ThreadId};
use crate::vm::Vm;
use hashbrown::HashMap;
use rjvm_profiler::cct::NO_SITE;
use rjvm_profiler::samples::Frame;

impl Vm {
    /// Where a frame is: its method and bytecode index, which says nothing in a native method.
    pub fn line_at(&self, method: MethodId, bci: i32) -> TracePlace {
        let m = self.method(method);
        let source = m.code().and_then(|c| c.source_file());
        let line = match (m.code(), m.is_native()) {
            (_, true) => -3,
            (Some(code), false) => {
                let line = u16::try_from(bci).ok();
                let line = line.and_then(|pc| code.attr().line_of(pc));
                line.map_or(-1, i32::from)
            }
            (None, false) => -1,
        };
        let source = match (source, m.is_native()) {
            (None, true) => self.class_source(m.class),
            (source, _) => source.map(str::to_owned),
        };
        TracePlace {
            class: self.class(m.class).name.to_string(),
            method: self.syms.str(m.name).to_string(),
            descriptor: self.syms.str(m.desc).to_string(),
            source,
            line,
        }
    }
    /// The source file of a class, as one of its methods that has code shows.
    fn class_source(&self, class: ClassId) -> Option<String> {
        let methods = self.class(class).methods.iter();
        let mut codes = methods.filter_map(|&m| self.method(m).code());
        codes.next()?.source_file().map(str::to_owned)
    }
}

impl Traces {
    /// No traces yet, of at most `depth` frames each, which show their lines and their threads or do not.
    pub fn new(depth: usize, lines: bool, threads: bool) -> Traces {
        Traces {
            depth,
            lines,
            threads,
            places: Vec::new(),
            known: HashMap::new(),
            same: HashMap::new(),
            nodes: Vec::new(),
            longer: HashMap::new(),
            numbered: Vec::new(),
        }
    }
    /// Frames that traces have at most.
    pub fn depth(&self) -> usize {
        self.depth
    }
    /// Serial number of the trace with these frames, the innermost first.
    pub fn trace(
        &mut self,
        vm: &Vm,
        thread: ThreadId,
        frames: impl IntoIterator<Item = Frame>,
    ) -> u32 {
        let thread = match self.threads {
            true => thread.0 + 1,
            false => 0,
        };
        let mut at = self.step(NO_NODE, thread);
        for f in frames.into_iter().take(self.depth) {
            let bci = match f.bci {
                NO_SITE => -1,
                bci => bci as i32,
            };
            let place = self.place(vm, MethodId(f.method), bci);
            at = self.step(at, place);
        }
        self.number(at)
    }
    /// Serial number of the trace with these places, the innermost first.
    pub fn trace_of(
        &mut self,
        thread: ThreadId,
        places: impl IntoIterator<Item = TracePlace>,
    ) -> u32 {
        let thread = match self.threads {
            true => thread.0 + 1,
            false => 0,
        };
        let mut at = self.step(NO_NODE, thread);
        for place in places.into_iter().take(self.depth) {
            let place = self.intern(place);
            at = self.step(at, place);
        }
        self.number(at)
    }
    fn number(&mut self, at: u32) -> u32 {
        let node = &mut self.nodes[at as usize];
        if node.serial == 0 {
            self.numbered.push(at);
            node.serial = FIRST_TRACE + self.numbered.len() as u32;
        }
        node.serial
    }
    fn step(&mut self, inner: u32, place: u32) -> u32 {
        *self.longer.entry((inner, place)).or_insert_with(|| {
            self.nodes.push(Node {
                inner,
                place,
                serial: 0,
            });
            self.nodes.len() as u32 - 1
        })
    }
    fn place(&mut self, vm: &Vm, method: MethodId, bci: i32) -> u32 {
        // places of one line are one
        if let Some(&p) = self.known.get(&(method, bci)) {
            return p;
        }
        let place = vm.line_at(method, bci);
        let p = self.intern(place);
        self.known.insert((method, bci), p);
        p
    }
    fn intern(&mut self, mut place: TracePlace) -> u32 {
        if !self.lines && place.line != -3 {
            place.line = -1;
        }
        let key = (
            place.class.clone(),
            place.method.clone(),
            place.descriptor.clone(),
            place.line,
        );
        *self.same.entry(key).or_insert_with(|| {
            self.places.push(place);
            self.places.len() as u32 - 1
        })
    }
    /// A class is unloaded: methods' numbers may be given again.
    pub fn forget_methods(&mut self) {
        self.known.clear();
    }
    /// Serial numbers of all traces, ascending.
    pub fn serials(&self) -> std::ops::Range<u32> {
        FIRST_TRACE + 1..FIRST_TRACE + 1 + self.numbered.len() as u32
    }
    /// The thread of a trace, if it shows one, and its frames, the innermost first.
    pub fn frames(&self, serial: u32) -> (Option<ThreadId>, Vec<&TracePlace>) {
        let index = serial.checked_sub(FIRST_TRACE + 1).map(|i| i as usize);
        let Some(&first) = index.and_then(|i| self.numbered.get(i)) else {
            return (None, Vec::new());
        };
        let mut frames = Vec::new();
        let mut node = &self.nodes[first as usize];
        while node.inner != NO_NODE {
            frames.push(&self.places[node.place as usize]);
            node = &self.nodes[node.inner as usize];
        }
        frames.reverse();
        (node.place.checked_sub(1).map(ThreadId), frames)
    }
}
