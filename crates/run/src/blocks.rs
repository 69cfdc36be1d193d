//! Basic blocks as JP's two algorithms find them, and what JP would count with them.
//!
//! A leader is a method's first bytecode, the target of a branch or switch, the entry of an
//! exception handler, and what follows a bytecode that ends a block. In JP's "Default BBA" jumps,
//! branches, switches, returns (of subroutines too) and `athrow` do that, calls do not; in its
//! "Precise BBA" also every bytecode that may throw. JP adds a block's size when it is entered: with
//! the default that is too much when an exception leaves a block in the middle.

use rjvm_classfile::opcodes::{self, JSR, JSR_W, Operand, insns};
use rjvm_classfile::{CodeAttribute, Result};
use rjvm_profiler::Counts;

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
pub fn blocks(code: &CodeAttribute, bba: Bba) -> Result<Vec<Block>> {
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

/// How often each of the blocks, which are in the order of the code, was executed in a context.
pub fn executions<'a>(
    blocks: &'a [Block],
    counts: &Counts<'a>,
) -> impl Iterator<Item = (&'a Block, u64)> {
    let mut counts = counts.clone().peekable();
    blocks.iter().map(move |block| {
        while counts.next_if(|count| count.0 < block.start).is_some() {}
        let here = counts.next_if(|count| count.0 == block.start);
        (block, here.map_or(0, |count| count.1))
    })
}

/// What JP would count for a context: executions of blocks, and bytecodes.
pub fn count(blocks: &[Block], counts: &Counts<'_>) -> (u64, u64) {
    executions(blocks, counts).fold((0, 0), |(n, bytecodes), (block, executed)| {
        let all = executed.saturating_mul(block.size.into());
        (n.saturating_add(executed), bytecodes.saturating_add(all))
    })
}
