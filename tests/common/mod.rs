//! What the integration tests share: the JDK's tools, child processes with a time limit,
//! golden files, the list of known failures.
#![allow(dead_code, reason = "each test binary uses its own part")]

#[cfg(unix)]
pub mod cc;
pub mod debuggee;
pub mod embed;
pub mod explored;
mod files;
pub mod golden;
pub mod guest;
pub mod jdk;
pub mod limited;
#[cfg(unix)]
pub mod live;
#[path = "../../profiler/tests/readers/missing.rs"]
mod missing;
pub mod run;
pub mod same;
pub mod tool;

pub use files::{entries, work_dir};
pub use missing::not_checked;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The repository's `tests` folder.
pub fn tests_dir() -> PathBuf {
    root().join("tests")
}

/// The repository.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).expect("crates/cli")
}

/// Whether JUnit and TestNG are installed; if not, the test that asks has not been checked.
pub fn has_frameworks() -> bool {
    let jars = [
        "junit-jupiter-api",
        "junit-platform-console",
        "junit4",
        "testng",
    ];
    let there = jars
        .iter()
        .all(|jar| Path::new(&format!("/usr/share/java/{jar}.jar")).is_file());
    if !there {
        not_checked("JUnit and TestNG are not installed (Debian: junit5 testng)");
    }
    there
}

/// The classes of an oracle example.
pub fn example_classes(name: &str) -> PathBuf {
    let source = tests_dir().join(format!("oracle/{name}.java"));
    jdk::compile(&format!("oracle/{name}"), &[source], &[], Path::new("none"))
}

/// Runs an oracle example in a separate folder; how it ended, and the folder.
pub fn example(class: &str, run_name: &str, options: &[&str]) -> (run::Outcome, PathBuf) {
    let run = run::Run::new(&run::vm(), run_name);
    let dir = run.dir().to_path_buf();
    let outcome = run
        .args(run::extra_args())
        .args(options)
        .arg("-cp")
        .arg(example_classes(class))
        .arg(class)
        .finish();
    (outcome, dir)
}

/// The value of a switch such as `BLESS=1`.
pub fn switch(name: &str) -> bool {
    std::env::var(name).is_ok_and(|v| !v.is_empty() && v != "0")
}

/// Whether tests do all that they can, as nightly, and not what fits into the time of a push.
pub fn all() -> bool {
    switch("RJVM_TEST_ALL")
}

/// Whether `name` passes the filter in `RJVM_TEST_FILTER` (substrings, separated by commas).
pub fn selected(name: &str) -> bool {
    match std::env::var("RJVM_TEST_FILTER") {
        Ok(f) if !f.is_empty() => f.split(',').any(|part| name.contains(part)),
        _ => true,
    }
}

/// Runs `job` for every item on a few threads (two, or `RJVM_TEST_JOBS`); results in the items' order.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], job: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let jobs = std::env::var("RJVM_TEST_JOBS")
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(2usize);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = job(item);
                    results
                        .lock()
                        .expect("no worker panicked")
                        .push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panicked");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The files in `dir` with extension `ext`, sorted by name.
pub fn files_with_extension(dir: &Path, ext: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = entries(dir)
        .into_iter()
        .filter(|p| p.is_file() && p.extension().is_some_and(|e| e == ext))
        .collect();
    files.sort();
    files
}

/// A path's file name without its extension.
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
