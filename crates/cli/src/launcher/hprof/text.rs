//! HPROF's text, line by line as JDK 8 lays it out.

use super::names::{FIRST_THREAD, class_name, serial};
use rjvm_vm::events::{TracePlace, Traces};
use rjvm_vm::heap::sites::Sites;
use rjvm_vm::{ThreadId, Vm};
use std::fmt::Write;

/// What a trace has cost.
pub struct TraceCost {
    /// Its serial number.
    pub trace: u32,
    /// Samples, calls or times.
    pub count: u64,
    /// Samples or bytecodes.
    pub cost: u64,
}

/// A moment, in seconds since 1970, as C's `ctime` writes it; in UTC.
pub fn date(seconds: i64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = crate::launcher::names::civil(days);
    let weekday = DAYS[days.rem_euclid(7) as usize];
    let month = MONTHS[(month - 1) as usize];
    let (h, m, s) = (second / 3600, second / 60 % 60, second % 60);
    format!("{weekday} {month} {day:2} {h:02}:{m:02}:{s:02} {year}")
}

/// The beginning of a file, and what its sections are.
pub fn header(out: &mut String, began: i64) {
    let _ = writeln!(out, "JAVA PROFILE 1.0.1, created {}\n", date(began));
    out.push_str(
        "\
Header for -agentlib:hprof (or -Xrunhprof) text output, written by rjvm.

Its sections are those of HPROF in JDK 8. Time is counted in bytecodes: a row of CPU TIME
shows executed bytecodes, where JDK 8 has milliseconds, and CPU SAMPLES are taken at
bytecodes of running threads. The numbers are exact, and the same in each run.

    THREAD START, THREAD END  a thread with its number, which traces may refer to
    TRACE                     a stack, the innermost frame first, with its number
    HEAP DUMP                 all live objects: ROOT, CLS, OBJ and ARR, with their references
    SITES                     live and allocated bytes and objects, by trace and class
    CPU SAMPLES               how often each trace was sampled
    CPU TIME                  calls of each trace, and what part of all bytecodes it executed itself
    MONITOR TIME              how often, and how long, traces waited for monitors held by others
    MONITOR DUMP              threads, and monitors with owners and those who wait

--------

",
    );
}

/// The address of a thread's object; 0 if it has none.
pub fn thread_object(vm: &Vm, t: ThreadId) -> u64 {
    let object = vm.all_threads().nth(t.0 as usize).map(|t| t.object);
    object.map_or(0, |o| o.slot() * 8)
}

fn frame(out: &mut String, place: &TracePlace) {
    let source = place.source.as_deref().unwrap_or("<Unknown Source>");
    let line = match place.line {
        -3 => "Native method".to_string(),
        -1 => "Unknown line".to_string(),
        line => line.to_string(),
    };
    let class = class_name(&place.class);
    let _ = writeln!(out, "\t{class}.{}({source}:{line})", place.method);
}

/// All traces.
pub fn traces(out: &mut String, traces: &Traces) {
    for serial in traces.serials() {
        trace(out, traces, serial);
    }
}

/// A trace.
pub fn trace(out: &mut String, traces: &Traces, number: u32) {
    let (thread, frames) = traces.frames(number);
    let _ = write!(out, "TRACE {number}:");
    if let Some(t) = thread {
        let _ = write!(out, " (thread={})", serial(t));
    }
    out.push('\n');
    if frames.is_empty() {
        out.push_str("\t<empty>\n");
    }
    frames.into_iter().for_each(|f| frame(out, f));
}

/// `SITES`
pub fn sites(out: &mut String, sites: &Sites, cutoff: f64, now: i64) {
    let (_, live) = sites.totals();
    let mut rows: Vec<_> = sites.sites().iter().collect();
    rows.sort_by_key(|s| {
        let live = std::cmp::Reverse((s.live.bytes, s.allocated.bytes));
        (live, s.trace, &s.class)
    });
    let _ = writeln!(out, "SITES BEGIN (ordered by live bytes) {}", date(now));
    out.push_str("          percent          live          alloc'ed  stack class\n");
    out.push_str(" rank   self  accum     bytes objs     bytes  objs trace name\n");
    let part = |bytes: u64| match live.bytes {
        0 => 0.0,
        all => bytes as f64 / all as f64,
    };
    let mut sum = 0;
    for (rank, s) in (1..).zip(rows) {
        if part(s.live.bytes) < cutoff {
            break;
        }
        sum += s.live.bytes;
        let _ = writeln!(
            out,
            "{rank:5} {:5.2}% {:5.2}% {:9} {:4} {:9} {:5} {:5} {}",
            part(s.live.bytes) * 100.0,
            part(sum) * 100.0,
            s.live.bytes,
            s.live.objects,
            s.allocated.bytes,
            s.allocated.objects,
            s.trace,
            class_name(&s.class)
        );
    }
    out.push_str("SITES END\n");
}

/// `CPU SAMPLES` or `CPU TIME (ms)`, of rows in order.
pub fn costs(
    out: &mut String,
    name: &str,
    rows: &[TraceCost],
    traces: &Traces,
    cutoff: f64,
    now: i64,
) {
    let total: u64 = rows.iter().map(|r| r.cost).sum();
    let _ = writeln!(out, "{name} BEGIN (total = {total}) {}", date(now));
    let part = |n: u64| n as f64 / total.max(1) as f64;
    let shown: Vec<&TraceCost> = rows
        .iter()
        .take_while(|r| r.count > 0 && part(r.cost) >= cutoff)
        .collect();
    if !shown.is_empty() {
        out.push_str("rank   self  accum   count trace method\n");
    }
    let mut sum = 0;
    for (rank, r) in (1..).zip(shown) {
        sum += r.cost;
        let (own, sum) = (part(r.cost) * 100.0, part(sum) * 100.0);
        let _ = write!(
            out,
            "{rank:4} {own:5.2}% {sum:5.2}% {:7} {:5}",
            r.count, r.trace
        );
        let _ = match traces.frames(r.trace).1.first() {
            Some(f) => writeln!(out, " {}.{}", class_name(&f.class), f.method),
            None => writeln!(out, " <empty trace>"),
        };
    }
    let _ = writeln!(out, "{name} END");
}

/// Serial numbers of threads, as a list in a monitor dump.
pub fn thread_list(threads: &[ThreadId]) -> String {
    let names = threads.iter().map(|t| match serial(*t) {
        FIRST_THREAD => " <unknown thread>".to_string(),
        n => format!(" thread {n}"),
    });
    names.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_ctime() {
        assert_eq!(date(0), "Thu Jan  1 00:00:00 1970");
        assert_eq!(date(907_760_290), "Wed Oct  7 11:38:10 1998");
    }
}
