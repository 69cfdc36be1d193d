//! A profile in a model's unit. Costs are added up exactly, in millionths of the unit; the costs of contexts are rounded so that
//! all together are off by less than one.

use crate::expr::{CALLEE, CALLER, VARIABLES, Values};
use crate::model::Model;
use crate::shape::{Instruction, Shape};
use rjvm_classfile::opcodes;
use rjvm_profiler::{Kind, MethodInfo, Profile, Tree};
use std::collections::HashMap;

/// Millionths of a unit.
pub(crate) const FINE: f64 = 1e6;

/// Why a profile cannot be weighed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CostError {
    /// Samples are not counts.
    #[error("samples have no costs: record an exact profile with --profile=blocks")]
    Sampled,
    /// The executions of bytecodes were not counted.
    #[error("the profile has no counts of single bytecodes: record it with --profile=blocks")]
    NoCounts,
    /// A cost depends on the called method or the method returned to, which the profile does not report.
    #[error(
        "the model {0} needs the called methods, but the profile does not distinguish contexts by call site"
    )]
    NoCallSites(String),
    /// The class file differs from the class file of the run.
    #[error("{method} has no bytecode at {pc}: the class file differs from the executed class")]
    OtherCode {
        /// The method.
        method: String,
        /// The index that was executed.
        pc: u16,
    },
    /// A formula has no value.
    #[error("{model}: the cost of {instruction} in {method} at {pc} is {value}")]
    NoCost {
        /// The model.
        model: String,
        /// The mnemonic.
        instruction: &'static str,
        /// The method.
        method: String,
        /// Where in its code.
        pc: u16,
        /// What the formula gives.
        value: String,
    },
}

/// What a model made of a profile, and what it had to leave open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// The whole, in millionths of the unit.
    pub total: u128,
    /// Bytecodes of methods whose code is not known.
    pub unknown: u64,
    /// Methods with such bytecodes.
    pub unknown_methods: u64,
    /// The model charges for allocations, which the profile has not recorded.
    pub no_allocations: bool,
}

impl Costs {
    /// The whole in the model's unit.
    pub fn units(&self) -> f64 {
        self.total as f64 / FINE
    }
}

/// The profile with costs instead of bytecodes, and notes about it. `shapes` is the code of its methods, in
/// their order, as far as it is known.
pub fn weigh(
    mut profile: Profile,
    shapes: &[Option<Shape>],
    model: &Model,
) -> Result<(Profile, Costs), CostError> {
    let methods = std::mem::take(&mut profile.methods);
    let mut weigher = Weigher::new(&profile, &methods, shapes, model)?;
    let (outside, costs) = weigher.all(&profile)?;
    let mut rest = 0u128;
    let mut whole = |fine: u128| {
        let sum = rest + fine;
        rest = sum % FINE as u128;
        u64::try_from(sum / FINE as u128).unwrap_or(u64::MAX)
    };
    let start = whole((model.start * FINE).round() as u128);
    let (mut weight, mut failed) = (Weight::default(), None);
    let mut new = profile.weighed(|_, tree, node, counts| {
        // Each context is weighed a second time: what all of them cost takes more memory than they do.
        if let Err(e) = weigher.context(tree, node, &mut weight) {
            failed.get_or_insert(e);
        }
        let mut sum = whole(weight.own + u128::from(weight.unknown) * weigher.mean);
        for &(pc, fine) in &weight.counts {
            let cost = whole(fine);
            if cost > 0 {
                counts.push((pc, cost));
            }
            sum = sum.saturating_add(cost);
        }
        sum
    });
    if let Some(e) = failed {
        return Err(e);
    }
    new.methods = methods;
    for (thread, fine) in new.threads.iter_mut().zip(outside) {
        thread.remainder = whole(fine);
    }
    if let Some(first) = new.threads.first_mut() {
        first.remainder = first.remainder.saturating_add(start);
    }
    new.set_unit(&model.unit);
    let parameters: Vec<String> = model
        .parameters
        .iter()
        .map(|p| format!("{}={}", p.name, p.value))
        .collect();
    let reported = match parameters.is_empty() {
        true => model.name.clone(),
        false => format!("{} ({})", model.name, parameters.join(", ")),
    };
    new.about.push(("Cost model".into(), reported));
    Ok((new, costs))
}

/// The whole cost alone.
pub fn total(
    profile: &Profile,
    shapes: &[Option<Shape>],
    model: &Model,
) -> Result<Costs, CostError> {
    Ok(Weigher::new(profile, &profile.methods, shapes, model)?
        .all(profile)?
        .1)
}

/// What a context costs itself: at its bytecodes, and otherwise.
#[derive(Clone, Debug, Default)]
struct Weight {
    own: u128,
    counts: Vec<(u16, u128)>,
    /// Bytecodes whose code is not known.
    unknown: u64,
}

/// The cost of an instruction, if it is known from the code alone.
#[derive(Clone, Copy, Debug)]
enum Price {
    Fixed(u128),
    /// It depends on the called method or the method returned to.
    Varies,
}

struct Weigher<'a> {
    methods: &'a [MethodInfo],
    shapes: &'a [Option<Shape>],
    model: &'a Model,
    /// By method, of each of its instructions.
    prices: Vec<Vec<Price>>,
    /// By method, what a call of a native method costs.
    natives: Vec<u128>,
    object: u128,
    byte: u128,
    /// The cost of a bytecode whose code is not known.
    mean: u128,
    no_allocations: bool,
}

impl<'a> Weigher<'a> {
    fn new(
        profile: &Profile,
        methods: &'a [MethodInfo],
        shapes: &'a [Option<Shape>],
        model: &'a Model,
    ) -> Result<Self, CostError> {
        counted(profile)?;
        if model.needs_call_sites() && !profile.call_sites {
            return Err(CostError::NoCallSites(model.name.clone()));
        }
        let natives = methods.iter();
        let natives = natives.map(|m| if m.native { fine(model.native(m)) } else { 0 });
        let mut weigher = Weigher {
            methods,
            shapes,
            model,
            prices: Vec::new(),
            natives: natives.collect(),
            object: fine(model.object.unwrap_or(0.0)),
            byte: fine(model.byte.unwrap_or(0.0)),
            mean: 0,
            no_allocations: model.needs_allocations() && !profile.has_allocations(),
        };
        for method in 0..shapes.len() {
            let prices = weigher.prices_of(method)?;
            weigher.prices.push(prices);
        }
        Ok(weigher)
    }

    fn prices_of(&self, method: usize) -> Result<Vec<Price>, CostError> {
        let Some(shape) = &self.shapes[method] else {
            return Ok(Vec::new());
        };
        let mut prices = Vec::with_capacity(shape.instructions.len());
        for (i, instruction) in shape.instructions.iter().enumerate() {
            let formula = self.model.formula(instruction);
            prices.push(match formula.knows(&(CALLEE..VARIABLES.len())) {
                true => Price::Varies,
                false => Price::Fixed(self.price(method, i, &instruction.values)?),
            });
        }
        Ok(prices)
    }

    /// What an instruction of a method costs with these values of the variables.
    fn price(&self, method: usize, index: usize, values: &Values) -> Result<u128, CostError> {
        let shape = self.shapes[method].as_ref();
        let Some(instruction) = shape.and_then(|shape| shape.instructions.get(index)) else {
            return Ok(0);
        };
        cost(self.model, instruction, values, || {
            self.methods[method].label()
        })
    }

    /// For each thread, the cost outside its contexts; the notes for all. Computes the average cost of a bytecode.
    fn all(&mut self, profile: &Profile) -> Result<(Vec<u128>, Costs), CostError> {
        let mut costs = Costs {
            no_allocations: self.no_allocations,
            ..Costs::default()
        };
        // what code that is known costs, and how much of it was executed
        let (mut cost_known, mut known) = (0u128, 0u64);
        let mut unknown = 0u128;
        let mut strange = vec![false; self.methods.len()];
        let mut weight = Weight::default();
        for thread in &profile.threads {
            let tree = &thread.tree;
            for (index, node) in (0..).zip(tree.nodes()) {
                self.context(tree, index, &mut weight)?;
                costs.total += weight.own;
                unknown += u128::from(weight.unknown);
                costs.unknown = costs.unknown.saturating_add(weight.unknown);
                strange[node.method as usize] |= weight.unknown > 0;
                if self.shapes[node.method as usize].is_some() {
                    cost_known += weight.counts.iter().map(|c| c.1).sum::<u128>();
                    known = known.saturating_add(node.bytecodes);
                }
            }
            // Those that no context executed.
            unknown += u128::from(thread.remainder);
            costs.unknown = costs.unknown.saturating_add(thread.remainder);
        }
        self.mean = match self.model.unknown {
            Some(cost) => fine(cost),
            None => cost_known / u128::from(known.max(1)),
        };
        costs.unknown_methods = strange.iter().filter(|&&s| s).count() as u64;
        costs.total += fine(self.model.start) + cost_known + unknown * self.mean;
        let outside = profile.threads.iter();
        let outside = outside.map(|thread| u128::from(thread.remainder) * self.mean);
        Ok((outside.collect(), costs))
    }

    /// What a context costs.
    fn context(&self, tree: &Tree, index: u32, weight: &mut Weight) -> Result<(), CostError> {
        let node = &tree.nodes()[index as usize];
        let method = node.method as usize;
        let allocated = tree.allocation(index);
        weight.counts.clear();
        weight.unknown = 0;
        weight.own = u128::from(node.invocations) * self.natives[method]
            + u128::from(allocated.objects) * self.object
            + u128::from(allocated.bytes) * self.byte;
        match self.shapes[method] {
            Some(_) => self.bytecodes(tree, index, weight)?,
            None => weight.unknown = node.bytecodes,
        }
        Ok(())
    }

    /// What the bytecodes cost that a context executed itself.
    fn bytecodes(&self, tree: &Tree, index: u32, weight: &mut Weight) -> Result<(), CostError> {
        let node = &tree.nodes()[index as usize];
        let method = node.method as usize;
        let Some(shape) = &self.shapes[method] else {
            return Ok(());
        };
        let mut callees: Option<HashMap<u32, Vec<u32>>> = None;
        for (pc, count) in tree.counts(index) {
            let Some(at) = shape.at(pc) else {
                return Err(CostError::OtherCode {
                    method: self.methods[method].label(),
                    pc,
                });
            };
            let cost = match self.prices[method][at] {
                Price::Fixed(price) => u128::from(count) * price,
                Price::Varies => {
                    let instruction = &shape.instructions[at];
                    let mut values = instruction.values;
                    if let Some(caller) = node.parent() {
                        let caller = tree.nodes()[caller as usize].method;
                        let [bytes, words] = self.size(caller as usize);
                        values[CALLER..].copy_from_slice(&[bytes, words]);
                    }
                    let callees = callees.get_or_insert_with(|| by_site(tree, index));
                    let here = callees.get(&u32::from(pc)).map_or(&[][..], |list| list);
                    let mut left = count;
                    let mut cost = 0u128;
                    for &child in here {
                        let child = &tree.nodes()[child as usize];
                        let callee = &self.methods[child.method as usize];
                        let named = instruction.target.as_ref().is_some_and(|(name, desc)| {
                            callee.name == *name && callee.descriptor == *desc
                        });
                        if !named {
                            continue;
                        }
                        let calls = child.invocations.min(left);
                        left -= calls;
                        let mut values = values;
                        let [bytes, words] = self.size(child.method as usize);
                        let shape = self.shapes[child.method as usize].as_ref();
                        let synchronized = shape.is_some_and(|shape| shape.synchronized);
                        values[CALLEE..CALLER].copy_from_slice(&[
                            bytes,
                            words,
                            f64::from(u8::from(callee.native)),
                            f64::from(u8::from(synchronized)),
                        ]);
                        cost += u128::from(calls) * self.price(method, at, &values)?;
                    }
                    if left > 0 {
                        cost += u128::from(left) * self.price(method, at, &values)?;
                    }
                    cost
                }
            };
            weight.counts.push((pc, cost));
        }
        Ok(())
    }

    /// Bytes and words of a method's code; 0 where it has none.
    fn size(&self, method: usize) -> [f64; 2] {
        let bytes = self.shapes[method].as_ref().map_or(0, |shape| shape.bytes);
        [bytes.into(), bytes.div_ceil(4).into()]
    }
}

/// The callees of a context by their call sites.
fn by_site(tree: &Tree, index: u32) -> HashMap<u32, Vec<u32>> {
    let mut sites: HashMap<u32, Vec<u32>> = HashMap::new();
    for child in tree.children(index) {
        if let Some(site) = tree.nodes()[child as usize].site() {
            sites.entry(site).or_default().push(child);
        }
    }
    sites
}

/// What an instruction costs with these values of the variables, in millionths.
pub(crate) fn cost(
    model: &Model,
    instruction: &Instruction,
    values: &Values,
    method: impl FnOnce() -> String,
) -> Result<u128, CostError> {
    let value = model.formula(instruction).value(values);
    match value.is_finite() && value >= 0.0 {
        true => Ok(fine(value)),
        false => Err(CostError::NoCost {
            model: model.name.clone(),
            instruction: opcodes::name(instruction.opcode),
            method: method(),
            pc: instruction.pc,
            value: value.to_string(),
        }),
    }
}

/// Complains of a profile that does not report how often bytecodes were executed.
pub(crate) fn counted(profile: &Profile) -> Result<(), CostError> {
    if profile.kind == Kind::Samples {
        return Err(CostError::Sampled);
    }
    match !profile.has_counts() && profile.totals().bytecodes > 0 {
        true => Err(CostError::NoCounts),
        false => Ok(()),
    }
}

/// A cost in millionths.
pub(crate) fn fine(cost: f64) -> u128 {
    (cost * FINE).round() as u128
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sums::Sums;
    use rjvm_classfile::opcodes::{GETFIELD, IADD, INVOKEVIRTUAL, RETURN};
    use rjvm_profiler::Profile;

    fn instruction(pc: u16, opcode: u8) -> Instruction {
        Instruction {
            pc,
            opcode,
            kind: (opcode == GETFIELD).then_some("long"),
            values: [0.0; VARIABLES.len()],
            target: (opcode == INVOKEVIRTUAL).then(|| ("f".into(), "()V".into())),
        }
    }

    fn shape(bytes: u32, instructions: Vec<Instruction>) -> Option<Shape> {
        Some(Shape {
            instructions,
            bytes,
            synchronized: false,
        })
    }

    /// `main` calls `f` of two classes from one place: three times `B.f` (9 bytes), once `C.f` (40 bytes).
    fn example() -> (Profile, Vec<Option<Shape>>) {
        let text = "@-1:A.main()V\t1\t6\t0:1,1:4,4:1\n\
                    @-1:A.main()V;@1:B.f()V\t3\t6\t0:3,8:3\n\
                    @-1:A.main()V;@1:C.f()V\t1\t2\t0:1,39:1\n\
                    @-1:A.main()V;@1:C.f()V;@0:D.n()V\t2\t0\n";
        let profile = Profile::read(&mut text.as_bytes()).unwrap();
        let labels: Vec<String> = profile.methods.iter().map(|m| m.label()).collect();
        assert_eq!(labels, ["A.main()V", "B.f()V", "C.f()V", "D.n()V"]);
        let shapes = vec![
            shape(
                5,
                vec![
                    instruction(0, GETFIELD),
                    instruction(1, INVOKEVIRTUAL),
                    instruction(4, RETURN),
                ],
            ),
            shape(9, vec![instruction(0, IADD), instruction(8, RETURN)]),
            shape(40, vec![instruction(0, IADD), instruction(39, RETURN)]),
            None,
        ];
        (profile, shapes)
    }

    fn model(rows: &str) -> Model {
        let text = format!("name = \"m\"\nunit = \"cycles\"\n[opcodes]\n\"*\" = 1\n{rows}");
        Model::parse(&text, "m", &[]).unwrap()
    }

    fn own(profile: &Profile) -> Vec<u64> {
        let nodes = profile.threads[0].tree.nodes();
        nodes.iter().map(|n| n.bytecodes).collect()
    }

    #[test]
    fn one_for_each_bytecode_is_the_profile_itself() {
        let (profile, shapes) = example();
        let (weighed, costs) = weigh(profile.clone(), &shapes, &model("")).unwrap();
        assert_eq!(weighed.threads, profile.threads);
        assert_eq!(weighed.unit(), "cycles");
        assert_eq!(costs.units(), 14.0);
        assert_eq!(total(&profile, &shapes, &model("")), Ok(costs));
        let mut less = shapes.clone();
        less[1] = None;
        for rows in [
            "",
            "iadd = 7\n[natives]\n\"*\" = 4\n[run]\nstart = 9\n",
            "return = \"caller_words\"\n",
        ] {
            for shapes in [&shapes, &less] {
                let whole = total(&profile, shapes, &model(rows)).unwrap().total;
                assert_eq!(
                    Sums::of(&profile, shapes).unwrap().total(&model(rows)),
                    Ok(whole)
                );
            }
        }
    }

    #[test]
    fn calls_and_returns_know_the_other_methods_size() {
        let (profile, shapes) = example();
        let model = model(
            "invokevirtual = \"100 + callee_words\"\nreturn = \"10 + caller_bytes\"\n\"getfield/long\" = 7\n\
             [natives]\n\"D::n\" = 20\n\"*\" = 1000\n[run]\nstart = 5\n",
        );
        let (weighed, costs) = weigh(profile.clone(), &shapes, &model).unwrap();
        // 7, three calls of 3 words, one of 10, a return to nobody; returns to main's 5 bytes.
        let main = 7 + 3 * 103 + 110 + 10;
        assert_eq!(own(&weighed), [main, 3 * (1 + 15), 1 + 15, 40]);
        let tree = &weighed.threads[0].tree;
        let counts: Vec<(u16, u64)> = tree.counts(0).collect();
        assert_eq!(counts, [(0, 7), (1, 419), (4, 10)]);
        assert_eq!(weighed.threads[0].remainder, 5);
        assert_eq!(costs.units(), (main + 48 + 16 + 40 + 5) as f64);
    }

    #[test]
    fn fractions_are_not_lost() {
        let (profile, shapes) = example();
        let (weighed, costs) = weigh(
            profile.clone(),
            &shapes,
            &model("iadd = 0.3\nreturn = 0.3\n"),
        )
        .unwrap();
        // 5 of 1 and 9 of 0.3.
        assert_eq!(costs.units(), 7.7);
        assert_eq!(own(&weighed).iter().sum::<u64>(), 7);
    }

    #[test]
    fn unknown_code_costs_what_other_code_does() {
        let (profile, mut shapes) = example();
        shapes[1] = None;
        let (weighed, costs) =
            weigh(profile.clone(), &shapes, &model("iadd = 5\nreturn = 3\n")).unwrap();
        // 5 of 1, one of 5, two of 3: 2 each; the six of B.f that are not known cost that.
        assert_eq!(own(&weighed), [8, 12, 8, 0]);
        assert_eq!((costs.unknown, costs.unknown_methods), (6, 1));
        let fixed = model("[unknown]\nbytecode = 10\n");
        let (weighed, _) = weigh(profile.clone(), &shapes, &fixed).unwrap();
        assert_eq!(own(&weighed)[1], 60);
    }

    #[test]
    fn what_can_not_be_weighed_is_reported() {
        let (profile, mut shapes) = example();
        let negative = weigh(
            profile.clone(),
            &shapes,
            &model("iadd = \"0 - slots - 1\"\n"),
        );
        let message = negative.unwrap_err().to_string();
        assert_eq!(message, "m: the cost of iadd in B.f()V at 0 is -1");
        if let Some(shape) = &mut shapes[2] {
            shape.instructions.pop();
        }
        let message = weigh(profile.clone(), &shapes, &model(""))
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            "C.f()V has no bytecode at 39: the class file differs from the executed class"
        );
        let plain = Profile::read(&mut &b"A.main()V\t1\t3\n"[..]).unwrap();
        let message = weigh(plain, &[None], &model("")).unwrap_err();
        assert_eq!(message, CostError::NoCounts);
        let merged = Profile::read(&mut &b"A.main()V\t1\t1\t0:1\n"[..]).unwrap();
        let sizes = model("return = \"caller_words\"\n");
        let message = weigh(merged, &[None], &sizes).unwrap_err();
        assert_eq!(message, CostError::NoCallSites("m".into()));
    }

    #[test]
    fn what_is_below_a_method_can_be_weighed_alone() {
        let (profile, shapes) = example();
        let part = profile.within(|m| m.class == "C").unwrap();
        let labels: Vec<String> = part.methods.iter().map(|m| m.label()).collect();
        assert_eq!(labels, ["A.main()V", "C.f()V", "D.n()V"]);
        let shapes = [&shapes[0], &shapes[2], &shapes[3]].map(Clone::clone);
        let (weighed, costs) = weigh(part, &shapes, &model("return = 4\n")).unwrap();
        assert_eq!(own(&weighed), [0, 5, 0]);
        assert_eq!(costs.units(), 5.0);
        assert_eq!(weighed.totals().invocations, 3);
    }
}
