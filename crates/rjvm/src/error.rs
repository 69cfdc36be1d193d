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

/// The reason why there is no result.
///
/// As text (`{error}`), an exception is its class and message in one line; `{error:#}` is its whole stack trace.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Java code threw an exception, and no method caught it.
    Exception(Box<JavaException>),
    /// An exception that a host function throws: see [`Error::throw`].
    Throw {
        /// Class of the exception, as in Java sources.
        class: String,
        /// Its message.
        message: String,
    },
    /// The program ended the VM (`System.exit`) with this code. The VM runs nothing any more.
    Exit(i32),
    /// The fuel is used up. The call is suspended: [`Vm::resume`](crate::Vm::resume) continues it,
    /// [`Vm::abandon`](crate::Vm::abandon) removes it.
    OutOfFuel,
    /// A [`Canceller`](crate::Canceller) stopped the VM. The call is suspended, as after the end of the fuel.
    Cancelled,
    /// The VM reached this limit: of real time, of its own data, or one of the embedder's. The call is suspended, as
    /// after the end of the fuel. Other limits cause exceptions: [`Error::limit`] names them all.
    Limit(Limit),
    /// No thread can ever continue. The VM has abandoned the call; the text lists the waiting threads and their locks.
    Deadlock(String),
    /// The VM is unusable: a bug in rjvm, a panic of a host function, or no memory left. You can still read its profile,
    /// and drop it.
    Fault(Arc<Fault>),
    /// A replay cannot continue: the recording ends here, is damaged, or differs from the run. The text names the
    /// bytecode and the request at which they diverge. The VM is unusable.
    Replay(String),
    /// The class, method or field does not exist.
    NotFound(String),
    /// Several methods take these arguments: select one by its descriptor, as in `"print(Ljava/lang/Object;)V"`.
    Ambiguous(String),
    /// A value has the wrong type.
    Type(String),
    /// An [`Object`] or [`Class`](crate::Class) was used with a VM that it does not belong to.
    Foreign,
    /// A suspended call is pending: resume or abandon it before you make another call.
    Suspended,
    /// There is no suspended call to resume.
    NotSuspended,
    /// The VM could not be built: no JDK, no memory, or contradictory options.
    Setup(String),
    /// The Java compiler's messages.
    Compile(String),
}

impl Error {
    /// For host functions: an error that becomes a Java exception of this class (such as `java.io.IOException`) with this
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
    /// The limit that ended the call, if one did. For an exception, rjvm looks for the first one in the chain of causes
    /// with the class and message of a limit. A program can also throw such an exception itself.
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

/// A `java.lang.Throwable`, as it was when it was caught. Reading it runs no Java code, so no count changes. The message
/// is the one from the constructor, even if the class overrides `getMessage`.
#[derive(Clone, Debug)]
pub struct JavaException {
    /// Its class, as in Java sources: `java.lang.IllegalStateException`.
    pub class: String,
    /// Its message.
    pub message: Option<String>,
    /// The stack at its creation, the innermost frame first.
    pub stack: Vec<StackElement>,
    /// Its cause.
    pub cause: Option<Box<JavaException>>,
    /// The exceptions added by `Throwable.addSuppressed`.
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
