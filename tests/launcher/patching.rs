//! `--patch-module`: modules of all loaders, of the JDK and of the module path, are patched as by
//! `java`, and what it says of values that make no sense is reported here too.

use crate::common;
use crate::common::same::{self, Case, case};
use crate::common::{jdk, tests_dir, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles a folder of `tests/launcher/patching` as part of `module` into `DIR/NAME`.
fn patch(dir: &Path, name: &str, module: &str, options: &[&str]) {
    let source = tests_dir().join("launcher/patching").join(name);
    let mut files = Vec::new();
    java_files(&source, &mut files);
    let as_module = format!("{module}={}", source.display());
    let mut all = vec!["--patch-module", &as_module];
    all.extend(options);
    let classes = jdk::compile(&format!("patching-{name}"), &files, &all, Path::new("none"));
    jdk::copy_tree(&classes, &made(dir.join(name)));
}

fn java_files(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in common::entries(dir) {
        match entry.is_dir() {
            true => java_files(&entry, out),
            false => out.extend(
                entry
                    .extension()
                    .is_some_and(|e| e == "java")
                    .then_some(entry),
            ),
        }
    }
}

fn made(dir: PathBuf) -> PathBuf {
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    dir
}

/// `classes` with the program, a folder for each patch, `base.jar`, a broken jar, `mods/greeting`.
fn fixtures() -> PathBuf {
    let dir = work_dir().join("patching-fixtures");
    let _ = std::fs::remove_dir_all(&dir);
    let source = tests_dir().join("launcher/patching");
    let none = Path::new("none");
    let probe = jdk::compile("patching-probe", &[source.join("Probe.java")], &[], none);
    jdk::copy_tree(&probe, &made(dir.join("classes")));
    patch(&dir, "base", "java.base", &[]);
    patch(&dir, "logging", "java.logging", &[]);
    patch(&dir, "sql", "java.sql", &[]);
    patch(&dir, "compiler", "jdk.compiler", &[]);
    let module = tests_dir().join("launcher/cli/module");
    let module = [
        module.join("module-info.java"),
        module.join("greet/Main.java"),
    ];
    let module = jdk::compile("patching-module", &module, &[], none);
    jdk::copy_tree(&module, &made(dir.join("mods/greeting")));
    let mods = dir.join("mods").display().to_string();
    patch(
        &dir,
        "user",
        "greeting",
        &["--module-path", &mods, "--add-modules", "greeting"],
    );
    let missing = dir.join("base/java/util/stream/Missing.class");
    std::fs::remove_file(missing).expect("it was compiled");
    // the same as a jar, and another folder with the resource alone
    let text = source.join("base/java/util/zork.txt");
    made(dir.join("text/java/util"));
    let copy = |to: &str| std::fs::copy(&text, dir.join(to)).expect("fixtures can be copied");
    copy("text/java/util/zork.txt");
    copy("base/java/util/zork.txt");
    std::fs::write(dir.join("text/module-info.class"), b"passed over").expect("as above");
    std::fs::write(dir.join("noise.jar"), b"this is no zip file").expect("as above");
    let jar = Command::new(jdk::tool("jar"))
        .args(["--create", "--file", "base.jar", "-C", "base", "."])
        .current_dir(&dir)
        .status();
    assert!(jar.is_ok_and(|s| s.success()), "jar fails");
    dir
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    case("new-class", &["--patch-module", "java.base=base", "-cp", "classes", "Probe",
        "class", "java.util.stream.Zork", "call", "java.util.stream.Zork", "new", "java.util.stream.Zork"]),
    case("new-package", &["--patch-module", "java.base=base", "-cp", "classes", "Probe",
        "class", "java.lang.fresh.Fresh", "call", "java.lang.fresh.Fresh"]),
    case("new-package-exported", &["--patch-module", "java.base=base", "--add-exports", "java.base/java.lang.fresh=ALL-UNNAMED",
        "-cp", "classes", "Probe", "class", "java.lang.fresh.Fresh", "call", "java.lang.fresh.Fresh"]),
    case("class-replaced", &["--patch-module", "java.base=base", "-cp", "classes", "Probe",
        "class", "java.util.StringJoiner", "call", "java.util.StringJoiner"]),
    case("equals-sign", &["--patch-module=java.base=base", "-cp", "classes", "Probe", "call", "java.util.StringJoiner"]),
    case("class-missing", &["--patch-module", "java.base=base", "-cp", "classes", "Probe",
        "class", "java.util.stream.Orphan", "class", "java.util.stream.Missing", "class", "java.util.Nothing"]),
    case("jar", &["--patch-module", "java.base=base.jar", "-cp", "classes", "Probe", "class", "java.util.stream.Zork",
        "call", "java.util.StringJoiner", "resource", "java.base", "java/util/zork.txt"]),
    case("several-places", &["--patch-module", "java.base=nowhere:text:base.jar:base", "-cp", "classes", "Probe",
        "class", "java.util.stream.Zork", "resource", "java.base", "java/util/zork.txt", "url", "java/util/zork.txt"]),
    case("resources", &["--patch-module", "java.base=base", "-cp", "classes", "Probe",
        "resource", "java.base", "java/util/zork.txt", "url", "java/util/zork.txt", "url", "java/util/stream/Zork.class"]),
    case("boot-module", &["--patch-module", "java.logging=logging", "-cp", "classes", "Probe",
        "class", "java.util.logging.Extra", "call", "java.util.logging.Extra", "class", "java.util.logging.fresh.More"]),
    case("boot-module-left-out", &["--patch-module", "java.logging=logging", "--limit-modules", "java.base", "-cp", "classes", "Probe",
        "class", "java.util.logging.Extra", "class", "java.util.logging.fresh.More"]),
    case("platform-module", &["--patch-module", "java.sql=sql", "-cp", "classes", "Probe",
        "class", "java.sql.DriverPropertyInfo", "call", "java.sql.DriverPropertyInfo", "class", "java.sql.fresh.Column"]),
    case("application-module", &["--patch-module", "jdk.compiler=compiler",
        "--add-exports", "jdk.compiler/com.sun.tools.javac=ALL-UNNAMED", "-cp", "classes", "Probe",
        "class", "com.sun.tools.javac.Extra", "call", "com.sun.tools.javac.Extra"]),
    case("three-modules", &["--patch-module", "java.logging=logging", "--patch-module", "java.base=base", "--patch-module", "java.sql=sql",
        "-cp", "classes", "Probe", "call", "java.util.logging.Extra", "call", "java.util.stream.Zork", "call", "java.sql.DriverPropertyInfo"]),
    case("module-path", &["-p", "mods", "--patch-module", "greeting=user", "-m", "greeting/greet.Added"]),
    case("described", &["-p", "mods", "--patch-module", "greeting=user", "-d", "greeting"]),
    case("unknown-module", &["--patch-module", "zork=base", "-cp", "classes", "Probe", "class", "java.util.stream.Zork"]),
    case("module-not-resolved", &["--patch-module", "java.sql=sql", "--limit-modules", "java.base", "-cp", "classes", "Probe", "class", "java.sql.fresh.Column"]),
    case("nowhere", &["--patch-module", "java.base=nowhere", "-cp", "classes", "Probe"]),
    case("noise", &["--patch-module", "java.base=noise.jar", "-cp", "classes", "Probe"]),
    case("noise-elsewhere", &["--patch-module", "java.sql=noise.jar", "-cp", "classes", "Probe"]),
    case("package-of-another", &["--patch-module", "java.sql=logging", "-cp", "classes", "Probe"]),
    case("base-twice", &["--patch-module", "java.base=base", "--patch-module", "java.base=text", "-cp", "classes", "Probe"]),
    case("other-twice", &["--patch-module", "java.sql=sql", "--patch-module", "java.sql=text", "-cp", "classes", "Probe"]),
    case("without-equals", &["--patch-module", "java.base", "-cp", "classes", "Probe"]),
    case("without-module", &["--patch-module", "=base", "-cp", "classes", "Probe"]),
    case("without-path", &["--patch-module", "java.base=", "-cp", "classes", "Probe"]),
    case("without-value", &["--patch-module"]),
    case("colons-only", &["--patch-module", "java.base=:", "-cp", "classes", "Probe"]),
    // only the options for modules set their properties
    case("by-property", &["-Djdk.module.patch.0=java.base=base", "-cp", "classes", "Probe", "class", "java.util.stream.Zork"]),
    case("by-property-too", &["-Djdk.module.patch.0=java.base=text", "--patch-module", "java.base=base",
        "-Djdk.module.addmods.0=jdk.incubator.vector", "-Djdk.module.upgrade.path=x", "-Djdk.module.other=1",
        "-cp", "classes", "Probe", "class", "java.util.stream.Zork"]),
    case("extension-directories", &["-Djava.ext.dirs=base", "-cp", "classes", "Probe"]),
    case("endorsed-directories", &["-Djava.endorsed.dirs=base", "-cp", "classes", "Probe"]),
    case("no-extension-directories", &["-Djava.ext.dirs=", "-Djava.endorsed.dirs", "-cp", "classes", "Probe"]),
    // beside what else the boot loader searches
    case("appended-too", &["-Xbootclasspath/a:logging", "--patch-module", "java.base=base", "-cp", "classes", "Probe",
        "class", "java.util.logging.fresh.More", "class", "java.lang.fresh.Fresh"]),
];

#[test]
fn modules_are_patched_as_by_java() {
    same::check("patching", &fixtures(), CASES);
}
