//! Folds recursive cycles: no method is twice in a path.

use super::{Extra, GrowingTree, Tree, TreeError};

impl Tree {
    /// The tree without recursion: a context whose method is already active in its path becomes
    /// part of that context, with all its counters, and what it calls is called from there. As the
    /// method is the same, call sites and the counts of single bytecodes keep their meaning; the
    /// call sites inside the cycle vanish. Canonical order is lost.
    pub(crate) fn fold_recursion(&self) -> Result<Tree, TreeError> {
        let mut folded = GrowingTree::default();
        // Method and caller of each new node; the new node of each open context.
        let mut keys: Vec<(u32, Option<u32>)> = Vec::new();
        let mut path: Vec<u32> = Vec::new();
        let mut extra = Extra::default();
        for (index, (depth, node)) in (0..).zip(self.preorder()) {
            path.truncate(depth);
            let parent = path.last().copied();
            let mut at = parent;
            while let Some(active) = at {
                let (method, caller) = keys[active as usize];
                if method == node.method {
                    break;
                }
                at = caller;
            }
            let new = match at {
                Some(active) => active,
                None => folded.child(parent, node.method, node.site)?,
            };
            if new as usize == keys.len() {
                keys.push((node.method, parent));
            }
            path.push(new);
            folded.count(new, node.invocations, node.bytecodes);
            extra.clear();
            extra.set_allocation(self.allocation(index));
            extra.counts.extend(self.counts(index));
            folded.add_extra(new, &extra);
        }
        folded.tree()
    }
}
