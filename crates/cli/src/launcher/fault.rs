//! What the launcher says of a VM's fault.

use super::codes::{EXHAUSTED, INTERNAL};
use super::config::Config;
use crate::messages;
use rjvm_vm::fault::{Fault, FaultKind};

/// Says what happened, and what to report; the exit code.
pub fn report_end(fault: &Fault, config: &Config) -> i32 {
    match fault.kind {
        FaultKind::Exhausted => {
            messages::error(&fault);
            EXHAUSTED
        }
        FaultKind::Panic => {
            let command: Vec<&str> = config.command.iter().map(String::as_str).collect();
            messages::error(&format_args!(
                "internal error: {fault}\n\n\
                 This is a bug in rjvm, not in the program. Report it with the lines above and these:\n  \
                 rjvm {} for {} on {}, JDK {}\n  \
                 options: {}\n\
                 With RUST_BACKTRACE=1 in the environment, the stack of rjvm itself is printed too.\n",
                env!("CARGO_PKG_VERSION"),
                std::env::consts::ARCH,
                std::env::consts::OS,
                config.jdk_version,
                command.join(" ")
            ));
            INTERNAL
        }
    }
}
