//! Files of options: `-XX:Flags=` has the names of options, `-XX:VMOptionsFile=` words of a command line.

use super::process;
use super::state::CONFIG_FILE;
use crate::launcher::config::Config;
use crate::launcher::option::OptionProblem;

/// Takes the options of a file for `-XX:Flags=`: all of them, then reports the mistakes.
pub fn settings(c: &mut Config, file: &str) -> Result<(), OptionProblem> {
    let Ok(bytes) = std::fs::read(file) else {
        return Err(OptionProblem::Vm(format!(
            "Could not open settings file {file}"
        )));
    };
    let mut good = true;
    for token in tokens(&String::from_utf8_lossy(&bytes)) {
        good &= match process(c, &token, CONFIG_FILE) {
            Ok(good) => good,
            Err(OptionProblem::Vm(output)) => {
                c.xx.say(&output);
                false
            }
            Err(other) => return Err(other),
        };
    }
    match good {
        true => Ok(()),
        false => Err(OptionProblem::Vm(String::new())),
    }
}

/// The words of a file of settings: blanks separate them, `#` at their place begins a comment, quotes keep blanks.
fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut token, mut quote) = (None::<String>, None);
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        match (&mut token, quote) {
            (None, _) if ch == '#' => while chars.next_if(|&c| c != '\n').is_some() {},
            (None, _) if ch.is_ascii_whitespace() => {}
            (None, _) => token = Some(ch.into()),
            (Some(_), None) if ch.is_ascii_whitespace() => found.extend(token.take()),
            (Some(_), Some(_)) if ch == '\n' => {
                found.extend(token.take());
                quote = None;
            }
            (Some(_), None) if ch == '"' || ch == '\'' => quote = Some(ch),
            (Some(_), Some(q)) if ch == q => quote = None,
            (Some(token), _) => token.push(ch),
        }
    }
    found.extend(token);
    found
}

/// The words of the file of a `-XX:VMOptionsFile=`.
pub fn options_file(c: &mut Config, file: &str) -> Result<Vec<String>, OptionProblem> {
    let container = match c.origin {
        super::ENVIRONMENT => "env_var='JAVA_TOOL_OPTIONS'",
        _ => "cmd_line_args",
    };
    let option = "-XX:VMOptionsFile";
    if let Some(file) = &c.xx.in_file {
        return Err(OptionProblem::Vm(format!(
            "A VM options file may not refer to a VM options file. Specification of '{option}=<file-name>' in the \
             options file '{option}={file}' in options container '{container}' is an error."
        )));
    }
    if std::mem::replace(&mut c.xx.has_file, true) {
        return Err(OptionProblem::Vm(format!(
            "The option '{option}={file}' is already specified in the options container '{container}' so the \
             specification of '{option}={file}' in the same options container is an error."
        )));
    }
    c.xx.in_file = Some(file.into());
    let Ok(bytes) = std::fs::read(file) else {
        return Err(OptionProblem::Vm(format!(
            "Could not open options file '{file}'"
        )));
    };
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for ch in String::from_utf8_lossy(&bytes).chars() {
        match quote {
            None if ch.is_ascii_whitespace() => words.extend(word.take()),
            None if ch == '"' || ch == '\'' => {
                word.get_or_insert_default();
                quote = Some(ch);
            }
            Some(q) if q == ch => quote = None,
            _ => word.get_or_insert_default().push(ch),
        }
    }
    if quote.is_some() {
        return Err(OptionProblem::Vm(format!("Unmatched quote in {file}")));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn settings_are_words_with_comments() {
        let text = "# all\n+A  -B\nC=\"x y\" # D=1\nE='a\nF=1";
        assert_eq!(tokens(text), ["+A", "-B", "C=x y", "E=a", "F=1"]);
    }
}
