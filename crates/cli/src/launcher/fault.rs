//! What the launcher says of a VM's fault.

use super::config::Config;
use rjvm_vm::fault::{Fault, FaultKind};

/// Exit code after a panic: that of an internal error, as `sysexits.h` has it.
pub const INTERNAL: i32 = 70;
/// Exit code when the machine has no more of what the VM needs: that of an error of the system.
pub const EXHAUSTED: i32 = 71;
/// Exit code when a run does something else than the one it is compared with: that of an error of protocol.
pub const PARTED: i32 = 76;

/// Says what happened, and what to report; the exit code.
pub fn tell(fault: &Fault, config: &Config) -> i32 {
    match fault.kind {
        FaultKind::Exhausted => {
            eprintln!("rjvm: {fault}");
            EXHAUSTED
        }
        FaultKind::Panic => {
            let command: Vec<&str> = config.command.iter().map(String::as_str).collect();
            eprintln!(
                "rjvm: internal error: {fault}\n\n\
                 This is a bug in rjvm, not in the program. Please report it with the lines above and these:\n  \
                 rjvm {} for {} on {}, JDK {}\n  \
                 options: {}\n\
                 With RUST_BACKTRACE=1 in the environment, the stack of rjvm itself is printed too.\n",
                env!("CARGO_PKG_VERSION"),
                std::env::consts::ARCH,
                std::env::consts::OS,
                config.jdk_version,
                command.join(" "),
            );
            INTERNAL
        }
    }
}
