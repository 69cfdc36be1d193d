//! The programs that read profiles: what they make of one, or a word about it if they are not installed.

pub mod missing;

use missing::not_checked;
use std::path::Path;
use std::process::Command;

/// The output of a program that succeeds; none if it is not installed.
pub fn output(command: &mut Command) -> Option<String> {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            let program = command.get_program().to_string_lossy();
            not_checked(&format!("{program} is not installed ({error})"));
            return None;
        }
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    Some(text(&output.stdout))
}

/// What Chromium makes of a page after ten seconds of its time; none if there is no Chromium. `link` is what follows
/// the file's address, `scratch` a folder for itself.
pub fn browsed(page: &Path, link: &str, scratch: &Path) -> Option<String> {
    let chromium = "/usr/bin/chromium";
    if !Path::new(chromium).exists() {
        not_checked("chromium is not installed");
        return None;
    }
    // It may hang where it cannot reach a display or a network.
    let mut command = Command::new("timeout");
    command.args([
        "60",
        chromium,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--virtual-time-budget=10000",
        "--dump-dom",
    ]);
    command.arg(format!("--user-data-dir={}", scratch.display()));
    command.arg(format!("file://{}{link}", page.display()));
    output(&mut command)
}
