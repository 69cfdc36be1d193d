//! Threads that wait for each other, or for time to pass.

use super::{RuleInput, figure, figure_each};
use crate::claim::{Claim, Confidence, Evidence, Place, Saving, grouped, times as times_of};
use crate::cost;
use crate::recording::{Wait, Waited};
use std::collections::BTreeMap;

/// The parts of `com.example.Main.run(Main.java:12)`, as stack traces have them.
fn place(text: &str) -> Place {
    let (name, rest) = text.split_once('(').unwrap_or((text, ""));
    let name = name.rsplit('/').next().unwrap_or(name);
    let (class, method) = name.rsplit_once('.').unwrap_or((name, ""));
    let (file, line) = match rest.trim_end_matches(')').split_once(':') {
        Some((file, line)) => (file, line.parse().ok()),
        None => ("", None),
    };
    Place {
        package: class.rsplit_once('.').map_or("", |p| p.0).into(),
        class: class.into(),
        method: method.into(),
        file: file.into(),
        line,
        ..Place::default()
    }
}

/// Locks that threads wait for, and sleep.
pub fn locks(input: &RuleInput<'_>) -> Vec<Claim> {
    let mut found = Vec::new();
    let mut by_lock: BTreeMap<(&str, bool), Vec<&Wait>> = BTreeMap::new();
    for wait in &input.tree.run.waits {
        match wait.why {
            Waited::Monitor => by_lock.entry((&wait.lock, true)).or_default().push(wait),
            Waited::Lock => by_lock.entry((&wait.lock, false)).or_default().push(wait),
            _ => {}
        }
    }
    for ((lock, monitor), mut waits) in by_lock {
        waits.sort_by(|a, b| (b.others, &a.site).cmp(&(a.others, &b.site)));
        let sum = |f: fn(&Wait) -> u64| waits.iter().map(|w| f(w)).sum::<u64>();
        let (times, others, nanos) = (sum(|w| w.times), sum(|w| w.others), sum(|w| w.nanos));
        // as long as all threads but one wait, the lock keeps the others' work from being done at the same time
        let saved = others / input.threads.max(2);
        if !input.matters(saved) {
            continue;
        }
        let kind = if monitor {
            "locks"
        } else {
            "locks of java.util.concurrent"
        };
        let mut claim = of_waits(
            input,
            ["contention and waiting", kind],
            format!("threads wait {} times for {lock}", grouped(times)),
            &waits,
        );
        claim.figures = vec![
            figure("waited", format!("{} times", grouped(times))),
            figure_each(
                "bytecodes that other threads executed meanwhile",
                others,
                times,
                "time",
            ),
            figure(
                "the most in one wait",
                grouped(waits.iter().map(|w| w.most).max().unwrap_or(0)),
            ),
            figure("threads", grouped(input.threads)),
        ];
        if input.tree.run.virtual_clock {
            claim
                .figures
                .push(figure("nanoseconds (virtual)", grouped(nanos)));
        }
        claim.saving = Saving {
            cost: saved,
            waiting: others,
            how: format!(
                "the bytecodes of other threads meanwhile, by {} threads: this much could run in parallel",
                input.threads.max(2)
            ),
            ..Saving::default()
        };
        found.push(claim);
    }
    let idle = |w: &&Wait| {
        w.others == 0 && w.nanos > 0 && matches!(w.why, Waited::Sleep | Waited::Wait | Waited::Park)
    };
    let mut by_site: BTreeMap<&str, Vec<&Wait>> = BTreeMap::new();
    for wait in input.tree.run.waits.iter().filter(idle) {
        by_site.entry(&wait.site).or_default().push(wait);
    }
    for waits in by_site.into_values() {
        let sum = |f: fn(&Wait) -> u64| waits.iter().map(|w| f(w)).sum::<u64>();
        let (times, nanos, ended) = (sum(|w| w.times), sum(|w| w.nanos), sum(|w| w.timed_out));
        let saved = nanos / cost::NANOSECONDS;
        if !input.matters(saved) || ended == 0 {
            continue;
        }
        let leaf = if waits[0].why == Waited::Sleep {
            "sleep"
        } else {
            "waiting for time to pass"
        };
        let title = format!(
            "{} a thread waits for time to pass, and no thread runs",
            times_of(ended)
        );
        let mut claim = of_waits(input, ["contention and waiting", leaf], title, &waits);
        claim.sure = Confidence::Likely;
        claim.figures = vec![
            figure("times", grouped(times)),
            figure("ended by time", grouped(ended)),
        ];
        if input.tree.run.virtual_clock {
            claim
                .figures
                .push(figure("nanoseconds (virtual)", grouped(nanos)));
        }
        claim.saving = Saving {
            cost: saved,
            how: format!(
                "without it; {} nanoseconds count as a bytecode",
                cost::NANOSECONDS
            ),
            ..Saving::default()
        };
        found.push(claim);
    }
    found
}

fn of_waits(input: &RuleInput<'_>, why: [&str; 2], title: String, waits: &[&Wait]) -> Claim {
    let row = |w: &&Wait| {
        let held = match w.holder.as_str() {
            "" => String::new(),
            holder => format!(", held by {holder}"),
        };
        format!(
            "{} bytecodes in {} times at {}{held}",
            grouped(w.others),
            grouped(w.times),
            w.site
        )
    };
    let place = place(&waits[0].site);
    // the contexts of that method report when
    let here = |c: &u32| {
        let m = input.tree.method(*c);
        m.class == place.class && m.name == place.method
    };
    let tops: Vec<u32> = input.tree.all().filter(here).collect();
    let mut claim = Claim {
        why: why.iter().map(|w| w.to_string()).collect(),
        title,
        phases: Vec::new(),
        sure: Confidence::Counted,
        figures: Vec::new(),
        evidence: vec![Evidence {
            what: "where, and the holder".into(),
            rows: waits.iter().take(5).map(row).collect(),
        }],
        saving: Saving::default(),
        place,
        tops,
    };
    if let Some(&c) = claim.tops.first() {
        let site = input.tree.site(c);
        claim.place.threads = input.place(site, &claim.tops).threads;
    }
    claim
}

#[cfg(test)]
mod tests {
    #[test]
    fn places_are_read_from_lines_of_stack_traces() {
        let p = super::place("a.b.C$D.run(C.java:17)");
        assert_eq!(
            (&p.package[..], &p.class[..], &p.method[..]),
            ("a.b", "a.b.C$D", "run")
        );
        assert_eq!((&p.file[..], p.line), ("C.java", Some(17)));
        let p = super::place("app//C.run(Unknown Source)");
        assert_eq!((&p.class[..], &p.method[..], p.line), ("C", "run", None));
    }
}
