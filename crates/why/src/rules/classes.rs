//! Loading and initialising classes, and linking lambdas.

use super::{RuleInput, figure};
use crate::claim::{Claim, Confidence, Evidence, Saving, grouped};
use crate::cost;
use crate::recording::Method;
use std::collections::BTreeSet;

/// What a method loads, initialises or links, if it does.
fn kind(m: &Method) -> Option<&'static str> {
    match (m.class.as_str(), m.name.as_str()) {
        (_, "<clinit>") => Some("initialising"),
        ("java.lang.Class", "forName") => Some("loading"),
        (
            "java.lang.invoke.MethodHandleNatives",
            "linkCallSite" | "linkMethodHandleConstant" | "linkMethod" | "linkDynamicConstant",
        ) => Some("linking"),
        (_, "loadClass" | "loadClassOrNull" | "defineClass" | "findClass")
            if m.descriptor.contains("Ljava/lang/Class;") =>
        {
            Some("loading")
        }
        _ => None,
    }
}

/// All of it as one cause, with the places that it comes from.
pub fn loading(input: &RuleInput<'_>) -> Vec<Claim> {
    let tree = input.tree;
    let tops = tree.tops(|m| kind(m).is_some());
    let groups = input.groups(&tops);
    let Some(first) = groups.first() else {
        return Vec::new();
    };
    let loaded = &tree.run.classes;
    let of_program = loaded.iter().filter(|c| c.app).count() as u64;
    // classes of the program none of whose methods ran but to initialise them
    let used: BTreeSet<&str> = tree
        .run
        .methods
        .iter()
        .filter(|m| m.name != "<clinit>")
        .map(|m| m.class.as_str())
        .collect();
    let unused: Vec<&str> = loaded
        .iter()
        .filter(|c| c.app && !used.contains(c.name.as_str()))
        .map(|c| c.name.as_str())
        .collect();
    let (mut of_loading, mut of_init, mut of_linking) = (0, 0, 0);
    let (mut objects, mut bytes) = (0, 0);
    for &c in &tops {
        let did = tree.did(c);
        objects += did.all_objects;
        bytes += did.all_bytes;
        *match kind(tree.method(c)) {
            Some("loading") => &mut of_loading,
            Some("linking") => &mut of_linking,
            _ => &mut of_init,
        } += did.inclusive;
    }
    let bytecodes = of_loading + of_init + of_linking;
    let vm = loaded.len() as u64 * cost::CLASS;
    let all = bytecodes + cost::of_objects(objects, bytes) + vm;
    if !input.matters(all / 2) {
        return Vec::new();
    }
    let title = format!(
        "{} classes are loaded, {} of them the program's",
        grouped(loaded.len() as u64),
        grouped(of_program)
    );
    let mut claim = input.claim(
        ["class loading and initialisation", "start"],
        title,
        Confidence::Counted,
        first.site,
        tops.clone(),
    );
    claim.figures = vec![
        figure("classes", grouped(loaded.len() as u64)),
        figure(
            "of the program",
            format!(
                "{}, {} of them without a called method",
                grouped(of_program),
                grouped(unused.len() as u64)
            ),
        ),
        figure("bytecodes of loading", grouped(of_loading)),
        figure("bytecodes of initialising", grouped(of_init)),
        figure(
            "bytecodes of linking lambdas and concatenations",
            grouped(of_linking),
        ),
    ];
    let row = |g: &super::Group| {
        format!(
            "{} bytecodes from {}",
            grouped(g.inclusive),
            tree.show(g.site)
        )
    };
    let mut rows: Vec<String> = groups.iter().take(5).map(row).collect();
    if groups.len() > 5 {
        rows.push(format!(
            "and {} more places",
            grouped(groups.len() as u64 - 5)
        ));
    }
    claim.evidence = vec![Evidence {
        what: "places".into(),
        rows,
    }];
    if !unused.is_empty() {
        let rows = unused.iter().take(5).map(|u| u.to_string()).collect();
        claim.evidence.push(Evidence {
            what: "loaded, with no method called".into(),
            rows,
        });
    }
    claim.saving = Saving {
        cost: all / 2,
        bytecodes: bytecodes / 2,
        objects: objects / 2,
        bytes: bytes / 2,
        how: format!(
            "if half of the classes loaded later or never; {} for each class in addition to its bytecodes",
            grouped(cost::CLASS)
        ),
        ..Saving::default()
    };
    vec![claim]
}
