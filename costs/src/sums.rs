//! What a profile costs in all, quickly and again and again with other models: for fits.

use crate::model::Model;
use crate::shape::Shape;
use crate::weigh::{CostError, Price, Weigher, fine, total};
use rjvm_profiler::Profile;

/// Sums over a profile, for models that do not ask which method is called or returned to.
pub(crate) struct Sums<'a> {
    profile: &'a Profile,
    shapes: &'a [Option<Shape>],
    /// By method, executions of its bytecodes.
    counts: Vec<Vec<(u16, u64)>>,
    /// By method.
    calls: Vec<u128>,
    objects: u128,
    bytes: u128,
    known: u64,
    unknown: u64,
}

impl<'a> Sums<'a> {
    pub fn of(profile: &'a Profile, shapes: &'a [Option<Shape>]) -> Self {
        let allocated = profile.totals().allocated;
        let mut sums = Sums {
            profile,
            shapes,
            counts: profile
                .counts_by_method()
                .into_iter()
                .map(Vec::from_iter)
                .collect(),
            calls: vec![0; profile.methods.len()],
            objects: allocated.objects.into(),
            bytes: allocated.bytes.into(),
            known: 0,
            unknown: 0,
        };
        for thread in &profile.threads {
            for node in thread.tree.nodes() {
                let method = node.method as usize;
                sums.calls[method] += u128::from(node.invocations);
                let sum = match shapes[method] {
                    Some(_) => &mut sums.known,
                    None => &mut sums.unknown,
                };
                *sum = sum.saturating_add(node.bytecodes);
            }
            sums.unknown = sums.unknown.saturating_add(thread.remainder);
        }
        sums
    }

    /// What [`total`] gives, in millionths of the unit.
    pub fn total(&self, model: &Model) -> Result<u128, CostError> {
        if model.asks_for_call_sites() {
            return Ok(total(self.profile, self.shapes, model)?.total);
        }
        let weigher = Weigher::new(self.profile, self.shapes, model)?;
        let mut sum = 0u128;
        for (method, counts) in self.counts.iter().enumerate() {
            sum += self.calls[method] * weigher.natives[method];
            let Some(shape) = &self.shapes[method] else {
                continue;
            };
            for &(pc, count) in counts {
                let at = shape.at(pc).ok_or_else(|| CostError::OtherCode {
                    method: self.profile.methods[method].label(),
                    pc,
                })?;
                if let Price::Fixed(price) = weigher.prices[method][at] {
                    sum += u128::from(count) * price;
                }
            }
        }
        let natives: u128 = self
            .calls
            .iter()
            .zip(&weigher.natives)
            .map(|(n, c)| n * c)
            .sum();
        let mean = match model.unknown {
            Some(cost) => fine(cost),
            None => (sum - natives) / u128::from(self.known.max(1)),
        };
        Ok(sum
            + u128::from(self.unknown) * mean
            + self.objects * weigher.object
            + self.bytes * weigher.byte
            + fine(model.start))
    }
}
