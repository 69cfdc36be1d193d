//! Functions return error types, not messages.

use super::{assert_none, rust_files};

/// Where the product lies.
const ROOMS: [&str; 5] = [
    "classfile/src/",
    "profiler/src/",
    "vm/src/",
    "jdk-stubs/src/",
    "crates/",
];

/// Files, and folders, in which a message is an error: for each of them, why.
const MESSAGES: [(&str, &str); 26] = [
    ("vm/src/verify/", "Java's VerifyError has it"),
    ("vm/src/interp/translate/", "Java's VerifyError has it"),
    (
        "vm/src/classes/constraints.rs",
        "Java's LinkageError has it",
    ),
    (
        "vm/src/classes/modules.rs",
        "Java's IllegalAccessError has it",
    ),
    (
        "vm/src/host/network.rs",
        "Java's UnknownHostException has it",
    ),
    ("crates/hosts/src/contained/network.rs", "the same"),
    ("crates/hosts/src/deterministic/network.rs", "the same"),
    ("jdk-stubs/src/os/network.rs", "the same"),
    (
        "jdk-stubs/src/foreign/libraries.rs",
        "Java's UnsatisfiedLinkError has it",
    ),
    (
        "jdk-stubs/src/jdk_internal_loader/native_libraries.rs",
        "the same",
    ),
    ("jdk-stubs/src/jni/", "the same"),
    (
        "crates/cli/src/testing/explorer.rs",
        "Java's IllegalStateException has it",
    ),
    (
        "vm/src/classpath/jimage_compressed.rs",
        "the archive's error type has it, with the file",
    ),
    ("vm/src/classpath/zip.rs", "the same"),
    ("vm/src/boot.rs", "people read why no VM comes up"),
    ("vm/src/classes/library.rs", "the same"),
    ("vm/src/jdk/", "the same"),
    ("vm/src/events/log.rs", "the same"),
    (
        "jdk-stubs/src/check.rs",
        "people read why a JDK cannot be compared",
    ),
    ("vm/src/heap/verify.rs", "the VM's own panic has it"),
    (
        "vm/src/vm/hooks.rs",
        "the answer of a command is a text, whether it was carried out or not",
    ),
    ("vm/src/threads/pending_calls.rs", "the same"),
    ("vm/src/threads/pending_requests.rs", "the same"),
    ("crates/cli/src/launcher/control/", "the same"),
    (
        "crates/cli/src/agent/java/",
        "the words of an exception of an agent's VM",
    ),
    (
        "crates/probes/src/format.rs",
        "the mistake in a probe has it, with its place",
    ),
];

/// The code of a file, without its tests.
fn without_tests(text: &str) -> &str {
    let tests = text.find("#[cfg(test)]\nmod ");
    &text[..tests.unwrap_or(text.len())]
}

/// The lines with a `Result` whose error is a message.
fn with_messages(text: &str) -> Vec<usize> {
    let starts = text
        .match_indices("Result<")
        .map(|(i, word)| i + word.len());
    let found = starts.filter(|&start| {
        let (mut depth, mut last, mut before) = (1, None, ' ');
        for (i, c) in text[start..].char_indices() {
            match c {
                '<' | '(' | '[' => depth += 1,
                '>' if before == '-' => {}
                '>' | ')' | ']' => depth -= 1,
                ',' if depth == 1 => last = Some(start + i + 1),
                ';' | '{' if depth == 1 => return false,
                _ => {}
            }
            if depth == 0 {
                return last.is_some_and(|last| text[last..start + i].trim() == "String");
            }
            before = c;
        }
        false
    });
    found.map(|i| text[..i].matches('\n').count() + 1).collect()
}

#[test]
fn results_with_messages_are_found() {
    let text = "fn a() -> Result<u8, String> {}\nfn b(\n) -> Result<Vec<u8>, String>;\n\
        fn c() -> Result<u8, E> {}\ntype R<T> = Result<T, String>;\nfn e() -> BTreeMap<u8, String> {}\n\
        fn f(g: impl Fn() -> Result<[u8; 2], String>) {}\nfn h() -> Result<String, Vec<String>> {}\n\
        fn i() -> Result<String> {}\nfn j() -> Result<(u8, String), E> {}\n\
        #[cfg(test)]\nmod tests {\nfn k() -> Result<u8, String> {}\n}";
    assert_eq!(with_messages(without_tests(text)), [1, 3, 5, 7]);
}

/// Private functions, too: a caller can match on the mistake, and each message is written in one place.
#[test]
fn errors_are_types() {
    let is_test = |path: &str| path.contains("/tests/") || path.ends_with("/tests.rs");
    let mut used = vec![false; MESSAGES.len()];
    let mut found = Vec::new();
    for file in rust_files() {
        let product = ROOMS.iter().any(|room| file.path.starts_with(room));
        if !product || is_test(&file.path) {
            continue;
        }
        let known = MESSAGES.iter().position(|m| file.path.starts_with(m.0));
        for line in with_messages(without_tests(&file.text)) {
            match known {
                Some(i) => used[i] = true,
                None => found.push(format!("{}:{line}", file.path)),
            }
        }
    }
    assert_none("a message is an error: give it a type", found);
    let unused = MESSAGES.iter().zip(used).filter(|(_, used)| !used);
    let unused: Vec<&str> = unused.map(|(m, _)| m.0).collect();
    assert!(unused.is_empty(), "no longer there: {unused:?}");
}
