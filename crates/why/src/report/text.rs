//! A report as text, for terminals and logs: a block for each claim, the same for the same run.

use crate::claim::{Claim, Phase, Report, grouped, percent};
use std::fmt::Write;

/// At most that many claims.
pub fn text(report: &Report, most: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "rjvm why: {}: {} bytecodes in {}, {} objects of {} bytes, {} collections, {} classes loaded, {}",
        report.program,
        grouped(report.bytecodes),
        number(report.phases.len() as u64, "phase"),
        grouped(report.objects),
        grouped(report.bytes),
        grouped(report.collections),
        grouped(report.classes),
        number(report.threads, "thread"),
    );
    if report.folded > 0 {
        let _ = writeln!(
            out,
            "{} calling contexts were folded, because they take more memory than --profile-memory allows",
            grouped(report.folded)
        );
    }
    out.push_str("\nWhen\n");
    for phase in &report.phases {
        show_phase(&mut out, phase, report.bytecodes);
    }
    if report.claims.is_empty() {
        out.push_str("\nrjvm found no large saving.\n");
    }
    for (i, claim) in report.claims.iter().take(most).enumerate() {
        show(&mut out, i + 1, claim, report.phases.len());
    }
    if report.claims.len() > most {
        let _ = writeln!(
            out,
            "\n{} more: --top={}",
            report.claims.len() - most,
            report.claims.len()
        );
    }
    out
}

pub(super) fn number(n: u64, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{} {what}s", grouped(n)),
    }
}

fn parts(parts: &[(String, u64)]) -> String {
    let part = |p: &(String, u64)| format!("{} {}", p.0, percent(p.1));
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

fn show_phase(out: &mut String, phase: &Phase, bytecodes: u64) {
    let length = crate::claim::permille(phase.to - phase.from, bytecodes);
    let _ = writeln!(
        out,
        "  phase {}: bytecodes {} to {} ({})",
        phase.number,
        grouped(phase.from),
        grouped(phase.to),
        percent(length.min(1000))
    );
    if !phase.within.is_empty() {
        let _ = writeln!(
            out,
            "    below    {} {}",
            phase.within,
            percent(phase.within_permille)
        );
    }
    let _ = writeln!(out, "    most in  {}", parts(&phase.methods));
    if !phase.why.is_empty() {
        let _ = writeln!(out, "    why      {}", parts(&phase.why));
    }
}

fn show(out: &mut String, rank: usize, claim: &Claim, phases: usize) {
    let p = &claim.place;
    let _ = writeln!(out, "\n{rank}. {}", claim.title);
    let _ = writeln!(
        out,
        "   why       {} ({})",
        claim.why.join(" > "),
        claim.sure.word()
    );
    let _ = writeln!(out, "   where     {}", where_is(claim));
    if !p.threads.is_empty() {
        let some: Vec<&str> = p.threads.iter().take(3).map(String::as_str).collect();
        let more = match p.threads.len() {
            n if n > 3 => format!(" and {} more", n - 3),
            _ => String::new(),
        };
        let _ = writeln!(out, "   thread    {}{more}", some.join(", "));
    }
    if let Some(request) = &p.request {
        let _ = writeln!(out, "   request   {request}");
    }
    if phases > 1 && !claim.phases.is_empty() {
        let part = |(n, part): &(usize, u64)| format!("phase {n} {}", percent(*part));
        let all: Vec<String> = claim.phases.iter().map(part).collect();
        let _ = writeln!(out, "   when      {}", all.join(", "));
    }
    let _ = writeln!(out, "   saves     {}", saves(claim));
    let _ = writeln!(out, "   estimate  {}", claim.saving.how);
    for (i, (name, value)) in claim.figures.iter().enumerate() {
        let head = if i == 0 { "figures " } else { "        " };
        let _ = writeln!(out, "   {head}  {name}: {value}");
    }
    for evidence in claim.evidence.iter().filter(|e| !e.rows.is_empty()) {
        let _ = writeln!(out, "   evidence  {}", evidence.what);
        for row in &evidence.rows {
            let _ = writeln!(out, "             {row}");
        }
    }
}

/// `package x, class Y, method z, Y.java:3`
pub(super) fn where_is(claim: &Claim) -> String {
    let p = &claim.place;
    let mut all = Vec::new();
    if !p.package.is_empty() {
        all.push(format!("package {}", p.package));
    }
    all.push(format!(
        "class {}",
        p.class.rsplit('.').next().unwrap_or(&p.class)
    ));
    all.push(format!("method {}", p.method));
    match (p.file.as_str(), p.line) {
        ("", _) => {}
        (file, Some(line)) => all.push(format!("{file}:{line}")),
        (file, None) => all.push(file.into()),
    }
    all.join(", ")
}

/// What could be saved, in one line.
pub(super) fn saves(claim: &Claim) -> String {
    let s = &claim.saving;
    let mut all = vec![format!("about {} of the run's cost", percent(s.permille))];
    let mut add = |n: u64, what: &str| {
        if n > 0 {
            all.push(format!("{} {what}", grouped(n)));
        }
    };
    add(s.bytecodes, "bytecodes");
    add(s.objects, "objects");
    add(s.bytes, "bytes allocated");
    add(s.waiting, "bytecodes of others waited for");
    all.join(", ")
}
