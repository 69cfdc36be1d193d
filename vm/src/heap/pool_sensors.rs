//! Sets sensors of memory pools, and measures by them.

use super::sensors::{Measure, Signal};
use crate::natives::Env;
use crate::vm::Vm;

impl Vm {
    /// Between two turns of threads: compares the usage with thresholds, if there are any.
    pub(crate) fn watch_usage(&mut self) {
        if self.memory.history.sensors.watching {
            let now = self.memory_in_use();
            self.memory.history.sensors.measure_use(now);
            self.notify_if_idle();
        }
    }
    /// Makes `cell` the sensor that is notified about this pool.
    pub(crate) fn set_sensor(&mut self, pool: usize, measure: Measure, cell: u32) {
        let sensor = &mut self.memory.history.sensors.all[pool][measure as usize];
        if let Some(old) = sensor.cell.replace(cell) {
            self.heap.free_cell(old);
        }
    }
}

impl Env {
    /// Sets a threshold of a pool of [`InUse`](super::pools::InUse); 0: none.
    pub fn set_pool_threshold(&mut self, pool: usize, measure: Measure, bytes: usize) {
        self.0
            .memory
            .history
            .sensors
            .set_threshold(pool, measure, bytes);
    }
    /// What the continuation that runs reports a sensor.
    pub fn pool_signal(&self) -> Option<Signal> {
        self.0.memory.history.sensors.current.map(|c| c.1)
    }
}
