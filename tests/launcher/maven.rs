//! rjvm in builds with Maven and Gradle: the plugin does what its goals promise in a fresh project, and its jar is built from its sources.
//!
//! Maven's own plugins are downloaded once, into a repository of the tests, so that nothing of the user's is changed.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{self, jdk, root, work_dir};
use rjvm_vm::classpath::Jar;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// For the first run, which downloads.
const DOWNLOADING: Duration = Duration::from_secs(300);

/// Maven runs one build at a time on a repository.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The local repository of the tests, with the plugin and the API that the program has in it.
fn repository() -> PathBuf {
    let folder = work_dir().join("maven-repository");
    let installed = Run::new(&vm(), "maven-install")
        .arg("maven-install")
        .arg(&folder);
    let installed = installed.finish();
    assert_eq!(installed.exit, 0, "{}", installed.err());
    assert_eq!(
        installed.out(),
        format!(
            "{}: rjvm:rjvm-maven-plugin:0.1.0, rjvm:rjvm-test:0.1.0\n",
            folder.display()
        )
    );
    folder
}

/// A project, in a separate folder, and the only right to run Maven meanwhile.
struct Build {
    dir: PathBuf,
    repository: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Build {
    /// A copy of a folder, if Maven is installed.
    fn of(folder: &str, name: &str) -> Option<Build> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if !std::env::split_paths(&path).any(|dir| dir.join("mvn").is_file()) {
            common::not_checked("Maven is not installed (Debian: maven)");
            return None;
        }
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
        let dir = Run::new(&vm(), &format!("maven-{name}")).dir();
        for part in common::entries(&root().join(folder)) {
            let to = dir.join(part.file_name().expect("it has a name"));
            match part.is_dir() {
                true if part.ends_with("target") => {}
                true => {
                    std::fs::create_dir_all(&to).expect("the folder is writable");
                    jdk::copy_tree(&part, &to);
                }
                false => drop(std::fs::copy(&part, to).expect("it is readable")),
            }
        }
        Some(Build {
            dir,
            repository: repository(),
            _alone: alone,
        })
    }

    /// Runs Maven with these words: without the network, and once with it if something is not there yet. Nothing if it is not
    /// available.
    fn mvn(&self, words: &[&str]) -> Option<Outcome> {
        let run = |name: &str, more: &[&str]| {
            Run::new(Path::new("mvn"), &format!("maven-run-{name}"))
                .current_dir(&self.dir)
                .env("MAVEN_OPTS", jdk::SHORT_LIVED.join(" "))
                .args(["-B", "-q", "-Dstyle.color=never"])
                .arg(format!("-Dmaven.repo.local={}", self.repository.display()))
                .arg(format!("-Drjvm={}", vm().display()))
                .args(more)
                .args(words)
                .start()
                .finish(DOWNLOADING)
        };
        let offline = run("offline", &["-o"]);
        let text = offline.out();
        if !text.contains("in offline mode") {
            return Some(offline);
        }
        let online = run("online", &[]);
        let text = online.out();
        if text.contains("Could not transfer") {
            common::not_checked("Maven cannot download its plugins");
            return None;
        }
        Some(online)
    }

    fn read(&self, file: &str) -> String {
        let path = self.dir.join(file);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }
}

/// Gradle's tasks of the init script, in a project that does not know of rjvm.
#[test]
fn the_init_script_gives_gradle_its_tasks() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&path).any(|dir| dir.join("gradle").is_file()) {
        return common::not_checked("Gradle is not installed (Debian: gradle)");
    }
    let dir = Run::new(&vm(), "gradle").dir();
    let sources = dir.join("src/main/java");
    std::fs::create_dir_all(&sources).expect("the folder is writable");
    jdk::copy_tree(&root().join("examples/maven/src/main/java"), &sources);
    let file = |name: &str, text: &str| {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is writable");
        std::fs::write(path, text).expect("it is writable");
    };
    let api = root().join("java/test-api/rjvm-test.jar");
    let build = "plugins { id 'java' }\ndependencies { testImplementation files('API') }\n";
    file(
        "build.gradle",
        &build.replace("API", &api.display().to_string()),
    );
    file("settings.gradle", "rootProject.name = 'tickets'\n");
    let bench =
        "class B { @rjvm.test.Bench int words() { return com.example.Words.count(\"to be\"); } }\n";
    file("src/test/java/B.java", bench);
    let gradle = |name: &str, words: &[&str]| {
        Run::new(Path::new("gradle"), &format!("gradle-{name}"))
            .current_dir(&dir)
            .env("GRADLE_USER_HOME", work_dir().join("gradle-home"))
            .args(["--offline", "--no-daemon", "-q", "-I"])
            .arg(root().join("java/gradle/rjvm.init.gradle"))
            .arg(format!("-Prjvm={}", vm().display()))
            .args(words)
            .start()
            .finish(DOWNLOADING)
    };
    // the last task fails, after the first
    let words = [
        "rjvmProfile",
        "rjvmBench",
        "-PrjvmMain=com.example.Words",
        "-PrjvmLimit=<=10",
    ];
    let got = gradle("bench", &words);
    assert_eq!(got.exit, 1, "{}{}", got.out(), got.err());
    assert_has(&got.out(), &["limit EXCEEDED: <=10"]);
    assert_has(&got.err(), &["benchmarks are beyond their limits"]);
    let profile = rjvm::profiler::Profile::read_file(&dir.join("build/rjvm/profile.rjp"));
    let profile = profile.expect("it is written");
    assert!(profile.method("com.example.Words.count").is_some());
    let got = gradle(
        "explore",
        &["rjvmExplore", "-PrjvmMain=com.example.Tickets"],
    );
    assert_eq!(got.exit, 1, "{}{}", got.out(), got.err());
    assert_has(
        &got.out(),
        &["java.lang.IllegalStateException: -1 tickets are left"],
    );
    assert_has(
        &got.err(),
        &["com.example.Tickets fails in a schedule of its threads"],
    );
}

fn assert_has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
}

#[test]
fn a_fresh_project_is_profiled() {
    let Some(build) = Build::of("examples/maven", "profile") else {
        return;
    };
    let Some(got) = build.mvn(&["rjvm:profile", "-Drjvm.mainClass=com.example.Words"]) else {
        return;
    };
    assert_eq!(got.exit, 0, "{}{}", got.out(), got.err());
    assert_has(&got.out(), &["6"]);
    let file = build.dir.join("target/site/rjvm/profile.rjp");
    let profile = rjvm::profiler::Profile::read_file(&file).expect("it is written");
    let count = profile.method("com.example.Words.count").expect("it ran");
    assert_eq!(count.calls, 1);
    assert_has(
        &build.read("target/site/rjvm/profile.txt"),
        &["com.example.Words.count"],
    );
    for page in ["profile.html", "profile.json"] {
        assert_has(
            &build.read(&format!("target/site/rjvm/{page}")),
            &["com.example.Words"],
        );
    }
    // a place that is none is named, and what to do
    let got = build.mvn(&["rjvm:profile", "-Drjvm.mainClass=A", "-Drjvm=none"]);
    let got = got.expect("everything is there");
    assert_eq!(got.exit, 1);
    assert_has(
        &got.out(),
        &[
            "none: no program rjvm is there; the parameter rjvm (-Drjvm) names it",
            "cargo install --locked --path crates/cli",
        ],
    );
}

#[test]
fn budgets_hold_under_surefire_and_benchmarks_have_limits() {
    let Some(build) = Build::of("examples/maven", "budget") else {
        return;
    };
    let Some(kept) = build.mvn(&["rjvm:surefire", "test"]) else {
        return;
    };
    assert_eq!(kept.exit, 0, "{}{}", kept.out(), kept.err());
    let file = build
        .dir
        .join("target/rjvm/com.example.WordsTest.counts.rjp");
    let profile = rjvm::profiler::Profile::read_file(&file).expect("@Profiled writes it");
    let count = profile.method("com.example.Words.count").expect("it ran");
    assert_eq!(count.calls, 1);
    let test = "src/test/java/com/example/WordsTest.java";
    let text = build.read(test);
    assert_has(&text, &["max = 5_000"]);
    let text = text.replace("max = 5_000", "max = 100");
    std::fs::write(build.dir.join(test), text).expect("the folder is writable");
    let exceeded = build.mvn(&["rjvm:surefire", "test"]).expect("as before");
    assert_eq!(exceeded.exit, 1, "{}", exceeded.out());
    assert_has(
        &exceeded.out(),
        &[
            "com.example.WordsTest::counts: ",
            " bytecodes, the budget is 100 (",
            "com.example.WordsTest.counts() > com.example.Words.count(",
        ],
    );
    // another JVM counts nothing
    let elsewhere = build.mvn(&["test"]).expect("as before");
    assert_eq!(elsewhere.exit, 0, "{}", elsewhere.out());
    let bench = build.mvn(&["rjvm:bench", "-Drjvm.limits=<=10"]);
    let bench = bench.expect("as before");
    assert_eq!(bench.exit, 1, "{}", bench.out());
    assert_has(
        &bench.out(),
        &["limit EXCEEDED: <=10", "benchmarks are beyond their limits"],
    );
    assert_has(
        &build.read("target/site/rjvm/bench.txt"),
        &["com.example.WordsTest::bench"],
    );
}

#[test]
fn an_exploration_finds_the_planted_bug() {
    let Some(build) = Build::of("examples/maven", "explore") else {
        return;
    };
    let Some(got) = build.mvn(&["rjvm:explore", "-Drjvm.mainClass=com.example.Tickets"]) else {
        return;
    };
    let out = got.out();
    assert_eq!(got.exit, 1, "{out}{}", got.err());
    let says = "java.lang.IllegalStateException: -1 tickets are left";
    assert_has(
        &out,
        &[
            "com.example.Tickets fails in a schedule of its threads",
            says,
            "To replay it: rjvm --replay=",
        ],
    );
    let reports = build.dir.join("target/site/rjvm");
    let schedule = common::files_with_extension(&reports, "schedule");
    assert_eq!(schedule.len(), 1, "{schedule:?}");
    let replay = Run::new(&vm(), "maven-replay").arg(format!("--replay={}", schedule[0].display()));
    let replay = replay.finish();
    assert_eq!(replay.exit, 1);
    assert_has(&replay.err(), &[says]);
    let log: serde_json::Value =
        serde_json::from_str(&build.read("target/site/rjvm/explore.sarif")).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], run["tool"]["driver"]["rules"][0]["id"]);
    assert_has(&result["message"]["text"].to_string(), &[says]);
    let place = &result["locations"][0]["physicalLocation"];
    let source = "src/main/java/com/example/Tickets.java";
    assert_eq!(place["artifactLocation"]["uri"], source);
    let line = place["region"]["startLine"].as_u64().expect("a number") as usize;
    let text = build.read(source);
    assert_has(
        text.lines().nth(line - 1).expect("there is such a line"),
        &["throw new IllegalStateException"],
    );
}

/// The converter runs without Maven, on rjvm as well.
#[test]
fn findings_become_sarif() {
    let sources = root().join("examples/maven/src/main/java");
    let files = common::files_with_extension(&sources.join("com/example"), "java");
    let classes = jdk::compile("sarif", &files, &["-g"], Path::new("none"));
    let jar = root().join("java/maven-plugin/rjvm-maven-plugin.jar");
    let dir = Run::new(&vm(), "sarif").dir();
    let log = |command: &str, more: &[&str], class: &str| -> serde_json::Value {
        let found = dir.join(format!("{command}.json"));
        let run = Run::new(&vm(), &format!("sarif-{command}")).arg(command);
        let run = run.args(["-o".as_ref(), found.as_os_str()]).args(more);
        run.arg("-cp").arg(&classes).arg(class).finish();
        let to = dir.join(format!("{command}.sarif"));
        let run = Run::new(&vm(), "sarif-convert").arg("-cp").arg(&jar);
        let run = run
            .arg("rjvm.maven.Sarif")
            .arg(found)
            .arg(&to)
            .arg(&sources);
        let done = run.current_dir(root()).finish();
        assert_eq!((done.exit, done.err().as_str()), (0, ""));
        let text = std::fs::read_to_string(to).expect("it is written");
        serde_json::from_str(&text).expect("JSON")
    };
    let ids = |log: &serde_json::Value| -> Vec<String> {
        let results = log["runs"][0]["results"].as_array().expect("a list");
        let id = |r: &serde_json::Value| r["ruleId"].as_str().expect("a text").to_owned();
        results.iter().map(id).collect()
    };
    let source = "examples/maven/src/main/java/com/example/Tickets.java";
    let explored = log(
        "explore",
        &["--races", "--keep-going", "--iterations=100"],
        "com.example.Tickets",
    );
    let found = ids(&explored);
    for id in ["explore/exception", "explore/race"] {
        let at = found.iter().position(|i| i == id).expect(id);
        let result = &explored["runs"][0]["results"][at];
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], source, "{result}");
        assert!(place["region"]["startLine"].as_u64() > Some(1));
    }
    let why = log("why", &["--deterministic"], "com.example.Words");
    assert!(!ids(&why).is_empty(), "{why}");
    assert!(ids(&why).iter().all(|id| id.starts_with("why/")), "{why}");
    // other JSON is refused
    let other = dir.join("other.json");
    std::fs::write(&other, "{\"a\": [1, \"\\u00e9\"]}").expect("the folder is writable");
    let run = Run::new(&vm(), "sarif-other").arg("-cp").arg(&jar);
    let run = run.arg("rjvm.maven.Sarif").arg(other).arg("none").finish();
    assert_eq!(run.exit, 1);
    let message = "neither the JSON of rjvm explore nor of rjvm why";
    assert_has(&run.err(), &[message]);
}

/// The jar in the program is what Maven builds from the sources; `BLESS=1` takes it.
#[test]
fn the_jar_of_the_plugin_is_built_from_its_sources() {
    let Some(build) = Build::of("java/maven-plugin", "jar") else {
        return;
    };
    let Some(got) = build.mvn(&["package"]) else {
        return;
    };
    assert_eq!(got.exit, 0, "{}{}", got.out(), got.err());
    let built = build.dir.join("target/rjvm-maven-plugin-0.1.0.jar");
    let committed = root().join("java/maven-plugin/rjvm-maven-plugin.jar");
    if common::switch("BLESS") {
        std::fs::copy(&built, &committed).expect("the repository is writable");
    }
    let built = Jar::open(built).expect("Maven makes it");
    let committed = Jar::open(committed).expect("the jar is committed");
    assert_eq!(built.names(), committed.names());
    for name in built.names() {
        // it names the versions of Maven and of the JDK
        if name != "META-INF/MANIFEST.MF" && !name.ends_with('/') {
            let stale = "is stale: BLESS=1 cargo test --test launcher maven";
            let [old, new] = [&committed, &built].map(|jar| jar.find(&name).expect("it is sound"));
            assert!(old == new, "{name} {stale}");
        }
    }
}
