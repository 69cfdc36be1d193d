//! The methods of a profile, with those that represent contexts which are left out.

use crate::method::MethodInfo;
use std::collections::HashMap;

/// Methods with those among them that represent contexts which are left out, in the order of their labels.
pub(super) struct LabelledMethods {
    pub methods: Vec<MethodInfo>,
    /// The new index of each method.
    new: Vec<u32>,
    /// By new index, the method that represents its contexts: its package's, `[pruned]`, or itself if it is such a one.
    pub groups: Vec<u32>,
    /// The index of `[pruned]`.
    pub pruned: u32,
    /// Was `[pruned]` or a package among them?
    pub known: bool,
}

impl LabelledMethods {
    pub fn new(methods: &[MethodInfo]) -> LabelledMethods {
        let mut more: Vec<MethodInfo> = methods
            .iter()
            .filter_map(MethodInfo::pruned_package)
            .collect();
        more.push(MethodInfo::pruned());
        more.sort_unstable_by(MethodInfo::cmp_label);
        more.dedup();
        let known = methods.iter().any(MethodInfo::is_pruned);
        more.retain(|method| !known || !methods.contains(method));
        let (mut all, mut new) = (Vec::new(), Vec::new());
        let mut more = more.into_iter().peekable();
        for method in methods {
            let before = |next: &MethodInfo| next.cmp_label(method).is_lt();
            while let Some(next) = more.next_if(before) {
                all.push(next);
            }
            new.push(all.len() as u32);
            all.push(method.clone());
        }
        all.extend(more);
        let representatives = (0u32..).zip(&all).filter(|(_, m)| m.is_pruned());
        let at: HashMap<&str, u32> = representatives
            .map(|(at, m)| (m.class.as_str(), at))
            .collect();
        let pruned = at[MethodInfo::pruned().class.as_str()];
        let group = |(own, m): (u32, &MethodInfo)| match m.pruned_package() {
            Some(package) => at[package.class.as_str()],
            None if m.is_pruned() => own,
            None => pruned,
        };
        LabelledMethods {
            groups: (0u32..).zip(&all).map(group).collect(),
            new,
            pruned,
            known,
            methods: all,
        }
    }

    /// The new index of a method.
    pub fn of(&self, method: u32) -> u32 {
        self.new[method as usize]
    }

    /// Whether a method, by its new index, represents others.
    pub fn is_group(&self, method: u32) -> bool {
        self.groups[method as usize] == method
    }
}
