//! Processes: this one and those that the program starts, by virtual numbers.

use super::streams::Lines;
use super::table::DescriptorKind;
use super::{Deterministic, USER_ID, places};
use rjvm_vm::host::{
    Credentials, Errno, Io, LoadAverage, MemoryUsage, ProcessInfo, Processes, ProcessorTime, Spawn,
};
use rjvm_vm::threads::clock::EPOCH;
use std::collections::BTreeMap;

/// This process.
pub const OWN: i64 = 2;
/// Its parent.
const PARENT: i64 = 1;
/// The memory of the machine and of this process.
pub const MEMORY: MemoryUsage = MemoryUsage {
    total: 16 << 30,
    free: 8 << 30,
    swap: 0,
    free_swap: 0,
    committed: 1 << 30,
};
/// What the machine's processors have always done.
const PROCESSOR_TIME: ProcessorTime = ProcessorTime {
    used: 1_000_000_000_000,
    total: 4_000_000_000_000,
};

/// A process that the program has started.
struct Child {
    real: i64,
    start_millis: i64,
    command: Vec<u8>,
    /// A descriptor that reports its end.
    exit: Option<i32>,
    ended: bool,
}

/// All of them by their numbers.
#[derive(Default)]
pub struct Children {
    all: BTreeMap<i64, Child>,
    started: i64,
}

impl Children {
    /// Whether this descriptor reports the end of one of them.
    pub fn is_exit(&self, fd: i32) -> bool {
        self.all.values().any(|c| c.exit == Some(fd))
    }
    fn get(&mut self, pid: i64) -> Io<&mut Child> {
        self.all.get_mut(&pid).ok_or(Errno(libc::ECHILD))
    }
}

impl Deterministic {
    /// A descriptor of the host inside for what another process gets as a standard stream. A pipe in memory becomes
    /// one of the kernel's.
    fn for_child(&mut self, fd: i32) -> Io<i32> {
        let channel = match self.table.kind(fd)? {
            DescriptorKind::File { fd, .. } | DescriptorKind::Stream { fd, .. } => return Ok(*fd),
            DescriptorKind::Reader(c) | DescriptorKind::Writer(c) => *c,
            _ => return Err(Errno(libc::EINVAL)),
        };
        let (r, w) = self.inner.descriptors().pipe()?;
        let ends = self.table.all().filter_map(|(id, o)| match o.kind {
            DescriptorKind::Reader(c) if c == channel => Some((id, r)),
            DescriptorKind::Writer(c) if c == channel => Some((id, w)),
            _ => None,
        });
        for (id, fd) in ends.collect::<Vec<_>>() {
            self.lead_to(id, fd)?;
        }
        self.inner_stream(fd)
    }
    fn inner_stream(&mut self, fd: i32) -> Io<i32> {
        match self.table.kind(fd)? {
            DescriptorKind::Stream { fd, .. } => Ok(*fd),
            _ => Err(Errno(libc::EBADF)),
        }
    }
}

impl Processes for Deterministic {
    fn spawn(&mut self, what: &Spawn) -> Io<i64> {
        let mut stdio = [0; 3];
        for (to, &fd) in stdio.iter_mut().zip(&what.stdio) {
            *to = self.for_child(fd)?;
        }
        let real = |text: &Vec<u8>| self.places.real_text(text);
        let environment = what.environment.as_ref().unwrap_or(&self.environment);
        let inside = Spawn {
            program: real(&what.program),
            args: what.args.iter().map(real).collect(),
            environment: Some(
                environment
                    .iter()
                    .map(|(k, v)| (k.clone(), real(v)))
                    .collect(),
            ),
            dir: what.dir.as_ref().map(real),
            stdio,
        };
        let pid = self.inner.processes().spawn(&inside)?;
        self.children.started += 1;
        let number = OWN + self.children.started;
        let (seconds, nanos) = self.now();
        self.children.all.insert(
            number,
            Child {
                real: pid,
                start_millis: seconds * 1000 + nanos / 1_000_000,
                command: what.program.clone(),
                exit: None,
                ended: false,
            },
        );
        Ok(number)
    }
    fn try_wait(&mut self, pid: i64, reap: bool) -> Io<Option<i32>> {
        let child = self.children.get(pid)?;
        if let (Some(exit), false) = (child.exit, child.ended) {
            // told of its end when no thread could go on
            child.ended = matches!(
                self.table.kind(exit),
                Ok(DescriptorKind::Stream { granted: true, .. })
            );
        }
        let child = self.children.get(pid)?;
        let real = child.real;
        if !child.ended {
            return Ok(None);
        }
        let status = self.inner.processes().try_wait(real, reap)?;
        if status.is_some() && reap {
            self.children.all.remove(&pid);
        }
        Ok(status)
    }
    fn exit_descriptor(&mut self, pid: i64) -> Io<i32> {
        let real = self.children.get(pid)?.real;
        let fd = self.inner.processes().exit_descriptor(real)?;
        let number = self.table.add(DescriptorKind::Stream {
            fd,
            lines: Lines::default(),
            granted: false,
        });
        self.children.get(pid)?.exit = Some(number);
        Ok(number)
    }
    fn kill(&mut self, pid: i64, signal: i32) -> Io<()> {
        if pid == OWN {
            return self.inner.raise_signal(signal);
        }
        let child = self.children.all.get(&pid).ok_or(Errno(libc::ESRCH))?;
        self.inner.processes().kill(child.real, signal)
    }
    fn info(&mut self, pid: i64) -> Io<ProcessInfo> {
        let own = ProcessInfo {
            parent: PARENT,
            start_millis: EPOCH * 1000,
            cpu_nanos: 0,
            uid: USER_ID,
            command: Some([places::JDK, "/bin/java"].concat().into_bytes()),
            args: None,
            command_line: None,
        };
        match pid {
            OWN => Ok(own),
            PARENT => Ok(ProcessInfo {
                parent: 0,
                uid: 0,
                command: None,
                ..own
            }),
            _ => {
                let child = self.children.all.get(&pid).ok_or(Errno(libc::ENOENT))?;
                Ok(ProcessInfo {
                    parent: OWN,
                    start_millis: child.start_millis,
                    command: Some(child.command.clone()),
                    ..own
                })
            }
        }
    }
    fn list(&mut self) -> Io<Vec<i64>> {
        let children = self.children.all.keys().copied();
        Ok([PARENT, OWN].into_iter().chain(children).collect())
    }
    fn exit(&mut self) -> Io<()> {
        self.inner.processes().exit()
    }
    fn credentials(&mut self) -> Io<Credentials> {
        Ok(Credentials {
            uid: USER_ID,
            gid: USER_ID,
            groups: vec![USER_ID],
        })
    }
    fn own_id(&mut self) -> i64 {
        OWN
    }
    fn processors(&mut self) -> i32 {
        1
    }
    fn memory(&mut self) -> MemoryUsage {
        MEMORY
    }
    fn processor_time(&mut self, _: i32) -> ProcessorTime {
        PROCESSOR_TIME
    }
    fn load_average(&mut self) -> LoadAverage {
        LoadAverage::default()
    }
}
