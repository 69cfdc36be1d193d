//! Public functions of libraries return error types, not messages.

use super::{assert_none, rust_files};

/// Libraries; `cli` and `libjvm` are programs, `jdk-stubs` throws Java's exceptions.
const LIBRARIES: [&str; 15] = [
    "classfile/src/",
    "profiler/src/",
    "vm/src/",
    "crates/costs/src/",
    "crates/debug/src/",
    "crates/explore/src/",
    "crates/heapdump/src/",
    "crates/hosts/src/",
    "crates/jfr/src/",
    "crates/ops/src/",
    "crates/pages/src/",
    "crates/probes/src/",
    "crates/rjvm/src/",
    "crates/run/src/",
    "crates/why/src/",
];

/// Functions whose message is the whole use: people read why no VM comes up and why a tool's request failed, and the
/// others are in private modules, whose callers make Java's `VerifyError` of the message.
const MESSAGES: [&str; 9] = [
    "vm/src/boot.rs new",
    "vm/src/boot.rs with_library",
    "vm/src/interp/translate/compact.rs new",
    "vm/src/interp/translate/compact.rs renumber",
    "vm/src/verify/infer.rs label_frames",
    "vm/src/verify/infer.rs infer_label_frames",
    "vm/src/verify/pace.rs look",
    "vm/src/vm/hooks.rs run",
    "crates/probes/src/format.rs parse",
];

/// The bodies of public traits, whose functions are as public.
fn traits(text: &str) -> impl Iterator<Item = &str> {
    let all = text.split("\npub trait ").skip(1);
    all.map(|rest| &rest[..rest.find("\n}").unwrap_or(rest.len())])
}

/// Names of the public functions that return a message as their error.
fn with_messages(text: &str) -> Vec<&str> {
    let of_traits = traits(text).flat_map(|body| body.split("\n    fn ").skip(1));
    let heads = text.split("pub fn ").skip(1).chain(of_traits);
    heads
        .filter_map(|rest| {
            let head = &rest[..rest.find(['{', ';'])?];
            let (_, result) = head.split_once("->")?;
            let message = result.contains("Result<") && result.trim_end().ends_with(", String>");
            let name = head.split(['(', '<']).next()?;
            message.then_some(name)
        })
        .collect()
}

#[test]
fn heads_of_functions_are_read() {
    let text = "pub fn a() -> Result<u8, String> {}\npub fn b(\n  x: u8,\n) -> Result<Vec<u8>, String> {\n\
        pub fn c() -> Result<u8, E> {}\nfn d() -> Result<u8, String> {}\npub fn e() -> BTreeMap<u8, String> {}";
    assert_eq!(with_messages(text), ["a", "b"]);
    let text = "\npub trait T {\n    fn f(&self) -> Result<u8, String>;\n    fn g() {}\n}\nfn h() -> Result<u8, String> {}";
    assert_eq!(with_messages(text), ["f"]);
}

#[test]
fn libraries_return_error_types() {
    let (mut found, mut known) = (Vec::new(), MESSAGES.to_vec());
    for file in rust_files() {
        if !LIBRARIES.iter().any(|l| file.path.starts_with(l)) {
            continue;
        }
        for name in with_messages(&file.text) {
            let place = format!("{} {name}", file.path);
            match known.iter().position(|k| *k == place) {
                Some(i) => drop(known.remove(i)),
                None => found.push(place),
            }
        }
    }
    assert_none("returns a message as its error", found);
    assert!(known.is_empty(), "no longer there: {known:?}");
}
