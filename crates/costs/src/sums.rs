//! What a profile costs in all, quickly and again and again with other models: for fits.

use crate::expr::VARIABLES;
use crate::model::Model;
use crate::shape::{Instruction, Shape};
use crate::weigh::{CostError, cost, counted, fine, total};
use rjvm_profiler::Profile;
use std::collections::BTreeMap;

/// Instructions that no model can distinguish unless it asks which method is called or returned to.
type Alike = (u8, Option<&'static str>, [u64; VARIABLES.len()]);

/// One of the instructions that are alike, and how often they were executed.
struct Executed<'a> {
    instruction: &'a Instruction,
    method: usize,
    count: u128,
}

/// Sums over a profile, for models that do not ask which method is called or returned to.
pub(crate) struct Sums<'a> {
    profile: &'a Profile,
    shapes: &'a [Option<Shape>],
    executed: Vec<Executed<'a>>,
    /// Calls of native methods, by method.
    natives: Vec<(usize, u128)>,
    objects: u128,
    bytes: u128,
    known: u64,
    unknown: u64,
}

impl<'a> Sums<'a> {
    pub fn of(profile: &'a Profile, shapes: &'a [Option<Shape>]) -> Result<Self, CostError> {
        counted(profile)?;
        let mut executed: BTreeMap<Alike, Executed<'a>> = BTreeMap::new();
        for (method, counts) in profile.counts_by_method().into_iter().enumerate() {
            let Some(shape) = &shapes[method] else {
                continue;
            };
            for (pc, count) in counts {
                let at = shape.at(pc).ok_or_else(|| CostError::OtherCode {
                    method: profile.methods[method].label(),
                    pc,
                })?;
                let instruction = &shape.instructions[at];
                let values = instruction.values.map(f64::to_bits);
                let alike = (instruction.opcode, instruction.kind, values);
                let sum = executed.entry(alike).or_insert(Executed {
                    instruction,
                    method,
                    count: 0,
                });
                sum.count += u128::from(count);
            }
        }
        let mut calls = vec![0; profile.methods.len()];
        let (mut known, mut unknown) = (0u64, 0u64);
        for thread in &profile.threads {
            for node in thread.tree.nodes() {
                let method = node.method as usize;
                calls[method] += u128::from(node.invocations);
                let sum = match shapes[method] {
                    Some(_) => &mut known,
                    None => &mut unknown,
                };
                *sum = sum.saturating_add(node.bytecodes);
            }
            unknown = unknown.saturating_add(thread.remainder);
        }
        let calls = calls.into_iter().enumerate();
        let allocated = profile.totals().allocated;
        Ok(Sums {
            profile,
            shapes,
            executed: executed.into_values().collect(),
            natives: calls.filter(|c| profile.methods[c.0].native).collect(),
            objects: allocated.objects.into(),
            bytes: allocated.bytes.into(),
            known,
            unknown,
        })
    }

    /// What [`total`] gives, in millionths of the unit.
    pub fn total(&self, model: &Model) -> Result<u128, CostError> {
        if model.needs_call_sites() {
            return Ok(total(self.profile, self.shapes, model)?.total);
        }
        let mut sum = 0u128;
        for Executed {
            instruction,
            method,
            count,
        } in &self.executed
        {
            let price = cost(model, instruction, &instruction.values, || {
                self.profile.methods[*method].label()
            });
            sum += count * price?;
        }
        let mean = match model.unknown {
            Some(cost) => fine(cost),
            None => sum / u128::from(self.known.max(1)),
        };
        let methods = &self.profile.methods;
        let natives = self.natives.iter();
        let natives = natives.map(|&(method, n)| n * fine(model.native(&methods[method])));
        Ok(sum
            + natives.sum::<u128>()
            + u128::from(self.unknown) * mean
            + self.objects * fine(model.object.unwrap_or(0.0))
            + self.bytes * fine(model.byte.unwrap_or(0.0))
            + fine(model.start))
    }
}
