//! Contended monitors: their waits by thread, number and length; their holders and waiters at the end.

use super::names::{class_name, serial};
use super::text::{date, thread_list, trace};
use rjvm_vm::events::{Event, EventView, Traces};
use rjvm_vm::heap::sites::SharedSites;
use rjvm_vm::threads::ThreadState;
use rjvm_vm::{Ref, ThreadId, Vm};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What waiting for monitors of a class has cost at a trace.
#[derive(Default)]
struct MonitorCost {
    times: u64,
    /// Bytecodes of all threads meanwhile.
    bytecodes: u64,
}

/// The counts of contended monitors.
#[derive(Default)]
pub struct Monitors {
    costs: BTreeMap<(u32, String), MonitorCost>,
    /// Of each thread that waits: since when, where and for a monitor of which class.
    entering: BTreeMap<ThreadId, (i64, u32, String)>,
    waiting: BTreeMap<ThreadId, i64>,
}

fn class_of(vm: &Vm, object: Ref) -> String {
    class_name(&vm.class(vm.class_of(object)).name)
}

impl Monitors {
    /// One of the events about monitors; lines about waits go to `lines`.
    pub fn event(
        &mut self,
        seen: &mut EventView<'_>,
        sites: &SharedSites,
        event: Event<'_>,
        lines: &mut String,
    ) {
        let Some(thread) = seen.thread() else {
            return;
        };
        let now = seen.bytecodes();
        let who = format!("thread {}", serial(thread));
        match event {
            Event::MonitorContendedEnter { object, .. } => {
                let mut sites = sites.lock();
                let frames = seen.top_frames(sites.traces().depth());
                let trace = sites.traces().trace(seen, thread, frames);
                let class = class_of(seen, object);
                self.entering.insert(thread, (now, trace, class));
            }
            Event::MonitorContendedEntered { .. } => {
                if let Some((since, trace, class)) = self.entering.remove(&thread) {
                    let cost = self.costs.entry((trace, class)).or_default();
                    cost.times += 1;
                    cost.bytecodes += (now - since) as u64;
                }
            }
            Event::MonitorWait { object, timeout } => {
                let ms = timeout.unwrap_or(0) / 1_000_000;
                self.waiting.insert(thread, now);
                let _ = match object.is_null() {
                    true => writeln!(lines, "SLEEP: timeout={ms}, {who}"),
                    false => {
                        let class = class_of(seen, object);
                        writeln!(lines, "WAIT: MONITOR {class}, timeout={ms}, {who}")
                    }
                };
            }
            Event::MonitorWaited { object, .. } if !object.is_null() => {
                let since = self.waiting.remove(&thread).unwrap_or(now);
                let class = class_of(seen, object);
                let _ = writeln!(
                    lines,
                    "WAITED: MONITOR {class}, time_waited={}, {who}",
                    now - since
                );
            }
            _ => {}
        }
    }
    /// `MONITOR TIME`
    pub fn write(&self, out: &mut String, cutoff: f64, now: i64) {
        let total: u64 = self.costs.values().map(|c| c.bytecodes).sum();
        let mut rows: Vec<_> = self.costs.iter().collect();
        rows.sort_by_key(|(key, c)| (std::cmp::Reverse((c.bytecodes, c.times)), *key));
        let date = date(now);
        let _ = writeln!(out, "MONITOR TIME BEGIN (total = {total} ms) {date}");
        if total > 0 {
            out.push_str("rank   self  accum   count trace monitor\n");
        }
        let part = |n: u64| n as f64 / total.max(1) as f64;
        let mut sum = 0;
        for (rank, ((trace, class), c)) in (1..).zip(rows) {
            if part(c.bytecodes) < cutoff {
                break;
            }
            sum += c.bytecodes;
            let (own, accum) = (part(c.bytecodes) * 100.0, part(sum) * 100.0);
            let _ = writeln!(
                out,
                "{rank:4} {own:5.2}% {accum:5.2}% {:7} {trace:5} {class} (Java)",
                c.times
            );
        }
        out.push_str("MONITOR TIME END\n");
    }
}

/// `MONITOR DUMP`: threads with what they do, and monitors that are entered or waited for.
pub fn dump(vm: &mut Vm, traces: &mut Traces, out: &mut String) {
    let dump = vm.monitor_dump();
    let mut threads = Vec::new();
    let alive = vm.all_threads().filter(|t| t.is_alive());
    let alive: Vec<(ThreadId, bool)> = alive
        .map(|t| (t.id, matches!(t.state, ThreadState::Waiting { .. })))
        .collect();
    for (t, waits) in alive {
        let mut places = Vec::new();
        let depth = traces.depth();
        let mut at = Vec::new();
        vm.walk_stack(t, |_, method, bci| {
            at.push((method, bci));
            match at.len() < depth {
                true => std::ops::ControlFlow::Continue(()),
                false => std::ops::ControlFlow::Break(()),
            }
        });
        for (method, bci) in at {
            places.push(vm.line_at(method, bci));
        }
        let number = traces.trace_of(t, places);
        trace(out, traces, number);
        let state = match () {
            () if dump.monitors.iter().any(|m| m.entering.contains(&t)) => "MW",
            () if dump.monitors.iter().any(|m| m.waiting.contains(&t)) => "CW",
            () if waits => "CW",
            () => "R",
        };
        threads.push((t, number, state));
    }
    out.push_str("MONITOR DUMP BEGIN\n");
    for (t, number, state) in threads {
        let t = serial(t);
        let _ = writeln!(out, "    THREAD {t}, trace {number}, status: {state}");
    }
    for m in &dump.monitors {
        let class = class_of(vm, m.object);
        let _ = match m.owner {
            Some(t) => writeln!(
                out,
                "    MONITOR {class}\n\towner: thread {}, entry count: {}",
                serial(t),
                m.entries
            ),
            None => writeln!(out, "    MONITOR {class} unowned"),
        };
        let _ = writeln!(out, "\twaiting to enter:{}", thread_list(&m.entering));
        let _ = writeln!(out, "\twaiting to be notified:{}", thread_list(&m.waiting));
    }
    out.push_str("MONITOR DUMP END\n");
}
