//! `metrics`: shape of the tree, call density, polymorphism of call sites; with class files and
//! counts of bytecodes, instruction mix and basic blocks.

use super::blocks;
use super::classes::{self, Classes};
use super::input::{self, percent};
use super::json::Json;
use super::show::TextTable;
use super::{ToolProblem, blocks::needs_counts};
use clap::{ArgMatches, Command};
use rjvm_classfile::opcodes::{self, INVOKEINTERFACE, INVOKEVIRTUAL, insns};
use rjvm_profiler::{CallSite, Profile, Shape, Totals, readable_names};
use rjvm_run::blocks::{Bba, count};
use std::collections::BTreeMap;
use std::io::Write;

/// The command line.
pub fn command() -> Command {
    input::with_view(
        Command::new("metrics")
            .about(
                "Shows the shape of the tree, call density, and polymorphism of call sites; with --classes, \
                 also instruction mix and basic blocks of profiles that count bytecodes",
            )
            .arg(input::files(1, Some(1)))
            .arg(classes::argument())
            .arg(blocks::argument())
            .arg(input::limit("10"))
            .arg(input::json()),
    )
}

/// Call sites by their number of targets.
#[derive(Default)]
struct Polymorphism {
    /// Sites and calls with 1, 2, 3, and more targets.
    sites: [u64; 4],
    calls: [u64; 4],
    /// Those with several targets, most targets first, then most calls.
    worst: Vec<CallSite>,
}

/// What needs code.
struct Code {
    /// Executions by opcode.
    mix: BTreeMap<u8, u64>,
    /// Blocks executed.
    blocks: u64,
    /// Bytecodes that JP would report: its blocks' sizes where the code is known, the exact
    /// number elsewhere.
    reported: u64,
    /// Bytecodes executed, and those whose code is not known.
    exact: u64,
    unknown: u64,
    /// Methods whose code is not known although they executed bytecodes.
    unknown_methods: u64,
}

impl Code {
    fn block_size(&self) -> f64 {
        match self.blocks {
            0 => 0.0,
            n => (self.exact - self.unknown) as f64 / n as f64,
        }
    }

    /// The relative error of what JP would report.
    fn error(&self) -> f64 {
        match self.exact {
            0 => 0.0,
            exact => (i128::from(self.reported) - i128::from(exact)) as f64 / exact as f64,
        }
    }
}

/// Writes the metrics.
pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let profile = input::one_profile(matches)?;
    let mut classes = Classes::open(matches)?;
    let polymorphism = match profile.call_sites {
        true => Some(polymorphism(&profile, &mut classes)?),
        false => None,
    };
    let bba = blocks::chosen(matches);
    let code = match classes.any() {
        true => Some(code(&profile, &mut classes, bba)?),
        false => None,
    };
    let metrics = Metrics {
        totals: profile.totals(),
        shape: profile.shape(),
        polymorphism,
        code,
        bba,
        limit: input::limited(matches),
        profile,
    };
    match matches.get_flag("json") {
        true => metrics.json().write(out)?,
        false => metrics.text(out)?,
    }
    Ok(0)
}

/// Where code is known, only call sites of virtual and interface methods count: the others have
/// one target by nature, and other instructions call nothing by themselves.
fn polymorphism(profile: &Profile, classes: &mut Classes) -> Result<Polymorphism, ToolProblem> {
    let mut result = Polymorphism::default();
    for site in profile.call_site_targets() {
        if let Some(code) = classes.code(&profile.methods[site.caller as usize])? {
            let opcode = code.code.get(site.site as usize);
            if !matches!(opcode, Some(&(INVOKEVIRTUAL | INVOKEINTERFACE))) {
                continue;
            }
        }
        let class = site.targets.len().min(4) - 1;
        result.sites[class] += 1;
        result.calls[class] = result.calls[class].saturating_add(site.calls());
        if class > 0 {
            result.worst.push(site);
        }
    }
    result.worst.sort_by(|a, b| {
        (b.targets.len(), b.calls())
            .cmp(&(a.targets.len(), a.calls()))
            .then((a.caller, a.site).cmp(&(b.caller, b.site)))
    });
    Ok(result)
}

fn code(profile: &Profile, classes: &mut Classes, bba: Bba) -> Result<Code, ToolProblem> {
    needs_counts(profile)?;
    let of_methods = blocks::of_methods(profile, classes, bba)?;
    let mut result = Code {
        mix: BTreeMap::new(),
        blocks: 0,
        reported: 0,
        exact: 0,
        unknown: 0,
        unknown_methods: 0,
    };
    for (method, counts) in profile.methods.iter().zip(profile.counts_by_method()) {
        let Some(code) = classes.code(method)? else {
            result.unknown_methods += u64::from(!counts.is_empty());
            continue;
        };
        let mut counts = counts.into_iter().peekable();
        for insn in insns(&code.code) {
            let insn =
                insn.map_err(|e| ToolProblem::Message(format!("{}: {e}", method.label())))?;
            if let Some((_, n)) = counts.next_if(|&(bci, _)| usize::from(bci) == insn.pc) {
                let sum = result.mix.entry(insn.opcode).or_default();
                *sum = sum.saturating_add(n);
            }
        }
        if let Some((bci, _)) = counts.next() {
            return Err(ToolProblem::Message(format!(
                "{} has no bytecode at {bci}: the class file differs from the executed class",
                method.label()
            )));
        }
    }
    for thread in &profile.threads {
        for (index, node) in (0..).zip(thread.tree.nodes()) {
            result.exact = result.exact.saturating_add(node.bytecodes);
            let reported = match &of_methods[node.method as usize] {
                Some(list) => {
                    let (executed, bytecodes) = count(list, &thread.tree.counts(index));
                    result.blocks = result.blocks.saturating_add(executed);
                    bytecodes
                }
                None => {
                    result.unknown = result.unknown.saturating_add(node.bytecodes);
                    node.bytecodes
                }
            };
            result.reported = result.reported.saturating_add(reported);
        }
    }
    Ok(result)
}

struct Metrics {
    profile: Profile,
    totals: Totals,
    shape: Shape,
    polymorphism: Option<Polymorphism>,
    code: Option<Code>,
    bba: Bba,
    limit: usize,
}

const TARGETS: [&str; 4] = ["1 target", "2 targets", "3 targets", "4 or more"];

impl Metrics {
    /// Invocations in a thousand bytecodes.
    fn call_density(&self) -> f64 {
        match self.totals.bytecodes {
            0 => 0.0,
            n => self.totals.invocations as f64 * 1000.0 / n as f64,
        }
    }

    fn bba_name(&self) -> &'static str {
        match self.bba {
            Bba::Default => "default",
            Bba::Precise => "precise",
        }
    }

    fn text(&self, out: &mut dyn Write) -> Result<(), ToolProblem> {
        let Metrics { totals, shape, .. } = self;
        let mut line = |name: &str, value: String| writeln!(out, "{name:30}{value:>14}");
        line("Bytecodes", totals.bytecodes.to_string())?;
        line("Calls", totals.invocations.to_string())?;
        line(
            "Calls per 1000 bytecodes",
            format!("{:.2}", self.call_density()),
        )?;
        if !totals.allocated.is_none() {
            line("Objects allocated", totals.allocated.objects.to_string())?;
            line("Bytes allocated", totals.allocated.bytes.to_string())?;
        }
        line("Threads", totals.threads.to_string())?;
        line("Methods", shape.methods.to_string())?;
        line("Contexts", shape.contexts.to_string())?;
        line("Contexts that call nothing", shape.leaves.to_string())?;
        line(
            "Largest number of callees of a context",
            shape.max_callees.to_string(),
        )?;
        line("Greatest depth", shape.max_depth.to_string())?;
        line("Average depth", format!("{:.2}", shape.mean_depth()))?;
        if let Some(code) = &self.code {
            let name = format!("Basic blocks ({})", self.bba_name());
            line(&name, code.blocks.to_string())?;
            line(
                "Average size of a block",
                format!("{:.2}", code.block_size()),
            )?;
            let name = format!("Bytecodes by {} BBA", self.bba_name());
            line(&name, code.reported.to_string())?;
            line("Relative error of that", format!("{:.2e}", code.error()))?;
            if code.unknown_methods > 0 {
                writeln!(
                    out,
                    "The code of {} methods is unknown: {} bytecodes ({}%) are not in any block, and not in the instruction mix.",
                    code.unknown_methods,
                    code.unknown,
                    percent(code.unknown, code.exact)
                )?;
            }
        }
        if let Some(polymorphism) = &self.polymorphism {
            self.polymorphism_text(polymorphism, out)?;
        }
        if let Some(code) = &self.code {
            let total = code
                .mix
                .values()
                .fold(0u64, |sum, &n| sum.saturating_add(n));
            let mut table = TextTable::new(&["executed", "%"], "instruction");
            let rows = by_count(&code.mix);
            for &(opcode, n) in rows.iter().take(self.limit) {
                table.row(
                    vec![n.to_string(), percent(n, total)],
                    opcodes::name(opcode).to_string(),
                );
            }
            writeln!(out)?;
            table.write(out)?;
            if let Some(left) = rows.len().checked_sub(self.limit).filter(|&n| n > 0) {
                writeln!(out, "and {left} more instructions")?;
            }
        }
        Ok(())
    }

    fn polymorphism_text(
        &self,
        sites: &Polymorphism,
        out: &mut dyn Write,
    ) -> Result<(), ToolProblem> {
        let all = [sites.sites.iter().sum(), sites.calls.iter().sum::<u64>()];
        let mut table = TextTable::new(&["call sites", "%", "calls", "%"], "with");
        for (class, name) in TARGETS.iter().enumerate() {
            let (n, calls) = (sites.sites[class], sites.calls[class]);
            table.row(
                vec![
                    n.to_string(),
                    percent(n, all[0]),
                    calls.to_string(),
                    percent(calls, all[1]),
                ],
                name.to_string(),
            );
        }
        writeln!(out)?;
        table.write(out)?;
        if sites.worst.is_empty() {
            return Ok(());
        }
        let names = readable_names(&self.profile.methods);
        let mut table = TextTable::new(&["targets", "calls"], "polymorphic call site");
        for site in sites.worst.iter().take(self.limit) {
            table.row(
                vec![site.targets.len().to_string(), site.calls().to_string()],
                format!("{}@{}", names[site.caller as usize], site.site),
            );
        }
        writeln!(out)?;
        table.write(out)?;
        if let Some(left) = sites.worst.len().checked_sub(self.limit).filter(|&n| n > 0) {
            writeln!(out, "and {left} more call sites")?;
        }
        Ok(())
    }

    fn json(&self) -> Json {
        let Metrics { totals, shape, .. } = self;
        let label = |method: u32| Json::Text(self.profile.methods[method as usize].label());
        let mut members = vec![
            ("bytecodes", totals.bytecodes.into()),
            ("invocations", totals.invocations.into()),
            ("calls_per_1000_bytecodes", Json::Real(self.call_density())),
            ("objects", totals.allocated.objects.into()),
            ("bytes", totals.allocated.bytes.into()),
            ("threads", totals.threads.into()),
            ("methods", shape.methods.into()),
            ("contexts", shape.contexts.into()),
            ("leaves", shape.leaves.into()),
            ("max_callees", shape.max_callees.into()),
            ("max_depth", shape.max_depth.into()),
            ("mean_depth", Json::Real(shape.mean_depth())),
        ];
        if let Some(code) = &self.code {
            members.extend([
                ("bba", Json::from(self.bba_name())),
                ("blocks", code.blocks.into()),
                ("mean_block_size", Json::Real(code.block_size())),
                ("bba_bytecodes", code.reported.into()),
                ("bba_relative_error", Json::Real(code.error())),
                ("unknown_methods", code.unknown_methods.into()),
                ("unknown_bytecodes", code.unknown.into()),
            ]);
            let row = |&(opcode, n): &(u8, u64)| {
                Json::Object(vec![
                    ("instruction", opcodes::name(opcode).into()),
                    ("executed", n.into()),
                ])
            };
            let mix = by_count(&code.mix).iter().map(row).collect();
            members.push(("instructions", Json::List(mix)));
        }
        if let Some(sites) = &self.polymorphism {
            let numbers = |numbers: &[u64]| Json::List(numbers.iter().map(|&n| n.into()).collect());
            members.push(("call_sites_by_targets", numbers(&sites.sites)));
            members.push(("calls_by_targets", numbers(&sites.calls)));
            let site = |site: &CallSite| {
                let target = |&(method, calls): &(u32, u64)| {
                    Json::Object(vec![("method", label(method)), ("calls", calls.into())])
                };
                Json::Object(vec![
                    ("caller", label(site.caller)),
                    ("site", u64::from(site.site).into()),
                    (
                        "targets",
                        Json::List(site.targets.iter().map(target).collect()),
                    ),
                ])
            };
            let worst = sites.worst.iter().map(site).collect();
            members.push(("polymorphic_call_sites", Json::List(worst)));
        }
        Json::Object(members)
    }
}

/// Most executed first, equal ones in the order of the opcodes.
fn by_count(mix: &BTreeMap<u8, u64>) -> Vec<(u8, u64)> {
    let mut rows: Vec<(u8, u64)> = mix.iter().map(|(&opcode, &n)| (opcode, n)).collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    rows
}
