//! Command lines of diagnostic commands, in the syntax that HotSpot has for them: words, `name=value`, quotes; and the
//! help on a command that follows from what it takes.

use super::error::CommandLineError;
use std::fmt::Write;

/// Something that a command takes.
pub struct Parameter {
    /// Its name; of an option with the dash.
    pub name: &'static str,
    /// A description, for people.
    pub about: &'static str,
    /// `BOOLEAN`, `STRING` or `INT`.
    pub kind: &'static str,
    /// Its value if it is not given.
    pub default: Option<&'static str>,
    /// It has to be given.
    pub mandatory: bool,
}

/// An option that is on or off.
pub const fn switch(name: &'static str, about: &'static str) -> Parameter {
    Parameter {
        name,
        about,
        kind: "BOOLEAN",
        default: Some("false"),
        mandatory: false,
    }
}

/// An option with a value.
pub const fn option(
    name: &'static str,
    kind: &'static str,
    default: Option<&'static str>,
    about: &'static str,
) -> Parameter {
    Parameter {
        name,
        about,
        kind,
        default,
        mandatory: false,
    }
}

/// An argument.
pub const fn argument(name: &'static str, mandatory: bool, about: &'static str) -> Parameter {
    Parameter {
        name,
        about,
        kind: "STRING",
        default: None,
        mandatory,
    }
}

/// An argument that all of the rest is, blanks and quotes included, except for quotes around it.
pub const fn text(name: &'static str, about: &'static str) -> Parameter {
    Parameter {
        name,
        about,
        kind: TEXT,
        default: None,
        mandatory: true,
    }
}

const TEXT: &str = "TEXT";

/// What a command takes.
pub struct CommandSyntax {
    /// Options, in any order.
    pub options: &'static [Parameter],
    /// Arguments, in this order.
    pub arguments: &'static [Parameter],
}

/// What a command was given.
#[derive(Debug, Default, PartialEq)]
pub struct CommandArguments(Vec<(&'static str, String)>);

impl CommandArguments {
    /// The value of a parameter, or its default.
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(n, _)| *n == name);
        found.map(|(_, v)| v.as_str())
    }
    /// All that was given, and defaults.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }
    /// Whether an option is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.value(name) == Some("true")
    }
}

/// A word that stands for itself, or `name=value`.
#[derive(Debug, PartialEq)]
struct Word {
    name: String,
    value: Option<String>,
}

/// Splits at blanks; quotes keep them.
fn words(line: &str) -> Result<Vec<Word>, CommandLineError> {
    let mut words = Vec::new();
    let mut chars = line.chars().peekable();
    while let Some(&c) = chars.peek() {
        if c.is_whitespace() {
            chars.next();
            continue;
        }
        let mut word = Word {
            name: String::new(),
            value: None,
        };
        while let Some(c) = chars.next_if(|c| !c.is_whitespace()) {
            let part = word.value.as_mut();
            match c {
                '"' | '\'' => {
                    let part = part.unwrap_or(&mut word.name);
                    loop {
                        match chars.next() {
                            None => {
                                return Err(CommandLineError::Format);
                            }
                            Some(end) if end == c => break,
                            Some(other) => part.push(other),
                        }
                    }
                }
                '=' if part.is_none() => word.value = Some(String::new()),
                c => part.unwrap_or(&mut word.name).push(c),
            }
        }
        words.push(word);
    }
    Ok(words)
}

impl CommandSyntax {
    fn is_nothing(&self) -> bool {
        self.options.is_empty() && self.arguments.is_empty()
    }
    /// Reads what follows the command's name.
    pub fn read(&self, line: &str) -> Result<CommandArguments, CommandLineError> {
        let mut given = CommandArguments::default();
        let mut arguments = self.arguments.iter();
        let (mut line, text) = (line, line.trim());
        if let [
            Parameter {
                name, kind: TEXT, ..
            },
        ] = self.arguments
            && !text.is_empty()
        {
            let inside = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
            given.0.push((name, inside.unwrap_or(text).into()));
            line = "";
        }
        for word in words(line)? {
            if self.is_nothing() {
                return Err(CommandLineError::NotEmpty);
            }
            if let Some(option) = self.options.iter().find(|o| o.name == word.name) {
                let value = value_of(option, word.value)?;
                given.0.retain(|(n, _)| *n != option.name);
                given.0.push((option.name, value));
                continue;
            }
            let unknown = || CommandLineError::Unknown(word.name.clone());
            let dashed = word.name.starts_with('-');
            let next = arguments.next().filter(|_| !dashed).ok_or_else(unknown)?;
            let text = match word.value {
                None => word.name,
                Some(value) => format!("{}={value}", word.name),
            };
            given.0.push((next.name, text));
        }
        for p in self.arguments.iter().chain(self.options) {
            match (given.value(p.name), p.default) {
                (None, Some(default)) => given.0.push((p.name, default.into())),
                (None, None) if p.mandatory => return Err(CommandLineError::Missing(p.name)),
                _ => {}
            }
        }
        Ok(given)
    }
    /// The end of the help on the command of this name.
    pub fn help(&self, name: &str) -> String {
        if self.is_nothing() {
            return format!("Syntax: {name}\n");
        }
        let options = if self.options.is_empty() {
            ""
        } else {
            "[options]"
        };
        let mut out = format!("Syntax : {name} {options}");
        for a in self.arguments {
            let _ = match a.mandatory {
                true => write!(out, " <{}>", a.name),
                false => write!(out, " [<{}>]", a.name),
            };
        }
        out.push('\n');
        let list = |out: &mut String, title: &str, parameters: &[Parameter]| {
            if parameters.is_empty() {
                return;
            }
            let _ = writeln!(out, "\n{title}");
            for p in parameters {
                let optional = if p.mandatory { "" } else { "[optional]" };
                let default = p.default.unwrap_or("no default value");
                let _ = writeln!(
                    out,
                    "\t{} : {optional} {} ({}, {default})",
                    p.name, p.about, p.kind
                );
            }
        };
        list(&mut out, "Arguments:", self.arguments);
        list(
            &mut out,
            "Options: (options must be specified using the <key> or <key>=<value> syntax)",
            self.options,
        );
        out
    }
}

/// The value of an option, which has to be of its kind.
fn value_of(option: &Parameter, value: Option<String>) -> Result<String, CommandLineError> {
    Ok(match (option.kind, value) {
        ("BOOLEAN", None) => "true".into(),
        ("BOOLEAN", Some(v)) if !["true", "false"].contains(&v.as_str()) => {
            return Err(CommandLineError::Value("Boolean", option.name, v));
        }
        ("INT", v) if v.as_ref().is_none_or(|v| v.parse::<i64>().is_err()) => {
            return Err(CommandLineError::Value(
                "Integer",
                option.name,
                v.unwrap_or_default(),
            ));
        }
        (_, v) => v.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAKES: CommandSyntax = CommandSyntax {
        options: &[
            switch("-all", "everything"),
            option("-n", "INT", Some("3"), "a number"),
        ],
        arguments: &[
            argument("file", true, "a file"),
            argument("more", false, "more"),
        ],
    };

    fn read(line: &str) -> Result<Vec<Option<String>>, CommandLineError> {
        let given = TAKES.read(line)?;
        let names = ["-all", "-n", "file", "more"];
        Ok(names.map(|n| given.value(n).map(str::to_owned)).into())
    }

    #[test]
    fn words_options_and_quotes_are_read() {
        let all = |values: [Option<&str>; 4]| Ok(values.map(|v| v.map(str::to_owned)).to_vec());
        assert_eq!(read("x"), all([Some("false"), Some("3"), Some("x"), None]));
        assert_eq!(
            read(" -n=4 'a b=c' -all  \"d\"e "),
            all([Some("true"), Some("4"), Some("a b=c"), Some("de")])
        );
        assert_eq!(
            read("-all=false k=v"),
            all([Some("false"), Some("3"), Some("k=v"), None])
        );
    }

    #[test]
    fn what_is_wrong_is_reported() {
        for (line, text) in [
            ("", "The argument 'file' is mandatory."),
            ("a b c", "Unknown argument 'c' in diagnostic command."),
            ("-x a", "Unknown argument '-x' in diagnostic command."),
            (
                "-n=x a",
                "Integer parsing error in command argument '-n'. Could not parse: x.\n",
            ),
            (
                "-all=1 a",
                "Boolean parsing error in command argument '-all'. Could not parse: 1.\n",
            ),
            ("'a", "Format error in diagnostic command arguments"),
        ] {
            let found = read(line).map_err(|e| e.to_string());
            assert_eq!(found, Err(text.into()), "{line}");
        }
        const PROBE: &[Parameter] = &[text("probe", "a probe")];
        let probe = CommandSyntax {
            options: &[],
            arguments: PROBE,
        };
        for (line, text) in [(" @a = 1 'b' ", "@a = 1 'b'"), ("'x y=\"z'", "x y=\"z")] {
            let given = probe.read(line);
            assert_eq!(given.as_ref().map(|g| g.value("probe")), Ok(Some(text)));
        }
        assert_eq!(probe.read(" "), Err(CommandLineError::Missing("probe")));
        let nothing = CommandSyntax {
            options: &[],
            arguments: &[],
        };
        assert!(nothing.read(" ").is_ok() && nothing.read("x").is_err());
    }
}
