//! Where a profile is written to, and in which format: `FILE.EXTENSION`, `FORMAT:FILE`, `-`.

use super::{ExportError, Format, Settings, by_extension, by_path, write_whole};
use crate::profile::Profile;
use crate::prune::Pruned;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file, or standard output, and the format that is written there.
#[derive(Clone, Debug)]
pub struct Output {
    /// The format.
    pub format: &'static Format,
    /// The file; `-` is standard output.
    pub path: PathBuf,
}

/// The name of standard output.
const STDOUT: &str = "-";

impl Output {
    /// The output that a user names. The file's extension gives the format, unless the format is before the name, with a colon.
    /// Standard output is called `-`; its format is text by default. Its names in the file system mean the same: opening these
    /// could overwrite existing content.
    pub fn of(name: &Path) -> Result<Output, ExportError> {
        let text = name.to_str().unwrap_or_default();
        let given = text
            .split_once(':')
            .and_then(|(format, path)| Some((by_extension(format)?, Path::new(path))));
        let (format, path) = match given {
            Some((_, path)) if path.as_os_str().is_empty() => (None, name),
            Some((format, path)) => (Some(format), path),
            None => (None, name),
        };
        let stdout = [STDOUT, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        let path = match stdout.iter().any(|name| path == Path::new(name)) {
            true => Path::new(STDOUT),
            false => path,
        };
        let format = match format {
            Some(format) => format,
            None if path == Path::new(STDOUT) => by_extension("txt").expect("a format"),
            None => by_path(path)?,
        };
        Ok(Output {
            format,
            path: path.to_owned(),
        })
    }

    /// Is it standard output?
    pub fn is_stdout(&self) -> bool {
        self.path == Path::new(STDOUT)
    }

    /// What to call it in messages.
    pub fn name(&self) -> String {
        Self::name_of(&self.path)
    }

    /// What to call the output with this path in messages.
    pub fn name_of(path: &Path) -> String {
        match path == Path::new(STDOUT) {
            true => "standard output".into(),
            false => path.display().to_string(),
        }
    }

    /// Writes a profile there, as much as the settings ask for or else the format's readers bear. It is not an error if the
    /// reader of standard output stops early.
    pub fn write(
        &self,
        profile: &Profile,
        settings: &Settings<'_>,
    ) -> Result<Option<Pruned>, ExportError> {
        let mut pruned = None;
        let written: io::Result<()> = self.write_with(|out| {
            pruned = self.format.write_pruned(profile, settings, out)?;
            Ok(())
        });
        match written {
            Err(error) if !self.is_left(&error) => Err(ExportError::Io {
                path: self.path.clone(),
                error,
            }),
            _ => Ok(pruned),
        }
    }

    /// Does that only mean that nobody reads standard output to its end?
    pub fn is_left(&self, error: &io::Error) -> bool {
        self.is_stdout() && error.kind() == io::ErrorKind::BrokenPipe
    }

    /// Lets something else be written there: see [`write_whole`].
    pub fn write_with<E: From<io::Error>>(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.is_stdout() {
            return write_whole(&self.path, write);
        }
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        write(&mut out)?;
        Ok(out.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_format_and_file() {
        for (name, format, path) in [
            ("x.html", "html", "x.html"),
            ("html:x.y", "html", "x.y"),
            ("folded:a:b.txt", "folded", "a:b.txt"),
            ("./txt:x.html", "html", "./txt:x.html"),
            ("a:b.txt", "txt", "a:b.txt"),
            ("-", "txt", "-"),
            ("speedscope.json:-", "speedscope.json", "-"),
            ("/dev/stdout", "txt", "-"),
            ("html:/dev/stdout", "html", "-"),
            ("rjp:/dev/fd/7", "rjp", "/dev/fd/7"),
        ] {
            let output = Output::of(Path::new(name)).unwrap();
            let got = (output.format.extension, output.path.as_path());
            assert_eq!(got, (format, Path::new(path)), "{name}");
            assert_eq!(output.is_stdout(), path == "-", "{name}");
        }
        for name in ["html:", "svg:-", ":-", "html", ""] {
            assert!(Output::of(Path::new(name)).is_err(), "{name}");
        }
    }
}
