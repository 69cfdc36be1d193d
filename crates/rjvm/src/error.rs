//! What can go wrong, as an embedder sees it.

use super::handle::Object;
use super::limits::Limit;
use rjvm_run::tape::Tape;
pub use rjvm_run::throwable::StackElement;
use rjvm_run::throwable::Throwable;
use rjvm_vm::cancel::Halt;
use rjvm_vm::fault::Fault;
use std::fmt;
use std::sync::Arc;

/// Why there is no result.
///
/// As text (`{error}`), an exception is its class and message in one line; `{error:#}` is its whole stack trace.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Java code has thrown an exception that nobody caught.
    Exception(Box<JavaException>),
    /// What a host function throws: see [`Error::throw`].
    Throw {
        /// Class of the exception, as in Java sources.
        class: String,
        /// Its message.
        message: String,
    },
    /// The program has ended the VM (`System.exit`) with this code. Nothing runs in it any more.
    Exit(i32),
    /// The fuel is used up. The call waits: [`Vm::resume`](crate::Vm::resume) goes on with it,
    /// [`Vm::abandon`](crate::Vm::abandon) gives it up.
    OutOfFuel,
    /// A [`Canceller`](crate::Canceller) has asked the VM to stop. The call waits, as after the end of the fuel.
    Cancelled,
    /// The VM has reached this limit of real time or of what it holds, or one of the embedder's. The call waits, as after
    /// the end of the fuel. What is beyond other limits is an exception: [`Error::limit`] names them all.
    Limit(Limit),
    /// No thread can ever run again. The call has been abandoned; the text says who waits for whom.
    Deadlock(String),
    /// The VM is dead: it has a defect, or a host function has panicked, or the machine has no more memory. It can be
    /// requested its profile, and be dropped.
    Fault(Arc<Fault>),
    /// A replay cannot go on: the recording ends here or is damaged, or something else happens than was recorded. Then
    /// the text names the bytecode and the request at which they diverge. The VM is dead.
    Replay(String),
    /// There is no such class, method or field.
    NotFound(String),
    /// Several methods take these arguments: say which by its descriptor, as in `"print(Ljava/lang/Object;)V"`.
    Ambiguous(String),
    /// A value is not of the type that is needed where it goes.
    Type(String),
    /// An [`Object`] or [`Class`](crate::Class) was used with another VM than its own.
    Foreign,
    /// A call has been stopped and waits to be resumed or abandoned; until then there can be no other.
    Suspended,
    /// There is no call that waits to be resumed.
    NotSuspended,
    /// The VM could not be made: no JDK, no memory, options that contradict each other.
    Setup(String),
    /// The Java compiler's messages.
    Compile(String),
}

impl Error {
    /// For host functions: the error that becomes a Java exception of this class (`java.io.IOException`) with this
    /// message. The class must have a constructor that takes a string.
    pub fn throw(class: impl Into<String>, message: impl Into<String>) -> Error {
        Error::Throw {
            class: class.into(),
            message: message.into(),
        }
    }
    /// The exception, if it is one.
    pub fn exception(&self) -> Option<&JavaException> {
        match self {
            Error::Exception(e) => Some(e),
            _ => None,
        }
    }
    /// The limit that has ended the call, if one has. Of an exception, the outermost of it and its causes decides whose
    /// class and message are those of a limit: a program can throw such a one by itself.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Error::Limit(limit) => Some(*limit),
            Error::Exception(e) => e.chain().find_map(Limit::of_exception),
            _ => None,
        }
    }
}

/// An error where a recording is replayed: whether it says that the replay could not go on.
pub(crate) fn parted(tape: &Tape, e: Error) -> Error {
    match (&e, tape.stopped()) {
        (Error::Fault(_), Some(why)) => Error::Replay(why.to_string()),
        _ => e,
    }
}

impl From<Halt> for Error {
    fn from(why: Halt) -> Error {
        match Limit::of_halt(why) {
            None => Error::Cancelled,
            Some(limit) => Error::Limit(limit),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Exception(e) if f.alternate() => f.write_str(e.stack_trace().trim_end()),
            Error::Exception(e) => one_line(&e.to_string(), f),
            Error::Throw { class, message } => write!(f, "{class}: {message}"),
            Error::Exit(code) => write!(f, "the program has exited with code {code}"),
            Error::OutOfFuel => f.write_str("out of fuel"),
            Error::Cancelled => f.write_str("cancelled"),
            Error::Limit(Limit::WallTime) => f.write_str("the wall-clock limit is exceeded"),
            Error::Limit(limit) => write!(f, "the limit on {limit} is exceeded"),
            Error::Deadlock(report) => f.write_str(report),
            Error::Fault(fault) => fault.fmt(f),
            Error::NotFound(what) => write!(f, "there is no {what}"),
            Error::Ambiguous(what)
            | Error::Type(what)
            | Error::Setup(what)
            | Error::Replay(what) => f.write_str(what),
            Error::Foreign => f.write_str("the object belongs to another VM"),
            Error::Suspended => {
                f.write_str("a suspended call is pending: resume() or abandon() it")
            }
            Error::NotSuspended => f.write_str("there is no suspended call to resume"),
            Error::Compile(messages) => f.write_str(messages.trim_end()),
        }
    }
}

/// A message without its line breaks.
fn one_line(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, line) in text.lines().enumerate() {
        let gap = if i == 0 { "" } else { " " };
        write!(f, "{gap}{}", line.trim())?;
    }
    Ok(())
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Fault(fault) => Some(&**fault),
            _ => None,
        }
    }
}

/// A `java.lang.Throwable`, as it was when it was caught. No Java code runs to report it, so that looking at an exception
/// changes no count: the message is the constructor's, even if `getMessage` is overridden.
#[derive(Clone, Debug)]
pub struct JavaException {
    /// Its class, as in Java sources: `java.lang.IllegalStateException`.
    pub class: String,
    /// Its message.
    pub message: Option<String>,
    /// Where it was made, the innermost frame first.
    pub stack: Vec<StackElement>,
    /// Its cause.
    pub cause: Option<Box<JavaException>>,
    /// What `Throwable.addSuppressed` has added.
    pub suppressed: Vec<JavaException>,
    /// The exception itself.
    pub object: Object,
    /// It has been reported already, further out.
    pub(super) circular: bool,
}

impl fmt::Display for JavaException {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => write!(f, "{}: {message}", self.class),
            None => f.write_str(&self.class),
        }
    }
}

impl std::error::Error for JavaException {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_deref().map(|e| e as _)
    }
}

impl From<Throwable<Object>> for JavaException {
    fn from(e: Throwable<Object>) -> JavaException {
        JavaException {
            class: e.class,
            message: e.message,
            stack: e.stack,
            cause: e.cause.map(|cause| Box::new((*cause).into())),
            suppressed: e.suppressed.into_iter().map(JavaException::from).collect(),
            object: e.object,
            circular: e.circular,
        }
    }
}

impl JavaException {
    /// The text that `Throwable.printStackTrace` prints: stack, suppressed exceptions, causes. Lines end in `\n`.
    pub fn stack_trace(&self) -> String {
        let mut out = String::new();
        self.describe(&mut out, "", "", &[]);
        out
    }
    /// The exception and its causes, the outermost first.
    pub fn chain(&self) -> impl Iterator<Item = &JavaException> {
        std::iter::successors(Some(self), |e| e.cause.as_deref())
    }
    fn describe(&self, out: &mut String, prefix: &str, caption: &str, outer: &[StackElement]) {
        use fmt::Write;
        // writing to a string does not fail
        if self.circular {
            let _ = writeln!(out, "{prefix}{caption}[CIRCULAR REFERENCE: {self}]");
            return;
        }
        let _ = writeln!(out, "{prefix}{caption}{self}");
        let common = self.stack.iter().rev().zip(outer.iter().rev());
        let common = common.take_while(|(a, b)| a == b).count();
        for element in &self.stack[..self.stack.len() - common] {
            let _ = writeln!(out, "{prefix}\tat {element}");
        }
        if common > 0 {
            let _ = writeln!(out, "{prefix}\t... {common} more");
        }
        for e in &self.suppressed {
            e.describe(out, &format!("{prefix}\t"), "Suppressed: ", &self.stack);
        }
        if let Some(e) = &self.cause {
            e.describe(out, prefix, "Caused by: ", &self.stack);
        }
    }
}
