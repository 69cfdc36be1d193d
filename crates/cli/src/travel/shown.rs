//! The output of a program that runs again and again: shown once.

use super::wire::PrintedText;
use std::io::{self, Write};

/// Where the output of a program goes.
pub trait ShowOutput {
    /// Some bytes on the output stream (0) or the error output stream (1).
    ///
    /// # Errors
    /// They cannot be read.
    fn show(&mut self, stream: usize, bytes: &[u8]) -> io::Result<()>;
    /// The message of a stop that does not stop.
    ///
    /// # Errors
    /// It cannot be read.
    fn note(&mut self, text: &str) -> io::Result<()>;
}

/// The streams of this process.
pub struct OwnStreams;

impl ShowOutput for OwnStreams {
    fn show(&mut self, stream: usize, bytes: &[u8]) -> io::Result<()> {
        match stream {
            0 => {
                io::stdout().write_all(bytes)?;
                io::stdout().flush()
            }
            _ => io::stderr().write_all(bytes),
        }
    }
    fn note(&mut self, text: &str) -> io::Result<()> {
        writeln!(io::stdout(), "{text}")
    }
}

/// How much of the output has been shown.
pub struct Shown {
    /// Bytes on each stream.
    bytes: [u64; 2],
    output: Box<dyn ShowOutput>,
}

impl Shown {
    /// Nothing has been shown.
    pub fn new(output: Box<dyn ShowOutput>) -> Shown {
        Shown {
            bytes: [0; 2],
            output,
        }
    }
    /// Shows nothing from now on.
    pub fn silence(&mut self) {
        self.bytes = [u64::MAX; 2];
    }
    /// How much has been shown.
    pub fn so_far(&self) -> [u64; 2] {
        self.bytes
    }
    /// The program has printed so much; from here on it is another run. A program that shows nothing stays silent.
    pub fn begin_at(&mut self, bytes: [u64; 2]) {
        if self.bytes != [u64::MAX; 2] {
            self.bytes = bytes;
        }
    }
    /// The same, also of a program that was silent.
    pub fn speak_from(&mut self, bytes: [u64; 2]) {
        self.bytes = bytes;
    }
    /// Shows the output of a program that runs once.
    pub fn print(&mut self, stream: usize, bytes: &[u8]) -> io::Result<()> {
        self.output.show(stream, bytes)
    }
    /// Shows the message of a stop.
    pub fn note(&mut self, text: &str) -> io::Result<()> {
        self.output.note(text)
    }
    /// Shows the new part.
    pub fn show(&mut self, printed: &PrintedText) -> io::Result<()> {
        for (i, text) in printed.text.iter().enumerate() {
            let known = self.bytes[i].saturating_sub(printed.before[i]);
            let new = &text[usize::try_from(known).unwrap_or(usize::MAX).min(text.len())..];
            if !new.is_empty() {
                self.bytes[i] = printed.before[i] + text.len() as u64;
                self.output.show(i, new)?;
            }
        }
        Ok(())
    }
}
