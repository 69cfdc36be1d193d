//! The host's time zone as `java.util.TimeZone`'s natives report it.

use std::fs;
use std::path::Path;

/// The result of `TimeZone.getSystemTimeZoneID`: what the variable `TZ` names, or else the
/// platform's zone. It need not be a name that Java knows; then Java asks for the offset
/// ([`gmt_offset_id`]).
pub fn time_zone_id(tz: Option<&str>, platform: impl FnOnce() -> Option<String>) -> Option<String> {
    match tz.filter(|tz| !tz.is_empty()) {
        Some(tz) => {
            let name = tz.strip_prefix(':').unwrap_or(tz);
            Some(name.strip_prefix("posix/").unwrap_or(name).to_string())
        }
        None => platform(),
    }
}

/// The platform's zone, which is the name that `localtime` (usually `/etc/localtime`) links to
/// or, if it is a plain file, the name of a file with the same content below `zoneinfo`
/// (usually `/usr/share/zoneinfo`).
pub fn platform_time_zone_id(localtime: &Path, zoneinfo: &Path) -> Option<String> {
    if let Ok(target) = fs::read_link(localtime)
        && let Some((_, name)) = target.to_str()?.split_once("zoneinfo/")
    {
        return Some(name.to_string());
    }
    let content = fs::read(localtime).ok().filter(|c| !c.is_empty())?;
    let same = |name: &str| {
        let path = zoneinfo.join(name);
        let size = fs::metadata(&path)
            .ok()
            .filter(|m| m.is_file())
            .map(|m| m.len());
        size == Some(content.len() as u64) && fs::read(path).is_ok_and(|other| other == content)
    };
    // Of the many names of these zones the plain ones are preferred.
    if let Some(name) = ["UTC", "GMT"].into_iter().find(|name| same(name)) {
        return Some(name.to_string());
    }
    let mut pending = vec![String::new()];
    while let Some(name) = pending.pop() {
        let path = zoneinfo.join(&name);
        if path.is_dir() {
            let children = fs::read_dir(&path).ok()?.flatten();
            let mut names: Vec<String> = children
                .filter_map(|child| child.file_name().into_string().ok())
                .filter(|child| !child.starts_with('.'))
                .filter(|child| !matches!(child.as_str(), "ROC" | "posixrules" | "localtime"))
                .map(|child| match name.is_empty() {
                    true => child,
                    false => format!("{name}/{child}"),
                })
                .collect();
            // The last one is looked at first.
            names.sort_by(|a, b| b.cmp(a));
            pending.extend(names);
        } else if same(&name) {
            return Some(name);
        }
    }
    None
}

/// The result of `TimeZone.getSystemGMTOffsetID` for an offset in seconds east of Greenwich.
pub fn gmt_offset_id(seconds: i64) -> String {
    let minutes = seconds.abs() / 60;
    match minutes {
        0 => "GMT".to_string(),
        _ => {
            let sign = if seconds < 0 { '-' } else { '+' };
            format!("GMT{sign}{:02}:{:02}", minutes / 60, minutes % 60)
        }
    }
}
