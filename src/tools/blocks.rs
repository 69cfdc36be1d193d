//! Basic blocks as JP's two algorithms find them, and what JP would count with them.
//!
//! A leader is a method's first bytecode, the target of a branch or switch, the entry of an
//! exception handler, and what follows a bytecode that ends a block. In JP's "Default BBA" jumps,
//! branches, switches, returns (of subroutines too) and `athrow` do that, calls do not; in its
//! "Precise BBA" also every bytecode that may throw. JP adds a block's size when it is entered: with
//! the default that is too much when an exception leaves a block in the middle.

use super::Problem;
use super::classes::{self, Classes};
use super::input;
use clap::{Arg, ArgMatches, Command};
use rjvm_classfile::opcodes::{self, JSR, JSR_W, Operand, insns};
use rjvm_classfile::{CodeAttribute, Result as ClassResult};
use rjvm_profiler::export::paths;
use rjvm_profiler::{Counts, Profile, Threads, View};
use std::io::Write;

/// An algorithm that finds basic blocks (basic block analysis).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bba {
    /// Only what changes the flow of control ends a block.
    Default,
    /// What may throw does so, too.
    Precise,
}

/// A basic block of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of its first bytecode.
    pub start: u16,
    /// Number of bytecodes in it.
    pub size: u32,
}

/// The basic blocks of a method, in the order of its code.
pub fn blocks(code: &CodeAttribute, bba: Bba) -> ClassResult<Vec<Block>> {
    let mut leader = vec![false; code.code.len() + 1];
    leader[0] = true;
    let mut lead = |at: i64| {
        if let Some(leader) = usize::try_from(at).ok().and_then(|at| leader.get_mut(at)) {
            *leader = true;
        }
    };
    for insn in insns(&code.code) {
        let insn = insn?;
        let throws = opcodes::info(insn.opcode).is_some_and(|info| info.can_throw);
        let mut ends = opcodes::ends_block(insn.opcode) || bba == Bba::Precise && throws;
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
        // A subroutine is expected to return, as a method is.
        if bba == Bba::Default && matches!(insn.opcode, JSR | JSR_W) {
            ends = false;
        }
        if ends {
            lead(insn.next_pc() as i64);
        }
    }
    code.exceptions
        .iter()
        .for_each(|e| lead(e.handler_pc.into()));
    let mut blocks: Vec<Block> = Vec::new();
    for insn in insns(&code.code) {
        let pc = insn?.pc;
        match blocks.last_mut() {
            Some(block) if !leader[pc] => block.size += 1,
            _ => blocks.push(Block {
                start: pc as u16,
                size: 1,
            }),
        }
    }
    Ok(blocks)
}

/// What JP would count for a context: executions of blocks, and bytecodes.
pub fn count(blocks: &[Block], counts: &Counts<'_>) -> (u64, u64) {
    blocks.iter().fold((0, 0), |(n, bytecodes), block| {
        let executed = counts.at(block.start);
        let all = executed.saturating_mul(block.size.into());
        (n.saturating_add(executed), bytecodes.saturating_add(all))
    })
}

/// `--bba=default|precise`
pub fn argument() -> Arg {
    input::choice("bba", &["default", "precise"])
        .help("What ends a basic block: changes of control flow, or exceptions too")
        .default_value("default")
}

/// The value of [`argument`].
pub fn chosen(matches: &ArgMatches) -> Bba {
    match input::chosen(matches, "bba") {
        "precise" => Bba::Precise,
        _ => Bba::Default,
    }
}

/// Basic blocks of each method of a profile; `None` where there is no code.
pub fn of_methods(
    profile: &Profile,
    classes: &mut Classes,
    bba: Bba,
) -> Result<Vec<Option<Vec<Block>>>, Problem> {
    let of_method = |method| match classes.code(method)? {
        Some(code) => blocks(code, bba)
            .map(Some)
            .map_err(|e| Problem::Said(format!("{}: {e}", method.label()))),
        None => Ok(None),
    };
    profile.methods.iter().map(of_method).collect()
}

/// Refuses profiles without counts of bytecodes.
pub fn needs_counts(profile: &Profile) -> Result<(), Problem> {
    match profile.has_counts() || profile.totals().bytecodes == 0 {
        true => Ok(()),
        false => Err(Problem::Said(
            "the profile has no counts of single bytecodes: they come with --profile=blocks".into(),
        )),
    }
}

/// The command line.
pub fn command() -> Command {
    input::with_view(
        Command::new("blocks")
            .about(
                "Basic blocks of each context: path, invocations, bytecodes, executions of the \
                 blocks, their sizes, and the bytecodes JP would report",
            )
            .arg(input::files(1, Some(1)))
            .arg(classes::argument().required(true))
            .arg(argument()),
    )
}

/// Writes a line for each context whose method's code is known.
pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, Problem> {
    let profile = input::one_profile(matches)?;
    needs_counts(&profile)?;
    let profile = profile.view(&View {
        threads: Threads::Merged,
        ..View::default()
    })?;
    let of_methods = of_methods(&profile, &mut Classes::open(matches)?, chosen(matches))?;
    let join = |numbers: &mut dyn Iterator<Item = u64>| {
        let words: Vec<String> = numbers.map(|n| n.to_string()).collect();
        words.join(",")
    };
    let labels: Vec<String> = profile.methods.iter().map(|m| m.label()).collect();
    let (mut path, mut ends) = (String::new(), Vec::new());
    let tree = &profile.threads[0].tree;
    for (index, (depth, node)) in (0..).zip(tree.preorder()) {
        ends.truncate(depth);
        path.truncate(ends.last().copied().unwrap_or(0));
        if depth > 0 {
            path.push(';');
        }
        let label = &labels[node.method as usize];
        paths::push_element(&mut path, profile.call_sites, node.site(), label);
        ends.push(path.len());
        let Some(blocks) = &of_methods[node.method as usize] else {
            continue;
        };
        let counts = tree.counts(index);
        writeln!(
            out,
            "{path}\t{}\t{}\t{}\t{}\t{}",
            node.invocations,
            node.bytecodes,
            join(&mut blocks.iter().map(|b| counts.at(b.start))),
            join(&mut blocks.iter().map(|b| b.size.into())),
            count(blocks, &counts).1
        )?;
    }
    Ok(0)
}
