//! What the running process knows about itself and its host, for embedders that grant all of it.

use super::{LocaleSettings, Locales};
use crate::host::System;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int};
use std::io::IsTerminal;

/// Looks at the process and its host, but takes `env` for the environment.
pub fn system(env: &BTreeMap<String, String>) -> System {
    let (os_name, release) = uname();
    let (user_name, user_home) = user().unzip();
    let current_dir = std::env::current_dir().unwrap_or_default();
    let locale = LocaleSettings::from_env(env, &CLibrary);
    System {
        os_version: product_version().unwrap_or(release),
        os_name,
        arch: std::env::consts::ARCH.to_string(),
        user_name,
        user_home,
        current_dir: text(current_dir.into_os_string()),
        temp_dir: None,
        java_home: None,
        ctype: locale.ctype,
        messages: locale.messages,
        codeset: locale.codeset,
        stdout_is_terminal: std::io::stdout().is_terminal(),
        stderr_is_terminal: std::io::stderr().is_terminal(),
    }
}

fn text(s: std::ffi::OsString) -> String {
    s.to_string_lossy().into_owned()
}

/// The text a C function left behind a pointer.
///
/// # Safety
/// `p` is null or points to a NUL-terminated string.
unsafe fn c_text(p: *const c_char) -> Option<String> {
    match p.is_null() {
        true => None,
        false => Some(CStr::from_ptr(p).to_string_lossy().into_owned()),
    }
}

/// Name and release of the kernel.
fn uname() -> (String, String) {
    // SAFETY: `utsname` is plain arrays of characters, for which zeros are valid and terminated;
    // `uname` fills it with terminated strings.
    unsafe {
        let mut info: libc::utsname = std::mem::zeroed();
        libc::uname(&mut info);
        let field = |f: &[c_char]| c_text(f.as_ptr()).unwrap_or_default();
        (field(&info.sysname), field(&info.release))
    }
}

/// The version of macOS, which differs from its kernel's.
fn product_version() -> Option<String> {
    if !cfg!(target_os = "macos") {
        return None;
    }
    let file = "/System/Library/CoreServices/SystemVersion.plist";
    let plist = std::fs::read_to_string(file).ok()?;
    let (_, after) = plist.split_once("<key>ProductVersion</key>")?;
    let (_, value) = after.split_once("<string>")?;
    value.split_once("</string>").map(|(v, _)| v.to_string())
}

/// Login name and home of the user in the user database.
fn user() -> Option<(String, String)> {
    let mut buffer: Vec<c_char> = vec![0; 1 << 10];
    loop {
        // SAFETY: `passwd` is integers and pointers, for which zeros are valid; `getpwuid_r`
        // writes it and the strings it points to, and the latter only into `buffer`, whose
        // length it is told and which outlives the copies made here.
        unsafe {
            let mut entry: libc::passwd = std::mem::zeroed();
            let mut found: *mut libc::passwd = std::ptr::null_mut();
            let error = libc::getpwuid_r(
                libc::getuid(),
                &mut entry,
                buffer.as_mut_ptr(),
                buffer.len(),
                &mut found,
            );
            if error == libc::ERANGE && buffer.len() < 1 << 20 {
                buffer.resize(buffer.len() * 2, 0);
                continue;
            }
            if error != 0 || found.is_null() {
                return None;
            }
            return c_text(entry.pw_name).zip(c_text(entry.pw_dir));
        }
    }
}

/// The locales of the C library. Nothing global is changed by asking.
struct CLibrary;

impl CLibrary {
    fn with_locale<T>(mask: c_int, name: &str, f: impl FnOnce(libc::locale_t) -> T) -> Option<T> {
        let name = CString::new(name).ok()?;
        // SAFETY: `name` is a terminated string, and a null base asks for a new object, which
        // is freed once, after its only use.
        unsafe {
            let locale = libc::newlocale(mask, name.as_ptr(), std::ptr::null_mut());
            if locale.is_null() {
                return None;
            }
            let result = f(locale);
            libc::freelocale(locale);
            Some(result)
        }
    }
}

impl Locales for CLibrary {
    fn exists(&self, category: &str, name: &str) -> bool {
        let mask = match category {
            "LC_CTYPE" => libc::LC_CTYPE_MASK,
            "LC_NUMERIC" => libc::LC_NUMERIC_MASK,
            "LC_TIME" => libc::LC_TIME_MASK,
            "LC_COLLATE" => libc::LC_COLLATE_MASK,
            "LC_MONETARY" => libc::LC_MONETARY_MASK,
            "LC_MESSAGES" => libc::LC_MESSAGES_MASK,
            // The bits of the C library's further categories; only glibc has them.
            #[cfg(all(target_os = "linux", target_env = "gnu"))]
            "LC_PAPER" => libc::LC_PAPER_MASK,
            #[cfg(all(target_os = "linux", target_env = "gnu"))]
            "LC_NAME" => libc::LC_NAME_MASK,
            #[cfg(all(target_os = "linux", target_env = "gnu"))]
            "LC_ADDRESS" => libc::LC_ADDRESS_MASK,
            #[cfg(all(target_os = "linux", target_env = "gnu"))]
            "LC_TELEPHONE" => libc::LC_TELEPHONE_MASK,
            #[cfg(all(target_os = "linux", target_env = "gnu"))]
            "LC_MEASUREMENT" => libc::LC_MEASUREMENT_MASK,
            #[cfg(all(target_os = "linux", target_env = "gnu"))]
            "LC_IDENTIFICATION" => libc::LC_IDENTIFICATION_MASK,
            _ => return true,
        };
        Self::with_locale(mask, name, |_| ()).is_some()
    }

    fn codeset(&self, name: &str) -> Option<String> {
        // SAFETY: the locale is alive during the call, and the string is copied at once.
        let codeset = |locale| unsafe { c_text(libc::nl_langinfo_l(libc::CODESET, locale)) };
        Self::with_locale(libc::LC_CTYPE_MASK, name, codeset).flatten()
    }
}

/// The name of the host's time zone (`TimeZone.getSystemTimeZoneID`), where `tz` is the value of
/// the environment variable `TZ`.
pub fn system_time_zone_id(tz: Option<&str>) -> Option<String> {
    let (localtime, zoneinfo) = ("/etc/localtime", "/usr/share/zoneinfo");
    super::time_zone_id(tz, || {
        super::platform_time_zone_id(localtime.as_ref(), zoneinfo.as_ref())
    })
}

/// The offset of local time from Greenwich, in seconds east, that the C library applies at a
/// time (in seconds since 1970) by the process's `TZ` or the platform's zone.
#[allow(
    clippy::useless_conversion,
    reason = "`c_long` has 32 bits on some targets"
)]
pub fn gmt_offset_seconds(time: i64) -> i64 {
    // SAFETY: `tm` is integers and a pointer, for which zeros are valid; `localtime_r` writes it.
    unsafe {
        let time = time as libc::time_t;
        let mut broken_down: libc::tm = std::mem::zeroed();
        match libc::localtime_r(&time, &mut broken_down).is_null() {
            true => 0,
            false => i64::from(broken_down.tm_gmtoff),
        }
    }
}
