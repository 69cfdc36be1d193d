//! System properties that a program finds when it starts: pure functions from facts about the host and the VM to the results of
//! the natives of `jdk.internal.util.SystemProps.Raw`.
//!
//! The rest is Java's: `VersionProps` supplies `java.version`, `java.vendor`, `java.class.version`
//! and their like, `SystemProps` the rules of precedence. Code that may look at the host fills [`HostInfo`]; [`process::system`]
//! reads the running process.

mod locale;
#[cfg(unix)]
pub mod process;
#[cfg(test)]
mod tests;
mod time_zone;

pub use locale::{ByName, JavaLocale, LocaleSettings, Locales};
pub use time_zone::{gmt_offset_id, platform_time_zone_id, time_zone_id};

use crate::classpath::Jdk;
use crate::host::System;
use crate::versions::Versions;
use std::collections::BTreeMap;

/// What the properties depend on outside the VM.
#[derive(Debug, Clone, Default)]
pub struct HostInfo {
    /// What the system and its user are called.
    pub system: System,
    /// Environment variables.
    pub env: BTreeMap<String, String>,
}

/// The environment as text.
pub fn variables(env: &[(Vec<u8>, Vec<u8>)]) -> BTreeMap<String, String> {
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    env.iter().map(|(k, v)| (text(k), text(v))).collect()
}

impl HostInfo {
    /// What the environment says about language and encoding.
    fn locale(&self) -> LocaleSettings {
        let System {
            ctype,
            messages,
            codeset,
            ..
        } = self.system.clone();
        LocaleSettings {
            ctype,
            messages,
            codeset,
        }
    }
}

/// What the properties depend on inside the VM.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VmInfo {
    /// The installation the class library comes from.
    pub java_home: String,
    /// Its feature version, for instance 17.
    pub feature: u32,
    /// `IMPLEMENTOR` of its `release` file.
    pub implementor: Option<String>,
    /// The value of `-Xbootclasspath/a`.
    pub boot_append: Option<String>,
    /// `java.vm.info`: how it executes bytecode.
    pub mode: &'static str,
    /// The value of `-XX:MaxDirectMemorySize` in bytes.
    pub max_direct_memory: Option<u64>,
}

impl VmInfo {
    /// A VM that runs the class library of `jdk`, without further settings.
    pub fn of(jdk: &Jdk) -> VmInfo {
        VmInfo {
            java_home: jdk.home().to_string_lossy().into_owned(),
            feature: jdk.feature(),
            implementor: jdk.release("IMPLEMENTOR").map(str::to_string),
            mode: "interpreted mode",
            ..VmInfo::default()
        }
    }
}

/// Properties that `-D` cannot change: they describe the VM.
const READ_ONLY: &[&str] = &[
    "java.vm.specification.name",
    "java.vm.specification.vendor",
    "java.vm.specification.version",
    "java.vm.name",
    "java.vm.vendor",
    "java.vm.version",
    "java.vm.info",
    "jdk.debug",
    BOOT_LIBRARIES,
];

/// The folders of the class library's own native code; `-D` adds to them.
const BOOT_LIBRARIES: &str = "sun.boot.library.path";

/// The result of `SystemProps.Raw.vmProperties()`: the VM's own properties, then those of the
/// command line in their order. Of two with the same key Java keeps the last.
pub fn vm_properties(
    vm: &VmInfo,
    host: &HostInfo,
    command_line: &[(String, String)],
) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |key: &str, value: &str| all.push((key.to_string(), value.to_string()));
    let specification = "Java Virtual Machine Specification";
    add("java.vm.specification.name", specification);
    add("java.vm.version", env!("CARGO_PKG_VERSION"));
    add("java.vm.name", "rjvm");
    add("jdk.debug", "release");
    let more = command_line.iter().filter(|(key, _)| key == BOOT_LIBRARIES);
    let more = more.map(|(_, folders)| format!(":{folders}"));
    let folders = format!("{}/lib", vm.java_home);
    add(BOOT_LIBRARIES, &(folders + &more.collect::<String>()));
    add("java.library.path", &library_path(vm, host));
    add("java.home", &vm.java_home);
    add("java.class.path", "");
    add("java.vm.info", vm.mode);
    add("java.vm.specification.vendor", "Oracle Corporation");
    add("java.vm.specification.version", &vm.feature.to_string());
    add("java.vm.vendor", "rjvm");
    if let Some(append) = &vm.boot_append {
        add("jdk.boot.class.path.append", append);
    }
    for (key, value) in command_line {
        if !READ_ONLY.contains(&key.as_str()) {
            add(key, value);
        }
    }
    if let Some(bytes) = vm.max_direct_memory {
        add("sun.nio.MaxDirectMemorySize", &bytes.to_string());
    }
    all
}

/// Where `System.loadLibrary` looks: the environment's list, then a default compiled into the
/// JDK, which Debian's builds extend by the directories of the architecture.
fn library_path(vm: &VmInfo, host: &HostInfo) -> String {
    let (variable, default) = if host.system.os_name == "Darwin" {
        let home = host.system.user_home.as_deref().unwrap_or("");
        let own = format!("{home}/Library/Java/Extensions:/Library/Java/Extensions");
        let rest =
            "/Network/Library/Java/Extensions:/System/Library/Java/Extensions:/usr/lib/java:.";
        ("DYLD_LIBRARY_PATH", format!("{own}:{rest}"))
    } else {
        let debian = matches!(vm.implementor.as_deref(), Some("Debian" | "Ubuntu"));
        let directories = match debian {
            true => {
                let tuple = multiarch_tuple(&host.system.arch);
                format!(
                    "/usr/lib/{tuple}/jni:/lib/{tuple}:/usr/lib/{tuple}:/usr/lib/jni:/lib:/usr/lib"
                )
            }
            false => "/usr/lib64:/lib64:/lib:/usr/lib".to_string(),
        };
        (
            "LD_LIBRARY_PATH",
            format!("/usr/java/packages/lib:{directories}"),
        )
    };
    match host.env.get(variable) {
        Some(path) => format!("{path}:{default}"),
        None => default,
    }
}

/// Debian's name of an architecture's library directory.
fn multiarch_tuple(arch: &str) -> String {
    match arch {
        "x86" => "i386-linux-gnu".to_string(),
        "arm" => "arm-linux-gnueabihf".to_string(),
        "powerpc64" => "powerpc64le-linux-gnu".to_string(),
        other => format!("{other}-linux-gnu"),
    }
}

/// The name a JDK gives to an architecture.
fn java_arch(os_name: &str, arch: &str) -> String {
    let name = match arch {
        "x86_64" if os_name == "Darwin" => "x86_64",
        "x86_64" => "amd64",
        "x86" => "i386",
        "powerpc64" if cfg!(target_endian = "little") => "ppc64le",
        "powerpc64" => "ppc64",
        other => other,
    };
    name.to_string()
}

const UNTIL_18: Versions = Versions::of(&[], &[18]);
const SINCE_19: Versions = Versions::of(&[19], &[]);
const UNTIL_23: Versions = Versions::of(&[], &[23]);
const SINCE_24: Versions = Versions::of(&[24], &[]);

/// The constants `_…_NDX` of `SystemProps.Raw` in the order of their values, without `_NDX`
/// and the leading underscore, and the JDKs that have them.
const PLATFORM_PROPERTIES: [(&str, Versions); 43] = [
    ("display_country", Versions::ALL),
    ("display_language", Versions::ALL),
    ("display_script", Versions::ALL),
    ("display_variant", Versions::ALL),
    ("file_encoding", UNTIL_23),
    ("file_separator", Versions::ALL),
    ("format_country", Versions::ALL),
    ("format_language", Versions::ALL),
    ("format_script", Versions::ALL),
    ("format_variant", Versions::ALL),
    ("ftp_nonProxyHosts", Versions::ALL),
    ("ftp_proxyHost", Versions::ALL),
    ("ftp_proxyPort", Versions::ALL),
    ("http_nonProxyHosts", Versions::ALL),
    ("http_proxyHost", Versions::ALL),
    ("http_proxyPort", Versions::ALL),
    ("https_proxyHost", Versions::ALL),
    ("https_proxyPort", Versions::ALL),
    ("java_io_tmpdir", Versions::ALL),
    ("line_separator", Versions::ALL),
    ("native_encoding", SINCE_24),
    ("os_arch", Versions::ALL),
    ("os_name", Versions::ALL),
    ("os_version", Versions::ALL),
    ("path_separator", Versions::ALL),
    ("socksNonProxyHosts", Versions::ALL),
    ("socksProxyHost", Versions::ALL),
    ("socksProxyPort", Versions::ALL),
    ("stderr_encoding", SINCE_19),
    ("stdin_encoding", SINCE_24),
    ("stdout_encoding", SINCE_19),
    ("sun_arch_abi", Versions::ALL),
    ("sun_arch_data_model", Versions::ALL),
    ("sun_cpu_endian", Versions::ALL),
    ("sun_cpu_isalist", Versions::ALL),
    ("sun_io_unicode_encoding", Versions::ALL),
    ("sun_jnu_encoding", Versions::ALL),
    ("sun_os_patch_level", Versions::ALL),
    ("sun_stderr_encoding", UNTIL_18),
    ("sun_stdout_encoding", UNTIL_18),
    ("user_dir", Versions::ALL),
    ("user_home", Versions::ALL),
    ("user_name", Versions::ALL),
];

/// The result of `SystemProps.Raw.platformProperties()` of a JDK of this feature version: for each index the constant's name, and
/// a value or null.
pub fn platform_properties(host: &HostInfo, feature: u32) -> Vec<(&'static str, Option<String>)> {
    let rows = PLATFORM_PROPERTIES.iter();
    let rows = rows.filter(|row| row.1.contains(feature));
    rows.map(|row| (row.0, platform_property(host, row.0)))
        .collect()
}

fn platform_property(host: &HostInfo, name: &str) -> Option<String> {
    let text = |s: &str| Some(s.to_string());
    let little = cfg!(target_endian = "little");
    let mac = host.system.os_name == "Darwin";
    match name {
        "display_country" => host.locale().display().country,
        "display_language" => Some(host.locale().display().language),
        "display_script" => host.locale().display().script,
        "display_variant" => host.locale().display().variant,
        "format_country" => host.locale().format().country,
        "format_language" => Some(host.locale().format().language),
        "format_script" => host.locale().format().script,
        "format_variant" => host.locale().format().variant,
        "file_encoding" | "native_encoding" => Some(host.locale().encoding()),
        // File names are UTF-8 on macOS whatever the locale.
        "sun_jnu_encoding" if mac => text("UTF-8"),
        "sun_jnu_encoding" => Some(host.locale().encoding()),
        "sun_stdout_encoding" | "stdout_encoding" => host
            .system
            .stdout_is_terminal
            .then(|| host.locale().encoding()),
        "sun_stderr_encoding" | "stderr_encoding" => host
            .system
            .stderr_is_terminal
            .then(|| host.locale().encoding()),
        "file_separator" => text("/"),
        "path_separator" => text(":"),
        "line_separator" => text("\n"),
        // Only macOS has a directory of its own for each user; TMPDIR is not asked elsewhere.
        "java_io_tmpdir" if host.system.temp_dir.is_some() => host.system.temp_dir.clone(),
        "java_io_tmpdir" if mac => text(host.env.get("TMPDIR").map_or("/tmp", String::as_str)),
        "java_io_tmpdir" => text("/tmp"),
        "os_arch" => Some(java_arch(&host.system.os_name, &host.system.arch)),
        "os_name" if mac => text("Mac OS X"),
        "os_name" => text(&host.system.os_name),
        "os_version" => text(&host.system.os_version),
        "sun_arch_data_model" => Some(usize::BITS.to_string()),
        "sun_cpu_endian" => text(if little { "little" } else { "big" }),
        "sun_io_unicode_encoding" => text(if little {
            "UnicodeLittle"
        } else {
            "UnicodeBig"
        }),
        "user_dir" => text(&host.system.current_dir),
        "user_home" => text(host.system.user_home.as_deref().unwrap_or("?")),
        "user_name" => text(host.system.user_name.as_deref().unwrap_or("?")),
        // Proxies are settings of other systems; the processor's details of other processors.
        _ => None,
    }
}
