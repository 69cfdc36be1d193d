//! Chooses the dispatch back end: tail calls where LLVM is sure to make jumps of them, a loop elsewhere; and with tail calls the
//! compiled tier, where there is one.
//! `RJVM_DISPATCH=loop` chooses the loop everywhere.

use std::env::var;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(tail_dispatch)");
    println!("cargo::rustc-check-cfg=cfg(tier)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RJVM_DISPATCH");
    let sure = var("OPT_LEVEL").is_ok_and(|o| o != "0")
        && var("CARGO_CFG_TARGET_ARCH").is_ok_and(|a| a == "x86_64");
    let tail = match var("RJVM_DISPATCH").as_deref() {
        Err(_) | Ok("") => sure,
        Ok("tail") if sure => true,
        Ok("loop") => false,
        Ok("tail") => panic!("RJVM_DISPATCH=tail: only for x86-64, and not at opt-level 0"),
        Ok(other) => panic!("RJVM_DISPATCH={other}: there are `tail` and `loop`"),
    };
    if tail {
        println!("cargo::rustc-cfg=tail_dispatch");
    }
    // compiled code jumps to handlers, and is in a file without a name
    if tail && var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-cfg=tier");
    }
}
