//! The installed JDK: finding it, compiling Java programs with it when their text has changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{entries, work_dir};
use rjvm_vm::classpath::{FoundBy, Jdk, Search};
use rjvm_vm::jdk::SUPPORTED;

/// The release the Java programs are compiled for; another javac makes other class files.
const RELEASE: &str = "17";

/// For programs of the JDK that run for a second: the second compiler and a collector of several threads would take as much
/// again of the processor.
pub const SHORT_LIVED: [&str; 2] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/// The same for tools, which hand options on to their virtual machine.
pub fn short_lived_tool() -> [String; 2] {
    SHORT_LIVED.map(|option| format!("-J{option}"))
}

/// The JDK 17 in `JAVA_HOME`, or else the one whose `javac` is on the path.
pub fn java_home() -> &'static Path {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| {
        let home = match std::env::var_os("JAVA_HOME") {
            Some(home) if !home.is_empty() => PathBuf::from(home),
            _ => home_of_javac_on_path().expect("no JDK: set JAVA_HOME or put javac on the path"),
        };
        let release = release_of(&home);
        assert_eq!(
            release,
            RELEASE,
            "the tests need JDK {RELEASE}, {} is {release}",
            home.display()
        );
        home
    })
}

/// A program in the JDK's `bin` folder.
pub fn tool(name: &str) -> PathBuf {
    java_home()
        .join("bin")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn home_of_javac_on_path() -> Option<PathBuf> {
    let name = format!("javac{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    let javac = std::env::split_paths(&path)
        .map(|dir| dir.join(&name))
        .find(|f| f.is_file())?;
    let javac = javac.canonicalize().ok()?;
    Some(javac.parent()?.parent()?.to_path_buf())
}

/// The supported JDKs that are installed, one of each version, ascending; one that is missing is reported. `RJVM_TEST_JDKS` names
/// those outside the usual places, like a path.
pub fn supported() -> Vec<Jdk> {
    let named = std::env::var_os("RJVM_TEST_JDKS").unwrap_or_default();
    let named = std::env::split_paths(&named).filter_map(|p| Jdk::open(&p, FoundBy::Option).ok());
    let usual = Search::usual(None, |name| std::env::var_os(name)).all();
    let all: Vec<Jdk> = named.chain(usual).collect();
    let found = |version: &u32| {
        let jdk = all.iter().find(|jdk| jdk.feature() == *version).cloned();
        if jdk.is_none() {
            super::not_checked(&format!("JDK {version} is not installed"));
        }
        jdk
    };
    SUPPORTED.iter().filter_map(found).collect()
}

/// Those after 17.
pub fn newer() -> Vec<Jdk> {
    let all = supported().into_iter();
    all.filter(|jdk| jdk.feature() > 17).collect()
}

/// The JDK whose library programs run on: that one, or the one that `RJVM_TEST_JDK` names.
pub fn under_test() -> PathBuf {
    match std::env::var_os("RJVM_TEST_JDK") {
        Some(home) if !home.is_empty() => PathBuf::from(home),
        _ => java_home().to_path_buf(),
    }
}

/// The version of the JDK under test if it is not the one that programs are compiled for.
pub fn other_version() -> Option<String> {
    let version = release_of(&under_test());
    (version != RELEASE).then_some(version)
}

/// The installed JDK's build, such as `17.0.21.1+2`. Builds of one update may have different class libraries.
pub fn build() -> String {
    let build = release_value(java_home(), "JAVA_RUNTIME_VERSION");
    build.split('-').next().unwrap_or_default().to_string()
}

fn release_of(home: &Path) -> String {
    let version = version_of(home);
    version.split('.').next().unwrap_or_default().to_string()
}

fn version_of(home: &Path) -> String {
    release_value(home, "JAVA_VERSION")
}

/// A value of the file `release`.
fn release_value(home: &Path, key: &str) -> String {
    let text = std::fs::read_to_string(home.join("release")).unwrap_or_default();
    let mut lines = text.lines().filter_map(|line| line.split_once('='));
    let value = lines.find_map(|(name, value)| (name == key).then_some(value));
    value.unwrap_or_default().trim_matches('"').to_string()
}

/// Compiles `sources` into the folder `name` of the work directory with one javac call, adds the
/// files of `resources`, and returns the folder. Does nothing if neither text nor options changed.
pub fn compile(name: &str, sources: &[PathBuf], options: &[&str], resources: &Path) -> PathBuf {
    let folder = folder_lock(name);
    let _guard = folder.lock().unwrap_or_else(PoisonError::into_inner);
    let classes = work_dir().join(name);
    let stamp_file = work_dir().join(format!("{name}.stamp"));
    let stamp = fingerprint(sources, options, resources);
    if std::fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp) && classes.is_dir() {
        return classes;
    }
    let _ = std::fs::remove_dir_all(&classes);
    std::fs::create_dir_all(&classes).expect("the target directory is writable");
    copy_tree(resources, &classes);
    let output = Command::new(tool("javac"))
        .args(short_lived_tool())
        .args(javac_archive())
        .args(["-encoding", "UTF-8", "-proc:none", "-nowarn", "-Xlint:none"])
        .args(options)
        .arg("-d")
        .arg(&classes)
        .args(sources)
        .env_remove("JDK_JAVAC_OPTIONS")
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()
        .expect("javac starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "javac fails on {name}:\n{messages}"
    );
    std::fs::write(&stamp_file, stamp).expect("the target directory is writable");
    classes
}

/// Held while a folder's sources are compiled; other folders may be compiled meanwhile.
fn folder_lock(name: &str) -> Arc<Mutex<()>> {
    static FOLDERS: Mutex<BTreeMap<String, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    folders.entry(name.to_owned()).or_default().clone()
}

/// The option for javac to take its own classes from an archive, which the first use makes: half of a short compilation is to
/// load them. Without an archive it loads them as always.
fn javac_archive() -> Option<String> {
    static ARCHIVE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let archive = ARCHIVE.get_or_init(|| {
        let archive = work_dir().join(format!("javac-{}.jsa", build()));
        if archive.is_file() {
            return Some(archive);
        }
        let own = work_dir().join(format!("javac-archive-{}", std::process::id()));
        std::fs::create_dir_all(&own).expect("the target directory is writable");
        let (source, made) = (own.join("Any.java"), own.join("javac.jsa"));
        let text = "interface Any { default Runnable any() { return () -> System.out.println(this + \"\"); } }";
        std::fs::write(&source, text).expect("the target directory is writable");
        let output = Command::new(tool("javac"))
            .args(short_lived_tool())
            .arg(format!("-J-XX:ArchiveClassesAtExit={}", made.display()))
            .args(["-proc:none", "-d"])
            .arg(&own)
            .arg(&source)
            .env_remove("JDK_JAVAC_OPTIONS")
            .env_remove("JAVA_TOOL_OPTIONS")
            .output();
        let moved = output.is_ok_and(|o| o.status.success())
            && std::fs::rename(&made, &archive).is_ok();
        let _ = std::fs::remove_dir_all(&own);
        moved.then_some(archive)
    });
    let archive = archive.as_ref()?;
    Some(format!("-J-XX:SharedArchiveFile={}", archive.display()))
}

/// Copies the contents of `from`, if there are any, into `to`.
pub fn copy_tree(from: &Path, to: &Path) {
    for entry in entries(from) {
        let target = to.join(entry.file_name().expect("entries have names"));
        if entry.is_dir() {
            std::fs::create_dir_all(&target).expect("the target directory is writable");
            copy_tree(&entry, &target);
        } else {
            std::fs::copy(&entry, &target).expect("resources can be copied");
        }
    }
}

fn fingerprint(sources: &[PathBuf], options: &[&str], resources: &Path) -> String {
    let mut hash = Fnv::new();
    hash.add(java_home().to_string_lossy().as_bytes());
    for option in options {
        hash.add(option.as_bytes());
    }
    let mut files = sources.to_vec();
    collect_files(resources, &mut files);
    for file in &files {
        hash.add(file.to_string_lossy().as_bytes());
        hash.add(&std::fs::read(file).unwrap_or_default());
    }
    format!("{:016x}\n", hash.0)
}

fn collect_files(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in entries(dir) {
        if entry.is_dir() {
            collect_files(&entry, files);
        } else {
            files.push(entry);
        }
    }
}

/// FNV-1a, each part closed by its length.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, part: &[u8]) {
        for byte in part.iter().chain(&(part.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
