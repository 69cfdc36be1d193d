//! `RJVM_LOG` in builds with the feature `tracing`: events of the VM and of the tools on standard error, and a run whose
//! profile stays as it is. Builds without the feature do not read it.

use crate::common::example_classes;
use crate::common::run::{Outcome, Run, vm};

/// Runs an example with the filter `log`; how it ended, and its profile.
fn run(name: &str, log: Option<&str>) -> (Outcome, Vec<u8>) {
    let mut run = Run::new(&vm(), name);
    let file = run.dir().join("x.rjp");
    if let Some(log) = log {
        run = run.env("RJVM_LOG", log);
    }
    let outcome = run
        .args(["--deterministic", "--profile=exact", "-o", "x.rjp", "-cp"])
        .arg(example_classes("Threads"))
        .arg("Threads")
        .finish();
    (outcome, std::fs::read(&file).unwrap_or_default())
}

#[test]
fn what_the_vm_does_is_logged_and_leaves_the_run_as_it_is() {
    let (plain, profile) = run("diagnosis-plain", None);
    let (logged, same) = run("diagnosis-logged", Some("rjvm=trace"));
    assert_eq!((plain.exit, logged.exit), (0, 0), "{}", logged.err());
    assert_eq!(plain.out(), logged.out());
    assert!(!profile.is_empty() && profile == same, "another profile");
    let err = logged.err();
    if !cfg!(feature = "tracing") {
        assert_eq!(
            plain.err(),
            err,
            "a build without the feature reads RJVM_LOG"
        );
        return;
    }
    for line in [
        "TRACE rjvm::tools: prepare tool=\"the profile\"",
        "DEBUG rjvm::vm: created the VM taped=false",
        "DEBUG rjvm::vm: the class library is initialized",
        "TRACE rjvm::classes: defined",
        "class=\"Threads\"",
        "DEBUG rjvm::threads: started thread=",
        "DEBUG rjvm::vm: the program ended code=0",
    ] {
        assert!(err.contains(line), "not logged: {line}\n{err}");
    }
    let (tools, _) = run("diagnosis-tools", Some("rjvm::tools=trace"));
    assert!(!tools.err().contains("rjvm::vm"), "{}", tools.err());
}

#[cfg(feature = "tracing")]
#[test]
fn a_malformed_filter_is_refused() {
    let (outcome, _) = run("diagnosis-malformed", Some("rjvm=loud"));
    assert_eq!(outcome.exit, 1, "{}", outcome.err());
    assert!(outcome.err().contains("RJVM_LOG"), "{}", outcome.err());
}
