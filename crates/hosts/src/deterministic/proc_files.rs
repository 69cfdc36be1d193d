//! Files in which the kernel reports itself: those that programs read have fixed contents, the others are not there.

use super::processes::{MEMORY, OWN};

/// A file of `/proc`.
pub enum ProcEntry {
    /// A file with these contents.
    File(Vec<u8>),
    /// A directory with these names.
    Directory(Vec<Vec<u8>>),
    /// Nothing, whatever this machine has there.
    Nothing,
    /// Entropy without end.
    Entropy,
}

const MOUNTS: &str = "/dev/root / ext4 rw,relatime 0 0\n";

/// The file at a name, if it is one of those.
pub fn at(path: &[u8]) -> Option<ProcEntry> {
    let path = std::str::from_utf8(path).ok()?;
    match path {
        "/dev/random" | "/dev/urandom" => return Some(ProcEntry::Entropy),
        "/etc/mtab" => return Some(ProcEntry::File(MOUNTS.into())),
        "/dev/tty" => return Some(ProcEntry::Nothing),
        _ => {}
    }
    if path.starts_with("/sys/") || path == "/sys" {
        return Some(ProcEntry::Nothing);
    }
    let rest = path.strip_prefix("/proc")?;
    let names =
        |all: &[&str]| ProcEntry::Directory(all.iter().map(|n| n.as_bytes().to_vec()).collect());
    let kb = |bytes: u64| bytes / 1024;
    let text = match rest {
        "" | "/" => {
            return Some(names(&[
                "cpuinfo", "loadavg", "meminfo", "mounts", "self", "uptime", "version",
            ]));
        }
        "/self" | "/self/" => return Some(names(&["mounts"])),
        "/mounts" | "/self/mounts" => MOUNTS.to_owned(),
        "/cpuinfo" => "processor\t: 0\nmodel name\t: rjvm\ncpu cores\t: 1\n\n".to_owned(),
        "/loadavg" => format!("0.00 0.00 0.00 1/1 {OWN}\n"),
        "/uptime" => "0.00 0.00\n".to_owned(),
        "/version" => "Linux version 6.1\n".to_owned(),
        "/meminfo" => format!(
            "MemTotal: {:14} kB\nMemFree: {:15} kB\nMemAvailable: {:10} kB\nSwapTotal: {:13} kB\nSwapFree: {:14} kB\n",
            kb(MEMORY.total),
            kb(MEMORY.free),
            kb(MEMORY.free),
            kb(MEMORY.swap),
            kb(MEMORY.free_swap)
        ),
        _ if rest.starts_with('/') => return Some(ProcEntry::Nothing),
        _ => return None,
    };
    Some(ProcEntry::File(text.into_bytes()))
}
