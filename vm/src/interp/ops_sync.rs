//! Handlers of monitors: thin locks in the mark word; all else is for the VM to see to.

use super::code::*;
use super::insn::{lock, object};
use super::owner::vm;
use super::slow;
use crate::heap::MARK;
use crate::threads::monitor::{try_enter_thin, try_exit_thin};

/// Changes the mark word of `$lock` as `$try` says, or leaves it to the slow handler.
macro_rules! mark_word {
    ($lock:expr, $try:ident, $slow:ident, $ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {{
        let lock = $lock;
        if lock as u32 == 0 {
            return slow::$slow($ip, $fp, $cs, $tk, $acc, $hot, $fa);
        }
        let word = obj($hot, lock, MARK as usize) as *mut u32;
        match $try(*word, (*$hot).thin) {
            Some(m) => *word = m,
            None => return slow::$slow($ip, $fp, $cs, $tk, $acc, $hot, $fa),
        }
    }};
}

op! {
    monitor_enter[ip fp cs tk acc hot fa] {
        mark_word!(*slot(fp, object::object.get(ip)), try_enter_thin, monitor_enter, ip fp cs tk acc hot fa);
        go!(ip.add(object::BYTES), fp, cs, tk, acc, hot, fa)
    }
    monitor_exit[ip fp cs tk acc hot fa] {
        mark_word!(*slot(fp, object::object.get(ip)), try_exit_thin, monitor_exit, ip fp cs tk acc hot fa);
        go!(ip.add(object::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Entry of a synchronized method. The lock of a static one is its class.
    sync_enter[ip fp cs tk acc hot fa] {
        let m = (*cs).method;
        let lock = if (*m).is_static() { vm(hot).mirror((*m).class).0 as u64 } else { *fp };
        mark_word!(lock, try_enter_thin, sync_enter, ip fp cs tk acc hot fa);
        *slot(fp, lock::lock.get(ip)) = lock as u32 as u64;
        go!(ip.add(lock::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Before the return of a synchronized method; 0 reports unwinding that the lock
    /// is released.
    sync_exit[ip fp cs tk acc hot fa] {
        mark_word!(*slot(fp, lock::lock.get(ip)), try_exit_thin, sync_exit, ip fp cs tk acc hot fa);
        *slot(fp, lock::lock.get(ip)) = 0;
        go!(ip.add(lock::BYTES), fp, cs, tk, acc, hot, fa)
    }
}
