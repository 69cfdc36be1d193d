//! The one door to the outside world: an embedder may replace or deny any of it.

/// Files, clock, entropy, environment, standard streams, sockets and processes. The default
/// implementation for an operating system is `jdk-stubs`' `os.rs`.
pub trait Host: Send {
    /// Nanoseconds of a monotonic clock.
    fn nano_time(&mut self) -> i64;
    /// Seconds and nanoseconds since 1970-01-01 UTC.
    fn wall_clock(&mut self) -> (i64, u32);
    /// Fills `buf` with entropy.
    fn entropy(&mut self, buf: &mut [u8]);
    /// Sleeps until `deadline` (of [`Host::nano_time`]; `None`: no limit) or until one of `fds`
    /// (descriptor, bit 0 readable, bit 1 writable) is ready; returns the indices of the ready ones.
    fn wait(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize>;
    /// For downcasting to an implementation.
    fn as_any(&mut self) -> &mut dyn std::any::Any;
}
