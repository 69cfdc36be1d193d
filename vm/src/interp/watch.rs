//! Stopping at places of the program, and the path that all threads take, as a hash.

use super::insn::watch;
use super::path_hash::note;
use super::places::StopPosition;
use super::translate::Scan;
use crate::ids::{MethodId, ThreadId};
use crate::vm::Vm;
pub use crate::vm::hooks::OnStop;
use rjvm_classfile::CodeAttribute;

/// A hash of text that is the same everywhere (FNV-1a).
fn text_hash(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|p| p.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    })
}

impl Vm {
    /// The bytecodes of a method, by number and ascending, that are watched.
    pub(super) fn watched_in(
        &mut self,
        id: MethodId,
        attr: &CodeAttribute,
        scan: &Scan,
    ) -> Vec<(u16, u32)> {
        if self.options.places.is_empty() {
            return Vec::new();
        }
        let m = self.method(id);
        let (class, method) = (self.class(m.class).dotted(), self.syms.str(m.name).clone());
        let mut found: std::collections::BTreeMap<u16, Vec<usize>> = Default::default();
        for (i, place) in self.options.places.iter().enumerate() {
            let is_main = self.main_thread.is_some_and(|m| m.1 == id);
            let bcis: Vec<u16> = match place.at {
                StopPosition::Main if is_main => vec![0],
                StopPosition::Main => continue,
                _ if !place.is_in(&class, &method) => continue,
                StopPosition::Entry => vec![0],
                StopPosition::Index(bci) => vec![bci],
                StopPosition::Line(line) => {
                    let rows = attr.line_numbers.iter().filter(|r| r.1 == line);
                    rows.map(|r| r.0).collect()
                }
            };
            for number in bcis.into_iter().filter_map(|b| scan.number(b)) {
                let places = found.entry(number).or_default();
                if !places.contains(&i) {
                    places.push(i);
                }
            }
        }
        let points = &mut self.watching.points;
        let mut point = |places| {
            points.push(places);
            points.len() as u32 - 1
        };
        found.into_iter().map(|(n, p)| (n, point(p))).collect()
    }
    /// A bytecode that is watched comes next; false: the VM stops there.
    pub(super) fn at_watched(&mut self) -> bool {
        let r = *self.regs();
        // SAFETY: `ip` is the instruction whose handler has come here.
        let (point, ticks) = unsafe { (watch::point.get(r.ip), watch::ticks.get(r.ip)) };
        let watching = &mut self.watching;
        watching.arrivals.resize(self.options.places.len(), 0);
        watching.reached.places.clear();
        for &i in &watching.points[point as usize] {
            let arrivals = &mut watching.arrivals[i];
            *arrivals += 1;
            let wanted = self.options.places[i].arrival;
            if wanted == 0 || wanted == *arrivals {
                watching.reached.places.push((i, *arrivals));
            }
        }
        let stops = !watching.reached.places.is_empty();
        self.regs().ip = r.ip.wrapping_add(watch::BYTES);
        if !stops {
            return true;
        }
        // what comes next is found again as at the end of the fuel
        // SAFETY: `cs` is the top frame, whose method is translated.
        unsafe {
            let x = (*(*r.cs).method).translated().expect("translated");
            let off = x.offset(self.regs().ip).expect("an instruction");
            self.regs().ip = x.at(off);
        }
        self.limits.fuel_end = Some(r.ticks + i64::from(ticks));
        self.limits.out_of_fuel = true;
        false
    }
    /// From now on the host is asked whether to continue when the VM stops, at the end of its fuel or at one of the places in its
    /// options.
    pub fn on_stop(&mut self, f: OnStop) {
        self.hooks.on_stop = Some(f);
    }
    /// What loaded classes lack of the place with this number in the options, in words; nothing if it is there.
    pub fn lacking(&self, place: usize) -> Option<String> {
        let place = self.options.places.get(place)?;
        let line = match place.at {
            StopPosition::Main => return None,
            StopPosition::Line(line) => Some(line),
            StopPosition::Entry | StopPosition::Index(_) => None,
        };
        let (class, method) = place.name.rsplit_once('.').unwrap_or(("", &place.name));
        let at_line = |id: &MethodId| {
            let attr = self.method(*id).code().map(|c| c.attr());
            let mut rows = attr.into_iter().flat_map(|attr| &attr.line_numbers);
            line.is_none_or(|line| rows.any(|r| r.1 == line))
        };
        let mut lacking = None;
        for id in self.all_classes() {
            let (k, name) = (self.class(*id), self.class(*id).dotted());
            if name == class {
                let named = |id: &&MethodId| **self.syms.str(self.method(**id).name) == *method;
                let methods: Vec<&MethodId> = k.methods.iter().filter(named).collect();
                if methods.iter().any(|id| at_line(id)) {
                    return None;
                }
                lacking = match methods.is_empty() {
                    true => Some(format!("class {class} has no method {method}")),
                    false => line.map(|n| format!("{class}.{method} has no code at line {n}")),
                };
            }
            // a line may be in a class within the class
            let rest = name.strip_prefix(&*place.name);
            if let (Some(n), Some(rest)) = (line, rest)
                && (rest.is_empty() || rest.starts_with('$'))
            {
                if k.methods.iter().any(at_line) {
                    return None;
                }
                lacking = Some(format!("class {} has no code at line {n}", place.name));
            }
        }
        lacking.or_else(|| {
            let class = if class.is_empty() { method } else { class };
            Some(format!("no class {class} was loaded"))
        })
    }
    /// Arrivals so far at the place with this number in the options.
    pub fn arrivals(&self, place: usize) -> u64 {
        self.watching.arrivals.get(place).copied().unwrap_or(0)
    }
    /// The VM has stopped: whether it continues.
    pub(crate) fn stops(&mut self) -> bool {
        let reached = self.watching.reached.clone();
        self.with_hook(|h| &mut h.on_stop, |f, vm| f(vm, &reached))
            .unwrap_or(false)
    }
    /// The VM continues after a stop.
    pub(super) fn leave_stop(&mut self) {
        self.watching.reached.places.clear();
    }
    /// The thread that has its turn when the VM continues, while it is stopped.
    pub fn stopped_thread(&self) -> Option<ThreadId> {
        self.limits.stopped
    }
    /// The thread in which the VM has stopped notifies instruments of its next instruction, also if it has done that: some have been
    /// placed meanwhile.
    pub fn notify_again(&mut self) {
        if let Some(t) = self.limits.stopped {
            self.threads[t.0 as usize].reported_at = Default::default();
        }
    }
    /// A hash of the path of all threads up to here: every block of code that has begun (at a method's entry, or
    /// where a branch leads to), by class, method and bytecode index, and every turn of a thread, with its count. 0 unless
    /// the options ask for it.
    pub fn path(&self) -> u64 {
        // SAFETY: `Hot` lies at the region's base.
        unsafe { (*self.hot()).path }
    }
    /// The path begins here, whatever has been executed before.
    pub fn restart_path(&mut self) {
        self.watching.bases = self.threads.iter().map(|t| t.executed).collect();
        // SAFETY: as above.
        unsafe { (*self.hot()).path = 0 }
    }
    /// A thread gets its turn.
    pub(super) fn note_slice(&mut self, t: ThreadId) {
        // a thread that goes on after the end of its quantum has no new turn
        let goes_on = self.watching.turn.replace(t) == Some(t);
        if self.options.traces_path && !goes_on {
            let thread = &self.threads[t.0 as usize];
            let base = self.watching.bases.get(t.0 as usize).copied();
            let executed = thread.executed - base.unwrap_or(0);
            let step = (thread.serial << 40).wrapping_add(executed as u64);
            let path = note(self.path(), step);
            // SAFETY: as above.
            unsafe { (*self.hot()).path = path }
        }
    }
    /// A hash of the next step when the VM continues: thread, method, bytecode index. Two VMs have the same for the same.
    pub fn place_hash(&mut self) -> u64 {
        let Some((t, m, bci)) = self.next_bytecode() else {
            return 0;
        };
        let thread = self.threads[t.0 as usize].serial;
        note(note(thread, self.name_hash(m)), bci.into())
    }
    /// A hash of a method's name, the same in every VM. The part that distinguishes hidden classes is left out.
    pub(crate) fn name_hash(&self, id: MethodId) -> u64 {
        let m = self.method(id);
        let class = self.class(m.class).dotted();
        let class = class.split_once("/0x").map_or(&*class, |c| c.0);
        text_hash(&[class, self.syms.str(m.name), self.syms.str(m.desc)])
    }
}
