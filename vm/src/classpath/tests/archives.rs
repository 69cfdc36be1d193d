//! Class paths of directories and jars, manifests, multi-release jars, broken archives.

use super::TempFolder;
use crate::classpath::*;

fn manifest(text: &str) -> Manifest {
    Manifest::parse(text.as_bytes()).unwrap()
}

#[test]
fn manifests() {
    let m = manifest(
        "Manifest-Version: 1.0\r\nMain-Class: p.Ma\r\n in\r\nmulti-release: TRUE\r\n\
         Add-Opens: java.base/java.lang java.\n base/java.util\rAdd-Exports:  a/b\nA: 1\nA: 2\n\
         \nName: p/C.class\nMain-Class: other\n",
    );
    assert_eq!(m.main_class(), Some("p.Main"));
    assert!(m.is_multi_release());
    let opens: Vec<&str> = m.add_opens().collect();
    assert_eq!(opens, ["java.base/java.lang", "java.base/java.util"]);
    assert_eq!(m.add_exports().collect::<Vec<_>>(), ["a/b"]);
    assert_eq!(m.get("a"), Some("2"));
    assert_eq!(m.get("Name"), None);
    assert_eq!(manifest("").main_class(), None);
    // A line may end in the middle of a character.
    let mut split = b"X: caf\xc3".to_vec();
    split.extend(b"\n \xa9");
    assert_eq!(Manifest::parse(&split).unwrap().get("X"), Some("caf\u{e9}"));
    for (bad, expected) in [
        ("A: 1\nno colon\n", "line 2 is not"),
        (" first", "line 1: a continuation"),
        ("A B: 1", "line 1 is not"),
        ("A:1", "line 1 is not"),
    ] {
        let error = Manifest::parse(bad.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn the_class_path_of_a_manifest() {
    let m = manifest("Class-Path: lib/a.jar ../b%20c.jar dir/ file:/x.jar http://h/y.jar %zz\n");
    let paths: Vec<(String, bool)> = m
        .class_path(Path::new("/app/main.jar"))
        .into_iter()
        .map(|u| (u.path.display().to_string(), u.is_directory))
        .collect();
    let expected = [
        ("/app/lib/a.jar", false),
        ("/app/../b c.jar", false),
        ("/app/dir/", true),
        ("/x.jar", false),
    ];
    assert_eq!(paths, expected.map(|(p, d)| (p.to_string(), d)));
}

#[test]
fn multi_release_jars() {
    let temp = TempFolder::new("multi");
    let entries: &[(&str, &[u8])] = &[
        ("META-INF/MANIFEST.MF", b"Multi-Release: true\n"),
        ("p/A.class", b"base"),
        ("p/B.class", b"base"),
        ("p/C.class", b"base"),
        ("META-INF/x", b"base"),
        ("META-INF/versions/9/p/A.class", b"9"),
        ("META-INF/versions/17/p/A.class", b"17"),
        ("META-INF/versions/18/p/A.class", b"18"),
        ("META-INF/versions/11/p/B.class", b"11"),
        ("META-INF/versions/21/p/C.class", b"21"),
        ("META-INF/versions/8/p/C.class", b"8"),
        ("META-INF/versions/9/META-INF/x", b"9"),
    ];
    let jar = Jar::open(temp.zip("multi.jar", b"", entries)).unwrap();
    let find = |name| String::from_utf8(jar.find(name).unwrap().unwrap()).unwrap();
    let found = ["p/A.class", "p/B.class", "p/C.class", "META-INF/x"].map(find);
    assert_eq!(found, ["17", "11", "base", "base"]);
    assert_eq!(jar.find_base("p/A.class").unwrap().unwrap(), b"base");
    assert_eq!(jar.find("p/D.class").unwrap(), None);
    let plain = Jar::open(temp.zip("plain.jar", b"", &entries[1..])).unwrap();
    assert_eq!(plain.find("p/A.class").unwrap().unwrap(), b"base");
}

#[test]
fn the_order_of_a_class_path() {
    let temp = TempFolder::new("order");
    temp.write("dir/p/A.class", b"dir");
    let main = temp.zip(
        "main.jar",
        b"",
        &[
            (
                "META-INF/MANIFEST.MF",
                b"Class-Path: lib/x.jar classes/ main.jar gone.jar\n",
            ),
            ("p/A.class", b"main"),
            ("p/B.class", b"main"),
        ],
    );
    temp.zip(
        "lib/x.jar",
        b"",
        &[("p/B.class", b"x"), ("p/C.class", b"x")],
    );
    temp.write("classes/p/C.class", b"classes");
    temp.write("classes/p/D.class", b"classes");
    temp.zip(
        "wild/b.jar",
        b"",
        &[("p/D.class", b"b"), ("p/E.class", b"b")],
    );
    temp.zip("wild/a.JAR", b"", &[("p/E.class", b"a")]);
    temp.write("wild/broken.jar", b"not a jar");
    temp.write("wild/F.class", b"not searched");
    let at = |name: &str| temp.path(name).display().to_string();
    let spec = [
        at("dir"),
        main.display().to_string(),
        at("none"),
        at("wild/*"),
    ]
    .join(":");
    let class_path = ClassPath::open(&spec);
    let find = |name: &str| {
        let found = class_path.find(&format!("p/{name}.class")).unwrap()?;
        Some((String::from_utf8(found.bytes).unwrap(), found.source))
    };
    assert_eq!(
        find("A").unwrap(),
        ("dir".into(), temp.path("dir").as_path())
    );
    assert_eq!(find("B").unwrap().0, "main");
    assert_eq!(find("C").unwrap().0, "x");
    assert_eq!(find("D").unwrap().0, "classes");
    assert_eq!(
        find("E").unwrap(),
        ("a".into(), temp.path("wild/a.JAR").as_path())
    );
    assert_eq!(find("F"), None);
    let [problem] = class_path.problems() else {
        panic!("{:?}", class_path.problems());
    };
    assert!(
        problem
            .to_string()
            .contains("broken.jar is not a valid jar file")
    );
    let expanded = expand_wildcards(format!("{}:{}", at("wild/*"), at("classes/*")));
    let expected = [
        at("wild/a.JAR"),
        at("wild/b.jar"),
        at("wild/broken.jar"),
        at("classes/*"),
    ];
    assert_eq!(expanded.to_str().unwrap(), expected.join(":"));
}

#[test]
fn names_never_leave_a_directory() {
    let temp = TempFolder::new("names");
    let secret = temp.write("secret", b"s");
    temp.write("dir/in", b"i");
    let dir = Dir::new(temp.path("dir"));
    assert_eq!(dir.find("in").unwrap().unwrap(), b"i");
    let long = "x".repeat(5000);
    for name in [
        "../secret",
        secret.to_str().unwrap(),
        "",
        ".",
        "in/x",
        "a\0b",
        &long,
    ] {
        assert_eq!(dir.find(name).unwrap(), None, "{name}");
    }
    assert_eq!(dir.names().unwrap(), ["in"]);
}

#[test]
fn broken_archives() {
    let temp = TempFolder::new("broken");
    let error = Jar::open(temp.path("none.jar")).unwrap_err().to_string();
    assert!(
        error.starts_with("cannot read ") && error.contains("none.jar"),
        "{error}"
    );
    let error = Jar::open(temp.path("")).unwrap_err().to_string();
    assert!(error.contains("not a regular file"), "{error}");
    let bad = temp.zip("m.jar", b"", &[("META-INF/MANIFEST.MF", b"nonsense")]);
    let error = Jar::open(bad).unwrap_err().to_string();
    assert!(
        error.contains("m.jar is not a valid jar file: META-INF/MANIFEST.MF: line 1"),
        "{error}"
    );
    let random = temp.write("m.jmod", b"PK rather than JM");
    let error = Jmod::open(random).unwrap_err().to_string();
    assert!(error.contains("m.jmod is not a valid jmod file"), "{error}");

    let jmod = temp.zip(
        "good.jmod",
        b"JM\x01\0",
        &[("classes/p/A.class", b"a"), ("bin/x", b"x")],
    );
    let jmod = Jmod::open(jmod).unwrap();
    assert_eq!(jmod.find("p/A.class").unwrap().unwrap(), b"a");
    assert_eq!(jmod.names(), ["p/A.class"]);

    let body = b"some text ".repeat(20);
    let good = temp.zip(
        "good.jar",
        b"",
        &[("a", &body), ("META-INF/MANIFEST.MF", b"A: b\n")],
    );
    let good = std::fs::read(good).unwrap();
    let read = |bytes: &[u8]| -> Result<Option<Vec<u8>>> {
        Jar::open(temp.write("bad.jar", bytes))?.find("a")
    };
    assert_eq!(read(&good).unwrap().unwrap(), body);
    for length in 0..good.len() {
        assert!(read(&good[..length]).is_err(), "cut to {length}");
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x41;
        // Not every byte matters, and as for HotSpot's boot loader the checksum doesn't: what is handed
        // out has the size that the directory gives.
        if let Ok(Some(bytes)) = read(&bad) {
            assert_eq!(bytes.len(), body.len(), "byte {at}");
        }
    }
}
