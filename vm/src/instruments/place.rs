//! Instruments are put where they belong, in methods that are loaded now or later, and removed.

use super::ids::{Index, InstrumentId};
use super::kinds::HitKind;
use super::namers::Namers;
use super::shown::{MemberView, MethodView};
use super::spec::{ClassFilter, Members, MethodFilter, MonitorAction, Point, Reading, Spec};
use super::table::{Change, PlacedInstrument};
use crate::classes::Code;
use crate::events::{EventSet, Observer};
use crate::ids::{ClassId, MethodId};
use crate::interp::{Beginning, InstrumentSite, SiteReport, SiteStart, ValueSource, instructions};
use crate::vm::Vm;
use hashbrown::HashSet;
use rjvm_classfile::CodeAttribute;
use rjvm_classfile::descriptor::parameter_letters;
use rjvm_classfile::opcodes::{self, Operand};

/// An instrument that has been removed.
pub struct Removed {
    /// What it had found out.
    pub reading: Reading,
    /// Its own observer, if it had one.
    pub observer: Option<Box<dyn Observer>>,
}

impl PlacedInstrument {
    pub(super) fn classes_filter(&self) -> Option<&(dyn Fn(&super::ClassView<'_>) -> bool + Send)> {
        match &self.at {
            Point::Alloc(ClassFilter::Where(f))
            | Point::Monitor(_, ClassFilter::Where(f))
            | Point::Class(ClassFilter::Where(f))
            | Point::Exception(ClassFilter::Where(f)) => Some(&**f),
            _ => None,
        }
    }
}

impl Vm {
    /// Places an instrument, from the next bytecode on: between two runs, where the VM has stopped, or where the host runs its
    /// own code between the turns of two threads. (From inside a hit, there is [`Hit::place`](super::Hit::place).) It is in all
    /// methods and classes its filters say, those of classes that are loaded later included.
    pub fn place_instrument(&mut self, spec: Spec) -> InstrumentId {
        let id = self.instruments.new_id();
        match self.instruments.notifying {
            true => (self.instruments.changes).push(Change::Place(id, Box::new(spec))),
            false => self.put_instrument(id, spec),
        }
        id
    }
    /// Places an instrument when all notifications have ended.
    pub(crate) fn place_instrument_later(&mut self, spec: Spec) -> InstrumentId {
        let id = self.instruments.new_id();
        self.instruments
            .changes
            .push(Change::Place(id, Box::new(spec)));
        id
    }
    /// Takes one away then.
    pub(crate) fn remove_instrument_later(&mut self, id: InstrumentId) {
        self.instruments.changes.push(Change::Remove(id));
    }
    /// Takes an instrument away. `None`: there is no such one (any more).
    pub fn remove_instrument(&mut self, id: InstrumentId) -> Option<Removed> {
        if self.instruments.notifying {
            // it may still be about to be placed
            self.instruments.changes.push(Change::Remove(id));
            return None;
        }
        let i = self.instruments.find(id)?;
        let methods = std::mem::take(&mut self.instruments.get_mut(i)?.methods);
        let all = &mut self.instruments;
        all.exceptions.retain(|&j| j != i);
        all.unlocks.retain(|&j| j != i);
        all.every.retain(|&j| j != i);
        let events = all.of_events.len();
        all.of_events.retain(|e| e.1 != i);
        let events = all.of_events.len() < events;
        for m in methods {
            if self.instruments.of(m).is_some() && self.instruments.of_mut(m).remove(i) {
                self.renew_method(m);
            }
        }
        let placed = self.instruments.take(i)?;
        if leaves(&placed.at) {
            self.instruments.exits -= 1;
        }
        if events {
            self.instruments_want_events();
        }
        let own = placed.observer.filter(|_| placed.owns_observer);
        let observer = own.and_then(|(observer, _)| self.observers.remove(observer));
        Some(Removed {
            reading: placed.reading(),
            observer: observer.flatten(),
        })
    }
    /// What an instrument has found out so far.
    pub fn instrument_reading(&self, id: InstrumentId) -> Option<Reading> {
        let i = self.instruments.find(id)?;
        Some(self.instruments.get(i)?.reading())
    }
    /// The instruments that are placed, in the order in which they were requested, with the points they are at.
    pub fn instruments(&self) -> Vec<(InstrumentId, String)> {
        let all = self.instruments.iter();
        let mut all: Vec<_> = all.map(|(_, p)| (p.id, format!("{:?}", p.at))).collect();
        all.sort_by_key(|a| a.0);
        all
    }
    pub(super) fn put_instrument(&mut self, id: InstrumentId, spec: Spec) {
        let (kinds, every) = (super::events::kinds(&spec.at), every(&spec.at));
        let i = self.instruments.add(id, spec, &mut self.observers);
        let Some(placed) = self.instruments.get(i) else {
            return;
        };
        let (leaves, exception) = (leaves(&placed.at), matches!(placed.at, Point::Exception(_)));
        let unlocks = matches!(
            placed.at,
            Point::Monitor(MonitorAction::Exit | MonitorAction::Enter, _)
        );
        let inside = placed.at.within().is_some();
        self.instruments.exits += usize::from(leaves);
        if exception {
            self.instruments.exceptions.push(i);
        }
        if unlocks {
            self.instruments.unlocks.push(i);
        }
        if kinds != EventSet::NONE {
            self.instruments.of_events.push((kinds, i));
            self.instruments_want_events();
        }
        if let Some(n) = every {
            self.begin_every(i, n);
        }
        if inside {
            self.place_in_methods(i);
        }
    }
    fn place_in_methods(&mut self, i: Index) {
        let methods: Vec<MethodId> = match self.instruments.get(i).and_then(|p| p.at.within()) {
            Some(&MethodFilter::One(m)) => match self.loaded.methods.find(m).is_some() {
                true => vec![self.original(m)],
                false => Vec::new(),
            },
            Some(MethodFilter::All | MethodFilter::Where(_)) => {
                let classes = self.loaded.classes.iter();
                classes
                    .flat_map(|&c| self.class(c).methods.clone())
                    .collect()
            }
            None => return,
        };
        let mut known = Namers::default();
        let added = methods.into_iter();
        let added: Vec<MethodId> = added.filter(|&m| self.add_to(i, m, &mut known)).collect();
        let Some(placed) = self.instruments.get(i) else {
            return;
        };
        let around = placed.around;
        for &m in &added {
            self.renew_method(m);
        }
        if around {
            self.open_late(i, &added);
        }
    }
    /// Adds an instrument to a method's, if it is in that one.
    pub(super) fn add_to(&mut self, i: Index, m: MethodId, known: &mut Namers) -> bool {
        let Some(placed) = self.instruments.get(i) else {
            return false;
        };
        let method = self.method(m);
        if method.is_abstract() || method.intrinsic != crate::classes::method::intrinsic::NONE {
            return false;
        }
        let is_in = match placed.at.within() {
            Some(MethodFilter::All) => true,
            Some(&MethodFilter::One(one)) => one == m,
            Some(MethodFilter::Where(f)) => f(&MethodView::new(self, m)),
            None => false,
        };
        if !is_in || !self.may_name(i, m, known) {
            return false;
        }
        let (entry, returns, throws) = placed.at.bounds();
        let inside = placed.at.is_inside();
        let parameters = slots_of_parameters(self.symbols().str(method.desc), method.is_static());
        let of = self.instruments.of_mut(m);
        of.parameters = parameters;
        if entry {
            of.entry.push(i);
        }
        if returns {
            of.returns.push(i);
        }
        if throws {
            of.throws.push(i);
        }
        if inside {
            of.inside.push(i);
        }
        if let Some(placed) = self.instruments.get_mut(i) {
            placed.methods.push(m);
        }
        true
    }
    /// Who is in a method has changed: its entry and code are made to know.
    fn renew_method(&mut self, m: MethodId) {
        self.instruments.note_sole(m);
        let own = self.own_entry(m);
        self.set_entry(m, own);
        self.instrument_code(m);
        if self
            .instruments
            .of(m)
            .is_some_and(|of| of.clone().is_empty())
        {
            self.instruments.forget_method(m);
        }
        for old in self.bodies_of(m) {
            self.instrument_code(old);
        }
    }
    /// A class has been defined.
    pub(crate) fn instrument_class(&mut self, c: ClassId) {
        if !self.instruments.is_empty() {
            self.instrument_methods(&self.class(c).methods.clone());
        }
    }
    /// A class has got methods.
    pub(crate) fn instrument_methods(&mut self, methods: &[MethodId]) {
        let all: Vec<Index> = self.instruments.iter().map(|(i, _)| i).collect();
        let mut known = Namers::default();
        for &m in methods {
            let mut found = false;
            for &i in &all {
                let one = self.instruments.get(i).and_then(|p| p.at.within());
                if !matches!(one, None | Some(MethodFilter::One(_))) {
                    found |= self.add_to(i, m, &mut known);
                }
            }
            if found {
                self.renew_method(m);
            }
        }
    }
    /// Puts a method's instruments into its translated code, if there is any.
    pub(crate) fn instrument_code(&mut self, m: MethodId) {
        if self.instruments.is_empty() && self.method(m).translated().is_none_or(|x| !x.has_sites())
        {
            return;
        }
        if self.method(m).translated().is_some() {
            let sites = self.sites_in(m);
            self.set_sites(m, sites);
        }
    }
    fn sites_in(&mut self, m: MethodId) -> Vec<InstrumentSite> {
        let Some(of) = self.instruments.of(self.original(m)).cloned() else {
            return Vec::new();
        };
        if of.inside.is_empty() && of.returns.is_empty() {
            return Vec::new();
        }
        let table = (self.instruments.kinds.take()).unwrap_or_else(|| Box::new(instructions()));
        let method = self.method(m);
        let code = method.code().map(|code| code.kept());
        let mut sites: Vec<InstrumentSite> = Vec::new();
        if let (Some(x), Some(code)) = (method.translated(), &code) {
            let attr = code.attr();
            let float = matches!(method.ret, b'F' | b'D');
            let all = x.beginnings(&table, &attr.code, float);
            let leaders = leaders(attr);
            for b in all {
                let bci = x.bci(b.number);
                let who = match b.what {
                    SiteStart::Return => &of.returns,
                    _ => &of.inside,
                };
                for &i in who {
                    let Some(kind) = self.begins_at(i, &b, bci, code, &leaders, m) else {
                        continue;
                    };
                    let (object, value) = match kind {
                        HitKind::Read => (b.object, ValueSource::None),
                        HitKind::Element => match x.stored_element(b.number) {
                            Some((array, index)) => {
                                (ValueSource::Slot(array), ValueSource::Slot(index))
                            }
                            None => continue,
                        },
                        _ => (b.object, b.value),
                    };
                    let reported = SiteReport {
                        instrument: i,
                        kind,
                        bci,
                        begun: b.begun,
                        constant: match b.what {
                            SiteStart::Call | SiteStart::Field => constant(attr, bci),
                            _ => 0,
                        },
                        object,
                        value,
                    };
                    match sites.last_mut() {
                        Some(site) if site.off == b.off => site.reported.push(reported),
                        _ => {
                            let mut site = InstrumentSite::new(b.off);
                            site.reported.push(reported);
                            sites.push(site);
                        }
                    }
                }
            }
        }
        self.instruments.kinds = Some(table);
        sites
    }
    /// The report of an instrument in a method where this begins, if there is one.
    fn begins_at(
        &self,
        i: Index,
        b: &Beginning,
        bci: u16,
        code: &Code,
        leaders: &HashSet<u16>,
        m: MethodId,
    ) -> Option<HitKind> {
        let attr = code.attr();
        let within = |(first, last): (u16, u16), n: u16| (first..=last).contains(&n);
        // the class may have got another class file since
        let named = || code.cf.constant_pool.member_ref(constant(attr, bci)).ok();
        let is = |members: &Members| match members {
            Members::All => true,
            Members::Called { name, descriptor } => {
                named().is_some_and(|n| n.name == &**name && n.descriptor == &**descriptor)
            }
            Members::Where(f) => named().is_some_and(|n| {
                f(&MemberView {
                    vm: self,
                    loader: self.class(self.method(m).class).loader,
                    class: n.class,
                    name: n.name,
                    descriptor: n.descriptor,
                })
            }),
        };
        let writes = || {
            let op = attr.code[usize::from(bci)];
            matches!(op, opcodes::PUTSTATIC | opcodes::PUTFIELD)
        };
        match (&self.instruments.get(i)?.at, b.what) {
            (_, SiteStart::Return) => Some(HitKind::Return),
            (Point::Call { callee, .. }, SiteStart::Call) => is(callee).then_some(HitKind::Call),
            (
                &Point::Field {
                    ref field, write, ..
                },
                SiteStart::Field,
            ) if write == writes() => {
                let kind = if write { HitKind::Write } else { HitKind::Read };
                is(field).then_some(kind)
            }
            (
                Point::Monitor(MonitorAction::Enter, _),
                SiteStart::Monitor(true) | SiteStart::Lock(true),
            ) => Some(HitKind::MonitorEnter),
            (
                Point::Monitor(MonitorAction::Exit, _),
                SiteStart::Monitor(false) | SiteStart::Lock(false),
            ) => Some(HitKind::MonitorExit),
            (Point::Block(_), SiteStart::Bytecode) => {
                leaders.contains(&bci).then_some(HitKind::Block)
            }
            (&Point::Bytecode { indices, .. }, SiteStart::Bytecode) => {
                within(indices, bci).then_some(HitKind::Bytecode)
            }
            (Point::Element(_), SiteStart::Bytecode) => {
                let op = attr.code[usize::from(bci)];
                let stores = (opcodes::IASTORE..=opcodes::SASTORE).contains(&op);
                stores.then_some(HitKind::Element)
            }
            (&Point::Line { lines, .. }, SiteStart::Bytecode) => {
                let mut rows = attr.line_numbers.iter();
                rows.any(|r| r.0 == bci && within(lines, r.1))
                    .then_some(HitKind::Line)
            }
            _ => None,
        }
    }
}

/// Slot and first letter of the type of each parameter of a method.
pub(super) fn slots_of_parameters(descriptor: &str, is_static: bool) -> Box<[(u16, u8)]> {
    let mut slot = u16::from(!is_static);
    let of = |letter: u8| {
        let at = slot;
        slot += if matches!(letter, b'J' | b'D') { 2 } else { 1 };
        (at, letter)
    };
    parameter_letters(descriptor).map(of).collect()
}

/// Whether it is notified of methods that are left, beside where their code returns.
fn leaves(at: &Point) -> bool {
    let (_, returns, throws) = at.bounds();
    returns || throws
}

fn every(at: &Point) -> Option<u64> {
    match at {
        &Point::Every(n) => Some(n),
        _ => None,
    }
}

/// The constant that the bytecode at an index names.
fn constant(attr: &CodeAttribute, bci: u16) -> u16 {
    let at = usize::from(bci);
    u16::from_be_bytes([attr.code[at + 1], attr.code[at + 2]])
}

/// The indices at which basic blocks begin: where a method or handler does, where branches lead to, and what follows a branch.
fn leaders(attr: &CodeAttribute) -> HashSet<u16> {
    let mut all = HashSet::from([0]);
    all.extend(attr.exceptions.iter().map(|e| e.handler_pc));
    let mut lead = |at: i64| all.extend(u16::try_from(at));
    for insn in opcodes::insns(&attr.code).flatten() {
        let mut ends = opcodes::ends_block(insn.opcode);
        match insn.operand {
            Operand::Branch(target) => {
                lead(target.into());
                ends = true;
            }
            Operand::Switch(switch) => {
                lead(switch.default.into());
                switch.cases().for_each(|(_, target)| lead(target.into()));
            }
            _ => {}
        }
        if ends {
            lead(insn.next_pc() as i64);
        }
    }
    all
}
