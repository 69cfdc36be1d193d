//! The local time zone.

/// Identifier of the zone, by `TZ` or the platform's setting.
pub fn time_zone() -> Option<String> {
    rjvm_vm::sysprops::process::system_time_zone_id(std::env::var("TZ").ok().as_deref())
}

/// Offset of local time from UTC in seconds.
pub fn utc_offset() -> i32 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    rjvm_vm::sysprops::process::gmt_offset_seconds(now.map_or(0, |d| d.as_secs() as i64)) as i32
}
