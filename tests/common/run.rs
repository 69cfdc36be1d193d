//! Running a VM on a Java program: clean environment, outputs in files, a time limit.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::{jdk, work_dir};

/// What a run left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The exit code as a shell reports it: 128 + n after signal n.
    pub exit: i32,
    /// Whether the time limit ended it.
    pub timed_out: bool,
}

impl Outcome {
    /// Standard output as text.
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text.
    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// With `WORK` instead of a folder that each machine has elsewhere.
    pub fn without(mut self, folder: &Path) -> Outcome {
        let folder = folder.display().to_string();
        for text in [&mut self.stdout, &mut self.stderr] {
            // output need not be text
            if let Ok(written) = std::str::from_utf8(text)
                && written.contains(&folder)
            {
                *text = written.replace(&folder, "WORK").into_bytes();
            }
        }
        self
    }
}

/// The VM under test: rjvm, or what `RJVM_TEST_VM` names (to check the tests with HotSpot).
pub fn vm() -> PathBuf {
    match std::env::var_os("RJVM_TEST_VM") {
        Some(vm) if !vm.is_empty() => PathBuf::from(vm),
        _ => PathBuf::from(env!("CARGO_BIN_EXE_rjvm")),
    }
}

/// Whether the VM under test is rjvm, so that its own options can be used.
pub fn vm_is_rjvm() -> bool {
    std::env::var_os("RJVM_TEST_VM").is_none_or(|vm| vm.is_empty())
}

/// Extra VM options from `RJVM_TEST_ARGS`, separated by blanks.
pub fn extra_args() -> Vec<String> {
    let args = std::env::var("RJVM_TEST_ARGS").unwrap_or_default();
    args.split_whitespace().map(str::to_string).collect()
}

/// The time limit of one run: 60 seconds, or `RJVM_TEST_TIMEOUT`.
pub fn time_limit() -> Duration {
    let limit = std::env::var("RJVM_TEST_TIMEOUT")
        .ok()
        .and_then(|v| v.parse().ok());
    Duration::from_secs(limit.unwrap_or(60))
}

/// A command in a fresh scratch folder, with an environment that doesn't vary.
pub struct Run {
    command: Command,
    scratch: PathBuf,
    stdin: Option<PathBuf>,
}

impl Run {
    /// `name` gives the scratch folder's name and must differ from the names of other runs.
    pub fn new(program: &Path, name: &str) -> Run {
        let scratch = work_dir().join("run").join(name.replace(['/', '\\'], "-"));
        let _ = std::fs::remove_dir_all(&scratch);
        std::fs::create_dir_all(scratch.join("tmp")).expect("the target directory is writable");
        let mut command = Command::new(program);
        command
            .current_dir(scratch.join("tmp"))
            .env("JAVA_HOME", jdk::java_home())
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC");
        for name in [
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS",
            "RJVM_OPTIONS",
            "CLASSPATH",
            // cargo's, with folders of the build; the class library takes it apart at its start
            "LD_LIBRARY_PATH",
        ] {
            command.env_remove(name);
        }
        Run {
            command,
            scratch,
            stdin: None,
        }
    }

    /// The scratch folder's `tmp`, which is the working directory.
    pub fn dir(&self) -> PathBuf {
        self.scratch.join("tmp")
    }

    /// `-Djava.io.tmpdir=` the scratch folder.
    pub fn tmpdir_option(&self) -> String {
        format!("-Djava.io.tmpdir={}", self.dir().display())
    }

    /// Runs it in another folder than the scratch folder.
    pub fn current_dir(mut self, dir: &Path) -> Run {
        self.command.current_dir(dir);
        self
    }

    /// Adds arguments.
    pub fn args<S: AsRef<std::ffi::OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Run {
        self.command.args(args);
        self
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl AsRef<std::ffi::OsStr>) -> Run {
        self.command.arg(arg);
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Run {
        self.command.env(name, value);
        self
    }

    /// Standard input comes from this file; without it, it is empty.
    pub fn stdin(mut self, file: Option<PathBuf>) -> Run {
        self.stdin = file;
        self
    }

    /// Starts the child.
    pub fn start(mut self) -> Running {
        // a sanitizer reserves terabytes of addresses
        if vm_is_rjvm() && !super::switch("RJVM_TEST_SANITIZED") {
            limit_memory(&mut self.command);
        }
        hear_signals(&mut self.command);
        let out = self.scratch.join("stdout");
        let err = self.scratch.join("stderr");
        let file = |path: &Path| File::create(path).expect("the target directory is writable");
        let stdin = match &self.stdin {
            Some(path) => Stdio::from(File::open(path).expect("the input exists")),
            None => Stdio::null(),
        };
        self.command
            .stdin(stdin)
            .stdout(file(&out))
            .stderr(file(&err));
        let child = match self.command.spawn() {
            Ok(child) => child,
            Err(e) => panic!("{:?} doesn't start: {e}", self.command.get_program()),
        };
        Running { child, out, err }
    }

    /// Runs it to its end or to the time limit.
    pub fn finish(self) -> Outcome {
        self.start().finish(time_limit())
    }
}

/// A child that runs.
pub struct Running {
    child: Child,
    out: PathBuf,
    err: PathBuf,
}

impl Running {
    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The standard output so far.
    pub fn stdout_so_far(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.out).unwrap_or_default()).into_owned()
    }

    /// Waits until standard output contains `text`; false if the child ended or took too long.
    pub fn wait_for_stdout(&mut self, text: &str, limit: Duration) -> bool {
        let start = Instant::now();
        while start.elapsed() < limit {
            if self.stdout_so_far().contains(text) {
                return true;
            }
            if let Ok(Some(_)) = self.child.try_wait() {
                return self.stdout_so_far().contains(text);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    }

    /// Waits for the end, kills the child at the limit.
    pub fn finish(mut self, limit: Duration) -> Outcome {
        let start = Instant::now();
        let mut timed_out = false;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                break status;
            }
            if start.elapsed() > limit && !timed_out {
                timed_out = true;
                let _ = self.child.kill();
            }
            std::thread::sleep(Duration::from_millis(3));
        };
        let read = |path: &Path| std::fs::read(path).unwrap_or_default();
        let exit = exit_code(status);
        Outcome {
            stdout: read(&self.out),
            stderr: read(&self.err),
            exit,
            timed_out,
        }
    }
}

impl Drop for Running {
    /// A test that fails leaves nothing behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The child hears the signals that end it, also where the tests run in the background and ignore them.
pub fn hear_signals(command: &mut Command) {
    #[cfg(unix)]
    // SAFETY: signal may be called between fork and exec.
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, || {
            for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
                if libc::signal(signal, libc::SIG_DFL) == libc::SIG_ERR {
                    return Err(std::io::Error::last_os_error());
                }
            }
            Ok(())
        });
    }
}

/// Caps the child's address space, so that a run that has gone astray cannot take the machine.
fn limit_memory(command: &mut Command) {
    #[cfg(unix)]
    {
        const BYTES: libc::rlim_t = 16 << 30;
        let limit = libc::rlimit {
            rlim_cur: BYTES,
            rlim_max: BYTES,
        };
        // SAFETY: setrlimit may be called between fork and exec; the closure captures plain data.
        unsafe {
            std::os::unix::process::CommandExt::pre_exec(command, move || {
                match libc::setrlimit(libc::RLIMIT_AS, &limit) {
                    0 => Ok(()),
                    _ => Err(std::io::Error::last_os_error()),
                }
            });
        }
    }
}

fn exit_code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(-1)
}
