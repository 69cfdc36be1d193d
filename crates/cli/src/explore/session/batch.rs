//! Schedules that run side by side, each in a separate process.

use super::super::process::{self, Child, ForkSide};
use super::super::schedule_result::ScheduleResult;
use super::{ScheduleRun, Session, StartPoint, Task};
use rjvm_explore::result::Outcome;
use std::collections::BTreeMap;
use std::io;
use std::time::Instant;

impl Session {
    /// Runs tasks, by number, at most so many at once; their reports and output, in the order of their numbers, without those that
    /// have not ended by `until`. `Err`: this is the process of one of them.
    pub(super) fn run_all(
        &mut self,
        place: &StartPoint,
        tasks: Vec<(u64, Task)>,
        until: Option<Instant>,
    ) -> io::Result<Result<BTreeMap<u64, ScheduleResult>, ScheduleRun>> {
        let mut running: BTreeMap<i32, (u64, Child)> = BTreeMap::new();
        let mut results = BTreeMap::<u64, ScheduleResult>::new();
        let mut tasks = tasks.into_iter();
        loop {
            while running.len() < self.settings.jobs
                && let Some((n, task)) = tasks.next()
            {
                match place.capture.fork()? {
                    ForkSide::Child(data) => {
                        return Ok(Err(self.begin(place, n, task, data)));
                    }
                    ForkSide::Parent(child) => {
                        running.insert(child.pid(), (n, child));
                    }
                }
            }
            if running.is_empty() {
                for data in results.values_mut() {
                    if !data.outcome.is_failure() {
                        data.outcome = self.judge(&data.printed.output)?;
                    }
                }
                return Ok(Ok(results));
            }
            let Some((pid, status)) = process::wait(until)? else {
                for (_, child) in std::mem::take(&mut running).into_values() {
                    child.kill()?;
                }
                tasks.by_ref().for_each(drop);
                continue;
            };
            let Some((number, child)) = running.remove(&pid) else {
                continue;
            };
            let ended = child.ended(status)?;
            let died = |message| Outcome::Died { message };
            let mut data = ScheduleResult::read(&ended.data).unwrap_or_else(|| ScheduleResult {
                outcome: died(match ended.signal {
                    Some(signal) => format!("the process was ended by signal {signal}"),
                    None => format!(
                        "the process ended early:\n{}",
                        String::from_utf8_lossy(&ended.printed.errors)
                    ),
                }),
                ..ScheduleResult::default()
            });
            data.printed = ended.printed;
            results.insert(number, data);
        }
    }
}
