//! Finding an installed JDK.

use super::{Error, Result, SystemModules};
use crate::versions::SUPPORTED;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

/// What to install when there is nothing.
const ADVICE: &str = "install one, for instance: apt install openjdk-17-jdk-headless\n(or name it: --java-home=DIR, or JAVA_HOME)";

/// A JDK (or a runtime image made from one) on this machine.
#[derive(Debug, Clone)]
pub struct Jdk {
    home: PathBuf,
    feature: u32,
    found_by: FoundBy,
    release: Vec<(String, String)>,
}

/// How a JDK was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundBy {
    /// It was named by `--java-home` (or by the embedder).
    Option,
    /// By the environment variable `JAVA_HOME`.
    JavaHome,
    /// It is the home of a `java` on `PATH`.
    Path,
    /// In a folder where JDKs are usually installed.
    Folder,
}

impl fmt::Display for FoundBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FoundBy::Option => "--java-home",
            FoundBy::JavaHome => "JAVA_HOME",
            FoundBy::Path => "java on PATH",
            FoundBy::Folder => "installed",
        })
    }
}

impl Jdk {
    /// Looks at the installation in `home` (the folder that has `lib/modules` or `jmods`).
    /// The version is not judged here.
    pub fn open(home: &Path, found_by: FoundBy) -> Result<Jdk> {
        let home = home.canonicalize().map_err(|e| Error::io(home, e))?;
        let parts = ["lib/modules", "modules/java.base", "jmods/java.base.jmod"];
        let old = ["lib/rt.jar", "jre/lib/rt.jar"];
        let has = |p: &&str| home.join(p).exists();
        if !parts.iter().any(has) && !old.iter().any(has) {
            return Err(Error::Jdk(format!(
                "{} ({found_by}) is not a JDK: it has no lib/modules",
                home.display()
            )));
        }
        let file = home.join("release");
        let release = match std::fs::read(&file) {
            Ok(bytes) => parse_release(&String::from_utf8_lossy(&bytes)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(Error::io(file, e)),
        };
        let mut jdk = Jdk {
            home,
            feature: 0,
            found_by,
            release,
        };
        jdk.feature = match jdk.release("JAVA_VERSION").map(feature_version) {
            Some(Some(feature)) => feature,
            Some(None) => {
                let version = jdk.release("JAVA_VERSION").unwrap_or_default();
                let what = format!("JAVA_VERSION is {version:?}");
                return Err(Error::malformed(&file, "release file", what));
            }
            None => jdk.feature_of_classes()?,
        };
        Ok(jdk)
    }

    /// Builds without a `release` file: class files of version N + 44 are those of Java N.
    fn feature_of_classes(&self) -> Result<u32> {
        let object = "java/lang/Object.class";
        let modules = SystemModules::open(self)?;
        let class = modules.find("java.base", object)?;
        match class.as_deref() {
            Some([0xCA, 0xFE, 0xBA, 0xBE, _, _, high, low, ..]) => {
                Ok(u32::from(u16::from_be_bytes([*high, *low])).saturating_sub(44))
            }
            _ => Err(Error::Jdk(format!(
                "{} ({}) has neither a release file nor a valid {object}",
                self.home.display(),
                self.found_by
            ))),
        }
    }

    /// The installation's folder, without symbolic links.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The feature version, for instance 17.
    pub fn feature(&self) -> u32 {
        self.feature
    }

    /// How it was found.
    pub fn found_by(&self) -> FoundBy {
        self.found_by
    }

    /// A value of the `release` file, for instance `JAVA_RUNTIME_VERSION` or `IMPLEMENTOR`.
    pub fn release(&self, key: &str) -> Option<&str> {
        let entry = self.release.iter().find(|(k, _)| k == key);
        entry.map(|(_, v)| v.as_str())
    }

    /// `JAVA_VERSION` of the `release` file, or else the feature version.
    pub fn version(&self) -> String {
        let version = self.release("JAVA_VERSION").map(str::to_string);
        version.unwrap_or_else(|| self.feature.to_string())
    }

    /// `MODULES` of the `release` file: the modules in the order of their dependencies.
    pub fn modules(&self) -> impl Iterator<Item = &str> {
        self.release("MODULES")
            .unwrap_or("")
            .split_ascii_whitespace()
    }

    /// Whether this class library can run here.
    pub fn is_supported(&self) -> bool {
        SUPPORTED.contains(&self.feature)
    }

    /// This JDK, or an error that says which versions would do.
    pub fn supported(self) -> Result<Jdk> {
        if self.is_supported() {
            return Ok(self);
        }
        Err(Error::Jdk(format!(
            "Java {} in {} ({}) is not supported; supported: {}; {ADVICE}",
            self.version(),
            self.home.display(),
            self.found_by,
            supported()
        )))
    }
}

fn supported() -> String {
    let versions: Vec<String> = SUPPORTED.iter().map(|v| format!("Java {v}")).collect();
    versions.join(", ")
}

/// The feature version of a version string: 17 for `17.0.2+8`, 8 for `1.8.0_392`, 25 for `25-ea`.
pub fn feature_version(version: &str) -> Option<u32> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let end = version.find(|c: char| !c.is_ascii_digit());
    version[..end.unwrap_or(version.len())].parse().ok()
}

/// `KEY="value"` lines.
fn parse_release(text: &str) -> Vec<(String, String)> {
    let entry = |line: &str| {
        let (key, value) = line.trim().split_once('=')?;
        let value = value.trim();
        let unquoted = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
        Some((
            key.trim().to_string(),
            unquoted.unwrap_or(value).to_string(),
        ))
    };
    text.lines().filter_map(entry).collect()
}

/// Where to look for a JDK, in the order of the fields.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// The value of `--java-home`: it must be a supported JDK.
    pub java_home_option: Option<PathBuf>,
    /// The environment variable `JAVA_HOME` (in the same way, unless empty).
    pub java_home: Option<OsString>,
    /// The environment variable `PATH`.
    pub path: Option<OsString>,
    /// Homes to look at in the end, the newest version first: the children of the usual folders.
    pub homes: Vec<PathBuf>,
}

impl Search {
    /// The usual search with the environment variables that `env` gives.
    pub fn usual(
        java_home_option: Option<PathBuf>,
        env: impl Fn(&str) -> Option<OsString>,
    ) -> Search {
        let user_home = env("HOME")
            .or_else(|| env("USERPROFILE"))
            .map(PathBuf::from);
        Search {
            java_home_option,
            java_home: env("JAVA_HOME"),
            path: env("PATH"),
            homes: usual_homes(user_home.as_deref()),
        }
    }

    /// The first supported JDK.
    pub fn find(&self) -> Result<Jdk> {
        if let Some(home) = &self.java_home_option {
            return Jdk::open(home, FoundBy::Option)
                .map_err(|e| named("--java-home", home.as_os_str(), e))?
                .supported();
        }
        if let Some(home) = self.java_home.as_ref().filter(|h| !h.is_empty()) {
            return Jdk::open(Path::new(home), FoundBy::JavaHome)
                .map_err(|e| named("JAVA_HOME", home, e))?
                .supported();
        }
        let mut others: Vec<String> = Vec::new();
        for jdk in self.installed() {
            if jdk.is_supported() {
                return Ok(jdk);
            }
            let other = format!("Java {} in {}", jdk.version(), jdk.home.display());
            if !others.contains(&other) {
                others.push(other);
            }
        }
        let wanted = supported();
        Err(Error::Jdk(match others.is_empty() {
            true => format!("no JDK found ({wanted} is needed): {ADVICE}"),
            false => format!(
                "no JDK of a supported version found ({wanted} is needed; there is {}): {ADVICE}",
                others.join(", ")
            ),
        }))
    }
}

impl Search {
    /// All supported JDKs that are found, in the order of the search; one that is in several places is there once.
    pub fn all(&self) -> Vec<Jdk> {
        let set = self.java_home.as_ref().filter(|h| !h.is_empty());
        let set = set.map(|home| (PathBuf::from(home), FoundBy::JavaHome));
        let option = self.java_home_option.clone().map(|h| (h, FoundBy::Option));
        let named = option.into_iter().chain(set);
        let named = named.filter_map(|(home, found_by)| Jdk::open(&home, found_by).ok());
        let mut found: Vec<Jdk> = Vec::new();
        for jdk in named.chain(self.installed()) {
            if jdk.is_supported() && !found.iter().any(|f| f.home == jdk.home) {
                found.push(jdk);
            }
        }
        found
    }
    /// The JDKs on the path, then those in the usual folders, the newest version first. A folder that is no JDK, or a
    /// broken one, is left out.
    fn installed(&self) -> impl Iterator<Item = Jdk> {
        let on_path = self.path.iter().flat_map(std::env::split_paths);
        let on_path = on_path.filter_map(|dir| home_of_launcher(&dir));
        let on_path = on_path.filter_map(|home| Jdk::open(&home, FoundBy::Path).ok());
        // the folders are looked at only if the path has none
        let in_folders = std::iter::once_with(|| {
            let open = |home: &PathBuf| Jdk::open(home, FoundBy::Folder).ok();
            let mut all: Vec<Jdk> = self.homes.iter().filter_map(open).collect();
            all.sort_by_key(|jdk| std::cmp::Reverse(jdk.feature()));
            all
        });
        on_path.chain(in_folders.flatten())
    }
}

/// Says which setting led to a folder that cannot be used.
fn named(setting: &str, value: &OsStr, error: Error) -> Error {
    match error {
        Error::Io { path, source } => Error::Jdk(format!(
            "{setting} is {}, but {} cannot be opened: {source}",
            value.display(),
            path.display()
        )),
        other => other,
    }
}

/// The home of the `java` in `dir`: symbolic links lead from there to `HOME/bin/java`.
fn home_of_launcher(dir: &Path) -> Option<PathBuf> {
    let launcher = dir.join(format!("java{}", std::env::consts::EXE_SUFFIX));
    let launcher = launcher.canonicalize().ok().filter(|p| p.is_file())?;
    let bin = launcher
        .parent()
        .filter(|p| p.file_name() == Some(OsStr::new("bin")))?;
    bin.parent().map(Path::to_path_buf)
}

/// Children of the folders where packages and tool managers install JDKs, sorted by name.
fn usual_homes(user_home: Option<&Path>) -> Vec<PathBuf> {
    const FOLDERS: &[&str] = if cfg!(target_os = "macos") {
        &[
            "/Library/Java/JavaVirtualMachines",
            "/opt/homebrew/opt",
            "/usr/local/opt",
            "/opt",
        ]
    } else if cfg!(windows) {
        &[
            r"C:\Program Files\Java",
            r"C:\Program Files\Eclipse Adoptium",
            r"C:\Program Files\Microsoft",
            r"C:\Program Files\Zulu",
        ]
    } else {
        &[
            "/usr/lib/jvm",
            "/usr/lib64/jvm",
            "/usr/java",
            "/usr/local/lib/jvm",
            "/opt/java",
            "/opt",
        ]
    };
    const USER_FOLDERS: &[&str] = &[
        ".sdkman/candidates/java",
        ".jdks",
        ".asdf/installs/java",
        ".local/share/mise/installs/java",
        "Library/Java/JavaVirtualMachines",
    ];
    // A bundle of macOS, or a package of Homebrew, has the home further down.
    const BELOW: &[&str] = &["", "Contents/Home", "libexec/openjdk.jdk/Contents/Home"];
    let folders = FOLDERS.iter().map(PathBuf::from);
    let user_folders = USER_FOLDERS.iter().filter_map(|f| Some(user_home?.join(f)));
    let mut homes = Vec::new();
    for folder in folders.chain(user_folders) {
        for (_, child) in super::modules::children(&folder).unwrap_or_default() {
            let below = BELOW.iter().map(|b| child.join(b));
            homes.extend(below.filter(|home| home.join("lib").is_dir()));
        }
    }
    homes
}
