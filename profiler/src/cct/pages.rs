//! Memory for nodes that are soon made. The system clears its pages; large arenas have another thread wait for that.

/// Takes the pages of an arena.
#[derive(Debug, Default)]
pub(super) struct ContextPages {
    /// Another thread may take them.
    pub may_be_ahead: bool,
    #[cfg(all(target_os = "linux", not(miri)))]
    ahead: Option<taken::PagesAhead>,
}

#[cfg(all(target_os = "linux", not(miri)))]
mod taken {
    use memmap2::{Advice, MmapRaw};
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::{self, JoinHandle, Thread};

    /// Arenas larger than this take all pages of a stretch at once. Smaller ones take no page without a node.
    const POPULATED_FROM: usize = 1 << 20;
    /// Arenas larger than this have another thread take their pages, if they may.
    const AHEAD_FROM: usize = 8 << 20;

    impl super::ContextPages {
        /// The last stretch, of so many bytes up to the offset `top`, is in use from now on. New nodes soon fill it: its pages take
        /// less time together. Older systems refuse; pages then come one by one.
        pub fn take(&mut self, map: &Arc<MmapRaw>, top: usize, stretch: usize) {
            let begin = top - stretch;
            if begin < POPULATED_FROM {
                return;
            }
            if self.may_be_ahead && begin < AHEAD_FROM && top >= AHEAD_FROM {
                self.ahead = PagesAhead::start(map, top).ok();
            }
            let ahead = self.ahead.as_mut();
            if !ahead.is_some_and(|ahead| ahead.advance(top)) {
                let _ = map.advise_range(Advice::PopulateWrite, begin, stretch);
            }
        }
    }

    /// Bytes that are taken ahead of those in use.
    const AHEAD: usize = 2 << 20;
    /// How many fewer there may be before the thread is woken.
    const LOW: usize = AHEAD / 2;
    /// Bytes that are taken at once.
    const PIECE: usize = 128 << 10;
    /// Where `wanted` says that the thread is to end.
    const END: usize = usize::MAX;

    /// The thread for one arena.
    #[derive(Debug)]
    pub(super) struct PagesAhead {
        offsets: Arc<PageOffsets>,
        thread: Option<JoinHandle<()>>,
        /// The last value of `wanted`.
        requested: usize,
    }

    #[derive(Debug)]
    struct PageOffsets {
        map: Arc<MmapRaw>,
        /// Offset up to which pages are wanted.
        wanted: AtomicUsize,
        /// Offset from which on they are: those before are in use.
        in_use: AtomicUsize,
        /// Offset up to which they have been taken.
        taken: AtomicUsize,
    }

    impl PagesAhead {
        /// Begins at that offset, if there is a processor for the thread.
        pub fn start(map: &Arc<MmapRaw>, in_use: usize) -> io::Result<PagesAhead> {
            if thread::available_parallelism()?.get() < 2 {
                return Err(io::ErrorKind::Unsupported.into());
            }
            let offsets = Arc::new(PageOffsets {
                map: map.clone(),
                wanted: AtomicUsize::new(0),
                in_use: AtomicUsize::new(in_use),
                taken: AtomicUsize::new(in_use),
            });
            let of_thread = offsets.clone();
            let thread = thread::Builder::new()
                .name("context pages".into())
                .stack_size(64 << 10)
                .spawn(move || of_thread.take())?;
            Ok(PagesAhead {
                offsets,
                thread: Some(thread),
                requested: 0,
            })
        }
        /// The memory up to that offset is in use now. Whether its pages have been taken.
        pub fn advance(&mut self, in_use: usize) -> bool {
            self.offsets.in_use.store(in_use, Ordering::Relaxed);
            if self.requested < in_use + LOW {
                self.requested = (in_use + AHEAD).min(self.offsets.map.len());
                self.offsets.wanted.store(self.requested, Ordering::Release);
                self.wake();
            }
            self.offsets.taken.load(Ordering::Relaxed) >= in_use
        }
        fn wake(&self) {
            self.thread
                .as_ref()
                .map(JoinHandle::thread)
                .map(Thread::unpark);
        }
    }

    impl PageOffsets {
        fn take(&self) {
            let mut at = self.taken.load(Ordering::Relaxed);
            loop {
                let wanted = self.wanted.load(Ordering::Acquire);
                if wanted == END {
                    return;
                }
                // who is overtaken has taken them alone
                at = at.max(self.in_use.load(Ordering::Relaxed));
                if at >= wanted {
                    thread::park();
                    continue;
                }
                let n = PIECE.min(wanted - at);
                if self.map.advise_range(Advice::PopulateWrite, at, n).is_err() {
                    // an older system, or there is no memory: pages then come one by one
                    return;
                }
                at += n;
                self.taken.store(at, Ordering::Relaxed);
            }
        }
    }

    impl Drop for PagesAhead {
        fn drop(&mut self) {
            self.offsets.wanted.store(END, Ordering::Release);
            self.wake();
            if let Some(thread) = self.thread.take() {
                let _ = thread.join();
            }
        }
    }
}
