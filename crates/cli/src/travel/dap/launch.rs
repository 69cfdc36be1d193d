//! The arguments of `launch`.

use super::super::shown::ShowOutput;
use super::super::timeline::TimelineStart;
use super::error::DapError;
use super::frames::DapRequest;
use crate::sources::SourcePath;
use serde_json::Value;
use std::any::Any;
use std::path::PathBuf;

/// A program to be debugged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Launch {
    /// Options, main class or `-jar` file, arguments; none: those of rjvm's own command line.
    pub words: Vec<String>,
    /// The recording that is replayed; then the words are options for reports.
    pub recording: Option<PathBuf>,
    /// Whether it runs in the real world, and is recorded meanwhile.
    pub live: bool,
    /// The same, and where the recording is kept.
    pub record: Option<PathBuf>,
    /// The folder it begins in.
    pub folder: Option<PathBuf>,
    /// The file of its standard input.
    pub stdin: Option<PathBuf>,
    /// Checkpoints at most.
    pub checkpoints: Option<u64>,
    /// Their memory at most, as `--checkpoint-memory` has it.
    pub checkpoint_memory: Option<String>,
    /// Whether it stops at the beginning of `main`.
    pub stop_on_entry: bool,
    /// Whether the session continues after the program has ended.
    pub stop_at_end: bool,
    /// Where it begins: so many bytecodes.
    pub at: Option<i64>,
    /// It only runs.
    pub no_debug: bool,
    /// As the client gave them.
    pub arguments: Value,
}

/// A program that has begun.
pub struct BegunProgram {
    /// How it has begun.
    pub start: TimelineStart,
    /// Its source files.
    pub sources: SourcePath,
    /// The name of the main class or file.
    pub name: String,
    /// Something that lives as long as the program.
    pub folder: Box<dyn Any>,
}

/// Begins programs.
pub trait DapStart {
    /// The client has given the token.
    fn admitted(&mut self) {}
    /// Begins one in a copy of this process, in which `close` is called first.
    ///
    /// # Errors
    /// It cannot begin; why.
    fn begin(
        &mut self,
        launch: &Launch,
        output: Box<dyn ShowOutput>,
        close: &mut dyn FnMut(),
    ) -> Result<BegunProgram, DapError>;
}

/// Words: a list of strings, or one string that is split at blanks, where quotes keep them together.
fn words(request: &DapRequest, name: &str) -> Result<Vec<String>, DapError> {
    match request.arguments.get(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::String(text)) => {
            split(text).ok_or_else(|| DapError::Argument(name.into(), "a quote is missing".into()))
        }
        Some(Value::Array(all)) => {
            let text = |v: &Value| v.as_str().map(str::to_owned);
            let all: Option<Vec<String>> = all.iter().map(text).collect();
            all.ok_or_else(|| DapError::expected(name, "strings"))
        }
        Some(_) => Err(DapError::expected(name, "a list of strings")),
    }
}

fn split(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

fn text(request: &DapRequest, name: &str) -> Result<Option<String>, DapError> {
    match request.arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.contains('\0') => {
            Err(DapError::Argument(name.into(), "a NUL character".into()))
        }
        Some(Value::String(text)) => Ok(Some(text.clone()).filter(|t| !t.is_empty())),
        Some(_) => Err(DapError::expected(name, "a string")),
    }
}

fn flag(request: &DapRequest, name: &str, usual: bool) -> Result<bool, DapError> {
    match request.arguments.get(name) {
        None | Some(Value::Null) => Ok(usual),
        Some(Value::Bool(v)) => Ok(*v),
        Some(_) => Err(DapError::expected(name, "true or false")),
    }
}

/// A number that is not negative; in a string, commas may group its digits.
fn number(request: &DapRequest, name: &str) -> Result<Option<i64>, DapError> {
    let wrong = || DapError::expected(name, "a number");
    let number = match request.arguments.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.is_empty() => return Ok(None),
        Some(Value::String(text)) => text.replace([',', '_'], "").parse().ok(),
        Some(other) => other.as_i64(),
    };
    number.filter(|n| *n >= 0).map(Some).ok_or_else(wrong)
}

impl Launch {
    /// Reads the arguments of a request.
    ///
    /// # Errors
    /// One of them is wrong.
    pub fn read(request: &DapRequest) -> Result<Launch, DapError> {
        let main = text(request, "mainClass")?;
        let jar = text(request, "jar")?;
        let mut all = words(request, "vmArgs")?;
        for (name, option) in [("classPath", "-cp"), ("sourcePath", "--source-path")] {
            let path = match request.arguments.get(name) {
                Some(Value::String(path)) => path.clone(),
                _ => words(request, name)?.join(":"),
            };
            if !path.is_empty() && option == "-cp" {
                all.extend([option.into(), path]);
            } else if !path.is_empty() {
                all.push(format!("{option}={path}"));
            }
        }
        let what = match (main, jar) {
            (Some(_), Some(_)) => {
                return Err(DapError::Unfit("mainClass and jar: expected one of them"));
            }
            (Some(main), None) if main.starts_with('-') || main.starts_with('@') => {
                return Err(DapError::Argument(
                    "mainClass".into(),
                    format!("{main} is not a class name"),
                ));
            }
            (Some(main), None) => vec![main],
            (None, Some(jar)) => vec!["-jar".into(), jar],
            (None, None) => Vec::new(),
        };
        let arguments = words(request, "args")?;
        let recording = text(request, "recording")?.map(PathBuf::from);
        let recorded = recording.is_some();
        if recorded && !(what.is_empty() && arguments.is_empty()) {
            return Err(DapError::Unfit(
                "recording: mainClass, jar and args are those of the recorded run",
            ));
        }
        if !recorded && what.is_empty() && !(all.is_empty() && arguments.is_empty()) {
            return Err(DapError::Unfit("mainClass or jar: expected one of them"));
        }
        let live = flag(request, "live", false)?;
        let record = text(request, "record")?.map(PathBuf::from);
        if recorded && (live || record.is_some()) {
            return Err(DapError::Unfit(
                "recording: it is replayed, so expected neither live nor record",
            ));
        }
        let runs = recorded || !what.is_empty();
        all.extend(what);
        all.extend(arguments);
        let no_debug = flag(request, "noDebug", false)?;
        let checkpoints = number(request, "checkpoints")?.map(|n| n as u64);
        if checkpoints.is_some_and(|n| !(2..=1000).contains(&n)) {
            return Err(DapError::expected("checkpoints", "2 to 1000"));
        }
        Ok(Launch {
            words: if runs { all } else { Vec::new() },
            recording,
            live,
            record,
            folder: text(request, "cwd")?.map(PathBuf::from),
            stdin: text(request, "stdin")?.map(PathBuf::from),
            checkpoints,
            checkpoint_memory: text(request, "checkpointMemory")?,
            stop_on_entry: flag(request, "stopOnEntry", false)? && !no_debug,
            stop_at_end: flag(request, "stopAtEnd", true)? && !no_debug,
            at: number(request, "at")?.filter(|_| !no_debug),
            no_debug,
            arguments: request.arguments.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(arguments: Value) -> Result<Launch, DapError> {
        Launch::read(&DapRequest {
            seq: 1,
            command: "launch".into(),
            arguments,
        })
    }

    #[test]
    fn arguments_become_words() {
        let launch = read(json!({
            "mainClass": "p.Main", "classPath": ["a", "b.jar"], "sourcePath": "src", "vmArgs": "-Dx='1 2' -ea",
            "args": ["x y", ""], "at": "1,234", "stopOnEntry": true
        }));
        let launch = launch.expect("they are right");
        let want = [
            "-Dx=1 2",
            "-ea",
            "-cp",
            "a:b.jar",
            "--source-path=src",
            "p.Main",
            "x y",
            "",
        ];
        assert_eq!(launch.words, want);
        assert_eq!(
            (launch.at, launch.stop_on_entry, launch.stop_at_end),
            (Some(1234), true, true)
        );
        let launch = read(json!({"jar": "x.jar", "noDebug": true, "at": 7})).expect("it is right");
        assert_eq!(launch.words, ["-jar", "x.jar"]);
        assert_eq!((launch.at, launch.stop_at_end), (None, false));
        assert_eq!(
            read(Value::Null).expect("nothing").words,
            Vec::<String>::new()
        );
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for wrong in [
            json!({"mainClass": 1}),
            json!({"mainClass": "A", "jar": "b"}),
            json!({"mainClass": "-version"}),
            json!({"classPath": ["x"]}),
            json!({"mainClass": "A", "args": [1]}),
            json!({"mainClass": "A", "args": "'x"}),
            json!({"mainClass": "A", "at": -1}),
            json!({"mainClass": "A", "at": "x"}),
            json!({"mainClass": "A", "checkpoints": 1}),
            json!({"mainClass": "A", "stopOnEntry": 1}),
            json!({"mainClass": "A", "live": 1}),
            json!({"recording": "a.rec", "live": true}),
            json!({"recording": "a.rec", "record": "b.rec"}),
            json!({"mainClass": "A", "cwd": "\0"}),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
