//! Profiles that count something else than bytecodes, and parts of profiles below some methods.

use crate::method::MethodInfo;
use crate::profile::{Profile, ThreadProfile};
use crate::tree::{Extra, Tree, TreeError, TreeWriter};

/// The name in [`Profile::about`] of the unit that is counted instead of bytecodes.
pub const UNIT: &str = "Unit";

/// The counted unit, if the facts name it.
pub(crate) fn unit(about: &[(String, String)]) -> &str {
    let unit = about.iter().find(|(name, _)| name == UNIT);
    unit.map_or("bytecodes", |(_, unit)| unit)
}

impl Profile {
    /// What [`Node::bytecodes`](crate::Node::bytecodes) counts: `bytecodes`, or the unit of a cost model.
    pub fn unit(&self) -> &str {
        unit(&self.about)
    }

    /// Sets the unit that is counted.
    pub fn set_unit(&mut self, unit: &str) {
        self.about.retain(|(name, _)| name != UNIT);
        if unit != "bytecodes" {
            self.about.push((UNIT.into(), unit.into()));
        }
    }

    /// The same contexts with other counts: `weigh` is given the index of a thread, its tree and the index of a node there, adds the
    /// counts of single bytecodes (by ascending index, none of them 0) to an empty list, and returns the count of the context
    /// itself. No thread has a remainder.
    pub fn weighed(
        mut self,
        mut weigh: impl FnMut(usize, &Tree, u32, &mut Vec<(u16, u64)>) -> u64,
    ) -> Profile {
        for (t, thread) in self.threads.iter_mut().enumerate() {
            let tree = std::mem::take(&mut thread.tree);
            thread.tree = tree.with_counts(|tree, node, counts| weigh(t, tree, node, counts));
            thread.remainder = 0;
        }
        self
    }

    /// The contexts of the wanted methods and all contexts below them. Their callers stay, without self counts.
    pub fn within(&self, wanted: impl Fn(&MethodInfo) -> bool) -> Result<Profile, TreeError> {
        let wanted: Vec<bool> = self.methods.iter().map(wanted).collect();
        let mut threads = Vec::with_capacity(self.threads.len());
        for thread in &self.threads {
            threads.push(ThreadProfile {
                name: thread.name.clone(),
                tree: thread.tree.within(&wanted)?,
                remainder: 0,
                ..*thread
            });
        }
        Ok(Profile {
            threads,
            methods: self.methods.clone(),
            about: self.about.clone(),
            ..*self
        }
        .without_unused_methods())
    }
}

impl Tree {
    /// The part below methods, see [`Profile::within`].
    fn within(&self, wanted: &[bool]) -> Result<Tree, TreeError> {
        let nodes = self.nodes();
        // 0: left out, 1: a caller of what is kept, 2: kept.
        let mut kept = vec![0u8; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            let parent = node.parent().map_or(0, |parent| kept[parent as usize]);
            if parent == 2 || wanted[node.method as usize] {
                kept[index] = 2;
            }
        }
        for index in (0..nodes.len()).rev() {
            if let (1.., Some(parent)) = (kept[index], nodes[index].parent()) {
                let parent = &mut kept[parent as usize];
                *parent = (*parent).max(1);
            }
        }
        let mut writer = TreeWriter::default();
        let mut extra = Extra::default();
        for (index, (depth, node)) in (0u32..).zip(self.preorder()) {
            let kept = kept[index as usize];
            if kept == 0 {
                continue;
            }
            writer.leave_to(depth);
            let [calls, own] = match kept {
                1 => [0, 0],
                _ => [node.invocations, node.bytecodes],
            };
            writer.enter(node.method, node.raw_site(), calls, own)?;
            if kept == 2 {
                self.extra(index, &mut extra);
                writer.set_extra(&extra);
            }
        }
        Ok(writer.finish())
    }
}
