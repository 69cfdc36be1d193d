//! Calls: recursion, call sites with many targets, reflection.

use super::{RuleInput, figure, figure_each};
use crate::claim::{Claim, Confidence, Evidence, Saving, each, grouped};
use crate::cost;
use crate::recording::Method;
use crate::tree::{Site, Tree};
use std::collections::BTreeMap;

/// Frames of one method above each other from which on recursion is deep.
const DEEP: u32 = 500;

/// Bytecodes in a method alone, and in what it calls of the class library.
fn own(tree: &Tree<'_>, method: u32) -> u64 {
    let of = |c: &u32| tree.context(tree.near(*c)).method == method;
    tree.all().filter(of).map(|c| tree.did(c).own).sum()
}

/// Methods that call themselves, deeply or again and again.
pub fn recursion(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let n = tree.run.methods.len();
    // how many frames of its method are on the path to each context
    let mut most = vec![0u32; n];
    let mut calls = vec![0u64; n];
    let mut tops: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut active = vec![0u32; n];
    let mut open: Vec<(u32, bool)> = tree
        .all()
        .filter(|&c| tree.parent(c).is_none())
        .map(|c| (c, true))
        .collect();
    open.reverse();
    while let Some((c, enter)) = open.pop() {
        let method = tree.context(c).method;
        let m = method as usize;
        if !enter {
            active[m] -= 1;
            continue;
        }
        active[m] += 1;
        most[m] = most[m].max(active[m]);
        calls[m] += tree.did(c).calls;
        if active[m] == 1 && tree.method(c).app {
            tops.entry(method).or_default().push(c);
        }
        open.push((c, false));
        open.extend(tree.children(c).iter().rev().map(|&k| (k, true)));
    }
    let mut found = Vec::new();
    for (method, tops) in tops {
        let depth = most[method as usize];
        let calls = calls[method as usize];
        let inclusive: u64 = tops.iter().map(|&c| tree.did(c).inclusive).sum();
        let first: u64 = tops.iter().map(|&c| tree.did(c).calls).sum();
        let again = calls / first.max(1);
        // a tree of calls that is far larger than it is deep
        let many = depth >= 4 && again > 1000 && again / u64::from(depth) > 200;
        // not if the calls in between do the work, as in what walks through trees or interprets a program
        let many = many && own(tree, method) >= inclusive / 5 * 3;
        if !(depth >= DEEP || many) || !input.matters(inclusive / 10) {
            continue;
        }
        let m = &tree.run.methods[method as usize];
        let title = match many {
            true => format!(
                "{} calls itself {} times for each call from outside",
                m.short(),
                grouped(again)
            ),
            false => format!(
                "{} calls itself {} frames deep",
                m.short(),
                grouped(depth.into())
            ),
        };
        let site = Site {
            method,
            line: m.first_line(),
        };
        let mut claim = input.claim(
            ["interpretation", "deep recursion"],
            title,
            Confidence::Possible,
            site,
            tops,
        );
        claim.figures = vec![
            figure("calls", grouped(calls)),
            figure("of these from elsewhere", grouped(first)),
            figure("its frames on one stack", grouped(depth.into())),
            figure_each("total bytecodes", inclusive, calls, "call"),
        ];
        claim.evidence = vec![input.ways(&claim.tops)];
        let (bytecodes, how) = match many {
            true => (
                inclusive - inclusive / again * u64::from(depth),
                format!(
                    "if each depth were computed once (with cached results): {depth} calls instead of {}",
                    grouped(again)
                ),
            ),
            false => (
                calls * 5,
                "if it were a loop: about 5 bytecodes for each call".into(),
            ),
        };
        claim.saving = Saving {
            cost: bytecodes,
            bytecodes,
            how,
            ..Saving::default()
        };
        found.push(claim);
    }
    found
}

/// Call sites of the program that three or more methods are called from.
pub fn megamorphic(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let mut sites: BTreeMap<(u32, u32), BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
    for c in tree.all() {
        let context = tree.context(c);
        let (Some(p), Some(bci)) = (context.parent, context.site) else {
            continue;
        };
        let caller = tree.context(p).method;
        let is_virtual = {
            let code = &tree.run.methods[caller as usize].code;
            let at = code.partition_point(|i| i.bci < bci);
            code.get(at)
                .is_some_and(|i| i.bci == bci && i.kind == crate::recording::Kind::Virtual)
        };
        if is_virtual && tree.method(p).app {
            sites
                .entry((caller, bci))
                .or_default()
                .entry(context.method)
                .or_default()
                .push(c);
        }
    }
    let mut found = Vec::new();
    for ((method, bci), targets) in sites {
        let name = |m: &u32| &tree.run.methods[*m as usize].name;
        let Some(first) = targets.keys().next() else {
            continue;
        };
        let calls_of = |tops: &Vec<u32>| tops.iter().map(|&c| tree.did(c).calls).sum::<u64>();
        // what the virtual machine calls at that place (class loading) is not a target
        let targets: BTreeMap<u32, u64> = targets
            .iter()
            .filter(|t| name(t.0) == name(first))
            .map(|(m, t)| (*m, calls_of(t)))
            .collect();
        let calls: u64 = targets.values().sum();
        let ranked = Tree::ranked(targets);
        if ranked.len() < 3 || ranked[2].1 * 20 < calls || !input.matters(calls * cost::DISPATCH) {
            continue;
        }
        let m = &tree.run.methods[method as usize];
        let site = Site {
            method,
            line: m.line(bci),
        };
        let title = format!(
            "a call of {} has {} targets",
            name(&ranked[0].0),
            ranked.len()
        );
        let tops: Vec<u32> = tree
            .all()
            .filter(|&c| {
                let x = tree.context(c);
                x.site == Some(bci) && x.parent.is_some_and(|p| tree.context(p).method == method)
            })
            .collect();
        let mut claim = input.claim(
            ["interpretation", "megamorphic calls"],
            title,
            Confidence::Counted,
            site,
            tops,
        );
        claim.figures = vec![
            figure("calls", grouped(calls)),
            figure("targets", ranked.len()),
        ];
        let row = |t: &(u32, u64)| {
            format!(
                "{} {}",
                grouped(t.1),
                tree.run.methods[t.0 as usize].short()
            )
        };
        claim.evidence = vec![Evidence {
            what: "targets".into(),
            rows: ranked.iter().take(6).map(row).collect(),
        }];
        claim.saving = Saving {
            cost: calls * cost::DISPATCH,
            how: format!(
                "{} for each call, because a compiler cannot inline it",
                cost::DISPATCH
            ),
            ..Saving::default()
        };
        found.push(claim);
    }
    found
}

fn is_reflection(m: &Method) -> bool {
    match m.class.as_str() {
        "java.lang.reflect.Method" => m.name == "invoke",
        "java.lang.reflect.Constructor" => m.name == "newInstance",
        "java.lang.reflect.Field" => {
            m.name.starts_with("get") || m.name.starts_with("set") && m.name != "setAccessible"
        }
        "java.lang.Class" => {
            let lookup = m.name.starts_with("getDeclared")
                || [
                    "getMethod",
                    "getMethods",
                    "getField",
                    "getFields",
                    "getConstructor",
                ]
                .contains(&m.name.as_str());
            lookup || m.name == "newInstance"
        }
        _ => false,
    }
}

/// Reflection: what it costs beside the methods that it calls.
pub fn reflection(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let tops = tree.tops(is_reflection);
    let mut found = Vec::new();
    for group in input.groups(&tops) {
        let (mut bytecodes, mut objects, mut bytes) = (0, 0, 0);
        let mut open = group.tops.clone();
        while let Some(c) = open.pop() {
            if tree.method(c).app {
                continue;
            }
            let did = tree.did(c);
            bytecodes += did.own;
            objects += did.objects;
            bytes += did.bytes;
            open.extend_from_slice(tree.children(c));
        }
        let all = bytecodes + cost::of_objects(objects, bytes);
        if group.calls < 100 || !input.matters(all) {
            continue;
        }
        let mut names: BTreeMap<String, u64> = BTreeMap::new();
        for &c in &group.tops {
            *names.entry(tree.method(c).short()).or_default() += tree.did(c).calls;
        }
        let names = Tree::ranked(names);
        let title = format!("{} is called {} times", names[0].0, grouped(names[0].1));
        let mut claim = input.claim(
            ["interpretation", "reflection"],
            title,
            Confidence::Counted,
            group.site,
            group.tops.clone(),
        );
        claim.figures = vec![
            figure("calls", grouped(group.calls)),
            figure_each("self bytecodes", bytecodes, group.calls, "call"),
            figure("objects for each call", each(objects, group.calls)),
        ];
        let rows = names
            .iter()
            .take(4)
            .map(|n| format!("{} {}", grouped(n.1), n.0));
        claim.evidence = vec![
            Evidence {
                what: "calls".into(),
                rows: rows.collect(),
            },
            input.ways(&group.tops),
        ];
        claim.saving = Saving {
            cost: all,
            bytecodes,
            objects,
            bytes,
            how: "with ordinary calls, or with cached look-ups".into(),
            ..Saving::default()
        };
        found.push(claim);
    }
    found
}
