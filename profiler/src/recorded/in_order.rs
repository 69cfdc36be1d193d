//! Work that two threads do, and whose results are taken in order.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How far one thread may be ahead of the results that were taken: they take memory.
const AHEAD: usize = 64;

/// Whether there is a processor for another thread.
pub(super) fn pays() -> bool {
    thread::available_parallelism().is_ok_and(|n| n.get() > 1)
}

struct Progress<R> {
    /// The first item that no thread has begun with.
    next: usize,
    /// Items whose results were taken.
    taken: usize,
    results: BTreeMap<usize, R>,
    /// Nothing more is to be done.
    is_over: bool,
}

impl<R> Progress<R> {
    /// The next item to begin with, if there is one that is not too far ahead.
    fn begin(&mut self, items: usize) -> Option<usize> {
        let next = self.next;
        let may = !self.is_over && next < items && next < self.taken + AHEAD;
        self.next += usize::from(may);
        may.then_some(next)
    }
}

struct SharedWork<R> {
    progress: Mutex<Progress<R>>,
    changed: Condvar,
}

impl<R> SharedWork<R> {
    fn lock(&self) -> MutexGuard<'_, Progress<R>> {
        // no code panics while it holds the lock
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn wait<'a>(&self, progress: MutexGuard<'a, Progress<R>>) -> MutexGuard<'a, Progress<R>> {
        let waited = self.changed.wait(progress);
        waited.unwrap_or_else(PoisonError::into_inner)
    }
    fn add(&self, item: usize, result: R) {
        self.lock().results.insert(item, result);
        self.changed.notify_all();
    }
    fn end(&self) {
        self.lock().is_over = true;
        self.changed.notify_all();
    }
}

/// Ends the work when it is dropped, so that no thread waits for one that has panicked.
struct EndAtDrop<'a, R>(&'a SharedWork<R>);

impl<R> Drop for EndAtDrop<'_, R> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Does `work` for each item, and calls `take` with the results in the order of the items, in this thread. Another thread does some of
/// the work, if it can be started. Ends with the first error.
pub(super) fn each<T: Sync, R: Send, E>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let shared = SharedWork {
        progress: Mutex::new(Progress {
            next: 0,
            taken: 0,
            results: BTreeMap::new(),
            is_over: false,
        }),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        let _end = EndAtDrop(&shared);
        // without it, this thread does all of it
        let _ = thread::Builder::new().spawn_scoped(scope, || help(items, &work, &shared));
        for item in 0..items.len() {
            let mut progress = shared.lock();
            let result = loop {
                if let Some(result) = progress.results.remove(&item) {
                    break result;
                }
                assert!(!progress.is_over, "the other thread has panicked");
                progress = match progress.begin(items.len()) {
                    Some(mine) => {
                        drop(progress);
                        shared.add(mine, work(&items[mine]));
                        shared.lock()
                    }
                    None => shared.wait(progress),
                };
            };
            progress.taken = item + 1;
            drop(progress);
            shared.changed.notify_all();
            take(result)?;
        }
        Ok(())
    })
}

/// What the other thread does.
fn help<T, R>(items: &[T], work: &impl Fn(&T) -> R, shared: &SharedWork<R>) {
    loop {
        let mut progress = shared.lock();
        let item = loop {
            if progress.is_over || progress.next == items.len() {
                return;
            }
            match progress.begin(items.len()) {
                Some(item) => break item,
                None => progress = shared.wait(progress),
            }
        };
        drop(progress);
        let panics = EndAtDrop(shared);
        let result = work(&items[item]);
        std::mem::forget(panics);
        shared.add(item, result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_order_and_errors_end_the_work() {
        let items: Vec<u64> = (0..500).collect();
        let work = |n: &u64| {
            // one item takes longer than many others
            if n % 100 == 7 {
                thread::sleep(Duration::from_millis(3));
            }
            n * n
        };
        let mut seen = Vec::new();
        let all = each(&items, work, |n| {
            seen.push(n);
            Ok::<(), ()>(())
        });
        assert_eq!(all, Ok(()));
        assert!(seen.iter().copied().eq((0..500).map(|n| n * n)));
        let mut taken = 0;
        let some = each(&items, work, |n| {
            taken += 1;
            if n == 81 { Err("nine") } else { Ok(()) }
        });
        assert_eq!((some, taken), (Err("nine"), 10));
    }

    #[test]
    #[should_panic]
    fn a_panic_ends_the_work() {
        let items: Vec<u64> = (0..500).collect();
        let work = |n: &u64| assert!(*n != 300, "a panic");
        let _ = each(&items, work, Ok::<(), ()>);
    }
}
