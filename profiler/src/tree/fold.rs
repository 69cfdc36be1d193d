//! Folds recursive cycles: no method is twice in a path.

use super::{Context, Extra, GrowingTree, Tree, TreeError};

/// Makes a tree without recursion of contexts as they come in preorder: one whose method is already active in its path
/// becomes part of that context, with all its counters, and what it calls is called from there. As the method is the
/// same, call sites and the counts of single bytecodes keep their meaning; the call sites inside the cycle vanish.
#[derive(Default)]
pub(crate) struct Folding {
    folded: GrowingTree,
    /// Method and caller of each new node.
    keys: Vec<(u32, Option<u32>)>,
    /// The new node of each open context.
    path: Vec<u32>,
}

impl Folding {
    /// Adds the next context.
    pub fn add(&mut self, context: &Context, extra: &Extra) -> Result<(), TreeError> {
        self.path.truncate(context.depth);
        let parent = self.path.last().copied();
        let mut at = parent;
        while let Some(active) = at {
            let (method, caller) = self.keys[active as usize];
            if method == context.method {
                break;
            }
            at = caller;
        }
        let new = match at {
            Some(active) => active,
            None => self.folded.child(parent, context.method, context.site)?,
        };
        if new as usize == self.keys.len() {
            self.keys.push((context.method, parent));
        }
        self.path.push(new);
        self.folded
            .count(new, context.invocations, context.bytecodes);
        self.folded.add_extra(new, extra);
        Ok(())
    }

    /// What has come. Canonical order is lost.
    pub fn tree(&self) -> Result<Tree, TreeError> {
        self.folded.tree()
    }
}

impl Tree {
    /// The tree without recursion.
    pub(crate) fn fold_recursion(&self) -> Result<Tree, TreeError> {
        let mut folding = Folding::default();
        let mut extra = Extra::default();
        for (index, context) in self.contexts() {
            extra.clear();
            extra.set_allocation(context.allocation);
            extra.counts.extend(self.counts(index));
            folding.add(&context, &extra)?;
        }
        folding.tree()
    }
}
