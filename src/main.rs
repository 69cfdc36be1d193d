//! The `rjvm` launcher.

fn main() {
    std::process::exit(rjvm::launcher::main());
}
