//! Profiles as Parquet: a thousand files, read by DuckDB and by Spark (where these are installed), give the figures that
//! the profiles have, and the queries of `docs/parquet.md` run.
#![cfg(feature = "parquet")]

use crate::common;
use crate::common::{not_checked, tests_dir, work_dir};
use crate::programs;
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
        let mut profile = base.clone().weighed(|_, tree, node, _| {
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

/// What an engine says to statements of a folder with files in `runs/`; none if it is not installed.
fn requested(engine: &str, folder: &Path, sql: &str) -> Option<Vec<Value>> {
    let python = std::env::var("RJVM_PYTHON").unwrap_or_else(|_| "python3".into());
    let module = match engine {
        "spark" => "pyspark",
        engine => engine,
    };
    let there = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .output();
    if !there.is_ok_and(|output| output.status.success()) {
        not_checked(&format!("{module} is not installed for {python}"));
        return None;
    }
    let statements = folder.join(format!("{engine}-{:x}.sql", sql.len()));
    std::fs::write(&statements, sql).expect("the statements are written");
    let mut command = Command::new(&python);
    command
        .arg(tests_dir().join("profiles/parquet/ask.py"))
        .arg(engine);
    command.arg(folder).arg(&statements);
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
    if let Some(message) = requested("duckdb", folder(), &format!("{view}{FIGURES}")) {
        assert_eq!(message[1..], figures());
    }
}

#[test]
fn spark_reads_the_figures_of_a_thousand_profiles() {
    if let Some(message) = requested("spark", folder(), FIGURES) {
        assert_eq!(message, figures());
    }
}

/// The statements of the cookbook: the view, and the questions.
fn cookbook() -> Vec<String> {
    let page = std::fs::read_to_string(tests_dir().join("../docs/parquet.md")).expect("the page");
    let blocks = page
        .split("```sql\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    let blocks: Vec<String> = blocks.map(str::to_owned).collect();
    assert_eq!(blocks.len(), 12);
    blocks
}

#[test]
fn the_cookbook_works_on_a_thousand_profiles() {
    let blocks = cookbook();
    let Some(message) = requested("duckdb", folder(), &blocks.concat()) else {
        return;
    };
    assert_eq!(message.len(), blocks.len());
    for (answer, block) in message.iter().zip(&blocks).skip(1) {
        let rows = answer.as_array().expect("rows");
        // Of locks and heap dumps there is nothing here.
        let none = block.contains("[monitor]") || block.contains("'heap'");
        assert_eq!(rows.is_empty(), none, "{rows:?} is said to\n{block}");
    }
    // Contexts of main and below are in all commits, the others in the later five.
    let appeared = message[4].as_array().expect("rows");
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
fn the_tools_write_what_they_report() {
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
    let Some(message) = requested("duckdb", folder(), sql) else {
        return;
    };
    let reported: Value =
        serde_json::from_str(&run(&["top", sites, "--limit=0", "--json"])).expect("JSON");
    let mut rows: Vec<Value> = reported["methods"]
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
    assert_eq!(message[0], Value::from(rows));
    assert_eq!(message[1], serde_json::json!([["abc", "a \"b\""]]));
}

/// A folder with runs of the VM: a program at two commits, a second program, threads that block each other, a heap dump.
fn real() -> PathBuf {
    let dir = common::tool::folder("parquet", "real");
    std::fs::create_dir_all(dir.join("runs")).expect("a folder");
    let compiled = |name: &str, source: &str| {
        let classes =
            common::jdk::compile(name, &[tests_dir().join(source)], &[], Path::new("none"));
        classes.display().to_string()
    };
    let loops = compiled("parquet-loops", "profiles/parquet/Loops.java");
    let locked = compiled("parquet-locked", "causes/locks/Locked.java");
    let rjvm = |args: &[&str]| {
        let (out, err, exit) = common::tool::rjvm(&dir, args);
        assert_eq!(exit, 0, "{args:?}: {err}");
        out
    };
    let exact = ["--profile=exact", "--allocations", "--quiet", "-o"];
    for (i, (commit, size)) in [("c0", "1"), ("c0", "1"), ("c9", "3"), ("c9", "4")]
        .iter()
        .enumerate()
    {
        let own = ["x.rjp", "--deterministic=7", "-cp", &loops, "Loops", size];
        rjvm(&[&exact[..], &own].concat());
        let labels = [
            format!("--label=commit={commit}"),
            format!("--label=host=h{}", i % 2),
        ];
        let file = format!("runs/{i}.parquet");
        rjvm(&[
            "profile", "convert", "x.rjp", &labels[0], &labels[1], "-o", &file,
        ]);
    }
    let own = ["runs/locked.parquet", "-cp", &locked, "Locked", "convoy"];
    rjvm(&[&exact[..], &own].concat());
    let locks = [
        "--profile=locks",
        "--locks=locks.txt",
        "--quiet",
        "-o",
        "runs/locks.parquet",
    ];
    rjvm(&[&locks[..], &["-cp", &locked, "Locked", "convoy"]].concat());
    let hprof = "-agentlib:hprof=heap=all,format=b,file=x.hprof";
    rjvm(&[hprof, "-cp", &loops, "Loops", "1"]);
    let labels = ["--label=Program=Loops", "--label=commit=c0"];
    rjvm(&[
        "heap",
        "sites",
        "x.hprof",
        labels[0],
        labels[1],
        "-o",
        "runs/heap.parquet",
    ]);
    dir
}

#[test]
fn the_cookbook_works_on_runs_of_locks_and_heaps_too() {
    let dir = real();
    let more = "SELECT class, method, CAST(sum(self) AS BIGINT) FROM runs WHERE record = 'method' AND unit = 'bytecodes' \
                AND filename LIKE '%/3.parquet' GROUP BY class, method, descriptor ORDER BY 3 DESC, 1, 2 LIMIT 1;\n\
                SELECT commit, CAST(sum(live_bytes) AS BIGINT), CAST(sum(live_objects) AS BIGINT), CAST(sum(bytes) AS BIGINT), \
                count(*) FROM runs WHERE record = 'heap' AND stack IS NOT NULL GROUP BY commit;\n\
                SELECT class, method, line, live_objects, stack FROM runs WHERE record = 'heap' AND allocated = 'int[]' \
                AND class = 'Loops';\n";
    let blocks = cookbook();
    let Some(message) = requested("duckdb", &dir, &(blocks.concat() + more)) else {
        return;
    };
    let rows = |at: usize| message[at].as_array().expect("rows");
    for (at, block) in blocks.iter().enumerate().skip(1) {
        assert!(!rows(at).is_empty(), "nothing is said to\n{block}");
    }
    let has = |at: usize, row: &[&str]| {
        let fits = |given: &Value| row.iter().enumerate().all(|(i, part)| given[i] == *part);
        assert!(rows(at).iter().any(fits), "{row:?}: {:?}", rows(at));
    };
    // What the later commit does is in three questions of it.
    has(3, &["Loops", "work"]);
    has(4, &["Loops", "added"]);
    has(8, &["Loops", "Loops", "work"]);
    assert_eq!(rows(12)[0][0], "Loops");
    // Contention by class is what the VM's own table reports.
    let table = std::fs::read_to_string(dir.join("locks.txt")).expect("the table");
    let figures = |class: &str| -> Vec<u64> {
        let line = table.lines().find(|l| l.ends_with(&format!("  {class}")));
        let words = line.expect("the class").split_whitespace().take(2);
        words
            .map(|w| w.replace(',', "").parse().expect("a number"))
            .collect()
    };
    for class in [
        "Locked$Till",
        "java.util.concurrent.locks.ReentrantLock$NonfairSync",
    ] {
        let row = rows(9)
            .iter()
            .find(|row| row[0] == class)
            .expect("the class");
        let [times, lost] = figures(class)[..] else {
            panic!("{table}")
        };
        assert_eq!(
            (row[1].as_u64(), row[2].as_u64()),
            (Some(times), Some(lost)),
            "{table}"
        );
    }
    // The heap's sites are those that `rjvm heap sites` reports.
    let (out, _, _) =
        common::tool::rjvm(&dir, &["heap", "sites", "x.hprof", "--json", "--limit=0"]);
    let reported: Value = serde_json::from_str(&out).expect("JSON");
    let sites = reported["sites"].as_array().expect("sites");
    let sum = |of: &str| sites.iter().filter_map(|s| s[of].as_u64()).sum::<u64>();
    let expected = serde_json::json!([[
        "c0",
        sum("bytes"),
        sum("objects"),
        sum("allocatedBytes"),
        sites.len()
    ]]);
    assert_eq!(message[13], expected);
    assert_eq!(reported["bytesWithSite"].as_u64(), Some(sum("bytes")));
    let kept = rows(14);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(
        (&kept[0][1], &kept[0][2], &kept[0][3]),
        (&"main".into(), &13.into(), &40.into())
    );
    assert!(
        kept[0][4]
            .as_str()
            .is_some_and(|s| s.starts_with("Loops.main(Loops.java:13)"))
    );
    has(11, &["int[]"]);
}

#[test]
fn sites_are_written_as_parquet_alone() {
    let dir = common::tool::folder("parquet", "alone");
    let (classes, hprof) = (
        common::example_classes("Loops"),
        "-agentlib:hprof=heap=all,format=b,file=x.hprof",
    );
    let classes = classes.display().to_string();
    let (_, err, exit) = common::tool::rjvm(&dir, &[hprof, "-cp", &classes, "Loops"]);
    assert_eq!(exit, 0, "{err}");
    let (_, err, exit) = common::tool::rjvm(&dir, &["heap", "sites", "x.hprof", "-o", "x.csv"]);
    assert_eq!(exit, 1);
    assert!(
        err.contains("x.csv: rjvm can write sites only as .parquet"),
        "{err}"
    );
    for name in ["a.parquet", "b.parquet"] {
        let (_, err, exit) = common::tool::rjvm(&dir, &["heap", "sites", "x.hprof", "-o", name]);
        assert_eq!(exit, 0, "{err}");
    }
    let read = |name: &str| std::fs::read(dir.join(name)).expect("a file");
    assert!(read("a.parquet").starts_with(b"PAR1"));
    assert!(
        read("a.parquet") == read("b.parquet"),
        "equal dumps give equal files"
    );
}
