//! The error of this crate: one word wide, with the place in the file and the structure that was being read.

use std::fmt;

/// The result of reading or checking a class file.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A placeholder for the name of the class in messages. No class-file string contains it.
pub(crate) const CLASS: char = '\0';

/// The kind of failure of an [`Error`]: decides which Java exception the VM throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The file ended too early (`ClassFormatError`).
    Truncated,
    /// The file breaks a rule of JVMS 4 (`ClassFormatError`).
    Format,
    /// The version isn't supported (`UnsupportedClassVersionError`).
    UnsupportedVersion {
        /// The file's major version.
        major: u16,
        /// The file's minor version.
        minor: u16,
    },
    /// A module's flag is set where a class's flags are (`NoClassDefFoundError`).
    Module,
}

/// A class file that cannot be read, or that breaks a format rule.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    offset: Option<usize>,
    message: String,
    context: String,
    class_name: Option<String>,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, offset: Option<usize>, message: String) -> Error {
        Error(Box::new(Inner {
            kind,
            offset,
            message,
            context: String::new(),
            class_name: None,
        }))
    }

    #[cold]
    pub(crate) fn truncated(offset: usize) -> Error {
        Error::new(
            ErrorKind::Truncated,
            Some(offset),
            "Truncated class file".into(),
        )
    }

    /// A format error; ` in class file X` is appended to the message.
    #[cold]
    pub(crate) fn format(offset: usize, message: impl fmt::Display) -> Error {
        Error::new(
            ErrorKind::Format,
            Some(offset),
            format!("{message} in class file {CLASS}"),
        )
    }

    /// A format error whose whole message is given; [`CLASS`] in it is replaced by the class's name.
    #[cold]
    pub(crate) fn text(message: String) -> Error {
        Error::new(ErrorKind::Format, None, message)
    }

    /// A part of an attribute reaches beyond its end: then it isn't the file that is too short.
    pub(crate) fn overrun(mut self, message: impl FnOnce() -> String) -> Error {
        if self.0.kind == ErrorKind::Truncated {
            self.0.kind = ErrorKind::Format;
            self.0.message = format!("{} in class file {CLASS}", message());
        }
        self
    }

    /// A format error found in parsed data, where no byte offset is known.
    #[cold]
    pub(crate) fn rule(message: impl fmt::Display) -> Error {
        Error::new(
            ErrorKind::Format,
            None,
            format!("{message} in class file {CLASS}"),
        )
    }

    /// Names the part that was being read; outer contexts are appended: "Code attribute", "method f()V".
    #[cold]
    pub(crate) fn within(mut self, what: impl fmt::Display) -> Error {
        let inner = &mut *self.0;
        if !inner.context.is_empty() {
            inner.context.push_str(" of ");
        }
        inner.context.push_str(&what.to_string());
        self
    }

    pub(crate) fn in_class(mut self, name: &str) -> Error {
        self.0.class_name.get_or_insert_with(|| name.to_owned());
        self
    }

    /// The kind of failure.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The offset in the class file where reading failed, where one is known.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// The structure that was being read, as in `Code attribute of method main([Ljava/lang/String;)V`; or empty.
    pub fn context(&self) -> &str {
        &self.0.context
    }

    /// The detail message for the Java exception, worded as HotSpot words it. `requested` is the
    /// (internal) name under which the class was requested; a name read from the file wins.
    pub fn detail(&self, requested: Option<&str>) -> String {
        let name = self
            .0
            .class_name
            .as_deref()
            .or(requested)
            .unwrap_or("<Unknown>");
        self.0.message.replace(CLASS, name)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind {
            ErrorKind::Truncated => f.write_str("truncated class file")?,
            _ => f.write_str(&self.detail(None))?,
        }
        if let Some(offset) = self.0.offset {
            write!(f, " at byte {offset:#x}")?;
        }
        if !self.0.context.is_empty() {
            write!(f, " while reading {}", self.0.context)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl std::error::Error for Error {}
