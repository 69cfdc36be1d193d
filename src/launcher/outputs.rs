//! The files that profiles and samples are to be written to: before the program runs, it is known whether
//! that can be done.

use super::config::Config;
use std::path::Path;

/// What is wrong with a file that is to be written, if anything.
pub fn prepare(config: &Config) -> Result<(), String> {
    let profiles = config.outputs.iter().chain(&config.sample_outputs);
    let files = profiles.map(|path| (path, "profile"));
    let log = config.sample_log.iter().map(|path| (path, "samples"));
    let files: Vec<_> = files.chain(log).collect();
    for (i, &(path, what)) in files.iter().enumerate() {
        let problem = match path.parent() {
            _ if files[..i].iter().any(|other| other.0 == path) => {
                "it would be written twice".into()
            }
            _ if path.is_dir() => "it is a folder".into(),
            Some(folder) if missing(folder) => format!("there is no folder {}", folder.display()),
            _ => continue,
        };
        return Err(format!(
            "{}: cannot write the {what}: {problem}",
            path.display()
        ));
    }
    Ok(())
}

fn missing(folder: &Path) -> bool {
    !folder.as_os_str().is_empty() && !folder.is_dir()
}
