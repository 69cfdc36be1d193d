//! The output at the end: maps, largest values first, and failures. The same in each run.

use super::{EvaluationError, Session, State};
use crate::builtins::Gather;
use crate::code::{Compiled, MapInfo};
use crate::gathered::{Num, Slot, average, quantiles, shown};
use crate::point::Point;
use crate::value::{Part, Val};
use serde_json::{Value, json};
use std::cmp::Ordering;

/// The longest bar of a histogram.
const BAR: u64 = 40;

impl Session {
    /// All maps as text, and notes on probes that were not hit, not counted or not understood.
    pub fn text(&self) -> String {
        let Session { script, state } = self;
        let mut out = String::new();
        for (i, _) in script.compiled.maps.iter().enumerate() {
            if state.maps[i].discarded || state.maps[i].len() == 0 {
                continue;
            }
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&state.map_text(&script.compiled, i, usize::MAX));
        }
        let notes = self.notes();
        if !notes.is_empty() && !out.is_empty() {
            out.push('\n');
        }
        for note in notes {
            out.push_str(&format!("note: {note}\n"));
        }
        out
    }

    /// What a reader of the results should know, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        let Session { script, state } = self;
        let limits = state.limits;
        let mut notes = Vec::new();
        for (unit, hits) in script.compiled.units.iter().zip(&state.hits) {
            if *hits == 0 && !matches!(unit.point, Point::Begin | Point::End) {
                notes.push(format!(
                    "{}: {} was never reached",
                    self.place(unit.span),
                    unit.point
                ));
            }
        }
        for (map, info) in state.maps.iter().zip(&script.compiled.maps) {
            if map.refused > 0 {
                notes.push(format!(
                    "@{} has {} keys; {} events with other keys are not in it (limits keys={}, memory={})",
                    info.name,
                    map.len(),
                    map.refused,
                    limits.keys,
                    limits.memory
                ));
            }
        }
        for (n, what, limit, most) in [
            (
                state.lines_refused,
                "times a line was not printed",
                "lines",
                limits.lines,
            ),
            (
                state.strings_refused,
                "times there was no memory for a string or stack",
                "memory",
                limits.memory,
            ),
            (
                state.entries_refused,
                "method entries were not remembered",
                "entries",
                limits.entries,
            ),
        ] {
            if n > 0 {
                notes.push(format!("{n} {what} (limit {limit}={most})"));
            }
        }
        for ((what, ..), (span, count, about)) in &state.trouble {
            let times = if *count == 1 {
                "once".to_owned()
            } else {
                format!("{count} times")
            };
            let message = match what {
                EvaluationError::NoNumber => format!("expected a number, but this is {about}"),
                EvaluationError::NoString => format!("this is {about}, which has no length"),
                EvaluationError::NoObject => {
                    format!("expected an object, but this is {about}")
                }
                EvaluationError::NoField => about.clone(),
                EvaluationError::ByZero => "a division by zero".to_owned(),
                EvaluationError::NoEntry => {
                    "the method had been entered before the probe saw it".to_owned()
                }
                EvaluationError::NoArgument(n) => format!("the method has no arg{n}"),
                EvaluationError::NoThis => "there is no this: the method is static".to_owned(),
                EvaluationError::NoTruth => {
                    format!("expected true or false, but this is {about}")
                }
            };
            notes.push(format!("{}: {times}: {message}", self.place(*span)));
        }
        notes
    }

    /// The same as data.
    pub fn json(&self) -> Value {
        let Session { script, state } = self;
        let points: Vec<Value> = script
            .compiled
            .units
            .iter()
            .zip(&state.hits)
            .map(|(unit, hits)| json!({"point": unit.point.to_string(), "place": self.place(unit.span), "hits": hits}))
            .collect();
        let mut maps = Vec::new();
        for (i, info) in script.compiled.maps.iter().enumerate() {
            if state.maps[i].discarded {
                continue;
            }
            let entries: Vec<Value> = state
                .sorted(i)
                .into_iter()
                .map(|(key, slot)| {
                    let key: Vec<Value> = key.iter().map(|part| state.part_json(*part)).collect();
                    json!({"key": key, "value": state.slot_json(info, slot)})
                })
                .collect();
            maps.push(json!({
                "name": info.name,
                "kind": info.gather.map_or("value", Gather::name),
                "entries": entries,
            }));
        }
        json!({"points": points, "maps": maps, "notes": self.notes()})
    }
}

impl State {
    /// Entries by value, the largest first, then by key.
    fn sorted(&self, map: usize) -> Vec<(&[Part], &Slot)> {
        let entries = self.maps[map].entries();
        let mut sorted: Vec<(&[Part], &Slot)> = entries.iter().map(|(k, s)| (&**k, s)).collect();
        sorted.sort_by(|(ka, a), (kb, b)| {
            let by_value = b.weight().total_cmp(&a.weight());
            by_value.then_with(|| self.compare_keys(ka, kb))
        });
        sorted
    }

    fn compare_keys(&self, a: &[Part], b: &[Part]) -> Ordering {
        a.iter()
            .zip(b)
            .map(|(a, b)| self.compare_parts(*a, *b))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    fn compare_parts(&self, a: Part, b: Part) -> Ordering {
        let rank = |part| match part {
            Part::Null => 0,
            Part::Bool(_) => 1,
            Part::Int(_) | Part::Float(_) => 2,
            Part::Str(_) => 3,
            Part::Stack(_) => 4,
        };
        let float = |part| match part {
            Part::Int(n) => n as f64,
            Part::Float(bits) => f64::from_bits(bits),
            _ => 0.0,
        };
        match (a, b) {
            (Part::Int(a), Part::Int(b)) => a.cmp(&b),
            (Part::Bool(a), Part::Bool(b)) => a.cmp(&b),
            (Part::Str(_) | Part::Stack(_), Part::Str(_) | Part::Stack(_))
                if rank(a) == rank(b) =>
            {
                let text = |part: Part| {
                    let mut text = String::new();
                    self.write_kept(part.val(), &mut text);
                    text
                };
                text(a).cmp(&text(b))
            }
            _ => rank(a).cmp(&rank(b)).then(float(a).total_cmp(&float(b))),
        }
    }

    /// A map with at most so many of its keys.
    pub(super) fn map_text(&self, compiled: &Compiled, map: usize, most: usize) -> String {
        let info = &compiled.maps[map];
        let sorted = self.sorted(map);
        let mut out = String::new();
        for (key, slot) in sorted.iter().take(most) {
            out.push('@');
            out.push_str(&info.name);
            if !key.is_empty() {
                out.push('[');
                for (i, part) in key.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.write_kept(part.val(), &mut out);
                }
                out.push(']');
            }
            out.push(':');
            self.write_slot(info, slot, &mut out);
        }
        if sorted.len() > most {
            out.push_str(&format!(
                "@{}: {} more keys\n",
                info.name,
                sorted.len() - most
            ));
        }
        out
    }

    fn write_num(&self, n: Option<Num>, out: &mut String) {
        self.write_kept(n.map_or(Val::Null, Num::val), out);
    }

    fn write_slot(&self, info: &MapInfo, slot: &Slot, out: &mut String) {
        match slot {
            Slot::Stats(stats) => {
                out.push_str(&format!(" count {}, sum ", stats.count));
                self.write_num(Some(stats.sum.num()), out);
                out.push_str(", min ");
                self.write_num(stats.min, out);
                out.push_str(", average ");
                let average = average(stats.count, stats.sum).map(Num::Float);
                self.write_num(average, out);
                out.push_str(", max ");
                self.write_num(stats.max, out);
            }
            Slot::Buckets(buckets) if info.gather == Some(Gather::Quantiles) => {
                let parts: Vec<String> = quantiles(buckets)
                    .into_iter()
                    .map(|(mille, n)| format!("{}% <= {n}", mille / 10))
                    .collect();
                out.push(' ');
                out.push_str(&parts.join(", "));
            }
            Slot::Buckets(buckets) => {
                out.push('\n');
                let shown = shown(info, buckets);
                let most = shown.iter().map(|(_, n)| *n).max().unwrap_or(1).max(1);
                let width = shown
                    .iter()
                    .map(|(label, _)| label.len())
                    .max()
                    .unwrap_or(0)
                    .max(16);
                for (label, n) in shown {
                    let bar = (u128::from(n) * u128::from(BAR) / u128::from(most)) as usize;
                    out.push_str(&format!(
                        "{label:width$} {n:>10} |{:40}|\n",
                        "@".repeat(bar)
                    ));
                }
                return;
            }
            slot => {
                out.push(' ');
                self.write_kept(slot.val(), out);
            }
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
    }

    fn part_json(&self, part: Part) -> Value {
        match part {
            Part::Null => Value::Null,
            Part::Bool(b) => json!(b),
            Part::Int(n) => json!(n),
            Part::Float(bits) => float_json(f64::from_bits(bits)),
            Part::Str(_) => {
                let mut text = String::new();
                self.write_kept(part.val(), &mut text);
                json!(text)
            }
            Part::Stack(n) => {
                let frames = self.stacks.get(n).iter();
                let frames = frames.map(|(sym, line)| {
                    let method = self.strings.get(*sym);
                    match line {
                        0 => json!({"method": method}),
                        line => json!({"method": method, "line": line}),
                    }
                });
                frames.collect()
            }
        }
    }

    fn slot_json(&self, info: &MapInfo, slot: &Slot) -> Value {
        let num = |n: Option<Num>| match n {
            None => Value::Null,
            Some(Num::Int(n)) => json!(n),
            Some(Num::Float(x)) => float_json(x),
        };
        match slot {
            Slot::Value(part) => self.part_json(*part),
            Slot::Stats(stats) => json!({
                "count": stats.count,
                "sum": num(Some(stats.sum.num())),
                "min": num(stats.min),
                "average": num(average(stats.count, stats.sum).map(Num::Float)),
                "max": num(stats.max),
            }),
            Slot::Buckets(buckets) if info.gather == Some(Gather::Quantiles) => {
                let parts = quantiles(buckets).into_iter();
                parts
                    .map(|(mille, n)| json!({"percent": mille / 10, "most": n}))
                    .collect()
            }
            Slot::Buckets(buckets) => {
                let parts = shown(info, buckets).into_iter();
                parts
                    .map(|(label, n)| json!({"range": label, "count": n}))
                    .collect()
            }
            slot => match slot.val() {
                Val::Int(n) => json!(n),
                Val::Float(x) => float_json(x),
                _ => Value::Null,
            },
        }
    }
}

/// Values without a number in JSON become null.
fn float_json(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number)
}
