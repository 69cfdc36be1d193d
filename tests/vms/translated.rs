//! Translated code is made of the instructions of one table, before and after it has run, and can be listed.

use crate::common::guest::{Guest, guest_classes, options};
use crate::common::run;
use rjvm_vm::MethodId;
use rjvm_vm::vm::ProfileMode;
use std::process::Command;

/// Checks all code there is; how many instructions.
fn check(g: &Guest) -> usize {
    let ids: Vec<MethodId> = g.vm.all_methods().map(|m| m.id).collect();
    let check = |id| g.vm.check_translation(id).unwrap_or_else(|e| panic!("{e}"));
    ids.into_iter().map(check).sum()
}

#[test]
fn all_instructions_are_in_the_table() {
    for profile in [ProfileMode::Off, ProfileMode::Blocks] {
        let mut o = options(Some(&guest_classes()));
        o.profile = profile;
        o.allocations = profile == ProfileMode::Blocks;
        let mut g = Guest::boot(o);
        g.run("all");
        // what has run is resolved, and what is translated now is not
        let ran = check(&g);
        assert!(ran > 10_000, "{ran} instructions");
        for class in [
            "java/lang/Math",
            "java/lang/String",
            "java/util/concurrent/ConcurrentHashMap",
        ] {
            let c = g.vm.boot_class(class);
            for m in g.vm.class(c).methods.clone() {
                let listed = g.vm.list_translation(m).expect("valid code");
                let unknown = listed.iter().any(|text| text.contains("what is this?"));
                assert!(!unknown, "{}", listed.unwrap_or_default());
            }
        }
        assert!(check(&g) > ran, "more is translated");
    }
}

/// Runs `rjvm dis --translated` with these arguments: exit code, output, errors.
fn dis(args: &[&str]) -> (Option<i32>, String, String) {
    let command = Command::new(run::vm())
        .args(["dis", "--translated"])
        .args(args)
        .output();
    let output = command.expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn translated_code_can_be_listed() {
    let classes = guest_classes();
    let cp = classes.display().to_string();
    let (code, out, err) = dis(&["-cp", &cp, "Guest.fib", "java.lang.Math.floorMod"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let fib: Vec<&str> = out.lines().take_while(|l| !l.is_empty()).collect();
    assert!(fib[0].starts_with("Guest.fib"), "{out}");
    for part in [
        "if_int.",
        "=> L",
        "invokestatic",
        "unresolved.invokestatic",
        "pot 0",
        "refs {}",
    ] {
        assert!(fib.iter().any(|l| l.contains(part)), "{part}: {out}");
    }
    assert!(
        out.contains("java.lang.Math.floorMod") || out.contains("java/lang/Math.floorMod"),
        "{out}"
    );
    assert!(out.contains("throws pot"), "a division may throw: {out}");

    let (code, out, err) = dis(&["-cp", &cp, "Nowhere"]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("ClassNotFoundException: Nowhere"), "{err}");
    let (code, _, err) = dis(&["-cp", &cp, "Guest.nothing"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("Guest.nothing: no such method"), "{err}");
    let (code, _, err) = dis(&[]);
    assert_eq!(code, Some(1));
    assert!(err.contains("Usage: rjvm dis --translated"), "{err}");
}
