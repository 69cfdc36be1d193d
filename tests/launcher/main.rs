//! The program `rjvm` as users start it, and what it does to its machine.

#[path = "../common/mod.rs"]
mod common;

mod ci_templates;
mod cli;
mod diagnosis;
mod heap_dump;
mod heap_tools;
mod huge;
mod jars;
mod java_agents;
mod javac;
mod maven;
mod memory;
mod os;
mod patching;
mod scale;
mod setup;
mod vm_options;
