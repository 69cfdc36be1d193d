//! Files of benchmarks: the text, and the profiles in the folder beside it.

use super::compare::{BenchmarkSet, MeasuredBenchmark};
use super::record::Record;
use crate::tools::ToolProblem;
use rjvm_profiler::{Profile, rjp};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder with the profiles of a file.
pub fn folder(file: &Path) -> PathBuf {
    file.with_extension("d")
}

/// The name of a file that belongs to a benchmark: other characters than letters and digits may mean something to a file system.
pub fn file_name(benchmark: &str, extension: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-$".contains(c);
    let name: String = benchmark.replace("::", ".");
    if name.chars().all(plain) && name.len() <= 120 && !name.starts_with('.') {
        return format!("{name}.{extension}");
    }
    let hash = benchmark.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let short: String = name
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .take(80)
        .collect();
    format!("{}-{hash:016x}.{extension}", short.trim_start_matches('.'))
}

fn message(path: &Path) -> impl Fn(&dyn std::fmt::Display) -> ToolProblem + use<'_> {
    |e| ToolProblem::Message(format!("{}: {e}", path.display()))
}

/// Reads a file, and the profiles that are there. One that does not belong to the text is an error.
pub fn read(file: &Path) -> Result<BenchmarkSet, ToolProblem> {
    let text = fs::read_to_string(file).map_err(|e| message(file)(&e))?;
    let record = Record::read(&text).map_err(|e| message(file)(&e))?;
    let mut set = BenchmarkSet {
        jdk: record.jdk,
        ..BenchmarkSet::default()
    };
    for (name, benchmark) in record.benchmarks {
        let path = folder(file).join(file_name(&name, "rjp"));
        let mut measured = MeasuredBenchmark {
            benchmark,
            profile: None,
        };
        if path.is_file() {
            let profile =
                Profile::read_file(&path).map_err(|e| ToolProblem::Message(e.to_string()))?;
            let same = MeasuredBenchmark::of(profile);
            if same.benchmark != measured.benchmark {
                return Err(message(&path)(&format_args!(
                    "this profile does not match the counts in {}",
                    file.display()
                )));
            }
            measured = same;
        }
        set.all.insert(name, measured);
    }
    Ok(set)
}

/// Writes a file and its profiles, and removes the profiles that were there.
pub fn write(file: &Path, set: &BenchmarkSet) -> Result<(), ToolProblem> {
    let folder = folder(file);
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|e| e == "rjp") {
            fs::remove_file(entry.path()).map_err(|e| message(&entry.path())(&e))?;
        }
    }
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent).map_err(|e| message(parent)(&e))?;
    }
    for (name, measured) in &set.all {
        let Some(profile) = &measured.profile else {
            continue;
        };
        fs::create_dir_all(&folder).map_err(|e| message(&folder)(&e))?;
        let path = folder.join(file_name(name, "rjp"));
        let mut bytes = Vec::new();
        rjp::write(profile, &mut bytes).map_err(|e| message(&path)(&e))?;
        fs::write(&path, bytes).map_err(|e| message(&path)(&e))?;
    }
    fs::write(file, set.record().to_string()).map_err(|e| message(file)(&e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_those_of_benchmarks() {
        assert_eq!(file_name("com.acme.A::f", "rjp"), "com.acme.A.f.rjp");
        let odd = [
            file_name("a/b", "x"),
            file_name("a b", "x"),
            file_name("..", "x"),
        ];
        assert!(
            odd.iter().all(|n| !n.contains('/') && !n.starts_with('.')),
            "{odd:?}"
        );
        assert_ne!(odd[0], odd[1]);
    }
}
