//! The templates for CI do what they say: their scripts run here as a runner would run them.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, root};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn template(name: &str) -> String {
    let path = root().join("ci-templates").join(name);
    std::fs::read_to_string(path).expect("it is committed")
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The scripts of the steps, in their order: the lines below `run: |`.
fn run_steps(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = (0..lines.len()).filter(|&i| lines[i].trim_end().ends_with("run: |"));
    let step = |at: usize| {
        let outer = indent(lines[at]);
        let inside = lines[at + 1..].iter();
        let inside = inside.take_while(|l| l.trim().is_empty() || indent(l) > outer);
        inside.map(|l| format!("{}\n", l.trim_start())).collect()
    };
    begins.map(step).collect()
}

/// The lines of a list below a key.
fn items(text: &str, key: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|l| l.trim() != key).skip(1);
    let items = lines.map_while(|l| l.trim_start().strip_prefix("- "));
    items.map(str::to_owned).collect()
}

/// A project's folder with two profiles, of which the second one has executed more.
struct Project {
    name: String,
    dir: PathBuf,
}

impl Project {
    fn new(name: &str) -> Project {
        let dir = Run::new(&vm(), &format!("ci-{name}")).dir();
        let source = root().join("examples/ThreeBugs.java");
        let classes = jdk::compile("ci-templates", &[source], &["-g"], Path::new("none"));
        for (profile, rows) in [("before.rjp", "100"), ("after.rjp", "103")] {
            let run = Run::new(&vm(), &format!("ci-{name}-{rows}"));
            let run = run
                .args(["--profile=exact", "--quiet", "-o"])
                .arg(dir.join(profile))
                .arg("-cp")
                .arg(&classes)
                .args(["ThreeBugs", rows]);
            let run = run.finish();
            assert_eq!(run.exit, 0, "{}", run.err());
        }
        Project {
            name: name.to_owned(),
            dir,
        }
    }

    /// A program that notes its arguments, and its reactions to them.
    fn program(&self, name: &str, does: &str) {
        let path = self.dir.join("bin").join(name);
        std::fs::create_dir_all(path.parent().expect("bin")).expect("the folder is writable");
        let text = format!("#!/bin/sh\necho \"$@\" >> ../{name}.log\n{does}\n");
        std::fs::write(
            &path,
            text.replace("../", &format!("{}/", self.dir.display())),
        )
        .expect("the folder is writable");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
            .expect("it is ours");
    }

    fn bash(&self, script: &str, env: &[(&str, &str)]) -> Outcome {
        let others = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(self.dir.join("bin")).chain(std::env::split_paths(&others));
        let path = std::env::join_paths(path).expect("no colons");
        // tests run side by side
        let name = format!("ci-bash-{}", self.name);
        let run = Run::new(Path::new("bash"), &name).current_dir(&self.dir);
        let run = run.args(["-e", "-o", "pipefail", "-c"]).arg(script);
        let run = run.env("PATH", path).env("RJVM", vm());
        env.iter()
            .fold(run, |run, (name, value)| run.env(name, value))
            .finish()
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.dir.join(file)).unwrap_or_default()
    }
}

/// Runs the steps of the action with a limit, for a pull request that has this comment already; the last outcome.
fn act(project: &Project, limits: &str, old: &str) -> Outcome {
    project.program(
        "gh",
        &format!("case \"$*\" in *--paginate*) echo {old} ;; esac"),
    );
    for file in ["out", "summary", "gh.log"] {
        let _ = std::fs::remove_file(project.dir.join(file));
    }
    let steps = run_steps(&template("github/action.yml"));
    assert_eq!(steps.len(), 4);
    let mut last = None;
    for step in &steps {
        let exceeded = match project.read("out").contains("exceeded=true") {
            true => "true",
            false => "false",
        };
        let env = [
            ("BEFORE", "before.rjp"),
            ("AFTER", "after.rjp"),
            ("LIMITS", limits),
            ("VIEW", "app"),
            ("REPORTS", "reports"),
            ("GRAPH", "https://example.com/artifact"),
            ("REPOSITORY", "acme/app"),
            ("NUMBER", "7"),
            ("EXCEEDED", exceeded),
            ("GITHUB_OUTPUT", "out"),
            ("GITHUB_STEP_SUMMARY", "summary"),
        ];
        let done = project.bash(step, &env);
        let is_last = std::ptr::eq(step, &steps[3]);
        assert!(is_last || done.exit == 0, "{step}\n{}", done.err());
        last = Some(done);
    }
    last.expect("there are steps")
}

#[test]
fn the_action_comments_and_judges() {
    let project = Project::new("action");
    let kept = act(&project, "50%", "");
    assert_eq!(kept.exit, 0, "{}", kept.err());
    assert!(kept.out().contains("PASS  50%"), "{}", kept.out());
    let comment = project.read("reports/comment.md");
    for part in [
        "<!-- rjvm -->",
        "ThreeBugs.contains",
        "diff.html in the reports](https://example.com/artifact)",
    ] {
        assert!(comment.contains(part), "{part}\nis not in\n{comment}");
    }
    assert_eq!(project.read("summary"), comment);
    let html = project.read("reports/diff.html");
    assert!(html.contains("ThreeBugs"), "the flame graph");
    let calls = project.read("gh.log");
    let new = "api --method POST repos/acme/app/issues/7/comments -F body=@reports/comment.md\n";
    assert!(calls.ends_with(new), "{calls}");
    // the second time, the comment is there, and the limit is lower
    let exceeded = act(&project, "0.1%\n50% ThreeBugs::numbers", "42");
    assert_eq!(exceeded.exit, 3, "{}", exceeded.out());
    for line in [
        "FAIL  0.1%",
        "PASS  50% ThreeBugs::numbers",
        "::error::rjvm: a limit is exceeded",
    ] {
        assert!(
            exceeded.out().contains(line),
            "{line}\nis not in\n{}",
            exceeded.out()
        );
    }
    let calls = project.read("gh.log");
    let again =
        "api --method PATCH repos/acme/app/issues/comments/42 -F body=@reports/comment.md\n";
    assert!(calls.ends_with(again), "{calls}");
}

#[test]
fn the_job_of_gitlab_judges() {
    let project = Project::new("gitlab");
    let script = items(&template("gitlab.yml"), "script:").join("\n");
    // a checkout is a profile here
    project.program("git", "cp ../$3.rjp ../now.rjp");
    project.program("curl", "");
    project.program("rjvm", "exec \"$RJVM\" \"$@\"");
    let run = |limit: &str, token: &str| {
        let env = [
            ("RJVM_RUN", "true"),
            ("RJVM_PROFILE", "now.rjp"),
            ("RJVM_LIMIT", limit),
            ("RJVM_VIEW", "app"),
            ("RJVM_REPORTS", "reports"),
            ("RJVM_TOKEN", token),
            ("CI_API_V4_URL", "https://example.com/api/v4"),
            ("CI_PROJECT_ID", "1"),
            ("CI_MERGE_REQUEST_IID", "7"),
            ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "before"),
            ("CI_COMMIT_SHA", "after"),
        ];
        project.bash(&script, &env)
    };
    let kept = run("50%", "");
    assert_eq!(kept.exit, 0, "{}{}", kept.out(), kept.err());
    assert_eq!(project.read("curl.log"), "");
    let exceeded = run("0.1%", "secret");
    assert_eq!(exceeded.exit, 3, "{}{}", exceeded.out(), exceeded.err());
    assert!(
        project
            .read("reports/diff.md")
            .contains("ThreeBugs.contains")
    );
    assert!(project.read("reports/diff.xml").contains("<failure"));
    let calls = project.read("curl.log");
    let place = "https://example.com/api/v4/projects/1/merge_requests/7/notes";
    assert!(calls.contains(place), "{calls}");
}

#[test]
fn the_hook_of_pre_commit_runs_the_benchmarks() {
    let project = Project::new("pre-commit");
    project.program("mvn", "");
    project.program("rjvm", "exit 3");
    let text = template("pre-commit.yaml");
    let entry = text.lines().find_map(|l| l.trim().strip_prefix("entry: "));
    let done = project.bash(entry.expect("it has one"), &[]);
    assert_eq!(done.exit, 3, "{}", done.err());
    assert_eq!(project.read("mvn.log"), "-B -q test-compile\n");
    assert_eq!(
        project.read("rjvm.log"),
        "bench -cp target/classes:target/test-classes\n"
    );
}

/// The script of a job's container, and its environment: the values are constants, so pairs of lines.
fn job(name: &str) -> (String, Vec<(String, String)>) {
    let text = template(name);
    let (_, script) = text
        .split_once("args:\n")
        .expect("a container with a script");
    let lines = script.lines().skip(1);
    let inside = lines.take_while(|l| indent(l) >= 14);
    let script: String = inside.map(|l| format!("{}\n", l.trim_start())).collect();
    let names = text
        .lines()
        .filter_map(|l| l.trim().strip_prefix("- name: "));
    let values = text
        .lines()
        .filter_map(|l| l.trim().strip_prefix("value: "));
    let upper = names.filter(|n| n.chars().all(|c| c.is_ascii_uppercase()));
    let values = values.map(|v| v.trim_matches('"').to_owned());
    (script, upper.map(str::to_owned).zip(values).collect())
}

/// Runs a pod of a job, with some of its variables changed.
fn pod(project: &Project, name: &str, index: usize, changed: &[(&str, &str)]) -> Outcome {
    let (script, declared) = job(name);
    let index = index.to_string();
    let mut env = vec![("JOB_COMPLETION_INDEX", index.as_str())];
    for (name, value) in &declared {
        let mine = changed.iter().find(|c| c.0 == name);
        env.push((name, mine.map_or(value, |c| c.1)));
    }
    for (name, _) in changed {
        assert!(declared.iter().any(|d| d.0 == *name), "{name} is declared");
    }
    project.program("rjvm", "exec \"$RJVM\" \"$@\"");
    project.bash(&script, &env)
}

#[test]
fn the_jobs_of_kubernetes_explore_their_parts() {
    let project = Project::new("kubernetes-explore");
    let source = root().join("examples/explore/Bank.java");
    let classes = jdk::compile("ci-kubernetes-explore", &[source], &[], Path::new("none"));
    let classes = classes.display().to_string();
    let changed = [
        ("PARTS", "2"),
        ("SCHEDULES", "40"),
        ("CLASSES", classes.as_str()),
        ("MAIN", "Bank"),
        ("RESULTS", "."),
    ];
    for index in 0..2 {
        let done = pod(&project, "kubernetes/explore.yaml", index, &changed);
        assert_eq!(done.exit, 0, "{}{}", done.out(), done.err());
    }
    let merged = pod(&project, "kubernetes/merge.yaml", 0, &[("RESULTS", ".")]);
    assert_eq!(merged.exit, 1, "{}{}", merged.out(), merged.err());
    assert!(project.read("all.json").contains("Bank"));
    assert!(project.read("all.html").contains("</html>"));
    // a pod fails if there is nothing to explore
    let none = [
        ("CLASSES", classes.as_str()),
        ("MAIN", "None"),
        ("RESULTS", "."),
    ];
    let none = pod(&project, "kubernetes/explore.yaml", 0, &none);
    assert_ne!(none.exit, 0);
}

#[test]
fn the_job_of_kubernetes_judges_its_benchmarks() {
    let project = Project::new("kubernetes-bench");
    let small = |turns: u32| {
        let name = format!("ci-kubernetes-bench-{turns}");
        let source = project.dir.join(&name).join("Small.java");
        std::fs::create_dir_all(project.dir.join(&name)).expect("the folder is writable");
        let text = format!(
            "public class Small {{
                public static int first() {{ return 1; }}
                public static int second() {{
                    int x = 0;
                    for (int i = 0; i < {turns}; i++) x += i;
                    return x;
                }}
            }}"
        );
        std::fs::write(&source, text).expect("the folder is writable");
        let classes = jdk::compile(&name, &[source], &[], Path::new("none"));
        classes.display().to_string()
    };
    let part = |index: usize, classes: &str| {
        let changed = [
            ("PARTS", "2"),
            ("METHODS", "Small::first,Small::second"),
            ("CLASSES", classes),
            ("BASELINE", "baseline.txt"),
            ("RESULTS", "."),
        ];
        pod(&project, "kubernetes/bench.yaml", index, &changed)
    };
    let (before, after) = (small(100), small(101));
    project.program("rjvm", "exec \"$RJVM\" \"$@\"");
    let save =
        "rjvm bench --save --methods=Small::first,Small::second --baseline=baseline.txt -cp ";
    let saved = project.bash(&format!("{save}{before}"), &[]);
    assert_eq!(saved.exit, 0, "{}{}", saved.out(), saved.err());
    let judged = |classes: &str| [part(0, classes).exit, part(1, classes).exit];
    assert_eq!(judged(&before), [0, 0]);
    assert_eq!(judged(&after), [0, 3]);
    assert!(project.read("part-2.xml").contains("<failure"));
    assert!(project.read("part-1.txt").contains("Small::first"));
}

/// `kubectl` and kubeconform check more; this keeps what a Job cannot do without.
#[test]
fn the_manifests_of_kubernetes_are_jobs() {
    for name in ["explore", "merge", "bench"] {
        let text = template(&format!("kubernetes/{name}.yaml"));
        assert!(
            text.contains("\napiVersion: batch/v1\nkind: Job\n"),
            "{name}"
        );
        assert!(text.contains("\n      restartPolicy: Never\n"), "{name}");
        let indexed = text.contains("\n  completionMode: Indexed\n");
        assert_eq!(indexed, text.contains("JOB_COMPLETION_INDEX"), "{name}");
        let parts = text.split_once("completions: ").map(|p| p.1);
        let parts = parts.and_then(|p| p.lines().next()).map(str::to_owned);
        let (_, declared) = job(&format!("kubernetes/{name}.yaml"));
        let declared = declared.into_iter().find(|d| d.0 == "PARTS").map(|d| d.1);
        assert_eq!(parts, declared, "{name}: the parts are as many as the pods");
        let mounts = text.matches("- name: results").count();
        assert_eq!(
            mounts, 2,
            "{name}: the volume of results is declared and mounted"
        );
    }
}
