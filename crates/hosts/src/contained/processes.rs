//! Processes, for contained programs that may start and see them.

use super::Contained;
use super::space::PairedTargets;
use crate::memory::USER;
use rjvm_jdk_stubs::os::Environment;
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{
    Credentials, Errno, Io, LoadAverage, MemoryUsage, ProcessInfo, Processes, ProcessorTime, Spawn,
};
use std::os::unix::ffi::OsStringExt;

impl Contained {
    fn granted(&mut self) -> Io<&mut dyn Processes> {
        match &mut self.processes {
            Some(os) => Ok(os),
            None => Err(Errno::DENIED),
        }
    }
    /// The real name of a folder that a process is to start in: one that is in memory is not there for it.
    fn real_dir(&self, dir: Option<&[u8]>) -> Io<Option<Vec<u8>>> {
        let Some(world) = &self.world else {
            return Ok(dir.map(<[u8]>::to_vec));
        };
        let target = world.walk(HERE, dir.unwrap_or(b"."), true)?;
        match world.space.place(&target) {
            PairedTargets::Folder(_, spot) => {
                let real = spot.with_path(|path| std::fs::read_link(path))?;
                Ok(Some(real.into_os_string().into_vec()))
            }
            PairedTargets::Memory(..) => Err(Errno::DENIED),
        }
    }
}

impl Processes for Contained {
    fn spawn(&mut self, what: &Spawn) -> Io<i64> {
        self.granted()?;
        let in_memory =
            |world: &super::World| what.stdio.iter().any(|&fd| world.in_memory(fd).is_some());
        if self.world.as_ref().is_some_and(in_memory) {
            return Err(Errno::DENIED);
        }
        let environment = match (&what.environment, &self.os.environment) {
            (Some(given), _) => Some(given.clone()),
            (None, Environment::Given(own)) => Some(own.clone()),
            (None, Environment::Own) => None,
        };
        let what = Spawn {
            dir: self.real_dir(what.dir.as_deref())?,
            environment,
            ..what.clone()
        };
        self.granted()?.spawn(&what)
    }
    fn try_wait(&mut self, pid: i64, reap: bool) -> Io<Option<i32>> {
        self.granted()?.try_wait(pid, reap)
    }
    fn exit_descriptor(&mut self, pid: i64) -> Io<i32> {
        self.granted()?.exit_descriptor(pid)
    }
    fn kill(&mut self, pid: i64, signal: i32) -> Io<()> {
        self.granted()?.kill(pid, signal)
    }
    fn info(&mut self, pid: i64) -> Io<ProcessInfo> {
        self.granted()?.info(pid)
    }
    fn list(&mut self) -> Io<Vec<i64>> {
        self.granted()?.list()
    }
    fn credentials(&mut self) -> Io<Credentials> {
        match &mut self.processes {
            Some(os) => os.credentials(),
            None => Ok(Credentials {
                uid: USER,
                gid: USER,
                groups: vec![USER],
            }),
        }
    }
    fn exit(&mut self) -> Io<()> {
        match self.exit {
            true => Ok(()),
            false => Err(Errno::DENIED),
        }
    }
    fn own_id(&mut self) -> i64 {
        self.processes.as_mut().map_or(1, Processes::own_id)
    }
    fn processors(&mut self) -> i32 {
        self.processes.as_mut().map_or(1, Processes::processors)
    }
    fn memory(&mut self) -> MemoryUsage {
        let os = self.processes.as_mut();
        os.map_or_else(MemoryUsage::default, Processes::memory)
    }
    fn processor_time(&mut self, number: i32) -> ProcessorTime {
        let os = self.processes.as_mut();
        os.map_or_else(ProcessorTime::default, |os| os.processor_time(number))
    }
    fn load_average(&mut self) -> LoadAverage {
        let os = self.processes.as_mut();
        os.map_or_else(LoadAverage::default, Processes::load_average)
    }
}
