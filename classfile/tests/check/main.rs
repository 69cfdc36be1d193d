//! The format checks: each rule broken once, with the message that HotSpot gives.
//!
//! The messages were taken from OpenJDK 17; where its `java` is installed, the last test asks it.

mod cases;
#[path = "../common/mod.rs"]
mod common;

use cases::{CASES, with_code};
use common::build::Class;
use rjvm_classfile::{ClassFile, ErrorKind, check_version};
use std::process::Command;

/// The bytes of each case.
fn cases() -> impl Iterator<Item = (&'static str, Vec<u8>, &'static str)> {
    CASES.iter().map(|(name, breaks, message)| {
        let mut class = Class::new();
        breaks(&mut class);
        (*name, class.bytes(), *message)
    })
}

#[test]
fn each_rule_has_its_message() {
    ClassFile::parse(&Class::new().bytes())
        .unwrap()
        .check()
        .unwrap();
    let mut different = String::new();
    for (name, bytes, message) in cases() {
        match ClassFile::parse(&bytes).and_then(|class| class.check()) {
            Ok(()) => different += &format!("{name}: no error\n"),
            Err(error) if error.detail(None) == message => {
                let truncated = message == "Truncated class file";
                assert_eq!(error.kind() == ErrorKind::Truncated, truncated, "{name}");
            }
            Err(error) => {
                different += &format!("{name}\n  {}\nnot\n  {message}\n", error.detail(None));
            }
        }
    }
    assert!(different.is_empty(), "{different}");
}

#[test]
fn what_old_versions_allowed_is_allowed() {
    let allowed: [(u16, fn(&mut Class)); 5] = [
        (47, |c| {
            c.raw_utf8(&[0xC1, 0x81]);
        }),
        (49, |c| c.flags = 0x200),
        (50, |c| with_code(c, 0, "<clinit>", &[0xb1])),
        (52, |c| {
            c.flags = 0x600;
            with_code(c, 2, "m", &[0xb1]);
        }),
        (61, |c| c.method(0xC01, "strict", "()V", &[])),
    ];
    for (major, change) in allowed {
        let mut class = Class::new();
        class.major = major;
        change(&mut class);
        ClassFile::parse(&class.bytes()).unwrap().check().unwrap();
    }
}

#[test]
fn versions() {
    let message = |major, minor, preview| match check_version(major, minor, 61, preview) {
        Ok(()) => String::new(),
        Err(e) => {
            assert_eq!(e.kind(), ErrorKind::UnsupportedVersion { major, minor });
            e.detail(Some("p/C"))
        }
    };
    assert_eq!(message(61, 0, false), "");
    assert_eq!(message(45, 3, false), "");
    assert_eq!(
        message(62, 0, false),
        "p/C has been compiled by a more recent version of the Java Runtime (class file version \
         62.0), this version of the Java Runtime only recognizes class file versions up to 61.0"
    );
    assert_eq!(
        message(44, 0, false),
        "p/C (class file version 44.0) was compiled with an invalid major version"
    );
    assert_eq!(
        message(56, 1, false),
        "p/C (class file version 56.1) was compiled with an invalid non-zero minor version"
    );
    assert_eq!(
        message(61, 65535, false),
        "Preview features are not enabled for p/C (class file version 61.65535). Try running \
         with '--enable-preview'"
    );
    assert_eq!(message(61, 65535, true), "");
    assert_eq!(
        message(60, 65535, true),
        "p/C (class file version 60.65535) was compiled with preview features that are \
         unsupported. This version of the Java Runtime only recognizes preview features for \
         class file version 61.65535"
    );
    assert!(
        ClassFile::parse(&{
            let mut c = Class::new();
            c.major = 70;
            c.bytes()
        })
        .is_err()
    );
}

#[test]
fn errors_say_where_they_are() {
    let error = ClassFile::parse(&[0, 0, 0, 123]).unwrap_err();
    assert_eq!(
        error.detail(Some("a/B")),
        "Incompatible magic value 123 in class file a/B"
    );
    assert_eq!(std::mem::size_of_val(&error), std::mem::size_of::<usize>());

    let mut class = Class::new();
    let code = class.code(1, 1, &[0xb1], &[], &[]);
    class.method(9, "main", "([Ljava/lang/String;)V", &[code]);
    let bytes = class.bytes();
    let error = ClassFile::parse(&bytes[..bytes.len() - 4]).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "truncated class file at byte {:#x} while reading Code attribute of method \
             main([Ljava/lang/String;)V",
            bytes.len() - 4
        )
    );
}

/// Lets the installed JDK 17 define the broken classes; its messages must be the expected ones.
#[test]
fn hotspot_agrees() {
    let Some(java) = common::java_home_17().map(|home| home.join("bin").join("java")) else {
        return;
    };
    let dir = std::env::temp_dir().join(format!("rjvm-classfile-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let mut command = Command::new(&java);
    let source = dir.join("Define.java");
    std::fs::write(&source, DEFINE).unwrap();
    command.arg("-Xshare:auto").arg(&source);
    for (n, (_, bytes, _)) in cases().enumerate() {
        let file = dir.join(n.to_string());
        std::fs::write(&file, bytes).unwrap();
        command.arg(file);
    }
    let output = command.output().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines.len(), CASES.len(), "{output}");
    let different: Vec<_> = CASES
        .iter()
        .zip(lines)
        .filter(|((_, _, message), line)| message != line)
        .map(|((name, _, message), line)| {
            format!("{name}\n  here:    {message}\n  HotSpot: {line}\n")
        })
        .collect();
    assert!(different.is_empty(), "{}", different.concat());
}

const DEFINE: &str = r#"
import java.nio.file.*;
public class Define extends ClassLoader {
    public static void main(String[] files) throws Exception {
        for (String file : files) {
            byte[] bytes = Files.readAllBytes(Path.of(file));
            String line = "no error";
            try {
                new Define().defineClass(null, bytes, 0, bytes.length);
            } catch (ClassFormatError e) {
                line = e.getMessage();
            } catch (Throwable e) {
                line = e.toString();
            }
            System.out.println(line);
        }
    }
}
"#;
