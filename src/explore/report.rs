//! What an exploration found, as text for people.

use super::page;
use super::session::Found;
use rjvm_explore::report::Failure;
use rjvm_profiler::summary::grouped;
use std::fmt::Write;

/// Columns of a text.
const WIDTH: usize = 132;

/// All of it. `shown`: the failures.
pub fn text(found: &Found, program: &str, shown: &[Failure]) -> String {
    let mut out = String::new();
    let seconds = found.took.as_secs_f64();
    let rate = (found.schedules as f64 / seconds.max(1e-3)) as u64;
    let (least, most, sum) = found.choices;
    let average = sum / found.schedules.max(1);
    let _ = writeln!(
        out,
        "{program}: {} schedules, {} of them different, in {seconds:.1} s ({} a second)",
        grouped(found.schedules),
        grouped(found.distinct),
        grouped(rate),
    );
    let _ = writeln!(
        out,
        "{} threads; {} to {} choices, {} on average",
        found.threads,
        grouped(least),
        grouped(most),
        grouped(average),
    );
    if found.exhausted {
        out += "there are no other schedules\n";
    }
    for race in &found.races {
        let _ = writeln!(
            out,
            "\ndata race on {} in {} schedules, first in schedule {}",
            race.place, race.count, race.number
        );
        for a in [&race.first, &race.second] {
            let what = if a.write { "writes" } else { "reads" };
            let _ = writeln!(out, "  {} {what} it", a.thread);
            for line in &a.stack {
                let _ = writeln!(out, "    at {line}");
            }
        }
    }
    if !found.library_races.is_empty() {
        let n = found.library_races.len();
        let _ = writeln!(
            out,
            "{n} more in the class library's own code (--races=all shows them)"
        );
    }
    match found.failed {
        0 => out += "no failure\n",
        n if found.failures.len() > 1 => {
            let kinds = found.failures.len();
            let _ = writeln!(out, "{} failures, of {kinds} kinds", grouped(n));
        }
        _ => {}
    }
    for f in shown {
        out += "\n";
        out += &rjvm_explore::report::text(&page::abridged(f.clone()), WIDTH);
    }
    out
}
