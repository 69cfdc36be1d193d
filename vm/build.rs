//! Chooses the dispatch back end: tail calls where LLVM is sure to make jumps of them, a loop elsewhere.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(tail_dispatch)");
    println!("cargo::rerun-if-changed=build.rs");
    let opt = std::env::var("OPT_LEVEL").unwrap_or_default();
    let arch = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    if opt != "0" && arch == "x86_64" {
        println!("cargo::rustc-cfg=tail_dispatch");
    }
}
