//! Processes: starting through the standard library, waiting through process descriptors, and what
//! `/proc` reports.

use super::call::{done, last, retry};
use super::open::{Open, duplicate};
use rjvm_vm::host::{
    Credentials, Errno, Io, LoadAverage, MemoryUsage, ProcessInfo, Processes, ProcessorTime, Spawn,
};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The processes of this machine.
pub struct OsProcesses {
    open: Open,
}

impl OsProcesses {
    /// For the VM with this table.
    pub fn new(open: &Open) -> OsProcesses {
        OsProcesses { open: open.clone() }
    }
    /// What becomes a standard descriptor of a child; nothing where a stream is in its place here.
    fn stdio(&self, fd: i32) -> Io<Stdio> {
        match self.open.get(fd) {
            Ok(f) => Ok(Stdio::from(duplicate(&f)?)),
            Err(_) if (0..3).contains(&fd) => Ok(Stdio::null()),
            Err(e) => Err(e),
        }
    }
}

fn os(b: &[u8]) -> &OsStr {
    OsStr::from_bytes(b)
}

fn can_execute(p: &PathBuf) -> Io<()> {
    let c = super::call::c_path(p.as_os_str().as_bytes())?;
    // SAFETY: `c` is terminated.
    done(|| unsafe { libc::access(c.as_ptr(), libc::X_OK) })?;
    if std::fs::metadata(p)?.is_dir() {
        Err(Errno(libc::EACCES))
    } else {
        Ok(())
    }
}

/// Finds the program in this process's `PATH`, as `execvp` would; the child's own `PATH` plays no role.
fn look_up(program: &[u8]) -> Io<PathBuf> {
    if program.contains(&b'/') {
        return Ok(os(program).into());
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/bin:/usr/bin"));
    let mut error = Errno(libc::ENOENT);
    for dir in path.as_bytes().split(|&b| b == b':') {
        let p = PathBuf::from(os(if dir.is_empty() { b"." } else { dir })).join(os(program));
        match can_execute(&p) {
            Ok(()) => return Ok(p),
            // one that exists and may not be run is the better report
            Err(e @ Errno(libc::EACCES)) => error = e,
            Err(_) => {}
        }
    }
    Err(error)
}

fn command(
    program: &OsStr,
    args: &[Vec<u8>],
    first: Option<&OsStr>,
    s: &Spawn,
    stdio: [Stdio; 3],
) -> Command {
    let mut c = Command::new(program);
    match first {
        Some(script) => c.arg(script),
        None => c.arg0(os(&s.program)),
    };
    c.args(args.iter().map(|a| os(a)));
    if let Some(env) = &s.environment {
        c.env_clear().envs(env.iter().map(|(k, v)| (os(k), os(v))));
    }
    if let Some(dir) = &s.dir {
        c.current_dir(os(dir));
    }
    let [input, output, error] = stdio;
    c.stdin(input).stdout(output).stderr(error);
    // SAFETY: one system call without memory, allowed between fork and exec: nothing but the standard
    // descriptors is inherited, not even what this process had inherited itself.
    unsafe {
        c.pre_exec(|| {
            libc::syscall(
                libc::SYS_close_range,
                3,
                u32::MAX,
                libc::CLOSE_RANGE_CLOEXEC,
            );
            Ok(())
        })
    };
    c
}

impl Processes for OsProcesses {
    fn spawn(&mut self, s: &Spawn) -> Io<i64> {
        let program = look_up(&s.program)?;
        if let Some(dir) = &s.dir {
            // so that a missing directory is not mistaken for a missing program
            std::fs::metadata(os(dir))?;
        }
        let [a, b, c] = s.stdio;
        let stdio = || Io::Ok([self.stdio(a)?, self.stdio(b)?, self.stdio(c)?]);
        let r = match command(program.as_os_str(), &s.args, None, s, stdio()?).spawn() {
            // a script without `#!`
            Err(e) if e.raw_os_error() == Some(libc::ENOEXEC) => {
                let script = Some(program.as_os_str());
                command(OsStr::new("/bin/sh"), &s.args, script, s, stdio()?).spawn()
            }
            r => r,
        };
        // the handle is dropped without waiting: `try_wait` reaps
        Ok(r?.id() as i64)
    }
    fn try_wait(&mut self, pid: i64, reap: bool) -> Io<Option<i32>> {
        let flags = libc::WEXITED | libc::WNOHANG | if reap { 0 } else { libc::WNOWAIT };
        // SAFETY: a zeroed siginfo is valid and writable; its child fields are set when a child was found.
        unsafe {
            let mut i: libc::siginfo_t = std::mem::zeroed();
            done(|| libc::waitid(libc::P_PID, pid as libc::id_t, &mut i, flags))?;
            if i.si_pid() == 0 {
                return Ok(None);
            }
            Ok(Some(if i.si_code == libc::CLD_EXITED {
                i.si_status()
            } else {
                128 + i.si_status()
            }))
        }
    }
    fn exit_descriptor(&mut self, pid: i64) -> Io<i32> {
        // SAFETY: no pointers; the result is new.
        unsafe {
            let raw = retry(|| libc::syscall(libc::SYS_pidfd_open, pid as libc::pid_t, 0))?;
            Ok(self.open.add_raw(raw as i32))
        }
    }
    fn kill(&mut self, pid: i64, signal: i32) -> Io<()> {
        // SAFETY: no pointers.
        if unsafe { libc::kill(pid as libc::pid_t, signal) } == 0 {
            Ok(())
        } else {
            Err(last())
        }
    }
    fn info(&mut self, pid: i64) -> Io<ProcessInfo> {
        let stat = std::fs::read(format!("/proc/{pid}/stat"))?;
        // the name in parentheses may hold anything
        let end = stat
            .iter()
            .rposition(|&b| b == b')')
            .ok_or(Errno(libc::EIO))?;
        let text = String::from_utf8_lossy(&stat[end + 1..]).into_owned();
        let f: Vec<i64> = text
            .split_whitespace()
            .skip(1)
            .map(|s| s.parse().unwrap_or(0))
            .collect();
        let field = |i: usize| f.get(i - 4).copied().unwrap_or(0);
        // SAFETY: no pointers.
        let hz = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1);
        let mut info = ProcessInfo {
            parent: field(4),
            cpu_nanos: (field(14) + field(15)) * (1_000_000_000 / hz),
            start_millis: boot_millis() + field(22) * 1000 / hz,
            ..ProcessInfo::default()
        };
        if let Ok(m) = std::fs::metadata(format!("/proc/{pid}")) {
            info.uid = m.uid();
        }
        if let Ok(p) = std::fs::read_link(format!("/proc/{pid}/exe")) {
            info.command = Some(p.into_os_string().into_vec());
        }
        if let Ok(line) = std::fs::read(format!("/proc/{pid}/cmdline"))
            && !line.is_empty()
        {
            let mut parts: Vec<Vec<u8>> = line.split(|&b| b == 0).map(<[u8]>::to_vec).collect();
            parts.pop();
            info.args = Some(parts.into_iter().skip(1).collect());
            let mut joined = line;
            joined.pop();
            joined
                .iter_mut()
                .filter(|b| **b == 0)
                .for_each(|b| *b = b' ');
            info.command_line = Some(joined);
        }
        Ok(info)
    }
    fn list(&mut self) -> Io<Vec<i64>> {
        let names = std::fs::read_dir("/proc")?.flatten().map(|e| e.file_name());
        let mut v: Vec<i64> = names.filter_map(|n| n.to_str()?.parse().ok()).collect();
        v.sort();
        Ok(v)
    }
    fn own_id(&mut self) -> i64 {
        std::process::id() as i64
    }
    fn processors(&mut self) -> i32 {
        std::thread::available_parallelism().map_or(1, |n| n.get() as i32)
    }
    fn memory(&mut self) -> MemoryUsage {
        // SAFETY: no pointers.
        let number = |name| unsafe { libc::sysconf(name) }.max(0) as u64;
        let page = number(libc::_SC_PAGESIZE);
        let table = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let entry = |name: &str| {
            let line = table.lines().find_map(|l| l.strip_prefix(name));
            let number = line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok());
            number.unwrap_or(0) << 10
        };
        // the first number is the size of the address space in pages
        let own = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = own.split_whitespace().next().and_then(|n| n.parse().ok());
        MemoryUsage {
            total: number(libc::_SC_PHYS_PAGES) * page,
            free: number(libc::_SC_AVPHYS_PAGES) * page,
            swap: entry("SwapTotal:"),
            free_swap: entry("SwapFree:"),
            committed: pages.unwrap_or(0) * page,
        }
    }
    fn processor_time(&mut self, number: i32) -> ProcessorTime {
        let table = std::fs::read_to_string("/proc/stat").unwrap_or_default();
        let name = match number {
            -1 => "cpu".to_owned(),
            _ => format!("cpu{number}"),
        };
        let all = table.lines().map(|l| l.split_ascii_whitespace());
        let mut of_it = all.filter(|l| l.clone().next() == Some(&name));
        // user, nice, system, idle, waiting for the disk, interrupts, soft ones, taken by others; what guests had is in the first
        let numbers = of_it.next().into_iter().flat_map(|l| l.skip(1).take(8));
        let numbers: Vec<u64> = numbers.filter_map(|n| n.parse().ok()).collect();
        // SAFETY: no pointers.
        let tick = 1_000_000_000 / unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64;
        let sum = |which: &[usize]| which.iter().filter_map(|&i| numbers.get(i)).sum::<u64>();
        ProcessorTime {
            used: sum(&[0, 1, 2, 5, 6]) * tick,
            total: sum(&[0, 1, 2, 3, 4, 5, 6, 7]) * tick,
        }
    }
    fn load_average(&mut self) -> LoadAverage {
        let mut loads = [0.0; 3];
        // SAFETY: there is room for three numbers.
        let known = unsafe { libc::getloadavg(loads.as_mut_ptr(), 3) };
        let [one, five, fifteen] = loads.map(|n| (n * LoadAverage::UNIT as f64) as u64);
        LoadAverage {
            known: known.max(0) as u64,
            one,
            five,
            fifteen,
        }
    }
    fn credentials(&mut self) -> Io<Credentials> {
        // SAFETY: no pointers.
        let (uid, gid) = unsafe { (libc::getuid(), libc::getgid()) };
        // SAFETY: with no room nothing is written.
        let n = retry(|| unsafe { libc::getgroups(0, std::ptr::null_mut()) })?;
        let mut groups = vec![0; n as usize];
        // SAFETY: `groups` has room for `n` groups.
        let n = retry(|| unsafe { libc::getgroups(n, groups.as_mut_ptr()) })?;
        groups.truncate(n as usize);
        Ok(Credentials { uid, gid, groups })
    }
    fn exit(&mut self) -> Io<()> {
        Ok(())
    }
}

/// When the machine started, milliseconds since 1970.
fn boot_millis() -> i64 {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let line = stat.lines().find_map(|l| l.strip_prefix("btime "));
    line.and_then(|s| s.trim().parse::<i64>().ok()).unwrap_or(0) * 1000
}
