//! The properties against those of the installed JDK's own launcher.

use super::*;
use crate::classpath::Search;
use std::process::Command;

fn jdk() -> Jdk {
    Search::usual(None, |name| std::env::var_os(name))
        .find()
        .unwrap()
}

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let owned = |(k, v): &(&str, &str)| (k.to_string(), v.to_string());
    pairs.iter().map(owned).collect()
}

/// The properties that `java` prints; lists are joined again.
fn properties_of_java(jdk: &Jdk, env: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let java = Command::new(jdk.home().join("bin/java"))
        .args(["-XshowSettings:properties", "-version"])
        .env_clear()
        .envs(env)
        .output()
        .unwrap();
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let mut last = String::new();
    for line in String::from_utf8_lossy(&java.stderr).lines() {
        if let Some(more) = line.strip_prefix("        ") {
            let value = all.get_mut(&last).unwrap();
            value.push(':');
            value.push_str(more);
        } else if let Some((key, value)) = line.trim_start().split_once(" = ") {
            last = key.to_string();
            all.insert(last.clone(), value.to_string());
        }
    }
    assert!(all.len() > 30, "{java:?}");
    all
}

/// What `SystemProps` makes of the natives' results.
fn properties_here(vm: &VmInfo, host: &HostInfo) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = vm_properties(vm, host, &[]).into_iter().collect();
    let raw: BTreeMap<&str, Option<String>> = platform_properties(host, 17).into_iter().collect();
    let mut put = |key: String, value: &Option<String>| {
        if let Some(value) = value {
            all.insert(key, value.clone());
        }
    };
    for (index, value) in &raw {
        let key = match *index {
            "sun_arch_data_model" => "sun.arch.data.model".to_string(),
            "file_encoding" => {
                put("native.encoding".into(), value);
                "file.encoding".into()
            }
            other if other.starts_with("display_") => other.replace("display_", "user."),
            other if other.starts_with("format_") => {
                let display = &raw[other.replace("format_", "display_").as_str()];
                match display == value {
                    true => continue,
                    false => format!("{}.format", other.replace("format_", "user.")),
                }
            }
            other => other.replace('_', "."),
        };
        put(key, value);
    }
    // As the launcher shows it.
    all.insert("line.separator".into(), "\\n ".into());
    all
}

#[test]
fn the_same_properties_as_the_launcher() {
    let jdk = jdk();
    let home = std::env::var("HOME").unwrap_or_default();
    let vm = VmInfo::of(&jdk);
    for variables in [
        &[][..],
        &[("LANG", "C")],
        &[("LANG", "POSIX"), ("LD_LIBRARY_PATH", "/a:/b")],
        &[("LANG", "C.UTF-8"), ("TMPDIR", "/elsewhere")],
        &[
            ("LANG", "C.UTF-8"),
            ("LC_ALL", "C"),
            ("LD_LIBRARY_PATH", ""),
        ],
        &[("LC_CTYPE", "C.UTF-8")],
        &[("LC_MESSAGES", "C.UTF-8")],
        &[("LANG", "en_US.UTF-8")],
        &[("LC_ALL", "de_DE.UTF-8")],
        &[("LANG", "C.UTF-8"), ("LC_PAPER", "xx_XX")],
    ] {
        let mut env = map(variables);
        env.insert("HOME".into(), home.clone());
        let mut expected = properties_of_java(&jdk, &env);
        let mut system = process::system(&env);
        // The launcher's output goes to a pipe.
        (system.stdout_is_terminal, system.stderr_is_terminal) = (false, false);
        let host = HostInfo { system, env };
        let mut here = properties_here(&vm, &host);
        let own = [
            ("java.vm.name", "rjvm"),
            ("java.vm.vendor", "rjvm"),
            ("java.vm.version", env!("CARGO_PKG_VERSION")),
            ("java.vm.info", "interpreted mode"),
        ];
        for (key, value) in own {
            assert_eq!(here.remove(key).unwrap(), value);
            expected.remove(key).unwrap();
        }
        expected.retain(|key, _| {
            // Supplied by `VersionProps`, by the launcher, or by HotSpot about itself.
            let version = [
                "java.runtime.",
                "java.specification.",
                "java.vendor",
                "java.version",
            ];
            let other = [
                "java.class.version",
                "java.vm.compressedOopsMode",
                "sun.java.launcher",
                "sun.management.compiler",
            ];
            !version.iter().any(|v| key.starts_with(v)) && !other.contains(&key.as_str())
        });
        assert_eq!(here, expected, "{variables:?}");
    }
}

#[test]
fn indices_are_those_of_the_class_library() {
    for jdk in Search::usual(None, |name| std::env::var_os(name)).all() {
        let javap = jdk.home().join("bin/javap");
        if !javap.is_file() {
            // an image without the JDK's tools
            continue;
        }
        let javap = Command::new(javap)
            .args(["-p", "-constants", "jdk.internal.util.SystemProps$Raw"])
            .output()
            .unwrap();
        let text = String::from_utf8(javap.stdout).unwrap();
        let host = HostInfo::default();
        let here = platform_properties(&host, jdk.feature());
        let mut found = 0;
        for line in text.lines() {
            let Some((_, constant)) = line.split_once("static final int _") else {
                continue;
            };
            let (name, value) = constant.split_once("_NDX = ").unwrap();
            let index: usize = value.trim_end_matches(';').parse().unwrap();
            assert_eq!(here[index].0, name, "JDK {}", jdk.feature());
            found += 1;
        }
        assert_eq!(found, here.len(), "JDK {}", jdk.feature());
    }
}

#[test]
fn the_command_line_overrides_what_it_may() {
    let vm = VmInfo {
        java_home: "/jdk".into(),
        feature: 17,
        boot_append: Some("/agent.jar".into()),
        max_direct_memory: Some(1024),
        ..VmInfo::default()
    };
    let given = [
        ("java.home", "/other"),
        ("java.vm.name", "HotSpot"),
        ("a", "1"),
        ("a", "2"),
        ("sun.boot.library.path", "/more"),
        ("sun.boot.library.path", "/and:/more"),
        ("sun.nio.MaxDirectMemorySize", "1"),
    ];
    let given = given.map(|(k, v)| (k.to_string(), v.to_string()));
    let all = vm_properties(&vm, &HostInfo::default(), &given);
    let last: BTreeMap<String, String> = all.into_iter().collect();
    assert_eq!(last["java.home"], "/other");
    assert_eq!(last["java.vm.name"], "rjvm");
    assert_eq!(last["a"], "2");
    assert_eq!(last["sun.boot.library.path"], "/jdk/lib:/more:/and:/more");
    assert_eq!(last["jdk.boot.class.path.append"], "/agent.jar");
    assert_eq!(last["sun.nio.MaxDirectMemorySize"], "1024");
    assert_eq!(
        last["java.library.path"],
        "/usr/java/packages/lib:/usr/lib64:/lib64:/lib:/usr/lib"
    );
}

#[test]
fn locale_names() {
    // name, language, country, script, variant: as HotSpot reports them.
    for (name, language, country, script, variant) in [
        ("C", "en", "US", "", ""),
        ("POSIX", "en", "US", "", ""),
        ("C.UTF-8", "en", "", "", ""),
        ("de_DE.UTF-8", "de", "DE", "", ""),
        ("fr", "fr", "FR", "", ""),
        ("es.UTF-8", "es", "ES", "", ""),
        ("sr_RS.UTF-8@latin", "sr", "RS", "Latn", ""),
        ("no_NO.UTF-8@nynorsk", "no", "NO", "", "NY"),
        ("zh_TW.UTF-8@Hant", "zh", "TW", "Hant", ""),
        ("he_IL.UTF-8", "iw", "IL", "", ""),
        ("xx_RN.UTF-8", "xx", "US", "", ""),
        ("sr_YU", "sr", "CS", "", ""),
        ("su_XX", "fi", "XX", "", ""),
        ("de_DE@euro", "de", "DE", "", ""),
    ] {
        let part = |s: &str| Some(s.to_string()).filter(|s| !s.is_empty());
        let expected = JavaLocale {
            language: language.into(),
            country: part(country),
            script: part(script),
            variant: part(variant),
        };
        assert_eq!(JavaLocale::of(name), expected, "{name}");
    }
}

/// A system with a few locales.
struct TestSystem;

impl Locales for TestSystem {
    fn exists(&self, _: &str, name: &str) -> bool {
        self.codeset(name).is_some()
    }

    fn codeset(&self, name: &str) -> Option<String> {
        let codeset = match name {
            "C" => "ANSI_X3.4-1968",
            "de_DE.UTF-8" | "pt_BR" => "UTF-8",
            "ja_JP.eucJP" => "EUC-JP",
            _ => return None,
        };
        Some(codeset.to_string())
    }
}

#[test]
fn locale_settings() {
    let settings = |pairs: &[(&str, &str)]| {
        let s = LocaleSettings::from_env(&map(pairs), &TestSystem);
        let parts = (s.display().language, s.format().language, s.encoding());
        [parts.0, parts.1, parts.2]
    };
    let german = ("LANG", "de_DE.UTF-8");
    assert_eq!(settings(&[german]), ["de", "de", "UTF-8"]);
    let portuguese = ("LC_MESSAGES", "pt_BR");
    assert_eq!(settings(&[german, portuguese]), ["pt", "de", "UTF-8"]);
    assert_eq!(settings(&[portuguese]), ["pt", "en", "ANSI_X3.4-1968"]);
    assert_eq!(
        settings(&[german, ("LC_ALL", "C")]),
        ["en", "en", "ANSI_X3.4-1968"]
    );
    assert_eq!(settings(&[german, ("LC_ALL", "")]), ["de", "de", "UTF-8"]);
    assert_eq!(
        settings(&[german, ("LC_TIME", "xx")]),
        ["en", "en", "ANSI_X3.4-1968"]
    );
    assert_eq!(
        settings(&[("LC_CTYPE", "ja_JP.eucJP")]),
        ["en", "ja", "EUC-JP-LINUX"]
    );
}

#[test]
fn time_zones() {
    let platform = || Some("Etc/UTC".to_string());
    for (tz, expected) in [
        (None, "Etc/UTC"),
        (Some(""), "Etc/UTC"),
        (Some("Europe/Berlin"), "Europe/Berlin"),
        (Some(":Europe/Berlin"), "Europe/Berlin"),
        (Some("posix/Europe/Berlin"), "Europe/Berlin"),
        (Some("JST-9"), "JST-9"),
    ] {
        assert_eq!(
            time_zone_id(tz, platform).as_deref(),
            Some(expected),
            "{tz:?}"
        );
    }
    let ids = [0, 3600, -19800, 59, 45900].map(gmt_offset_id);
    assert_eq!(ids, ["GMT", "GMT+01:00", "GMT-05:30", "GMT", "GMT+12:45"]);
}

#[test]
fn the_zone_of_the_platform() {
    use std::fs;
    let root = std::env::temp_dir().join(format!("rjvm-zoneinfo-{}", std::process::id()));
    let zoneinfo = root.join("zoneinfo");
    fs::create_dir_all(zoneinfo.join("Europe")).unwrap();
    for (name, content) in [
        ("Europe/Berlin", "berlin"),
        ("Europe/Oslo", "berlin"),
        ("UTC", "utc"),
        ("Etc", "utc"),
        ("localtime", "tokyo"),
    ] {
        fs::write(zoneinfo.join(name), content).unwrap();
    }
    let localtime = root.join("localtime");
    let id = || platform_time_zone_id(&localtime, &zoneinfo);
    assert_eq!(id(), None);
    for (content, expected) in [
        ("berlin", Some("Europe/Berlin")),
        ("utc", Some("UTC")),
        ("tokyo", None),
    ] {
        fs::write(&localtime, content).unwrap();
        assert_eq!(id().as_deref(), expected, "{content}");
    }
    fs::remove_file(&localtime).unwrap();
    std::os::unix::fs::symlink("../usr/share/zoneinfo/Asia/Tokyo", &localtime).unwrap();
    assert_eq!(id().as_deref(), Some("Asia/Tokyo"));
    fs::remove_dir_all(root).unwrap();
}
