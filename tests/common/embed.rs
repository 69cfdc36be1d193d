//! VMs of the embedding with the classes of `tests/embed/app`.

use super::{jdk, tests_dir};
use rjvm::{Engine, Error, Vm, VmBuilder};
use std::path::PathBuf;
use std::sync::OnceLock;

pub const CALC: &str = "app.Calc";
pub const HOST: &str = "app.Host";

pub fn engine() -> Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    let made = || Engine::with_java_home(jdk::java_home()).expect("a JDK");
    ENGINE.get_or_init(made).clone()
}

pub fn class_path() -> PathBuf {
    let dir = tests_dir().join("embed/app");
    let sources = ["Calc.java", "Host.java", "Main.java"].map(|n| dir.join(n));
    jdk::compile("embed", &sources, &[], &dir.join("resources"))
}

pub fn builder() -> VmBuilder {
    engine().vm().heap(64 << 20).class_path([class_path()])
}

pub fn vm() -> Vm {
    builder().build().expect("a VM")
}

/// What it fails with.
pub fn failure<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    format!("{:#}", result.expect_err("a failure"))
}
