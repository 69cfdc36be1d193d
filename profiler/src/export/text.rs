//! Names inside JSON and XML: escapes the necessary characters, and nothing else.

use rjvm_pages::Escaped;
use std::fmt::{self, Display, Formatter, Write};

/// A JSON string, quotes included.
pub struct Json<'a>(pub &'a str);

impl Display for Json<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                // Not demanded by JSON, but these end a line for readers that are JavaScript.
                '\u{2028}' | '\u{2029}' => write!(f, "\\u{:04x}", c as u32)?,
                c if c.is_control() => write!(f, "\\u{:04x}", c as u32)?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// Character data or an attribute's value in XML 1.0, without quotes.
pub struct Xml<'a>(pub &'a str);

impl Display for Xml<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                // Characters that XML 1.0 cannot hold, not even as references.
                '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                // As references, since an attribute's value has blanks for ends of lines otherwise.
                '\t' | '\n' | '\r' | '\u{7f}'..='\u{9f}' => write!(f, "&#{};", c as u32)?,
                '\0'..='\x1f' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c => Escaped(c.encode_utf8(&mut [0; 4])).fmt(f)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_strings() {
        assert_eq!(
            Json("A.<init>(\"x\\\u{1}\u{2028}ä)").to_string(),
            "\"A.<init>(\\\"x\\\\\\u0001\\u2028ä)\""
        );
    }

    #[test]
    fn xml_text() {
        assert_eq!(
            Xml("<init>&\"\u{1}ä").to_string(),
            "&lt;init&gt;&amp;&quot;\u{fffd}ä"
        );
        assert_eq!(
            Xml("a\n\tb\r\u{85}\0\u{ffff}").to_string(),
            "a&#10;&#9;b&#13;&#133;\u{fffd}\u{fffd}"
        );
    }
}
