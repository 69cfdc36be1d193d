//! The changes in a thread's calling contexts since the agent last looked, found without a look
//! at subtrees in which nothing has been executed.

use rjvm_vm::interp::Context;
use std::collections::HashMap;

/// A context as the agent's tree has it.
struct AgentContext {
    number: u32,
    inclusive: i64,
    invocations: u64,
}

/// The contexts of a thread that the agent has, by number; the root is number 0.
pub struct Tree {
    known: HashMap<usize, AgentContext>,
    len: u32,
    /// Bytecodes and invocations to add to the contexts in `changed`.
    sums: Vec<(i64, u64)>,
    changed: Vec<u32>,
    new: Vec<(u32, u32)>,
}

impl Tree {
    /// Knows the root only.
    pub fn new() -> Tree {
        Tree {
            known: HashMap::new(),
            len: 1,
            sums: vec![(0, 0)],
            changed: Vec::new(),
            new: Vec::new(),
        }
    }
    /// Number of contexts.
    pub fn len(&self) -> u32 {
        self.len
    }
    /// Number of a context that was there at the last comparison; the root's for one that is not profiled.
    pub fn number(&self, context: Context<'_>) -> u32 {
        self.known.get(&context.id()).map_or(0, |k| k.number)
    }
    /// Compares with the contexts below `rc`.
    pub fn update(&mut self, rc: Context<'_>) {
        let mut rest: Vec<(Context<'_>, u32)> = rc.callees().map(|c| (c, 0)).collect();
        while let Some((context, caller)) = rest.pop() {
            let now = (context.inclusive(), context.invocations());
            let method = context.method().map_or(u32::MAX, |m| m.0);
            let (len, new) = (&mut self.len, &mut self.new);
            let known = self.known.entry(context.id()).or_insert_with(|| {
                new.push((caller, method));
                *len += 1;
                AgentContext {
                    number: *len - 1,
                    inclusive: 0,
                    invocations: 0,
                }
            });
            let executed = now.0 - known.inclusive;
            let invoked = now.1.wrapping_sub(known.invocations);
            (known.inclusive, known.invocations) = now;
            let number = known.number;
            if (executed, invoked) == (0, 0) {
                continue;
            }
            self.sums.resize(self.len as usize, (0, 0));
            self.add(number, executed, invoked);
            if caller != 0 {
                self.add(caller, -executed, 0);
            }
            rest.extend(context.callees().map(|c| (c, number)));
        }
        self.sums.resize(self.len as usize, (0, 0));
    }
    fn add(&mut self, number: u32, executed: i64, invoked: u64) {
        let sum = &mut self.sums[number as usize];
        if *sum == (0, 0) {
            // it may come a second time, and then adds nothing
            self.changed.push(number);
        }
        sum.0 += executed;
        sum.1 = sum.1.wrapping_add(invoked);
    }
    /// Takes the new contexts in the order of their numbers: number of the caller, and method.
    pub fn take_new(&mut self) -> Vec<(u32, u32)> {
        std::mem::take(&mut self.new)
    }
    /// Takes the counts to add: context, bytecodes, invocations.
    pub fn take_changes(&mut self) -> Vec<(u32, i64, u64)> {
        let changed = std::mem::take(&mut self.changed);
        let take = |number: u32| {
            let (executed, invoked) = std::mem::take(&mut self.sums[number as usize]);
            (number, executed, invoked)
        };
        changed.into_iter().map(take).collect()
    }
}
