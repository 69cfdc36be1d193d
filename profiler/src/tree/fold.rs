//! Folds recursive cycles: no method is twice in a path.

use super::columns::add_caused;
use super::{Extra, GrowingTree, LeftOut, PreorderContext, Tree, TreeError};

/// Makes a tree without recursion of contexts as they come in preorder: one whose method is already active in its path
/// becomes part of that context, with all its counters, and its callees become callees of that context. As the method is the
/// same, call sites and the counts of single bytecodes keep their meaning; the call sites inside the cycle vanish.
#[derive(Default)]
pub(crate) struct Folding {
    folded: GrowingTree,
    /// The new node of each open context, and if that is one above it, since this is too deep, the call site there.
    path: Vec<(u32, Option<u32>)>,
    /// The greatest depth of a new node, 0 for nodes without a caller.
    deepest: Option<usize>,
    /// What becomes of the counters of deeper contexts.
    left_out: LeftOut,
}

impl Folding {
    /// Of a tree of this depth (1: roots only), with the counters of what lies deeper added to the last context above it, or dropped.
    pub fn new(max_depth: Option<u32>, left_out: LeftOut) -> Folding {
        Folding {
            deepest: max_depth.map(|depth| depth.saturating_sub(1) as usize),
            left_out,
            ..Folding::default()
        }
    }

    /// Adds the next context.
    pub fn add(&mut self, context: &PreorderContext, extra: &Extra) -> Result<(), TreeError> {
        self.path.truncate(context.depth);
        let (parent, caused) = self.path.last().copied().unzip();
        let (mut at, mut depth) = (parent, 0);
        while let Some(active) = at {
            let (method, caller) = self.folded.called(active);
            if method == context.method {
                break;
            }
            (at, depth) = (caller, depth + 1);
        }
        let new = match (at, parent) {
            (Some(active), _) => active,
            (None, Some(parent)) if self.deepest.is_some_and(|deepest| depth > deepest) => {
                let site = caused.flatten().unwrap_or(context.site);
                if self.left_out != LeftOut::Drop {
                    self.folded.count(parent, 0, context.bytecodes);
                    let mut folded = Extra::default();
                    folded.set_allocation(extra.allocation());
                    if self.left_out == LeftOut::Add {
                        add_caused(&mut folded.caused, site, context.bytecodes);
                    }
                    self.folded.add_extra(parent, &folded);
                }
                self.path.push((parent, Some(site)));
                return Ok(());
            }
            (None, parent) => self.folded.child(parent, context.method, context.site)?,
        };
        self.path.push((new, None));
        self.folded
            .count(new, context.invocations, context.bytecodes);
        self.folded.add_extra(new, extra);
        Ok(())
    }

    /// The tree of all that came, in canonical order if methods are in the order of their labels.
    pub fn tree(self) -> Result<Tree, TreeError> {
        self.folded.into_ordered()
    }
}

impl Tree {
    /// The tree without recursion.
    pub(crate) fn fold_recursion(&self) -> Result<Tree, TreeError> {
        let mut folding = Folding::default();
        let mut extra = Extra::default();
        for (index, context) in self.contexts() {
            self.extra(index, &mut extra);
            folding.add(&context, &extra)?;
        }
        folding.tree()
    }
}
