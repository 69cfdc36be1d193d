//! Where a VM's standard streams lead.

use rjvm_jdk_stubs::os::StandardStreams;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The target of the standard output or the standard error of a program.
#[derive(Default)]
pub struct Stdio(StdioTarget);

#[derive(Default)]
enum StdioTarget {
    #[default]
    Capture,
    Inherit,
    Null,
    Writer(Box<dyn Write + Send>),
}

impl Stdio {
    /// Captures the output for [`Vm::stdout`](crate::Vm::stdout) or [`Vm::stderr`](crate::Vm::stderr): the default.
    pub fn capture() -> Stdio {
        Stdio(StdioTarget::Capture)
    }
    /// Writes to the same stream of this process.
    pub fn inherit() -> Stdio {
        Stdio(StdioTarget::Inherit)
    }
    /// Discards the output.
    pub fn null() -> Stdio {
        Stdio(StdioTarget::Null)
    }
    /// Writes to this writer, separately for each write of the program.
    pub fn writer(writer: impl Write + Send + 'static) -> Stdio {
        Stdio(StdioTarget::Writer(Box::new(writer)))
    }
    /// Passes each written piece to the function.
    pub fn call(f: impl FnMut(&[u8]) + Send + 'static) -> Stdio {
        struct CallWriter<F>(F);
        impl<F: FnMut(&[u8])> Write for CallWriter<F> {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                (self.0)(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        Stdio::writer(CallWriter(f))
    }
}

/// The source of the standard input of a program.
#[derive(Default)]
pub struct Stdin(From);

#[derive(Default)]
enum From {
    #[default]
    Empty,
    Inherit,
    Reader(Box<dyn Read + Send>),
}

impl Stdin {
    /// No input: the default.
    pub fn empty() -> Stdin {
        Stdin(From::Empty)
    }
    /// The standard input of this process.
    pub fn inherit() -> Stdin {
        Stdin(From::Inherit)
    }
    /// These bytes, then the end.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Stdin {
        Stdin::reader(io::Cursor::new(bytes.into()))
    }
    /// The bytes of this reader. While it blocks, the whole VM waits.
    pub fn reader(reader: impl Read + Send + 'static) -> Stdin {
        Stdin(From::Reader(Box::new(reader)))
    }
}

/// What has been written to a captured stream.
#[derive(Clone, Default)]
pub(super) struct Captured(Arc<Mutex<Vec<u8>>>);

impl Captured {
    /// A copy.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
    /// What there is; nothing is left.
    pub(super) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The streams of a host, and what is captured of output and error.
pub(super) fn streams(
    input: Stdin,
    output: Stdio,
    error: Stdio,
) -> (StandardStreams, [Captured; 2]) {
    let captured = [Captured::default(), Captured::default()];
    let writer = |to: Stdio, captured: &Captured| -> Option<Box<dyn Write + Send>> {
        match to.0 {
            StdioTarget::Capture => Some(Box::new(captured.clone())),
            StdioTarget::Inherit => None,
            StdioTarget::Null => Some(Box::new(io::sink())),
            StdioTarget::Writer(writer) => Some(writer),
        }
    };
    let streams = StandardStreams {
        input: match input.0 {
            From::Empty => Some(Box::new(io::empty())),
            From::Inherit => None,
            From::Reader(reader) => Some(reader),
        },
        output: writer(output, &captured[0]),
        error: writer(error, &captured[1]),
    };
    (streams, captured)
}
