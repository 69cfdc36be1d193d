//! The `rjvm` launcher.

fn main() {
    std::process::exit(rjvm_cli::launcher::main());
}
