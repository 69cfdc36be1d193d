//! A program at a position, as far as two runs are compared.

use rjvm_profiler::summary::grouped;
use rjvm_vm::instruments::MethodView;
use rjvm_vm::{ThreadId, Value, Vm};
use serde::{Deserialize, Serialize};

/// A program at a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The thread that runs next.
    pub thread: String,
    /// Its method, and the index of its bytecode.
    pub at: String,
    /// The frames of that thread.
    pub frames: usize,
    /// The locals and operands of its top frame that are numbers.
    pub numbers: Vec<i64>,
    /// Bytecodes that each thread has executed.
    pub executed: Vec<(u32, i64)>,
    /// Bytes that the program has printed.
    pub printed: [u64; 2],
}

impl Mark {
    /// The program as it is now.
    pub fn of(vm: &mut Vm, current: Option<ThreadId>, printed: [u64; 2]) -> Mark {
        let live: Vec<ThreadId> = vm.live_threads().collect();
        let executed = live.iter().map(|&t| (t.0, vm.executed_by(t))).collect();
        let mut mark = Mark {
            executed,
            printed,
            ..Mark::default()
        };
        let Some(t) = current else {
            return mark;
        };
        mark.thread = t.0.to_string();
        let frames = vm.debug_frames(t);
        mark.frames = frames.len();
        if let Some(top) = frames.first() {
            let view = MethodView::new(vm, top.method);
            mark.at = format!("{}.{}", view.class().name(), view.name());
            if let Some(bci) = top.bci {
                mark.at += &format!("@{bci}");
            }
            let all = top.locals.iter().chain(&top.operands);
            let numbers = all.filter_map(|(_, v)| match v {
                Value::Int(v) => Some(i64::from(*v)),
                Value::Long(v) => Some(*v),
                Value::Float(v) => Some(i64::from(v.to_bits())),
                Value::Double(v) => Some(v.to_bits() as i64),
                Value::Ref(_) | Value::Void => None,
            });
            mark.numbers = numbers.collect();
        }
        mark
    }
    /// The differences to another mark: this one's values, and the other one's.
    pub fn differences(&self, other: &Mark) -> (String, String) {
        let mut both = (Vec::new(), Vec::new());
        let mut note = |a: String, b: String| {
            if a != b {
                both.0.push(a);
                both.1.push(b);
            }
        };
        let thread = |m: &Mark| match m.thread.is_empty() {
            true => "no thread runs next".to_owned(),
            false => format!("thread {} runs next", m.thread),
        };
        note(thread(self), thread(other));
        note(self.at.clone(), other.at.clone());
        note(
            format!("{} frames", self.frames),
            format!("{} frames", other.frames),
        );
        let bytes = |m: &Mark, i: usize| {
            let stream = ["standard output", "standard error"][i];
            format!("{} bytes on {stream}", m.printed[i])
        };
        note(bytes(self, 0), bytes(other, 0));
        note(bytes(self, 1), bytes(other, 1));
        let threads = |m: &Mark| {
            let all = m
                .executed
                .iter()
                .map(|(t, n)| format!("{t}: {}", grouped(*n as u64)));
            format!("bytecodes by thread {}", all.collect::<Vec<_>>().join(", "))
        };
        note(threads(self), threads(other));
        let differs = { self.numbers.iter().zip(&other.numbers) }.find(|(a, b)| a != b);
        let number = |v: Option<&i64>| {
            let v = v.map_or_else(|| "none".into(), i64::to_string);
            format!("a local or operand of the top frame: {v}")
        };
        note(number(differs.map(|d| d.0)), number(differs.map(|d| d.1)));
        (both.0.join("; "), both.1.join("; "))
    }
}
