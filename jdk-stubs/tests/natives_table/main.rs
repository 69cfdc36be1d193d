//! Compares the tables of natives, fields and called methods with each supported JDK that is installed: every row names
//! something the JDK has, and every native of the modules that rjvm covers has a row, or a reason why not.

use rjvm_jdk_stubs::check::{Report, check, matches, patterns};
use rjvm_vm::classpath::{FoundBy, Jdk, Search, SystemModules};
use rjvm_vm::jdk::SUPPORTED;

#[path = "../../../profiler/tests/readers/missing.rs"]
mod missing;

/// The JDKs of supported versions, one of each: of those that `RJVM_TEST_JDKS` names like a path, and in the usual places. A version
/// that is not installed is reported.
fn jdks() -> Vec<Jdk> {
    let named = std::env::var_os("RJVM_TEST_JDKS").unwrap_or_default();
    let named = std::env::split_paths(&named).filter_map(|p| Jdk::open(&p, FoundBy::Option).ok());
    let usual = Search::usual(None, |name| std::env::var_os(name)).all();
    let installed: Vec<Jdk> = named.chain(usual).collect();
    let of = |&version: &u32| {
        let found = installed.iter().find(|jdk| jdk.feature() == version);
        if found.is_none() {
            missing::not_checked(&format!("JDK {version} is not installed"));
        }
        found.cloned()
    };
    SUPPORTED.iter().filter_map(of).collect()
}

fn report(jdk: &Jdk) -> (SystemModules, Report) {
    let modules = SystemModules::open(jdk).unwrap();
    let report = check(&modules, jdk.feature()).unwrap();
    (modules, report)
}

#[test]
fn tables_fit_each_jdk() {
    let jdks = jdks();
    assert!(!jdks.is_empty(), "no JDK for the tests");
    for jdk in jdks {
        let (modules, report) = report(&jdk);
        let mut problems = rjvm_vm::jdk::check::problems(&modules, jdk.feature());
        problems.extend(report.problems);
        let unlisted = report.lacking.iter().filter(|(_, why)| why.is_none());
        problems.extend(unlisted.map(|(native, _)| format!("native {native}: no row, no reason")));
        let version = jdk.version();
        assert!(
            problems.is_empty(),
            "Java {version}:\n{}",
            problems.join("\n")
        );
    }
}

#[test]
fn each_reason_is_for_something() {
    let reports: Vec<Report> = jdks().iter().map(|jdk| report(jdk).1).collect();
    if reports.len() < SUPPORTED.len() {
        return;
    }
    let used = |pattern: &str| {
        let mut lacking = reports.iter().flat_map(|r| r.lacking.keys());
        lacking.any(|native| matches(pattern, native))
    };
    let stale: Vec<&str> = patterns().map(|p| p.0).filter(|p| !used(p)).collect();
    assert!(stale.is_empty(), "no such native is missing: {stale:?}");
}

#[test]
fn a_row_that_no_jdk_has_is_a_problem() {
    let jdk = jdks().pop().expect("a JDK for the tests");
    let modules = SystemModules::open(&jdk).unwrap();
    // of another version, the same JDK does not fit
    let other = match jdk.feature() {
        17 => 25,
        _ => 17,
    };
    let report = check(&modules, other).unwrap();
    assert!(!report.problems.is_empty());
    assert!(report.lacking.values().any(|why| why.is_none()));
    assert!(!rjvm_vm::jdk::check::problems(&modules, other).is_empty());
}
