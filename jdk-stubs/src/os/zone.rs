//! The local time zone.

use std::path::Path;

/// Identifier of the zone: `TZ`, `/etc/timezone`, or what `/etc/localtime` is a link to or equals.
pub fn time_zone() -> Option<String> {
    if let Ok(tz) = std::env::var("TZ") {
        let tz = tz.strip_prefix(':').unwrap_or(&tz);
        let tz = tz.strip_prefix("posix/").unwrap_or(tz);
        if !tz.is_empty() {
            if tz.starts_with('/') {
                return zone_of_file(Path::new(tz));
            }
            return Some(tz.to_string());
        }
    }
    if let Ok(s) = std::fs::read_to_string("/etc/timezone") {
        let s = s.trim();
        if !s.is_empty() {
            return Some(s.to_string());
        }
    }
    zone_of_file(Path::new("/etc/localtime"))
}

fn zone_of_file(file: &Path) -> Option<String> {
    if let Ok(real) = std::fs::canonicalize(file) {
        let s = real.to_string_lossy().into_owned();
        if let Some(i) = s.find("/zoneinfo/") {
            return Some(
                s[i + "/zoneinfo/".len()..]
                    .trim_start_matches("posix/")
                    .to_string(),
            );
        }
    }
    let want = std::fs::read(file).ok()?;
    let root = Path::new("/usr/share/zoneinfo");
    let mut dirs = vec![root.to_path_buf()];
    while let Some(d) = dirs.pop() {
        let mut names: Vec<_> = std::fs::read_dir(&d)
            .ok()?
            .flatten()
            .map(|e| e.path())
            .collect();
        names.sort();
        for p in names {
            let name = p.file_name().unwrap_or_default().to_string_lossy();
            // copies of the whole tree, and files that only mirror the local setting
            if matches!(
                &*name,
                "posix" | "right" | "ROC" | "posixrules" | "localtime"
            ) {
                continue;
            }
            if p.is_dir() {
                dirs.push(p);
            } else if std::fs::metadata(&p).is_ok_and(|m| m.len() == want.len() as u64)
                && std::fs::read(&p).is_ok_and(|b| b == want)
            {
                return Some(p.strip_prefix(root).ok()?.to_string_lossy().into_owned());
            }
        }
    }
    None
}

/// Offset of standard local time from UTC in seconds.
pub fn utc_offset() -> i32 {
    // SAFETY: localtime_r fills `tm`; any `time_t` is fine. January and July tell standard time from daylight saving.
    unsafe {
        let now = libc::time(std::ptr::null_mut());
        let mut tm: libc::tm = std::mem::zeroed();
        libc::localtime_r(&now, &mut tm);
        let offset = tm.tm_gmtoff as i32;
        if tm.tm_isdst > 0 {
            offset - 3600
        } else {
            offset
        }
    }
}
