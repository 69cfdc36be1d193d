//! How strings, names, numbers and flags are written.

use crate::access;
use crate::mutf8;
use std::fmt::Write;

/// A flag: its bit, its name in the JVMS, its keyword in Java or nothing.
pub(super) type Flag = (u16, &'static str, &'static str);

pub(super) const CLASS_FLAGS: &[Flag] = &[
    (access::PUBLIC, "ACC_PUBLIC", "public"),
    (access::FINAL, "ACC_FINAL", "final"),
    (access::SUPER, "ACC_SUPER", ""),
    (access::INTERFACE, "ACC_INTERFACE", ""),
    (access::ABSTRACT, "ACC_ABSTRACT", "abstract"),
    (access::SYNTHETIC, "ACC_SYNTHETIC", ""),
    (access::ANNOTATION, "ACC_ANNOTATION", ""),
    (access::ENUM, "ACC_ENUM", ""),
    (access::MODULE, "ACC_MODULE", ""),
];

pub(super) const INNER_CLASS_FLAGS: &[Flag] = &[
    (access::PUBLIC, "ACC_PUBLIC", "public"),
    (access::PRIVATE, "ACC_PRIVATE", "private"),
    (access::PROTECTED, "ACC_PROTECTED", "protected"),
    (access::STATIC, "ACC_STATIC", "static"),
    (access::FINAL, "ACC_FINAL", "final"),
    (access::INTERFACE, "ACC_INTERFACE", ""),
    (access::ABSTRACT, "ACC_ABSTRACT", "abstract"),
    (access::SYNTHETIC, "ACC_SYNTHETIC", ""),
    (access::ANNOTATION, "ACC_ANNOTATION", ""),
    (access::ENUM, "ACC_ENUM", ""),
];

pub(super) const FIELD_FLAGS: &[Flag] = &[
    (access::PUBLIC, "ACC_PUBLIC", "public"),
    (access::PRIVATE, "ACC_PRIVATE", "private"),
    (access::PROTECTED, "ACC_PROTECTED", "protected"),
    (access::STATIC, "ACC_STATIC", "static"),
    (access::FINAL, "ACC_FINAL", "final"),
    (access::VOLATILE, "ACC_VOLATILE", "volatile"),
    (access::TRANSIENT, "ACC_TRANSIENT", "transient"),
    (access::SYNTHETIC, "ACC_SYNTHETIC", ""),
    (access::ENUM, "ACC_ENUM", ""),
];

pub(super) const METHOD_FLAGS: &[Flag] = &[
    (access::PUBLIC, "ACC_PUBLIC", "public"),
    (access::PRIVATE, "ACC_PRIVATE", "private"),
    (access::PROTECTED, "ACC_PROTECTED", "protected"),
    (access::STATIC, "ACC_STATIC", "static"),
    (access::FINAL, "ACC_FINAL", "final"),
    (access::SYNCHRONIZED, "ACC_SYNCHRONIZED", "synchronized"),
    (access::BRIDGE, "ACC_BRIDGE", ""),
    (access::VARARGS, "ACC_VARARGS", ""),
    (access::NATIVE, "ACC_NATIVE", "native"),
    (access::ABSTRACT, "ACC_ABSTRACT", "abstract"),
    (access::STRICT, "ACC_STRICT", "strictfp"),
    (access::SYNTHETIC, "ACC_SYNTHETIC", ""),
];

pub(super) const PARAMETER_FLAGS: &[Flag] = &[
    (access::FINAL, "ACC_FINAL", "final"),
    (access::SYNTHETIC, "ACC_SYNTHETIC", "synthetic"),
    (access::MANDATED, "ACC_MANDATED", "mandated"),
];

pub(super) const MODULE_FLAGS: &[Flag] = &[
    (access::OPEN, "ACC_OPEN", "open"),
    (access::SYNTHETIC, "ACC_SYNTHETIC", ""),
    (access::MANDATED, "ACC_MANDATED", ""),
];

pub(super) const REQUIRES_FLAGS: &[Flag] = &[
    (access::TRANSITIVE, "ACC_TRANSITIVE", "transitive"),
    (access::STATIC_PHASE, "ACC_STATIC_PHASE", "static"),
    (access::SYNTHETIC, "ACC_SYNTHETIC", ""),
    (access::MANDATED, "ACC_MANDATED", ""),
];

/// `flags: (0x0009) ACC_PUBLIC, ACC_STATIC`
pub(super) fn flags_line(flags: u16, known: &[Flag]) -> String {
    let line = format!("flags: (0x{flags:04x}) {}", flag_names(flags, known));
    line.trim_end().to_owned()
}

/// `ACC_PUBLIC, ACC_STATIC`; bits without a name as a number.
pub(super) fn flag_names(flags: u16, known: &[Flag]) -> String {
    let set = known.iter().filter(|(bit, ..)| flags & bit != 0);
    let mut names: Vec<_> = set.map(|(_, name, _)| (*name).to_owned()).collect();
    let rest = known.iter().fold(flags, |flags, (bit, ..)| flags & !bit);
    if rest != 0 {
        names.push(format!("0x{rest:x}"));
    }
    names.join(", ")
}

/// `public static `
pub(super) fn keywords(flags: u16, known: &[Flag]) -> String {
    let set = known
        .iter()
        .filter(|(bit, _, keyword)| flags & bit != 0 && !keyword.is_empty());
    set.fold(String::new(), |text, (_, _, keyword)| text + keyword + " ")
}

/// Modified UTF-8 for people to read: escapes as in a Java string literal; on one line always.
pub(super) fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let Ok(units) = mutf8::to_utf16(bytes) else {
        bytes.escape_ascii().for_each(|byte| text.push(byte.into()));
        return text;
    };
    for unit in char::decode_utf16(units) {
        match unit {
            Ok('\n') => text += "\\n",
            Ok('\t') => text += "\\t",
            Ok('\r') => text += "\\r",
            Ok('\u{8}') => text += "\\b",
            Ok('\u{c}') => text += "\\f",
            Ok(quoted @ ('"' | '\'' | '\\')) => text.extend(['\\', quoted]),
            Ok(control) if control.is_control() || matches!(control, '\u{2028}' | '\u{2029}') => {
                let _ = write!(text, "\\u{:04x}", u32::from(control));
            }
            Ok(character) => text.push(character),
            Err(lone) => {
                let _ = write!(text, "\\u{:04x}", lone.unpaired_surrogate());
            }
        }
    }
    text
}

/// A name, in quotes unless it could be in Java source: `"<init>"`, `"[I"`.
pub(super) fn name(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '/');
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("\"{text}\""),
    }
}

/// A `double` as Java's `Double.toString` writes it.
pub(super) fn double(value: f64) -> String {
    java_number(value, format!("{value:e}"))
}

/// A `float` as Java's `Float.toString` writes it.
pub(super) fn float(value: f32) -> String {
    java_number(value.into(), format!("{value:e}"))
}

/// Lays the shortest digits out again: plain from 0.001 to 10,000,000, else with an exponent.
fn java_number(value: f64, scientific: String) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-3..1e7).contains(&magnitude) {
        // The digits are those of the mantissa whatever the type was.
        let digits = mantissa.replace(['-', '.'], "");
        let sign = if value.is_sign_negative() { "-" } else { "" };
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let (whole, fraction) = match usize::try_from(exponent) {
            Ok(exponent) => {
                let padded = format!("{digits:0<width$}", width = exponent + 1);
                let (whole, fraction) = padded.split_at(exponent + 1);
                (whole.to_owned(), fraction.to_owned())
            }
            Err(_) => {
                let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
                ("0".to_owned(), zeros + &digits)
            }
        };
        let fraction = if fraction.is_empty() { "0" } else { &fraction };
        return format!("{sign}{whole}.{fraction}");
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    format!("{mantissa}{point}E{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_java() {
        let doubles = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (2.25, "2.25"),
            (-1234567.5, "-1234567.5"),
            (1e7, "1.0E7"),
            (1.5e300, "1.5E300"),
            (0.001, "0.001"),
            (0.00012, "1.2E-4"),
            (100.0, "100.0"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, text) in doubles {
            assert_eq!(double(value), text);
        }
        assert_eq!(float(0.1), "0.1");
        assert_eq!(float(3.4028235e38), "3.4028235E38");
        assert_eq!(float(f32::NAN), "NaN");
    }

    #[test]
    fn strings_stay_on_one_line() {
        let bytes = mutf8::from_str("a\n\t\"\\\0\u{7f}\u{1F600}\u{2028}");
        assert_eq!(
            escaped(&bytes),
            "a\\n\\t\\\"\\\\\\u0000\\u007f\u{1F600}\\u2028"
        );
        assert_eq!(escaped(&[0xED, 0xA0, 0xBD]), "\\ud83d");
        assert_eq!(escaped(&[0xFF]), "\\xff");
        assert_eq!(
            (name("<init>"), name("a/B$1")),
            ("\"<init>\"".into(), "a/B$1".into())
        );
    }
}
