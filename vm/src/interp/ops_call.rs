//! Handlers of calls and returns. These are the only ones that know calling contexts.

pub(crate) use super::call_kind::CallKind;
use super::code::arguments;
use super::code::*;
use super::frame::*;
use super::insn::{call, leave, leave_with};
use super::ops_mem::{class_of, fast_subtype};
use super::owner::vm;
use super::slow;
use crate::classes::method::vindex;
use crate::classes::{Method, VtableEntry};
use crate::interp::Handler;
use crate::threads::stack::RED_ZONE;
use rjvm_profiler::cct::ContextNode;

/// Bytecodes up to and with the call at `ip`, since the ticks were right.
#[inline(always)]
pub(super) unsafe fn call_ticks(ip: Ip) -> i64 {
    call::ticks.get(ip) as i64
}
/// Whether the call at `ip` moves an argument.
pub(super) unsafe fn moves_argument(ip: Ip) -> bool {
    call::moved_to.get(ip) != 0
}
/// Moves that argument to its slot.
#[inline(always)]
pub(super) unsafe fn move_argument(ip: Ip, fp: Fp) {
    *slot(fp, call::moved_to.get(ip)) = *slot(fp, call::moved_from.get(ip));
}

/// The control frame below `cs`. The compiler is not to know where that is: it would keep both addresses, which
/// takes one instruction more.
#[inline(always)]
unsafe fn below(cs: Cs) -> Cs {
    let below = cs.sub(1);
    #[cfg(target_arch = "x86_64")]
    {
        let same;
        #[allow(
            clippy::pointers_in_nomem_asm_block,
            reason = "nothing is read through it"
        )]
        {
            // SAFETY: no instruction at all.
            std::arch::asm!("/* {0} */", inout(reg) below => same, options(pure, nomem, nostack, preserves_flags));
        }
        same
    }
    #[cfg(not(target_arch = "x86_64"))]
    below
}

/// Enters `callee`: pushes the control frame, counts the invocation, looks at the limit.
macro_rules! enter {
    ($prof:expr, $child:expr, $callee:expr, $nfp:ident, $ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {{
        $cs = below($cs);
        if $prof {
            let child: *mut ContextNode = $child;
            (*child).invocations += 1;
            (*$cs).node = child;
        }
        $tk += call_ticks($ip);
        (*$cs).rip = $ip.add(call::BYTES);
        (*$cs).fp = $fp;
        // samples report by it which frames are new
        (*$cs).ticks = $tk;
        let callee: *mut Method = $callee;
        (*$cs).method = callee;
        let entry = (*callee).entry;
        if $tk >= (*$hot).limit {
            return slow::trap_call(entry, $nfp, $cs, $tk, $acc, $hot, $fa);
        }
        go!(entry, $nfp, $cs, $tk, $acc, $hot, $fa)
    }};
}
/// Child node of a site with one callee.
macro_rules! child_static {
    ($prof:expr, $callee:expr, $ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {{
        let mut k: *mut ContextNode = std::ptr::null_mut();
        if $prof {
            let link = ContextNode::link((*$cs).node, call::kid.get($ip) as usize);
            if link == 0 {
                (*$hot).fault[0] = $callee as u64;
                return slow::new_child($ip, $fp, $cs, $tk, $acc, $hot, $fa);
            }
            k = ContextNode::linked((*$cs).node, link);
        }
        k
    }};
}
/// Child node of a site with any number of callees: the slot remembers the last one.
macro_rules! child_virtual {
    ($prof:expr, $callee:expr, $ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {{
        let mut k: *mut ContextNode = std::ptr::null_mut();
        if $prof {
            let link = ContextNode::link((*$cs).node, call::kid.get($ip) as usize);
            if link == 0 {
                (*$hot).fault[0] = $callee as u64;
                return find_child($ip, $fp, $cs, $tk, $acc, $hot, $fa);
            }
            k = ContextNode::linked((*$cs).node, link);
            if (*k).method != (*$callee).id.0 {
                (*$hot).fault[0] = $callee as u64;
                return find_child($ip, $fp, $cs, $tk, $acc, $hot, $fa);
            }
        }
        k
    }};
}
macro_rules! new_frame {
    ($null:expr, $mov:expr, $ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {{
        let nfp = arguments($ip, $fp);
        if $mov {
            move_argument($ip, $fp);
        }
        if $null && *nfp as u32 == 0 {
            return slow::npe($ip, $fp, $cs, $tk, $acc, $hot, $fa);
        }
        if nfp as usize + RED_ZONE > $cs as usize {
            return slow::stack_overflow($ip, $fp, $cs, $tk, $acc, $hot, $fa);
        }
        nfp
    }};
}

op! {
    /// Looks for the child of the callee in `fault[0]` among the node's children, makes it the site's
    /// last one, and enters it.
    #[inline(never)]
    find_child[ip fp cs tk acc hot fa] {
        let node = (*cs).node;
        let callee = (*hot).fault[0] as *mut Method;
        let id = (*callee).id.0;
        if (*node).is_wide() {
            return find_wide_child(ip, fp, cs, tk, acc, hot, fa);
        }
        let first = (*node).first_link();
        if first == 0 || !(*node).may_call(id) {
            return slow::new_child(ip, fp, cs, tk, acc, hot, fa);
        }
        let mut k = ContextNode::linked(node, first);
        while !(*k).is_called(id, call::bci.get(ip)) {
            let Some(next) = (*k).next_link() else {
                return slow::new_child(ip, fp, cs, tk, acc, hot, fa);
            };
            k = ContextNode::linked(k, next);
        }
        ContextNode::set_callee(node, call::kid.get(ip) as usize, k);
        let nfp = arguments(ip, fp);
        enter!(true, k, callee, nfp, ip fp cs tk acc hot fa)
    }
    /// The same where a node has many children.
    #[inline(never)]
    find_wide_child[ip fp cs tk acc hot fa] {
        let node = (*cs).node;
        let callee = (*hot).fault[0] as *mut Method;
        let k = vm(hot).profile.cct.find_wide(node, (*callee).id.0, call::bci.get(ip));
        if k.is_null() {
            return slow::new_child(ip, fp, cs, tk, acc, hot, fa);
        }
        ContextNode::set_callee(node, call::kid.get(ip) as usize, k);
        let nfp = arguments(ip, fp);
        enter!(true, k, callee, nfp, ip fp cs tk acc hot fa)
    }
    /// Calls a method; `NULL`: the receiver is checked. Here and below, `MOV`: an argument is moved.
    call{const NULL: bool, const PROF: bool, const MOV: bool}[ip fp cs tk acc hot fa] {
        let nfp = new_frame!(NULL, MOV, ip fp cs tk acc hot fa);
        let child = child_static!(PROF, call::method.get(ip), ip fp cs tk acc hot fa);
        // read late: one register less
        enter!(PROF, child, call::method.get(ip) as *mut Method, nfp, ip fp cs tk acc hot fa)
    }
    /// The same, with an appendix (a root cell in the cache) as last argument.
    call_appendix{const NULL: bool, const PROF: bool, const MOV: bool}[ip fp cs tk acc hot fa] {
        let nfp = new_frame!(NULL, MOV, ip fp cs tk acc hot fa);
        let callee = call::method.get(ip) as *mut Method;
        let child = child_static!(PROF, callee, ip fp cs tk acc hot fa);
        let cell = call::cache.get(ip) as u32 as usize;
        if cell != 0 {
            *slot(nfp, call::slots.get(ip)) = *((hot as *const u8).add(cell) as *const u32) as u64;
        }
        enter!(PROF, child, callee, nfp, ip fp cs tk acc hot fa)
    }
    /// Calls through the vtable; `aux` is the entry's byte offset in the class block.
    call_virtual{const PROF: bool, const MOV: bool}[ip fp cs tk acc hot fa] {
        let nfp = new_frame!(true, MOV, ip fp cs tk acc hot fa);
        let fat = (class_of(hot, *nfp) as *mut u8).add(call::aux.get(ip) as usize) as *mut VtableEntry;
        let callee = (*fat).callee;
        let child = child_virtual!(PROF, callee, ip fp cs tk acc hot fa);
        enter!(PROF, child, callee, nfp, ip fp cs tk acc hot fa)
    }
    /// Calls the implementation of an interface method; `aux` caches a class, `cache` its method.
    call_interface{const PROF: bool, const MOV: bool}[ip fp cs tk acc hot fa] {
        let nfp = new_frame!(true, MOV, ip fp cs tk acc hot fa);
        let class = *(obj(hot, *nfp, 0) as *const u32);
        let callee = if class == call::aux.get(ip) {
            call::cache.get(ip) as *mut Method
        } else {
            let ch = obj(hot, class as u64, 0) as *mut crate::classes::ClassHot;
            let im = call::method.get(ip) as *const Method;
            if (*ch).imt.is_null() { return slow::interface_miss(ip, fp, cs, tk, acc, hot, fa); }
            let e = (*ch).imt.add(((*im).id.0 & (*ch).imt_mask) as usize);
            if (*e).key != im { return slow::interface_miss(ip, fp, cs, tk, acc, hot, fa); }
            (*e).callee
        };
        let child = child_virtual!(PROF, callee, ip fp cs tk acc hot fa);
        enter!(PROF, child, callee, nfp, ip fp cs tk acc hot fa)
    }
    /// Calls a method if the receiver is a subtype of the interface in `aux`, which no type in the class file
    /// says: `invokespecial` in an interface, `invokeinterface` of a method of Object. `VIRTUAL`: the method is
    /// in the vtable, at the byte offset in `cache`.
    call_checked{const VIRTUAL: bool, const PROF: bool, const MOV: bool}[ip fp cs tk acc hot fa] {
        let nfp = new_frame!(true, MOV, ip fp cs tk acc hot fa);
        let (rc, c) = (*(obj(hot, *nfp, 0) as *const u32), call::aux.get(ip));
        if !fast_subtype(hot, rc, c) {
            save!(ip fp cs tk acc hot fa);
            if !slow::is_subtype(hot, rc, c) {
                (*hot).fault = [rc as u64, c as u64];
                return slow::wrong_receiver(ip, fp, cs, tk, acc, hot, fa);
            }
        }
        let callee = match VIRTUAL {
            true => (*((class_of(hot, *nfp) as *mut u8).add(call::cache.get(ip) as usize) as *mut VtableEntry)).callee,
            false => call::method.get(ip) as *mut Method,
        };
        let child = child_virtual!(PROF, callee, ip fp cs tk acc hot fa);
        enter!(PROF, child, callee, nfp, ip fp cs tk acc hot fa)
    }
    /// `MethodHandle.invokeBasic`: the target is found through the receiver's lambda form.
    /// Nothing is cached (objects move); the chain is short.
    invoke_basic{const PROF: bool, const MOV: bool}[ip fp cs tk acc hot fa] {
        let nfp = new_frame!(true, MOV, ip fp cs tk acc hot fa);
        let o = (*hot).mh;
        let form = *(obj(hot, *nfp, o.form as usize) as *const u32);
        if form == 0 { return slow::npe(ip, fp, cs, tk, acc, hot, fa); }
        let entry = *(obj(hot, form as u64, o.vmentry as usize) as *const u32);
        if entry == 0 { return slow::npe(ip, fp, cs, tk, acc, hot, fa); }
        let rmn = *(obj(hot, entry as u64, o.method as usize) as *const u32);
        if rmn == 0 { return slow::npe(ip, fp, cs, tk, acc, hot, fa); }
        let id = *(obj(hot, rmn as u64, o.vmtarget as usize) as *const u32);
        let callee = *(*hot).methods.add(id as usize - 1);
        let child = child_virtual!(PROF, callee, ip fp cs tk acc hot fa);
        enter!(PROF, child, callee, nfp, ip fp cs tk acc hot fa)
    }
    /// `MethodHandle.linkTo*`: the last argument is a MemberName. `KIND`: 0 static, 1 special, 2 virtual, 3 interface.
    link_to{const KIND: u8, const PROF: bool, const MOV: bool}[ip fp cs tk acc hot fa] {
        let nfp = new_frame!(KIND != 0, MOV, ip fp cs tk acc hot fa);
        let member = *slot(nfp, call::slots.get(ip) - 1);
        if member as u32 == 0 { return slow::npe(ip, fp, cs, tk, acc, hot, fa); }
        let o = (*hot).mh;
        let rmn = *(obj(hot, member, o.method as usize) as *const u32);
        if rmn == 0 { return slow::npe(ip, fp, cs, tk, acc, hot, fa); }
        let id = *(obj(hot, rmn as u64, o.vmtarget as usize) as *const u32);
        let mut callee = *(*hot).methods.add(id as usize - 1);
        if KIND == 2 {
            let vindex = (*callee).vindex;
            if vindex >= 0 {
                callee = (*(&raw const (*class_of(hot, *nfp)).vtable as *const VtableEntry).add(vindex as usize)).callee;
            } else if vindex == vindex::INTERFACE {
                let class = *(obj(hot, *nfp, 0) as *const u32);
                callee = slow::link_inherited(hot, class, callee);
                if callee.is_null() { return slow::pending(ip, fp, cs, tk, acc, hot, fa); }
            }
        }
        if KIND == 3 {
            let class = *(obj(hot, *nfp, 0) as *const u32);
            save!(ip fp cs tk acc hot fa);
            callee = slow::link_interface(hot, class, callee);
            if callee.is_null() { return slow::pending(ip, fp, cs, tk, acc, hot, fa); }
        }
        let child = child_virtual!(PROF, callee, ip fp cs tk acc hot fa);
        enter!(PROF, child, callee, nfp, ip fp cs tk acc hot fa)
    }
}

/// Leaves the method. The result goes to `fp[0]` and to the accumulator.
macro_rules! leave {
    ($prof:expr, $ref:expr, $store:stmt, $ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {{
        $store
        let f = *$cs;
        $tk += leave::ticks.get($ip) as i64;
        if $prof {
            (*f.node).inclusive += $tk - f.ticks;
        }
        if $tk >= (*$hot).limit {
            (*$hot).fault[0] = $ref as u64;
            (*$hot).source = $ip;
            return slow::trap_return(f.rip, f.fp, $cs.add(1), $tk, $acc, $hot, $fa);
        }
        go!(f.rip, f.fp, $cs.add(1), $tk, $acc, $hot, $fa)
    }};
}
/// Constant of a return.
pub(crate) struct RI;
impl Src for RI {
    #[inline(always)]
    unsafe fn u(ip: Ip, _: Fp, _: u64) -> u64 {
        leave_with::value.get(ip)
    }
    #[inline(always)]
    unsafe fn i(ip: Ip, _: Fp, _: u64) -> i32 {
        leave_with::value.get(ip) as i32
    }
    #[inline(always)]
    unsafe fn l(ip: Ip, _: Fp, _: u64) -> i64 {
        leave_with::value.get(ip) as i64
    }
    #[inline(always)]
    unsafe fn f(ip: Ip, _: Fp, _: f64) -> f32 {
        f32::from_bits(leave_with::value.get(ip) as u32)
    }
    #[inline(always)]
    unsafe fn d(ip: Ip, _: Fp, _: f64) -> f64 {
        f64::from_bits(leave_with::value.get(ip))
    }
}

op! {
    /// Returns an int, long or reference, or any 8 bytes of a slot.
    ret<A: Src>{const REF: bool, const PROF: bool}[ip fp cs tk acc hot fa] {
        acc = A::u(ip, fp, acc);
        leave!(PROF, REF, *fp = acc, ip fp cs tk acc hot fa)
    }
    /// Returns the floating accumulator.
    retf{const PROF: bool}[ip fp cs tk acc hot fa] {
        leave!(PROF, false, *fp = fa.to_bits(), ip fp cs tk acc hot fa)
    }
    /// Returns nothing.
    retv{const PROF: bool}[ip fp cs tk acc hot fa] {
        leave!(PROF, false, (), ip fp cs tk acc hot fa)
    }
}

/// Handler of a call; `mov`: it moves an argument.
pub(crate) fn call_handler(k: CallKind, prof: bool, mov: bool) -> Handler {
    macro_rules! q {
        ($f:ident [$($c:expr),*]) => {
            match (prof, mov) {
                (true, true) => $f::<$({ $c },)* true, true> as Handler,
                (true, false) => $f::<$({ $c },)* true, false>,
                (false, true) => $f::<$({ $c },)* false, true>,
                (false, false) => $f::<$({ $c },)* false, false>,
            }
        };
    }
    match k {
        CallKind::Static => q!(call[false]),
        CallKind::Special => q!(call[true]),
        CallKind::Virtual => q!(call_virtual []),
        CallKind::Interface => q!(call_interface []),
        CallKind::CheckedSpecial => q!(call_checked[false]),
        CallKind::CheckedVirtual => q!(call_checked[true]),
        CallKind::Appendix => q!(call_appendix[false]),
        CallKind::Handle => q!(call_appendix[true]),
        CallKind::Basic => q!(invoke_basic []),
        CallKind::Link(0) => q!(link_to[0]),
        CallKind::Link(1) => q!(link_to[1]),
        CallKind::Link(2) => q!(link_to[2]),
        CallKind::Link(_) => q!(link_to[3]),
    }
}
/// Handler of a return of a value in place `a` (`K::A`: accumulator, `K::I`: constant).
pub(crate) fn return_handler(ty: u8, a: K, prof: bool) -> Handler {
    let float = matches!(ty, b'F' | b'D');
    let is_ref = matches!(ty, b'L' | b'[');
    macro_rules! q {
        ($a:ty) => {
            match (is_ref, prof) {
                (true, true) => ret::<$a, true, true> as Handler,
                (true, false) => ret::<$a, true, false> as Handler,
                (false, true) => ret::<$a, false, true> as Handler,
                (false, false) => ret::<$a, false, false> as Handler,
            }
        };
    }
    match (ty, a) {
        (b'V', _) => {
            if prof {
                retv::<true>
            } else {
                retv::<false>
            }
        }
        (_, K::A) if float => {
            if prof {
                retf::<true>
            } else {
                retf::<false>
            }
        }
        (_, K::S) => q!(AS),
        (_, K::A) => q!(AC),
        (_, K::I) => q!(RI),
    }
}
