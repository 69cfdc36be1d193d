//! The names of HotSpot's intrinsics, which `-XX:ControlIntrinsic` and `-XX:DisableIntrinsic` may name. Names that HotSpot
//! refuses are refused here; the others have no effect.

use super::super::config::Config;

/// A line for each name, and the versions that accept it.
const NAMES: &str = include_str!("hotspot-intrinsics.txt");

fn exists(name: &str, version: u32) -> bool {
    let version = version.to_string();
    let mut lines = NAMES.lines().map(|line| line.split(' '));
    lines.any(|mut words| words.next() == Some(name) && words.any(|v| v == version))
}

/// What HotSpot says of the lists of intrinsics that were given; nothing if all of them exist.
pub fn complaints(c: &Config) -> Vec<String> {
    let mut complaints = Vec::new();
    for option in ["DisableIntrinsic", "ControlIntrinsic"] {
        let Some(list) = c.xx.given(option) else {
            continue;
        };
        let names = list.split([',', ' ', '\n']).filter(|name| !name.is_empty());
        let names = names.map(|name| name.strip_prefix(['+', '-']).unwrap_or(name));
        let mut unknown = names.filter(|name| !exists(name, c.xx.version()));
        if let Some(name) = unknown.next() {
            complaints.push(format!(
                "Unrecognized intrinsic detected in {option}: {name}"
            ));
        }
    }
    complaints
}
