//! Requests, and the instruments that serve them.

use super::filters::matches;
use super::step::{Step, line_of};
use super::types::{Filter, MOST_REQUESTS, Policy, Refused, Request, What};
use super::world::World;
use rjvm_vm::events::EventSet;
use rjvm_vm::instruments::{ClassFilter, Members, MethodFilter, Point, Spec};
use rjvm_vm::{ClassId, MethodId};

impl World<'_> {
    /// Makes a request; its number.
    ///
    /// # Errors
    /// It cannot be.
    pub fn request(
        &mut self,
        what: What,
        policy: Policy,
        filters: Vec<Filter>,
    ) -> Result<u32, Refused> {
        if self.engine.requests.len() >= MOST_REQUESTS {
            return Err(Refused::TooMany);
        }
        let id = self.engine.next_request;
        let number = id;
        let mut points = Vec::new();
        match what {
            What::Step(t, size, depth) => {
                let same = |r: &Request| matches!(r.what, What::Step(other, ..) if other == t);
                if self.engine.requests.iter().any(same) {
                    return Err(Refused::Duplicate);
                }
                self.engine.steps.insert(id, Step::new(t, size, depth));
            }
            What::Breakpoint => {
                let at = filters.iter().find_map(|f| match f {
                    Filter::Location(l) => Some(*l),
                    _ => None,
                });
                let at = at.ok_or(Refused::Incomplete)?;
                let bci = at.bci.ok_or(Refused::NoLocation)?;
                if !self.is_bytecode(at.method, bci) {
                    return Err(Refused::NoLocation);
                }
                points.push(Point::Bytecode {
                    within: MethodFilter::One(at.method),
                    indices: (bci, bci),
                });
            }
            What::MethodEntry => points.push(Point::Entry(methods(&filters))),
            What::MethodExit(_) => points.push(Point::Return(methods(&filters))),
            What::Exception => points.push(Point::Exception(ClassFilter::All)),
            What::FieldAccess | What::FieldWrite => {
                let field = filters.iter().find_map(|f| match f {
                    Filter::Field { holder, index } => Some((*holder, *index)),
                    _ => None,
                });
                let (holder, index) = field.ok_or(Refused::Incomplete)?;
                points.push(Point::Field {
                    field: self.members(holder, index),
                    within: MethodFilter::All,
                    write: what == What::FieldWrite,
                });
            }
            _ => {}
        }
        self.engine.next_request += 1;
        let observer = self.engine.observer.expect("it is installed");
        let instruments = points.into_iter().map(|at| {
            let spec = Spec::notify_all(at, observer, number);
            self.vm.place_instrument(spec)
        });
        let instruments = instruments.collect();
        self.engine.requests.push(Request {
            id,
            what,
            policy,
            filters,
            instruments,
        });
        self.want_events();
        Ok(id)
    }
    /// Takes requests back.
    pub fn clear_requests(&mut self, which: impl Fn(&Request) -> bool) {
        let mut gone = Vec::new();
        let mut i = 0;
        while i < self.engine.requests.len() {
            match which(&self.engine.requests[i]) {
                true => gone.push(self.engine.requests.remove(i)),
                false => i += 1,
            }
        }
        for request in gone {
            for instrument in request.instruments {
                let _ = self.vm.remove_instrument(instrument);
            }
            if let Some(step) = self.engine.steps.remove(&request.id) {
                self.disarm(step);
            }
        }
        self.want_events();
    }
    fn is_bytecode(&self, m: MethodId, bci: u16) -> bool {
        let code = self.vm.method(m).code();
        code.is_some_and(|code| {
            let mut all = rjvm_classfile::opcodes::insns(code.bytes()).flatten();
            all.any(|i| i.pc == usize::from(bci))
        })
    }
    /// Instructions that may name a field.
    fn members(&self, holder: ClassId, index: usize) -> Members {
        let field = self.vm.class(holder).fields.get(index);
        let symbols = self.vm.symbols();
        let names = field.map(|f| {
            (
                symbols.str(f.name).to_string(),
                symbols.str(f.desc).to_string(),
            )
        });
        Members::Where(Box::new(move |m| {
            names
                .as_ref()
                .is_some_and(|(n, d)| m.name() == n && m.descriptor() == d)
        }))
    }
    /// The VM reports what requests are about, and no more.
    pub(super) fn want_events(&mut self) {
        let mut set = EventSet::UNLOADING;
        if !self.engine.counts.idle.is_empty() {
            set = set | EventSet::THREAD_START;
        }
        for request in &self.engine.requests {
            set = set
                | match request.what {
                    What::ClassPrepare => EventSet::PREPARED,
                    What::ThreadStart => EventSet::THREAD_START,
                    What::ThreadEnd => EventSet::THREAD_END,
                    What::MonitorEnter => EventSet::MONITOR_CONTENDED_ENTER,
                    What::MonitorEntered => EventSet::MONITOR_CONTENDED_ENTERED,
                    What::MonitorWait => EventSet::MONITOR_WAIT,
                    What::MonitorWaited => EventSet::MONITOR_WAITED,
                    _ => EventSet::NONE,
                };
        }
        if let Some(id) = self.engine.observer {
            self.vm.want(id, set);
        }
    }
    /// The line of a place; none if the class file does not say.
    pub fn line_of(&self, m: MethodId, bci: u16) -> Option<u16> {
        line_of(self.vm, m, bci)
    }
}

/// The methods whose classes conditions permit by name. Those about single classes or their files are looked at later.
fn methods(filters: &[Filter]) -> MethodFilter {
    let named = |f: &&Filter| matches!(f, Filter::ClassMatch(_) | Filter::ClassExclude(_));
    let filters: Vec<Filter> = filters.iter().filter(named).cloned().collect();
    MethodFilter::of(move |m| {
        let name = m.class().name();
        filters.iter().all(|f| match f {
            Filter::ClassMatch(p) => matches(&name, p),
            Filter::ClassExclude(p) => !matches(&name, p),
            _ => true,
        })
    })
}
