//! Whatever a probe says, reading it ends soon, without a panic.

use crate::common::{Moment, session};
use rjvm_probes::{Limits, Script, Source};
use std::time::{Duration, Instant};

fn refused(text: String) -> String {
    let start = Instant::now();
    let message = match Script::compile(&[Source::new("--probe", text)], Limits::default()) {
        Ok(_) => String::new(),
        Err(e) => e.to_string(),
    };
    assert!(start.elapsed() < Duration::from_secs(10));
    message
}

#[test]
fn deep_nesting_is_refused() {
    for text in [
        format!(
            "entry:M::f {{ print({}1{}) }}",
            "(".repeat(50_000),
            ")".repeat(50_000)
        ),
        format!("entry:M::f {{ print({}1) }}", "- ".repeat(50_000)),
        format!("entry:M::f {{ print({}true) }}", "!".repeat(50_000)),
        format!("entry:M::f {{ print(1{}) }}", "+1".repeat(50_000)),
        format!("entry:M::f {{ print(this{}) }}", ".x".repeat(50_000)),
        format!("entry:M::f {{ print(this{}) }}", "[0]".repeat(50_000)),
        format!("entry:M::f {{ print({}1) }}", "true?1:".repeat(30_000)),
        format!(
            "entry:M::f {{ print({}1{}) }}",
            "abs(".repeat(40_000),
            ")".repeat(40_000)
        ),
        format!("entry:M::f {{ {} }}", "if (true) {".repeat(20_000)),
        format!(
            "entry:M::f {{ if (true) {{}} {} }}",
            "else if (true) {}".repeat(12_000)
        ),
        format!(
            "entry:M::f {{ print({}1{}) }}",
            "@m[".repeat(40_000),
            "]".repeat(40_000)
        ),
    ] {
        let message = refused(text);
        assert!(
            message.contains("nested more than 100 levels deep"),
            "{message}"
        );
        assert!(
            message.lines().all(|line| line.chars().count() < 200),
            "{message}"
        );
    }
}

#[test]
fn huge_sources_are_refused() {
    assert!(refused("x".repeat(1 << 20)).contains("the probes are longer than 262144 bytes"));
    assert!(
        refused(format!(
            "entry:M::f {{ @[{}1] = count() }}",
            "1,".repeat(1000)
        ))
        .contains("at most 16 keys")
    );
    let message = refused(format!(
        "entry:M::f {{ {} }}",
        (0..2000).map(|i| format!("$v{i} = 1;")).collect::<String>()
    ));
    assert!(message.contains("more than 1024 variables"), "{message}");
}

#[test]
fn any_bytes_are_read_or_refused() {
    // Pieces of the language, put together by a seeded sequence.
    let pieces = [
        "entry:",
        "M::f",
        "..",
        "@",
        "$x",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "/",
        "/",
        ";",
        ",",
        "=",
        "+=",
        "++",
        "?",
        ":",
        "\"",
        "\\",
        "%d",
        "printf",
        "arg0",
        "this",
        ".x",
        "count()",
        "hist(",
        "1",
        "99999999999999999999",
        "0x",
        "1.5",
        "'",
        "ä",
        "\u{0}",
        "\n",
        "//",
        "/*",
        "*/",
        "if",
        "else",
        "stack",
        "every",
        "bytecodes",
        "alloc:",
        "byte[]",
        "+",
        "-",
        "~",
        "!",
        "null",
        "true",
        " ",
        " ",
        " ",
    ];
    let mut seed = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::from("entry:M::f { ");
        for _ in 0..20 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        if seed & 1 == 0 {
            text.push_str(" }");
        }
        match Script::compile(&[Source::new("--probe", text)], Limits::default()) {
            Ok(script) => script.session().fire(0, &mut Moment::default()),
            Err(e) => assert!(!e.to_string().is_empty()),
        }
    }
}

#[test]
fn hostile_patterns_match_in_time() {
    let text = "a".repeat(200);
    let mut session = session(&format!(
        "entry:M::f /arg0 ~ \"{}b\"/ {{ @ = count() }}",
        "*a".repeat(100)
    ));
    let mut moment = Moment::default();
    moment.args = vec![moment.text(&text)];
    let start = Instant::now();
    for _ in 0..1000 {
        session.fire(0, &mut moment);
    }
    assert!(start.elapsed() < Duration::from_secs(10));
}
