//! Which methods of several profiles are the same ones. Most are known by their names; those whose names are numbers
//! of a compiler's ([`origin`](crate::origin)) by where they are declared and by what they do.
//!
//! Numbered things of one scope are matched in this order: those that do the same, those whose own code is the same,
//! and of the others those at the same place between neighbours that are known. Where that leaves several
//! possibilities, none is taken, and the rest on both sides is in doubt.

use crate::method::MethodInfo;
use crate::origin::{Body, is_numbered, unnumbered};
use crate::profile::Profile;
use std::collections::{BTreeMap, BTreeSet};

/// A numbered method whose names differ in two profiles, or that may not be the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The method as it is called in each of the profiles, where it is in them.
    pub names: Vec<Option<MethodInfo>>,
    /// It is in only one of them, and one of the methods in the other may be the same.
    pub in_doubt: bool,
}

/// The methods of several profiles.
pub(crate) struct Common {
    /// Each once, in the order of their labels, as the last profile calls it that has it.
    pub methods: Vec<MethodInfo>,
    /// For each profile the new index of each of its methods.
    pub renamed: Vec<Vec<u32>>,
    /// By index into `methods`.
    pub numbered: BTreeMap<u32, Renamed>,
    /// Profiles don't have the origins of their numbered methods, which are matched by their numbers.
    pub by_number: bool,
}

/// The identity of a method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MethodKey {
    Named(String, bool, bool, bool),
    /// Something numbered, and the method in it, or nothing if it is a method itself.
    Numbered(u32, String, bool),
}

impl Common {
    /// Those of runs of programs that may have changed.
    pub fn of(profiles: &[&Profile]) -> Common {
        Common::matched(profiles, profiles.iter().any(|p| lacks_origins(p)))
    }

    /// Those of one run, where a name is one method's.
    pub fn of_one_run(profiles: &[&Profile]) -> Common {
        Common::matched(profiles, true)
    }

    fn matched(profiles: &[&Profile], by_number: bool) -> Common {
        let mut matcher = Matcher::default();
        let keys: Vec<Vec<MethodKey>> = (profiles.iter())
            .map(|p| match by_number {
                true => p.methods.iter().map(named).collect(),
                false => matcher.keys(p),
            })
            .collect();
        let mut all: BTreeMap<&MethodKey, MethodInfo> = BTreeMap::new();
        let mut names: BTreeMap<&MethodKey, Vec<Option<MethodInfo>>> = BTreeMap::new();
        for (i, (p, keys)) in profiles.iter().zip(&keys).enumerate() {
            for (method, key) in p.methods.iter().zip(keys) {
                if profiles.len() > 1 && method.origin.is_some() {
                    let all = names
                        .entry(key)
                        .or_insert_with(|| vec![None; profiles.len()]);
                    all[i] = Some(method.clone());
                }
                let known = all.entry(key).or_insert_with(|| method.clone());
                let is_later = known.label() != method.label();
                if is_later || known.source.is_none() {
                    *known = method.clone();
                }
            }
        }
        // what an earlier profile calls like something else of a later one gets another name
        let mut order: Vec<(&MethodKey, MethodInfo)> = Vec::with_capacity(all.len());
        let mut taken = BTreeSet::new();
        let latest = |key: &MethodKey| {
            let of = names
                .get(key)
                .map(|all| all.iter().rposition(Option::is_some));
            of.flatten().unwrap_or(profiles.len())
        };
        let mut entries: Vec<_> = all.into_iter().collect();
        if !by_number {
            entries.sort_by_key(|(key, _)| std::cmp::Reverse(latest(key)));
        }
        for (key, mut method) in entries {
            let own = method.name.clone();
            for number in 1.. {
                let identity = (method.label(), method.native, method.hidden, method.app);
                if taken.insert(identity) {
                    break;
                }
                method.name = format!("{own}~{number}");
            }
            order.push((key, method));
        }
        order.sort_by_cached_key(|(_, m)| (m.label(), m.native, m.hidden, m.app));
        let mut index = BTreeMap::new();
        let mut numbered = BTreeMap::new();
        let mut methods = Vec::with_capacity(order.len());
        for (at, (key, method)) in (0u32..).zip(order) {
            index.insert(key, at);
            methods.push(method);
            let Some(names) = names.remove(key) else {
                continue;
            };
            let in_doubt =
                matches!(key, MethodKey::Numbered(id, ..) if matcher.doubtful.contains(id));
            let mut labels = names.iter().flatten().map(MethodInfo::label);
            let first = labels.next();
            if in_doubt || names.contains(&None) || labels.any(|l| Some(&l) != first.as_ref()) {
                numbered.insert(at, Renamed { names, in_doubt });
            }
        }
        Common {
            methods,
            renamed: (keys.iter())
                .map(|keys| keys.iter().map(|key| index[key]).collect())
                .collect(),
            numbered,
            by_number,
        }
    }
}

fn named(m: &MethodInfo) -> MethodKey {
    MethodKey::Named(m.label(), m.native, m.hidden, m.app)
}

/// Does the profile have numbered methods, and the origin of none?
fn lacks_origins(profile: &Profile) -> bool {
    let number = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    let lambda = |m: &MethodInfo| m.name.starts_with("lambda$") && number(&m.name);
    let looks = |m: &MethodInfo| !m.hidden && (lambda(m) || is_numbered(&m.class));
    profile.methods.iter().all(|m| m.origin.is_none()) && profile.methods.iter().any(looks)
}

/// Facts about a numbered method or class.
#[derive(Clone, Debug)]
struct Member {
    at: u32,
    body: Body,
    id: u32,
    /// A profile has it, not only its scope.
    executed: bool,
}

/// Facts about a scope, as the latest profile has them.
#[derive(Clone, Debug, Default)]
struct KnownScope {
    /// How many it has; 0: unknown.
    count: u32,
    members: Vec<Member>,
}

/// Gives numbered things numbers that are the same in all profiles.
#[derive(Default)]
struct Matcher {
    groups: BTreeMap<(u32, String), KnownScope>,
    next: u32,
    doubtful: BTreeSet<u32>,
}

/// The parent of members that are not in a numbered one.
const ROOT: u32 = u32::MAX;

impl Matcher {
    fn keys(&mut self, profile: &Profile) -> Vec<MethodKey> {
        let numbered = |m: &&MethodInfo| m.origin.is_some();
        let numbered: Vec<&MethodInfo> = profile.methods.iter().filter(numbered).collect();
        // outer ones first, as inner ones are matched within them
        let mut parents: BTreeMap<&[crate::origin::Step], u32> = BTreeMap::new();
        for depth in 0.. {
            let mut groups: BTreeMap<(u32, &str), KnownScope> = BTreeMap::new();
            let mut found: BTreeMap<&[crate::origin::Step], (u32, &str)> = BTreeMap::new();
            for method in &numbered {
                let steps = method.origin.as_deref().unwrap_or_default();
                let (Some(path), Some(step)) = (steps.get(..=depth), steps.get(depth)) else {
                    continue;
                };
                if found.contains_key(path) {
                    continue;
                }
                let parent = match depth {
                    0 => ROOT,
                    depth => parents[&path[..depth]],
                };
                found.insert(path, (parent, &step.scope.place));
                let group = groups.entry((parent, &step.scope.place)).or_default();
                group.add(step);
            }
            if found.is_empty() {
                break;
            }
            for (&(parent, place), group) in &mut groups {
                self.align(parent, place, group);
            }
            for (path, key) in found {
                let step = &path[depth];
                let id = groups[&key].find(step.at, step.body);
                parents.insert(path, id);
            }
        }
        let mut alike: BTreeMap<(&str, &str, String), u32> = BTreeMap::new();
        for m in &profile.methods {
            if m.origin.is_none() && is_numbered(&m.descriptor) {
                let key = (&*m.class, &*m.name, unnumbered(&m.descriptor));
                *alike.entry(key).or_default() += 1;
            }
        }
        let key = |m: &MethodInfo| {
            if let Some(steps) = m.origin.as_deref()
                && let Some(last) = steps.last()
            {
                let rest = match last.scope.methods {
                    true => String::new(),
                    false => format!("{}{}", m.name, unnumbered(&m.descriptor)),
                };
                return MethodKey::Numbered(parents[steps], rest, m.native);
            }
            let place = (&*m.class, &*m.name, unnumbered(&m.descriptor));
            match alike.get(&place) {
                Some(1) => {
                    let label = format!("{}.{}{}", m.class, m.name, place.2);
                    MethodKey::Named(label, m.native, m.hidden, m.app)
                }
                _ => named(m),
            }
        };
        let mut keys: Vec<MethodKey> = profile.methods.iter().map(key).collect();
        // methods that differ by number alone keep it
        let mut times: BTreeMap<MethodKey, u32> = BTreeMap::new();
        keys.iter()
            .for_each(|key| *times.entry(key.clone()).or_default() += 1);
        for (key, m) in keys.iter_mut().zip(&profile.methods) {
            if times[key] > 1
                && let MethodKey::Numbered(_, rest, _) = key
            {
                *rest = m.label();
            }
        }
        keys
    }

    /// Gives the members of a group the numbers of those that they are the same as, and others new ones.
    fn align(&mut self, parent: u32, place: &str, new: &mut KnownScope) {
        let key = (parent, place.to_owned());
        let old = self.groups.remove(&key).unwrap_or_default();
        let mut pairing = Pairing::of(&old, new);
        pairing.by(|body| body.deep);
        pairing.by(|body| body.own);
        pairing.by_place();
        let Pairing {
            pairs, doubtful, ..
        } = pairing;
        let mut paired = vec![false; old.members.len()];
        for (member, pair) in new.members.iter_mut().zip(&pairs) {
            member.id = match pair {
                Some(at) => {
                    paired[*at] = true;
                    old.members[*at].id
                }
                None => {
                    self.next += 1;
                    self.next
                }
            };
        }
        for (side, at) in doubtful {
            let members = if side == 0 {
                &old.members
            } else {
                &new.members
            };
            self.doubtful.insert(members[at].id);
        }
        if self.doubtful.contains(&parent) {
            self.doubtful.extend(new.members.iter().map(|m| m.id));
        }
        // a later profile may have executed what this one has not
        let mut kept = new.clone();
        let same = |(i, pair): (usize, &Option<usize>)| {
            pair.is_none_or(|at| old.members[at].at == new.members[i].at)
        };
        if old.count == new.count && pairs.iter().enumerate().all(same) {
            let seen: BTreeSet<u32> = kept.members.iter().map(|m| m.at).collect();
            let unseen = old
                .members
                .iter()
                .zip(&paired)
                .filter(|(_, paired)| !**paired);
            let unseen = unseen.filter(|(member, _)| !seen.contains(&member.at));
            kept.members
                .extend(unseen.map(|(member, _)| member.clone()));
            kept.members.sort_by_key(|m| (m.at, m.body));
        }
        self.groups.insert(key, kept);
    }
}

impl KnownScope {
    /// Adds what a profile has.
    fn add(&mut self, step: &crate::origin::Step) {
        let siblings = &step.scope.members;
        self.count = self.count.max(siblings.len() as u32);
        for (at, body) in (0u32..).zip(siblings).filter(|(_, body)| body.is_known()) {
            self.insert(at, *body, at == step.at);
        }
        self.insert(step.at, step.body, true);
    }

    fn insert(&mut self, at: u32, body: Body, executed: bool) {
        match self
            .members
            .binary_search_by_key(&(at, body), |m| (m.at, m.body))
        {
            Ok(i) => self.members[i].executed |= executed,
            Err(i) => {
                let member = Member {
                    at,
                    body,
                    id: 0,
                    executed,
                };
                self.members.insert(i, member);
            }
        }
    }

    fn find(&self, at: u32, body: Body) -> u32 {
        let found = self
            .members
            .binary_search_by_key(&(at, body), |m| (m.at, m.body));
        found.map_or(0, |i| self.members[i].id)
    }
}

/// The members of a scope as two profiles have them, and which are the same.
struct Pairing<'a> {
    old: &'a KnownScope,
    new: &'a KnownScope,
    /// For each of the new ones.
    pairs: Vec<Option<usize>>,
    free: Vec<bool>,
    /// Side and index of those that may be the same as one of several, or as none.
    doubtful: BTreeSet<(u8, usize)>,
}

impl<'a> Pairing<'a> {
    fn of(old: &'a KnownScope, new: &'a KnownScope) -> Self {
        Pairing {
            old,
            new,
            pairs: vec![None; new.members.len()],
            free: vec![true; old.members.len()],
            doubtful: BTreeSet::new(),
        }
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.pairs[new] = Some(old);
        self.free[old] = false;
    }

    /// Those left of which both sides have equally many with the same digest, in their order.
    fn by(&mut self, digest: fn(&Body) -> u64) {
        let mut all: BTreeMap<u64, [Vec<usize>; 2]> = BTreeMap::new();
        for (i, member) in self.old.members.iter().enumerate() {
            if self.free[i] {
                all.entry(digest(&member.body)).or_default()[0].push(i);
            }
        }
        for (i, member) in self.new.members.iter().enumerate() {
            if self.pairs[i].is_none() {
                all.entry(digest(&member.body)).or_default()[1].push(i);
            }
        }
        all.remove(&0);
        for [old, new] in all.into_values().filter(|[o, n]| o.len() == n.len()) {
            for (old, new) in old.into_iter().zip(new) {
                self.pair(old, new);
            }
        }
    }

    /// Those left that lie at the same place between two neighbours that are known.
    fn by_place(&mut self) {
        if self.old.count == 0 || self.new.count == 0 {
            self.by_number();
            return;
        }
        let mut known: Vec<(u32, u32)> = Vec::with_capacity(self.pairs.len());
        for (new, old) in self.pairs.iter().enumerate() {
            if let Some(old) = old {
                known.push((self.old.members[*old].at, self.new.members[new].at));
            }
        }
        known.sort_unstable();
        let mut anchors = ascending(&known);
        anchors.push((self.old.count, self.new.count));
        let known = [
            known.iter().map(|k| k.0).collect(),
            known.iter().map(|k| k.1).collect(),
        ];
        let mut begin = (0, 0);
        for end in anchors {
            self.between(&known, begin, end);
            begin = (end.0 + 1, end.1 + 1);
        }
    }

    fn between(&mut self, known: &[BTreeSet<u32>; 2], begin: (u32, u32), end: (u32, u32)) {
        let left: Vec<u32> = (begin.0..end.0)
            .filter(|at| !known[0].contains(at))
            .collect();
        let right: Vec<u32> = (begin.1..end.1)
            .filter(|at| !known[1].contains(at))
            .collect();
        let at = |members: &[Member], at: u32| {
            let first = members.partition_point(|m| m.at < at);
            members
                .get(first)
                .is_some_and(|m| m.at == at)
                .then_some(first)
        };
        let olds: Vec<Option<usize>> = left.iter().map(|&i| at(&self.old.members, i)).collect();
        let news: Vec<Option<usize>> = right.iter().map(|&i| at(&self.new.members, i)).collect();
        let shape = |side: &[Member], i: usize| side[i].body.shape;
        let mut open = [Vec::new(), Vec::new()];
        let mut all_known = true;
        if left.len() == right.len() {
            // what only one side has executed is not known to be the same
            for pair in olds.into_iter().zip(news) {
                let (Some(old), Some(new)) = pair else {
                    continue;
                };
                let shapes = [shape(&self.old.members, old), shape(&self.new.members, new)];
                if shapes[0] == shapes[1] || shapes.contains(&0) {
                    self.pair(old, new);
                } else {
                    open[0].push(old);
                    open[1].push(new);
                }
            }
        } else {
            all_known = olds.iter().chain(&news).all(Option::is_some);
            open = [
                olds.into_iter().flatten().collect(),
                news.into_iter().flatten().collect(),
            ];
        }
        if all_known {
            self.by_shape(&mut open);
        }
        self.doubt(open);
    }

    /// Those that are the only ones of their shape on both sides.
    fn by_shape(&mut self, open: &mut [Vec<usize>; 2]) {
        let mut shapes: BTreeMap<u64, [Vec<usize>; 2]> = BTreeMap::new();
        for (side, members) in [&self.old.members, &self.new.members]
            .into_iter()
            .enumerate()
        {
            for &i in &open[side] {
                shapes.entry(members[i].body.shape).or_default()[side].push(i);
            }
        }
        shapes.remove(&0);
        for of in shapes.into_values() {
            if let ([old], [new]) = (&of[0][..], &of[1][..]) {
                self.pair(*old, *new);
                open[0].retain(|i| i != old);
                open[1].retain(|i| i != new);
            }
        }
    }

    /// If both sides have executed some of the remaining members, these are in doubt.
    fn doubt(&mut self, open: [Vec<usize>; 2]) {
        let executed =
            |members: &[Member], open: &[usize]| open.iter().any(|&i| members[i].executed);
        if executed(&self.old.members, &open[0]) && executed(&self.new.members, &open[1]) {
            for (side, open) in (0u8..).zip(open) {
                self.doubtful.extend(open.into_iter().map(|i| (side, i)));
            }
        }
    }

    /// Where it is not known how many there are, those left of one number are the same if no others have moved.
    fn by_number(&mut self) {
        let moved = self.pairs.iter().enumerate().any(|(new, old)| {
            old.is_some_and(|old| self.old.members[old].at != self.new.members[new].at)
        });
        let mut open = [Vec::new(), Vec::new()];
        for new in 0..self.pairs.len() {
            if self.pairs[new].is_some() {
                continue;
            }
            let member = &self.new.members[new];
            let same = |i: &usize| {
                let old = &self.old.members[*i];
                self.free[*i] && old.at == member.at && old.body.shape == member.body.shape
            };
            let found: Vec<usize> = (0..self.free.len()).filter(same).collect();
            match found[..] {
                [old] if !moved => self.pair(old, new),
                _ => open[1].push(new),
            }
        }
        open[0] = (0..self.free.len()).filter(|&i| self.free[i]).collect();
        self.doubt(open);
    }
}

/// The longest part of pairs, ascending in their first numbers, that ascends in the second ones too.
fn ascending(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    // for each length the pair that ends the part of that length with the least number
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (i, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before[i] = length.checked_sub(1).map(|at| ends[at]);
        match ends.get_mut(length) {
            Some(end) => *end = i,
            None => ends.push(i),
        }
    }
    let mut part: Vec<_> = std::iter::successors(ends.last().copied(), |&i| before[i])
        .map(|i| pairs[i])
        .collect();
    part.reverse();
    part
}

#[cfg(test)]
mod tests;
