//! Profiles as Parquet: a thousand files, read by DuckDB and by Spark (where these are installed), give the figures that
//! the profiles have, and the queries of `docs/parquet.md` run.
#![cfg(feature = "parquet")]

mod common;
#[path = "../profiler/tests/readers/mod.rs"]
#[allow(dead_code, reason = "no page is shown here")]
mod programs;

use common::{tests_dir, work_dir};
use rjvm::profiler::Profile;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// How many files there are.
const FILES: usize = 1_000;

/// The profiles of the files, in their order: the oracle's programs in turn, at ten commits that make them dearer.
fn profiles() -> Vec<Profile> {
    let folder = tests_dir().join("oracle/expected");
    let mut names = common::files_with_extension(&folder, "txt");
    names.retain(|file| file.to_string_lossy().ends_with(".sites.txt"));
    names.sort();
    let read = |file: &PathBuf| {
        let mut profile = Profile::read_file(file).expect("the oracle's profiles can be read");
        let program = common::stem(file).replace(".sites", "");
        profile.about.push(("Program".into(), program));
        profile
    };
    let read: Vec<Profile> = names.iter().map(read).collect();
    assert_eq!(read.len(), 22);
    let made = (0..FILES).map(|i| {
        let base = &read[i % read.len()];
        let commit = (i / read.len()) as u64 % 10;
        let mut profile = base.weighed(|thread, node, _| {
            let tree = &base.threads[thread].tree;
            tree.nodes()[node as usize].bytecodes * (10 + commit) + i as u64
        });
        // A part of the contexts is in some commits only.
        if commit < 5 {
            let app = |m: &rjvm::profiler::MethodInfo| m.name == "main";
            profile = profile.within(app).expect("a part");
        }
        profile.about.push(("commit".into(), format!("c{commit}")));
        profile.about.push(("host".into(), format!("h{}", i % 3)));
        profile
    });
    made.collect()
}

/// A folder with the files in `runs/`.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = work_dir().join("parquet");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("runs")).expect("the work folder can be made");
        for (i, profile) in profiles().iter().enumerate() {
            let file = folder.join(format!("runs/{i:04}.parquet"));
            rjvm::profiler::export::write_file(profile, &file).expect("a profile is written");
        }
        folder
    })
}

/// What an engine says to statements; none if it is not installed.
fn asked(engine: &str, sql: &str) -> Option<Vec<Value>> {
    let python = std::env::var("RJVM_PYTHON").unwrap_or_else(|_| "python3".into());
    let module = match engine {
        "spark" => "pyspark",
        engine => engine,
    };
    let there = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .output();
    if !there.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: {module} is not installed for {python}");
        return None;
    }
    let statements = folder().join(format!("{engine}-{:x}.sql", sql.len()));
    std::fs::write(&statements, sql).expect("the statements are written");
    let mut command = Command::new(&python);
    command.arg(tests_dir().join("parquet/ask.py")).arg(engine);
    command.arg(folder()).arg(&statements);
    let text = programs::output(&mut command)?;
    let lines = text.lines().filter(|line| line.starts_with('['));
    Some(
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect(),
    )
}

/// What the profiles themselves say to [`FIGURES`].
fn figures() -> Vec<Value> {
    let profiles = profiles();
    let (mut runs, mut classes, mut commits) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    let mut contexts = [0u64; 4];
    for profile in &profiles {
        runs.push(profile.totals());
        for row in profile.flat() {
            let class = profile.methods[row.method as usize].class.clone();
            let sums: &mut [u64; 4] = classes.entry(class).or_default();
            let own = [row.bytecodes, row.inclusive, row.calls, row.contexts];
            sums.iter_mut().zip(own).for_each(|(sum, n)| *sum += n);
        }
        let commit = profile
            .about
            .iter()
            .find(|(name, _)| name == "commit")
            .expect("a commit");
        *commits.entry(commit.1.clone()).or_insert(0u64) += profile.totals().bytecodes;
        for thread in &profile.threads {
            let sums = thread.tree.inclusive();
            for (index, (depth, node)) in thread.tree.preorder().enumerate() {
                let own = [1, node.bytecodes, sums[index], depth as u64];
                contexts.iter_mut().zip(own).for_each(|(sum, n)| *sum += n);
            }
        }
    }
    let sum = |of: fn(&rjvm::profiler::Totals) -> u64| runs.iter().map(of).sum::<u64>();
    let run = serde_json::json!([[
        runs.len(),
        sum(|t| t.bytecodes),
        sum(|t| t.invocations),
        sum(|t| t.nodes)
    ]]);
    let classes: Vec<Value> = classes
        .iter()
        .map(|(class, n)| serde_json::json!([class, n[0], n[1], n[2], n[3]]))
        .collect();
    let commits: Vec<Value> = commits
        .iter()
        .map(|(commit, n)| serde_json::json!([commit, n]))
        .collect();
    vec![
        run,
        Value::from(classes),
        Value::from(commits),
        serde_json::json!([contexts]),
    ]
}

const FIGURES: &str = "SELECT count(*), CAST(sum(self) AS BIGINT), CAST(sum(calls) AS BIGINT), CAST(sum(contexts) AS BIGINT) \
 FROM runs WHERE record = 'run';
SELECT class, CAST(sum(self) AS BIGINT), CAST(sum(inclusive) AS BIGINT), CAST(sum(calls) AS BIGINT), CAST(sum(contexts) AS BIGINT) \
 FROM runs WHERE record = 'method' GROUP BY class ORDER BY class;
SELECT commit, CAST(sum(self) AS BIGINT) FROM runs WHERE record = 'run' GROUP BY commit ORDER BY commit;
SELECT count(*), CAST(sum(self) AS BIGINT), CAST(sum(inclusive) AS BIGINT), CAST(sum(depth) AS BIGINT) \
 FROM runs WHERE record = 'context';
";

#[test]
fn duckdb_reads_the_figures_of_a_thousand_profiles() {
    let view =
        "CREATE VIEW runs AS SELECT * FROM read_parquet('runs/*.parquet', filename = true);\n";
    if let Some(said) = asked("duckdb", &format!("{view}{FIGURES}")) {
        assert_eq!(said[1..], figures());
    }
}

#[test]
fn spark_reads_the_figures_of_a_thousand_profiles() {
    if let Some(said) = asked("spark", FIGURES) {
        assert_eq!(said, figures());
    }
}

#[test]
fn the_cookbook_works() {
    let page = std::fs::read_to_string(tests_dir().join("../docs/parquet.md")).expect("the page");
    let blocks: Vec<&str> = page
        .split("```sql\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert_eq!(blocks.len(), 11);
    let Some(said) = asked("duckdb", &blocks.concat()) else {
        return;
    };
    assert_eq!(said.len(), blocks.len());
    for (answer, block) in said.iter().zip(&blocks).skip(1) {
        let rows = answer.as_array().expect("rows");
        assert!(!rows.is_empty(), "nothing is said to\n{block}");
    }
    // Contexts of main and below are in all commits, the others in the later five.
    let appeared = said[4].as_array().expect("rows");
    let (early, late): (Vec<_>, Vec<_>) = profiles()
        .into_iter()
        .filter_map(|p| {
            let commit = p.about.iter().find(|(name, _)| name == "commit")?.1.clone();
            ["c0", "c9"]
                .contains(&commit.as_str())
                .then_some((commit == "c0", p))
        })
        .partition(|(early, _)| *early);
    let paths = |all: &[(bool, Profile)]| -> std::collections::BTreeSet<String> {
        let contexts = all
            .iter()
            .flat_map(|(_, p)| p.contexts().map(|c| c.path()).collect::<Vec<_>>());
        contexts.collect()
    };
    let expected = paths(&late).difference(&paths(&early)).count();
    assert_eq!(appeared.len(), expected);
}

#[test]
fn the_tools_write_what_they_tell() {
    let sites = tests_dir().join("oracle/expected/Loops.sites.txt");
    let file = folder().join("tool.parquet");
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_rjvm"))
            .arg("profile")
            .args(args)
            .output();
        let output = output.expect("rjvm starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("text")
    };
    let [sites, file] = [&sites, &file].map(|path| path.to_str().expect("a plain path"));
    run(&[
        "convert",
        sites,
        "--label=commit=abc",
        "--label=why=a \"b\"",
        "-o",
        file,
    ]);
    let first = std::fs::read(file).expect("a file");
    run(&[
        "convert",
        sites,
        "--label=commit=abc",
        "--label=why=a \"b\"",
        "-o",
        file,
    ]);
    assert!(
        first == std::fs::read(file).expect("a file"),
        "equal runs give equal files"
    );
    assert!(first.starts_with(b"PAR1") && first.ends_with(b"PAR1"));
    let sql = "SELECT class || '.' || method || descriptor, self, inclusive, calls, contexts FROM 'tool.parquet' \
               WHERE record = 'method' ORDER BY 1;\n\
               SELECT DISTINCT commit, json_extract_string(manifest, '$.why') FROM 'tool.parquet';\n";
    let Some(said) = asked("duckdb", sql) else {
        return;
    };
    let told: Value =
        serde_json::from_str(&run(&["top", sites, "--limit=0", "--json"])).expect("JSON");
    let mut rows: Vec<Value> = told["methods"]
        .as_array()
        .expect("methods")
        .iter()
        .map(|row| {
            serde_json::json!([
                row["method"],
                row["bytecodes"],
                row["inclusive"],
                row["invocations"],
                row["contexts"]
            ])
        })
        .collect();
    rows.sort_by_key(|row| row[0].as_str().map(str::to_owned));
    assert_eq!(said[0], Value::from(rows));
    assert_eq!(said[1], serde_json::json!([["abc", "a \"b\""]]));
}
