//! Words of a command line: out of argument files and variables, which have names here, and names that the first launchers had for options.

use super::refusal::Refusal;
use thiserror::Error;

/// The variable of the environment with options that only rjvm understands, for programs that start others.
pub const OPTIONS_VARIABLE: &str = "RJVM_OPTIONS";
/// The variables with options of the VM: the one that is read before the command line, and the one that overrides it.
pub const EARLY: &str = "JAVA_TOOL_OPTIONS";
/// See there.
pub const LATE: &str = "_JAVA_OPTIONS";

/// Variables of the environment that a command line depends on, once it is expanded.
pub const VARIABLES: [&str; 4] = ["CLASSPATH", OPTIONS_VARIABLE, EARLY, LATE];

/// The words of an argument file.
pub fn argument_file(name: &str) -> Result<Vec<String>, Refusal> {
    let bytes =
        std::fs::read(name).map_err(|_| Refusal::Launcher(format!("could not open `{name}'")))?;
    split(&String::from_utf8_lossy(&bytes))
        .map_err(|e| Refusal::Launcher(format!("{e} in argument file `{name}'")))
}

/// A mark that is open at the end of a text that is split into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OpenWord {
    /// A backslash, which escapes nothing.
    #[error("the text ends in a backslash")]
    Backslash,
    /// A quotation mark.
    #[error("a quotation mark is not closed")]
    Quote,
}

/// Splits text into words as argument files have them: blanks separate; `"` and `'` quote, a
/// backslash within quotes escapes; `#` begins a comment; a backslash at a line's end within quotes
/// continues it. An error names the quotation mark or backslash that is open at the end.
pub fn split(text: &str) -> Result<Vec<String>, OpenWord> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        match (quote, ch) {
            (Some(q), _) if ch == q => quote = None,
            (Some(_), '\\') => match chars.next() {
                Some('n') => word.get_or_insert_default().push('\n'),
                Some('r') => word.get_or_insert_default().push('\r'),
                Some('t') => word.get_or_insert_default().push('\t'),
                Some('f') => word.get_or_insert_default().push('\x0c'),
                Some('\r' | '\n') => while chars.next_if(|c| c.is_whitespace()).is_some() {},
                Some(c) => word.get_or_insert_default().push(c),
                None => return Err(OpenWord::Backslash),
            },
            (Some(_), '\r' | '\n') => return Err(OpenWord::Quote),
            (Some(_), _) => word.get_or_insert_default().push(ch),
            (None, '"' | '\'') => {
                quote = Some(ch);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => while chars.next_if(|&c| c != '\n').is_some() {},
            (None, _) if ch.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(ch),
        }
    }
    if quote.is_some() {
        return Err(OpenWord::Quote);
    }
    words.extend(word);
    Ok(words)
}

/// The option that took the place of one of the first launchers'.
pub fn old_name(word: &str) -> Option<String> {
    const WORDS: [(&str, &str); 8] = [
        ("-verbosegc", "-verbose:gc"),
        ("-t", "-Xt"),
        ("-tm", "-Xtm"),
        ("-debug", "-Xdebug"),
        ("-noclassgc", "-Xnoclassgc"),
        ("-verify", "-Xverify:all"),
        ("-verifyremote", "-Xverify:remote"),
        ("-noverify", "-Xverify:none"),
    ];
    if let Some((_, new)) = WORDS.iter().find(|w| w.0 == word) {
        return Some((*new).into());
    }
    let sizes = ["-ss", "-oss", "-ms", "-mx"];
    let size = |old: &&str| {
        let value = word.strip_prefix(*old)?;
        value
            .starts_with(|c: char| c.is_ascii_digit())
            .then_some(())
    };
    let named = sizes.iter().find(|old| size(old).is_some());
    named.map(|_| format!("-X{}", &word[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_argument_files() {
        let text = "-cp \"a b\\tc\" # comment\n'x y'z\n\"one \\\n   two\" \"\"";
        assert_eq!(
            split(text).unwrap(),
            ["-cp", "a b\tc", "x yz", "one two", ""]
        );
        assert!(split("'open").is_err());
    }
}
