//! Numbers of threads (`Thread.threadId`) since JDK 19, which the class library counts up: programs print them.
//!
//! HotSpot's own threads have some before the program has its first one. Those that rjvm does not have, or makes only when they
//! are needed, keep their numbers all the same, so that a program's threads have those that they have on HotSpot.

use crate::ids::Ref;
use crate::jdk;
use crate::natives::Env;
use crate::throw::R;
use crate::vm::Vm;

/// As HotSpot numbers them with its default settings.
struct Numbers {
    /// "Reference Handler" is the first thread after `main`.
    first: i64,
    /// "Signal Dispatcher".
    dispatcher: i64,
    /// "Notification Thread".
    notices: i64,
    /// The first one that is started after the boot: the class library's "Common-Cleaner".
    later: i64,
}

const OF_21: Numbers = Numbers {
    first: 9,
    dispatcher: 11,
    notices: 16,
    later: 17,
};
const OF_25: Numbers = Numbers {
    first: 12,
    dispatcher: 14,
    notices: 19,
    later: 20,
};

impl Vm {
    fn thread_numbers(&self) -> &'static Numbers {
        match self.feature() {
            ..25 => &OF_21,
            _ => &OF_25,
        }
    }
    /// Where the class library keeps the next number; `None` before 19, or as long as it has not requested a place.
    fn next_thread_number(&mut self) -> R<Option<u64>> {
        if !self.threads_have_holders() {
            return Ok(None);
        }
        let at = self.get_static(jdk::thread_identifiers::NEXT_TID_OFFSET)?;
        Ok((at != 0).then_some(at as u64))
    }
    /// The boot has ended.
    pub(crate) fn number_later_threads(&mut self) -> R<()> {
        let later = self.thread_numbers().later;
        if let Some(at) = self.next_thread_number()?
            && self.offheap.get::<i64>(at).is_some_and(|n| n < later)
        {
            self.offheap.put(at, later).expect("it is there");
        }
        Ok(())
    }
    /// A system thread of the VM has been made: it gets a separate number, and the next thread gets the number that it had drawn.
    pub(super) fn number_own_thread(&mut self, object: Ref) -> R<()> {
        let numbers = self.thread_numbers();
        let name = self.get(object, jdk::thread::NAME);
        let number = match &*self.string(name) {
            "Signal Dispatcher" => numbers.dispatcher,
            "Notification Thread" => numbers.notices,
            _ => return Ok(()),
        };
        if let Some(at) = self.next_thread_number()? {
            let drawn = self.get(object, jdk::thread::TID);
            if self.offheap.get::<i64>(at) == Some(drawn + 1) {
                self.offheap.put(at, drawn).expect("it is there");
            }
            self.set(object, jdk::thread::TID, number);
        }
        Ok(())
    }
}

impl Env {
    /// The number of the first thread after `main`.
    pub fn first_thread_number(&self) -> i64 {
        self.0.thread_numbers().first
    }
}
