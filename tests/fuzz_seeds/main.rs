//! The seeds of the fuzz targets, and what they once found, are survived.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/fuzzed.rs"]
mod fuzzed;

#[test]
fn seeds_of_the_fuzz_targets_are_survived() {
    // SAFETY: no other thread of this test program reads the environment.
    unsafe { std::env::set_var("JAVA_HOME", common::jdk::java_home()) };
    let seeds = common::root().join("fuzz/seeds");
    for (name, run) in fuzzed::TARGETS {
        let files = common::entries(&seeds.join(name));
        assert!(!files.is_empty(), "{name} has no seeds");
        for file in files {
            let bytes = std::fs::read(&file).expect("a seed can be read");
            eprintln!("{}", file.display());
            run(&bytes);
        }
    }
}
