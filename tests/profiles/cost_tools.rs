//! `rjvm profile cost` and `rjvm profile fit`: costs of programs whose counts an independent profiler took.

use crate::common;
use crate::common::{example_classes, tests_dir, work_dir};
use rjvm::profiler::Profile;
use std::path::PathBuf;

/// Runs a tool: exit code, standard output, standard error.
fn tool(args: &[&str]) -> (i32, String, String) {
    let (out, err, code) = common::tool::profile_tool(args);
    (code, out, err)
}

/// The output of a tool that succeeds and has nothing to note.
fn done(args: &[&str]) -> String {
    let (code, out, err) = tool(args);
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

fn file(name: &str) -> PathBuf {
    let dir = work_dir().join("cost-tools");
    std::fs::create_dir_all(&dir).expect("the work folder can be made");
    dir.join(name)
}

fn written(name: &str, text: &str) -> String {
    let file = file(name);
    std::fs::write(&file, text).expect("the file can be written");
    file.display().to_string()
}

fn classes(name: &str) -> String {
    format!("--classes={}", example_classes(name).display())
}

/// The programs whose counts of bytecodes are known.
fn programs() -> Vec<String> {
    let sources = common::files_with_extension(&tests_dir().join("oracle"), "java");
    let names = sources.iter().map(|source| common::stem(source));
    let sites = |name: &String| tests_dir().join(format!("oracle/expected/{name}.sites.txt"));
    names.filter(|name| sites(name).exists()).collect()
}

#[test]
fn one_for_each_bytecode_gives_the_profile_back() {
    let programs = programs();
    assert_eq!(programs.len(), 22);
    for name in programs {
        let sites = format!("{name}.sites.txt");
        let args = [
            "cost",
            &sites,
            "--model=bytecodes",
            &classes(&name),
            "-fpaths",
            "--no-prune",
        ];
        let (code, out, err) = tool(&args);
        assert_eq!(code, 0, "{name}: {err}");
        let own = done(&["convert", &sites, "-fpaths", "--no-prune"]);
        assert!(out == own, "{name}");
    }
}

/// The cost of all contexts, as JSON reports it.
fn total(args: &[&str]) -> u64 {
    let (code, out, err) = tool(&[&["cost", "--json"], args].concat());
    assert_eq!(code, 0, "{args:?}: {err}");
    let at = out.find("\"total\":").expect("a total") + "\"total\":".len();
    let rest = out[at..].trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().expect("a number")
}

#[test]
fn models_of_ones_own_charge_what_they_say() {
    let classes = classes("Exceptions");
    let metrics = done(&["metrics", "Exceptions.sites.txt", &classes, "--limit=0"]);
    let executed = |mnemonic: &str| -> u64 {
        let row = metrics
            .lines()
            .find(|line| line.ends_with(&format!("  {mnemonic}")));
        let words = row.map(|row| row.split_whitespace().next().unwrap_or("").parse());
        words.map_or(0, |n| n.expect("a number"))
    };
    assert!(executed("athrow") > 0 && executed("iload_0") > 0);
    let model = "name = \"own\"\nunit = \"ticks\"\n[parameters]\nthrowing = 50\n[opcodes]\n\"*\" = 0\n\
                 athrow = \"throwing\"\n\"iload*\" = 2\n";
    let model = written("own.toml", model);
    let loads: u64 = ["iload", "iload_0", "iload_1", "iload_2", "iload_3"]
        .iter()
        .map(|name| executed(name))
        .sum();
    let with = |model: &str| {
        total(&[
            "Exceptions.sites.txt",
            &classes,
            &format!("--model={model}"),
        ])
    };
    assert_eq!(with(&model), 50 * executed("athrow") + 2 * loads);
    let set = format!("{model}:throwing=3");
    assert_eq!(with(&set), 3 * executed("athrow") + 2 * loads);
}

#[test]
fn tables_have_models_side_by_side() {
    let classes = classes("Iterating");
    let model = "--model=jop,jop:hit=0,bytecodes";
    let args = ["cost", "Iterating.sites.txt", &classes, model];
    let text = done(&args);
    let heads: Vec<&str> = text.lines().take(3).collect();
    assert!(
        heads[0].starts_with("jop: ") && heads[0].ends_with(" cycles"),
        "{text}"
    );
    assert!(
        heads[1].starts_with("jop:hit=0: ") && heads[2].ends_with(" bytecodes"),
        "{text}"
    );
    // Misses cost more than hits, and each method at least a cycle for a bytecode.
    let number = |line: &str| -> u64 {
        let words: Vec<&str> = line.split_whitespace().collect();
        words[words.len() - 2].parse().expect("a number")
    };
    let [hit, miss, bytecodes] = [0, 1, 2].map(|i| number(heads[i]));
    assert!(bytecodes < hit && hit < miss, "{text}");
    for by in ["method", "context", "line"] {
        let text = done(&[&args[..], &[&format!("--by={by}"), "--limit=0"]].concat());
        let rows: Vec<&str> = text.lines().skip(5).collect();
        assert!(!rows.is_empty(), "{text}");
        // What rows cost themselves is the whole.
        let own = |row: &&str| -> u64 {
            let word = row.split_whitespace().nth(1).expect("a second column");
            word.parse().expect("a number")
        };
        assert_eq!(rows.iter().map(own).sum::<u64>(), hit, "{by}: {text}");
    }
}

#[test]
fn any_output_reports_the_unit() {
    let classes = classes("Recursion");
    let outputs: Vec<String> = [
        "rjp",
        "html",
        "txt",
        "folded",
        "callgrind",
        "speedscope.json",
        "pb.gz",
    ]
    .iter()
    .map(|extension| file(&format!("unit.{extension}")).display().to_string())
    .collect();
    let mut args = vec!["cost", "Recursion.sites.txt", &classes, "--model=jop"];
    for output in &outputs {
        args.extend(["-o", output]);
    }
    done(&args);
    let read = |name: &str| std::fs::read(file(name)).expect("it was written");
    let profile = Profile::read(&mut &read("unit.rjp")[..]).expect("a profile");
    let cost = total(&["Recursion.sites.txt", &classes, "--model=jop"]);
    assert_eq!(
        (profile.unit(), profile.totals().bytecodes),
        ("cycles", cost)
    );
    let text = String::from_utf8(read("unit.txt")).expect("text");
    assert!(text.contains(&format!("{cost} cycles")), "{text}");
    let callgrind = String::from_utf8(read("unit.callgrind")).expect("text");
    assert!(callgrind.contains("\nevents: Cost\n") && callgrind.contains("event: Cost : cycles\n"));
    let speedscope = String::from_utf8(read("unit.speedscope.json")).expect("text");
    assert!(speedscope.contains("cycles"));
    let folded = String::from_utf8(read("unit.folded")).expect("text");
    let sum = |line: &str| -> u64 {
        line.rsplit(' ')
            .next()
            .and_then(|n| n.parse().ok())
            .unwrap_or(0)
    };
    assert_eq!(folded.lines().map(sum).sum::<u64>(), cost);
}

#[test]
fn two_models_make_a_differential_flame_graph() {
    let classes = classes("Iterating");
    let page = file("diff.html").display().to_string();
    let args = [
        "cost",
        "Iterating.sites.txt",
        &classes,
        "--model=bytecodes,jop",
        "--diff",
    ];
    assert_eq!(done(&[&args[..], &["-o", &page]].concat()), "");
    let page = std::fs::read_to_string(&page).expect("a page");
    assert!(page.contains("bytecodes | jop in the same sum"), "no title");
    // The same sum before and after, so that only shares differ.
    let text = done(&args);
    let first = text.lines().next().unwrap_or("");
    assert!(
        first.starts_with("Bytecodes: ") && first.ends_with("(No change)"),
        "{first}"
    );
    assert!(text.contains('+') && text.contains('-'), "{text}");
    let (code, _, err) = tool(&["cost", "Recursion.sites.txt", "--model=jop", "--diff"]);
    assert_eq!(
        (code, &*err),
        (1, "rjvm: error: --diff compares two models\n")
    );
}

#[test]
fn mistakes_are_reported() {
    let wrong = written(
        "wrong.toml",
        "name = \"x\"\nunit = \"y\"\n[opcodes]\n\"*\" = 1\niad = 2\n",
    );
    let cases: [(&[&str], &str); 6] = [
        (
            &["Recursion.sites.txt", "--model=jopp"],
            "rjvm: error: --model=jopp: unknown model 'jopp': the models are bytecodes, jop, ",
        ),
        (
            &["Recursion.sites.txt", "--model=jop:hit"],
            "rjvm: error: --model=jop:hit: 'hit': expected NAME=NUMBER",
        ),
        (
            &["Recursion.sites.txt", "--model=jop:heat=1"],
            "rjvm: error: jop:1:1: the model has no parameter 'heat'; its parameters are r, w, hit, ",
        ),
        (
            &["Recursion.txt", "--model=jop"],
            "rjvm: error: the profile has no counts of single bytecodes: record it with --profile=blocks",
        ),
        (
            &["Recursion.sites.txt", "--model=jop", "--root=Nothing::at"],
            "rjvm: error: Recursion.sites.txt: no method of --root was executed",
        ),
        (
            &[
                "Recursion.sites.txt",
                "--model=jop,bytecodes",
                "-o",
                "/tmp/x.html",
            ],
            "rjvm: error: a file has the costs of one model; --diff needs two",
        ),
    ];
    for (args, expected) in cases {
        let (code, out, err) = tool(&[&["cost"], args].concat());
        assert!(err.starts_with(expected), "{args:?}: {err}");
        assert_eq!((code, &*out), (1, ""), "{args:?}");
    }
    let (code, _, err) = tool(&["cost", "Recursion.sites.txt", &format!("--model={wrong}")]);
    assert_eq!(
        (code, err),
        (
            1,
            format!("rjvm: error: {wrong}:5:1: unknown opcode 'iad'\n")
        )
    );
    // Without the classes, bytecodes cost what nothing else reports, and that is reported.
    let (code, _, err) = tool(&["cost", "Recursion.sites.txt", "--model=bytecodes"]);
    assert_eq!(code, 0);
    assert!(
        err.starts_with("rjvm: note: bytecodes: the code of "),
        "{err}"
    );
}

#[test]
fn a_fit_finds_what_programs_were_made_to_cost() {
    let model = "name = \"m\"\nunit = \"ns\"\n[parameters]\nplain = 1\ncalling = 10 # begins here\n[opcodes]\n\
                 \"*\" = \"plain\"\n\"invoke*\" = \"plain + calling\"\n";
    let model = written("fit.toml", model);
    let truth = format!("--model={model}:plain=3:calling=40");
    let all: Vec<PathBuf> = programs()
        .iter()
        .map(|name| example_classes(name))
        .collect();
    let classes: Vec<String> = all
        .iter()
        .map(|path| format!("--classes={}", path.display()))
        .collect();
    let mut measured = String::from("# profile, cost, name\n");
    let mut used = 0;
    for (name, classes) in programs().iter().zip(&classes) {
        // Another program has a class of the same name as one of its own.
        if name == "KomoriumFoo" {
            continue;
        }
        let sites = tests_dir().join(format!("oracle/expected/{name}.sites.txt"));
        let sites = sites.display().to_string();
        let (code, out, err) = tool(&["cost", &sites, &truth, classes, "--json"]);
        assert_eq!(code, 0, "{err}");
        // Programs that make code at run time say little.
        if err.is_empty() {
            let at = out.find("\"total\":").expect("a total") + 8;
            let cost: String = out[at..]
                .trim_start()
                .chars()
                .take_while(char::is_ascii_digit)
                .collect();
            measured.push_str(&format!("{sites}\t{cost}\t{name}\n"));
            used += 1;
        }
    }
    assert!(used >= 12, "{used} programs");
    let measured = written("measured.tsv", &measured);
    let found = file("found.toml").display().to_string();
    let requested = format!("--model={model}");
    let mut args = vec!["fit", &measured, &requested, "-o", &found];
    args.extend(classes.iter().map(String::as_str));
    let text = done(&args);
    let last = text.lines().last().unwrap_or("");
    assert!(
        last.starts_with(&format!("{used} programs; mean error 0.0 %")),
        "{text}"
    );
    let found = std::fs::read_to_string(&found).expect("a model");
    let value = |name: &str| -> f64 {
        let row = found
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name} = ")));
        let word = row.and_then(|row| row.split(' ').next());
        word.and_then(|word| word.parse().ok()).expect("a number")
    };
    assert!((value("plain") - 3.0).abs() < 0.05, "{found}");
    assert!((value("calling") - 40.0).abs() < 1.0, "{found}");
    assert!(found.contains("# begins here"), "{found}");
    let bad = written("bad.tsv", "x.rjp\tfast\n");
    let (code, _, err) = tool(&["fit", &bad, &requested]);
    assert_eq!(
        (code, err),
        (
            1,
            format!("rjvm: error: {bad}:1: the second column is not a number\n")
        )
    );
}

/// What models of a JVM charge natives for is what the class library calls.
#[test]
fn models_of_java_charge_for_stack_traces_and_throws() {
    let options = [
        "--profile=blocks",
        "--allocations",
        "--quiet",
        "-o",
        "x.rjp",
    ];
    let (got, dir) = common::example("Exceptions", "costs-of-exceptions", &options);
    assert_eq!(got.exit, 0, "{}", got.err());
    let file = dir.join("x.rjp").display().to_string();
    let top = done(&["top", &file, "--limit=0", "--json"]);
    let top: serde_json::Value = serde_json::from_str(&top).expect("JSON");
    let methods = top["methods"].as_array().expect("methods");
    let calls = |name: &str| -> u64 {
        let of = methods
            .iter()
            .filter(|m| m["method"].as_str().is_some_and(|m| m.starts_with(name)));
        of.filter_map(|m| m["invocations"].as_u64()).sum()
    };
    let traces = calls("java.lang.Throwable.fillInStackTrace(I)");
    assert!(traces > 10, "{traces}");
    let classes = classes("Exceptions");
    // Hidden classes have no class files: the note counts bytecodes, whatever the model's unit is.
    let (_, _, note) = tool(&["cost", &file, &classes, "--model=xint-25"]);
    assert!(
        note.contains(&format!(" of {} bytecodes get", top["bytecodes"])),
        "{note}"
    );
    for model in ["xint-17", "xint-25"] {
        let with = |set: &str| total(&[&file, &classes, &format!("--model={model}:{set}")]);
        assert_eq!(
            with("trace=5000") - with("trace=1000"),
            4000 * traces,
            "{model}"
        );
        assert!(with("throw=5000") > with("throw=1000"), "{model}");
        let parked = with("park=5000") - with("park=1000");
        let parks =
            calls("jdk.internal.misc.Unsafe.park(") + calls("jdk.internal.misc.Unsafe.unpark(");
        assert_eq!(parked, 4000 * parks, "{model}");
        let defined = with("define=5000") - with("define=1000");
        let defines: u64 = (0..3)
            .map(|i| calls(&format!("java.lang.ClassLoader.defineClass{i}(")))
            .sum();
        assert_eq!(defined, 4000 * defines, "{model}");
    }
}
