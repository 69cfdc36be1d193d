//! Processes: the one at the beginning of the program, and a copy of it for each schedule.
//!
//! A VM runs on one thread of the operating system, and while schedules are explored there is no other one in the process,
//! so a copy made by `fork` is whole.

use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

/// A process that has been copied off this one.
pub struct Child {
    pid: rustix::process::Pid,
    /// What it reports.
    data: File,
    /// What the program prints, on its output and on its error output.
    printed: Printed,
}

/// Two files for two streams.
type Printed = [File; 2];

fn for_printing() -> io::Result<Printed> {
    Ok([memory("out")?, memory("err")?])
}

/// Which of the two processes continues.
pub enum ForkSide {
    /// The one that was there before.
    Parent(Child),
    /// The copy: where to report its result.
    Child(File),
}

/// What a program has printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// On its output.
    pub output: Vec<u8>,
    /// On its error output.
    pub errors: Vec<u8>,
}

impl Output {
    fn of([output, errors]: &Printed) -> io::Result<Output> {
        Ok(Output {
            output: read(output)?,
            errors: read(errors)?,
        })
    }
}

/// The end of a process.
pub struct ProcessEnd {
    /// What it reported: empty if it died before.
    pub data: Vec<u8>,
    /// What it printed.
    pub printed: Output,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

fn memory(name: &str) -> io::Result<File> {
    let fd: OwnedFd = rustix::fs::memfd_create(name, rustix::fs::MemfdFlags::CLOEXEC)?;
    Ok(File::from(fd))
}

/// What the program prints, instead of showing it, until this is dropped.
pub struct Capture {
    printed: Printed,
    streams: [OwnedFd; 3],
}

impl Capture {
    /// From now on, what goes to the output streams of the process is kept; its standard input is this file, or empty.
    pub fn begin(input: Option<&std::path::Path>) -> io::Result<Capture> {
        let null = std::path::Path::new("/dev/null");
        let input = File::open(input.unwrap_or(null))?;
        io::stdout().flush()?;
        io::stderr().flush()?;
        let streams = [
            rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?,
            rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?,
            rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3)?,
        ];
        let printed = for_printing()?;
        rustix::stdio::dup2_stdin(input.as_fd())?;
        redirect(&printed)?;
        Ok(Capture { printed, streams })
    }
    /// The output so far.
    pub fn printed(&self) -> io::Result<Output> {
        Output::of(&self.printed)
    }
    /// Prints a text that is not output of the program, at once.
    pub fn say(&self, text: &str) -> io::Result<()> {
        let mut shown = File::from(self.streams[1].try_clone()?);
        match shown.write_all(text.as_bytes()) {
            // nobody reads it
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
    /// Copies the process. In the copy the output streams go to separate files that the parent reads, with the output so far.
    pub fn fork(&self) -> io::Result<ForkSide> {
        let (data, printed) = (memory("result")?, for_printing()?);
        // SAFETY: there is one thread in the process (see `threads`), so that no lock is held by one that the copy does not have.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                // nobody would read what it finds
                let end = Some(rustix::process::Signal::KILL);
                rustix::process::set_parent_process_death_signal(end)?;
                for (mut to, from) in printed.iter().zip(&self.printed) {
                    to.write_all(&read(from)?)?;
                }
                own_offsets(&[&data, &printed[0], &printed[1]])?;
                redirect(&printed)?;
                Ok(ForkSide::Child(data))
            }
            pid => {
                let pid = rustix::process::Pid::from_raw(pid).expect("fork gives a process");
                Ok(ForkSide::Parent(Child { pid, data, printed }))
            }
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        // without them there is nobody to be told
        let _ = rustix::stdio::dup2_stdin(&self.streams[0]);
        let _ = rustix::stdio::dup2_stdout(&self.streams[1]);
        let _ = rustix::stdio::dup2_stderr(&self.streams[2]);
    }
}

fn redirect([out, err]: &Printed) -> io::Result<()> {
    rustix::stdio::dup2_stdout(out.as_fd())?;
    rustix::stdio::dup2_stderr(err.as_fd())?;
    Ok(())
}

/// Opens the files of a copied process again: otherwise both copies would share a position in the file. The files in `shared` are
/// left as they are.
fn own_offsets(shared: &[&File]) -> io::Result<()> {
    let mut open: Vec<RawFd> = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        open.extend(
            entry?
                .file_name()
                .to_str()
                .and_then(|n| n.parse::<RawFd>().ok()),
        );
    }
    let shared: Vec<RawFd> = shared.iter().map(|f| f.as_raw_fd()).collect();
    for fd in open {
        if fd == 1 || fd == 2 || shared.contains(&fd) {
            continue;
        }
        // SAFETY: nobody closes files meanwhile, as there is one thread; a number that is none any more (that of the folder that was
        // listed) is answered with an error.
        let known = unsafe { BorrowedFd::borrow_raw(fd) };
        let Ok(stat) = rustix::fs::fstat(known) else {
            continue;
        };
        if !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file() {
            continue;
        }
        let flags = rustix::fs::fcntl_getfl(known)? | rustix::fs::OFlags::CLOEXEC;
        let at = rustix::fs::tell(known)?;
        let path = format!("/proc/self/fd/{fd}");
        // one that may not be opened any more stays shared
        let Ok(own) = rustix::fs::open(path, flags, rustix::fs::Mode::empty()) else {
            continue;
        };
        rustix::fs::seek(&own, rustix::fs::SeekFrom::Start(at))?;
        let kept = rustix::io::fcntl_getfd(known)?;
        // SAFETY: `fd` is open and becomes another description of the same file; whoever owns the number goes on owning it.
        if unsafe { libc::dup2(own.as_raw_fd(), fd) } < 0 {
            return Err(io::Error::last_os_error());
        }
        rustix::io::fcntl_setfd(known, kept)?;
    }
    Ok(())
}

/// What the program of a process prints, kept until it is taken, in a process that is copied while it runs.
pub struct KeptOutput(Printed);

impl KeptOutput {
    /// From now on, what goes to the output streams of the process is kept; its standard input is this file, or empty.
    pub fn begin(input: Option<&std::path::Path>) -> io::Result<KeptOutput> {
        let input = File::open(input.unwrap_or(std::path::Path::new("/dev/null")))?;
        rustix::stdio::dup2_stdin(input.as_fd())?;
        let printed = for_printing()?;
        redirect(&printed)?;
        Ok(KeptOutput(printed))
    }
    /// The output since the last time.
    pub fn take(&mut self) -> io::Result<Output> {
        let output = Output::of(&self.0)?;
        for file in &self.0 {
            file.set_len(0)?;
            rustix::fs::seek(file, rustix::fs::SeekFrom::Start(0))?;
        }
        Ok(output)
    }
    /// Copies the process; whether this is the copy, whose output goes to separate files. It is a child of the nearest process
    /// above that adopts orphans.
    pub fn copy(&mut self) -> io::Result<bool> {
        alone()?;
        let printed = for_printing()?;
        if !detached()? {
            return Ok(false);
        }
        own_offsets(&[&printed[0], &printed[1]])?;
        redirect(&printed)?;
        self.0 = printed;
        Ok(true)
    }
}

/// Copies the process, by way of a third one that ends at once, so that the copy is not a child of this one; whether this is the
/// copy.
pub fn detached() -> io::Result<bool> {
    // SAFETY: there is one thread in the process, so that no lock is held by one that the copy does not have.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        // SAFETY: as above.
        0 => match unsafe { libc::fork() } {
            0 => Ok(true),
            // whoever waits for the copy sees that it does not come
            _ => leave(),
        },
        pid => {
            let pid = rustix::process::Pid::from_raw(pid).expect("fork gives a process");
            await_end(pid)?;
            Ok(false)
        }
    }
}

/// Waits for the end of a child.
pub fn await_end(pid: rustix::process::Pid) -> io::Result<()> {
    loop {
        match rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty()) {
            Err(rustix::io::Errno::INTR) => {}
            other => return other.map(drop).map_err(io::Error::from),
        }
    }
}

/// From now on, processes that are copied off copies of this one become its children when those are gone.
pub fn adopt_copies() -> io::Result<()> {
    let pid = rustix::process::getpid();
    Ok(rustix::process::set_child_subreaper(Some(pid))?)
}

/// All of a file, wherever who writes to it is.
fn read(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; file.metadata()?.len() as usize];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}

/// Ends this process, which is a copy, at once: what the parent has to tidy up is left alone.
pub fn leave() -> ! {
    // SAFETY: it only ends the process.
    unsafe { libc::_exit(0) }
}

/// From here on a request to end ends this process, and with it the processes copied off it: no program runs in it that could
/// handle the signal.
pub fn can_be_ended() {
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the default action runs no code of this process.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// Whether there is one thread of the operating system in this process; with others it cannot be copied.
///
/// # Errors
/// There are others.
pub fn alone() -> io::Result<()> {
    match std::fs::read_dir("/proc/self/task")?.count() {
        1 => Ok(()),
        n => Err(io::Error::other(format!(
            "this process has {n} threads of the operating system"
        ))),
    }
}

impl Child {
    /// Its number.
    pub fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }
    /// Waits for it to end, and for no other one.
    pub fn wait(self) -> io::Result<ProcessEnd> {
        loop {
            let options = rustix::process::WaitOptions::empty();
            match rustix::process::waitpid(Some(self.pid), options) {
                Ok(Some((_, status))) => {
                    let status = std::process::ExitStatus::from_raw(status.as_raw());
                    return self.ended(status);
                }
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }
    /// Ends it: its result is no longer needed.
    pub fn kill(self) -> io::Result<()> {
        // one that has just ended can't be
        let _ = rustix::process::kill_process(self.pid, rustix::process::Signal::KILL);
        self.wait().map(drop)
    }
    /// It has ended with this status.
    pub fn ended(self, status: std::process::ExitStatus) -> io::Result<ProcessEnd> {
        rjvm_hosts::deterministic::remove_left_by(self.pid().unsigned_abs());
        Ok(ProcessEnd {
            data: read(&self.data)?,
            printed: Output::of(&self.printed)?,
            signal: status.signal(),
        })
    }
}

/// How long is slept between looks for children that have ended, where the wait has an end.
const NAP: Duration = Duration::from_millis(2);

/// Waits for one of the children to end: its number and status. `None`: none has by then.
pub fn wait(until: Option<Instant>) -> io::Result<Option<(i32, std::process::ExitStatus)>> {
    let options = match until {
        Some(_) => rustix::process::WaitOptions::NOHANG,
        None => rustix::process::WaitOptions::empty(),
    };
    loop {
        match rustix::process::wait(options) {
            Ok(Some((pid, status))) => {
                let status = std::process::ExitStatus::from_raw(status.as_raw());
                return Ok(Some((pid.as_raw_nonzero().get(), status)));
            }
            Ok(None) if until.is_some_and(|end| Instant::now() >= end) => return Ok(None),
            Ok(None) => std::thread::sleep(NAP),
            Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
}
