//! New bodies for methods that may be running.
//!
//! A method's record stays where it is, since call sites and vtables point to it, and gets the new body.
//! The old one moves to a separate record, the *obsolete* method; frames that run it, and the
//! contexts that they and earlier calls have counted in, become that method's. New calls enter the new body and count in separate
//! contexts, which profiles merge with the old ones. The old code goes when no frame runs it any more.

use super::frame::Cs;
use crate::classes::{Method, acc};
use crate::ids::{ClassId, MethodId, ThreadId};
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;
use hashbrown::HashMap;
use rjvm_classfile::ClassFile;
use rjvm_profiler::cct::{ContextNode, Walk};
use std::sync::Arc;

/// Bodies that a method may have one after the other: backtraces report them apart in 15 bits.
const MOST_BODIES: u16 = 1 << 15;

impl Vm {
    /// Gives a method the body that the method of the same name has in `file`, a class file that is like
    /// its class's in all but code. Frames of the old body run on in it; all later calls enter the new one.
    ///
    /// # Errors
    /// `UnsupportedOperationException` if the files differ in more, or the method has no code; what
    /// verification throws, which may be an upcall (a class has to be loaded) with `Resume::Again`.
    pub fn replace_body(&mut self, id: MethodId, file: Arc<ClassFile>) -> R<()> {
        let unsupported = |what: &str| {
            let text = format!("class redefinition failed: attempted to change {what}");
            Throw::msg("java/lang/UnsupportedOperationException", text)
        };
        let m = self.method(id);
        let (class, access) = (m.class, m.access);
        let Some(code) = m.code() else {
            return Err(unsupported("a method without code"));
        };
        let index = code.index;
        if m.body + 1 == MOST_BODIES {
            return Err(unsupported("a method once too often"));
        }
        let old = self.class(class).cf.clone().expect("a class file");
        let pools = (&old.constant_pool, &file.constant_pool);
        let bootstraps =
            |f: &ClassFile| f.attributes.bootstrap_methods.as_deref().map(<[_]>::to_vec);
        if !Arc::ptr_eq(pools.0, pools.1) || bootstraps(&old) != bootstraps(&file) {
            return Err(unsupported("the constant pool"));
        }
        let same = old.methods.len() == file.methods.len()
            && old.methods.iter().zip(&file.methods).all(|(a, b)| {
                (a.name, a.descriptor, a.access_flags) == (b.name, b.descriptor, b.access_flags)
            });
        if !same || old.methods[index].access_flags != access {
            return Err(unsupported("the methods"));
        }
        crate::classes::verification::verify_file(self, class, &file)?;
        let (pool, access) = (self.method(id).pool, access);
        self.replace_bodies(&[(id, access)], (&file, pool));
        Ok(())
    }
    /// Whether a method can be given another body once more.
    pub(crate) fn has_body_left(&self, id: MethodId) -> bool {
        self.method(id).body + 1 < MOST_BODIES
    }
    /// Gives methods of one class, with these flags from now on, the bodies that they have in a class file with a pool
    /// of that number.
    pub(crate) fn replace_bodies(
        &mut self,
        methods: &[(MethodId, u16)],
        (file, pool): (&Arc<ClassFile>, u16),
    ) {
        if methods.is_empty() {
            return;
        }
        self.give_up_intrinsics();
        let mut moved = Vec::with_capacity(methods.len());
        for &(id, _) in methods {
            moved.push((id, self.make_obsolete(id)));
        }
        self.move_frames(&moved);
        self.move_contexts(&moved);
        for &(id, access) in methods {
            let m = self.method_mut(id);
            m.access = access;
            if access & acc::NATIVE == 0 {
                // a native method has become one with code
                m.native = None;
            }
            m.file = (access & acc::NATIVE == 0).then(|| file.clone());
            m.pool = pool;
            m.frame_bytes = u32::from(m.arg_slots.max(1)) * 8;
            (m.kid_slots, m.kids) = (0, 0);
            // samples name it, whichever body was running
            m.in_profile = true;
            m.body += 1;
            let entry = self.first_entry(id);
            self.set_entry(id, entry);
            self.instrument_body(id);
        }
        self.free_obsolete();
    }
    /// The obsolete methods of a class that have code.
    pub(crate) fn obsolete_with_code(&self, class: ClassId) -> Vec<MethodId> {
        let with_code = self.code.obsolete.with_code.iter().copied();
        with_code
            .filter(|&m| self.method(m).class == class)
            .collect()
    }
    /// The method as others know it: for an obsolete one, that whose body it was.
    pub(crate) fn original(&self, id: MethodId) -> MethodId {
        let method = self.loaded.methods.find(id);
        method.map_or(id, |m| m.original)
    }
    /// The obsolete methods that have bodies of this one.
    pub(crate) fn bodies_of(&self, id: MethodId) -> Vec<MethodId> {
        let bodies = self.code.obsolete.bodies.iter().filter(|b| b.0 == id);
        bodies.map(|b| b.2).collect()
    }
    /// The obsolete methods of a class that is being unloaded; they are no longer known.
    pub(crate) fn take_obsolete(&mut self, c: ClassId) -> Vec<MethodId> {
        let bodies = std::mem::take(&mut self.code.obsolete.bodies);
        let (of_class, others) = bodies
            .into_iter()
            .partition(|b| self.method(b.2).class == c);
        self.code.obsolete.bodies = others;
        let gone: Vec<_> = Vec::into_iter(of_class).map(|b| b.2).collect();
        self.code.obsolete.with_code.retain(|m| !gone.contains(m));
        gone
    }
    /// A new method with the present body of `id`, which has none then.
    fn make_obsolete(&mut self, id: MethodId) -> MethodId {
        // what was noted of its frames is to be understood with the old body
        self.settle_samples();
        self.disarm();
        let new = self.loaded.methods.next();
        let m = self.method_mut(id);
        if let Some(x) = m.translated_mut() {
            x.drop_entries();
        }
        let old = Method {
            id: new,
            original: id,
            file: m.file.clone(),
            call: super::uncompiled(),
            xlat: m.xlat.take(),
            ..*m
        };
        let body = old.body;
        self.loaded.methods.add(old);
        self.code.obsolete.bodies.push((id, body, new));
        self.code.obsolete.with_code.push(new);
        for cache in self.code.call_caches.iter_mut().filter(|c| c.method == id) {
            cache.method = new;
        }
        // SAFETY: `Hot` lies at the region's base.
        unsafe { (*self.hot()).methods = self.loaded.methods.as_ptr().cast() };
        new
    }
    /// The frames of methods become those of their old bodies.
    fn move_frames(&mut self, moved: &[(MethodId, MethodId)]) {
        let place = |vm: &mut Vm, id: MethodId| -> *mut Method {
            &raw mut *vm.loaded.methods[id.0 as usize]
        };
        let mut both: Vec<(*mut Method, *mut Method)> = Vec::with_capacity(moved.len());
        for &(id, obsolete) in moved {
            both.push((place(self, id), place(self, obsolete)));
        }
        for t in 0..self.threads.len() as u32 {
            let mut cs: Cs = self.regs_of(ThreadId(t)).cs;
            let thread = &mut self.threads[t as usize];
            for &(from, to) in &both {
                thread.sampling.replace_method(from, to);
            }
            let bottom = thread.stack_bottom();
            if cs.is_null() {
                continue;
            }
            while cs < bottom {
                // SAFETY: `cs` is between the thread's top and bottom control frames.
                unsafe {
                    if let Some(&(_, to)) = both.iter().find(|b| b.0 == (*cs).method) {
                        (*cs).method = to;
                    }
                    cs = cs.add(1);
                }
            }
        }
    }
    /// The contexts of methods become those of their old bodies, and no call leads to them any more.
    fn move_contexts(&mut self, moved: &[(MethodId, MethodId)]) {
        let moved: HashMap<u32, u32> = moved.iter().map(|m| (m.0.0, m.1.0)).collect();
        let roots: Vec<*mut ContextNode> = self
            .threads
            .iter()
            .flat_map(|t| [t.root, t.other_root])
            .collect();
        for root in roots.into_iter().filter(|r| !r.is_null()) {
            // SAFETY: nodes live as long as the VM; only methods and child links change meanwhile, not the chains.
            unsafe {
                for visit in Walk::new(root) {
                    let Some(&obsolete) = moved.get(&visit.method) else {
                        continue;
                    };
                    let node = visit.node.cast_mut();
                    let parent = ContextNode::parent(node);
                    self.profile.cct.give_method(node, obsolete);
                    if !parent.is_null() && (*parent).method != u32::MAX {
                        self.forget_child(parent, node);
                    }
                }
            }
        }
    }
    /// Clears the child links of `parent` that lead to `child`.
    ///
    /// # Safety
    /// Both are live nodes.
    unsafe fn forget_child(&self, parent: *mut ContextNode, child: *mut ContextNode) {
        for at in self
            .child_links((*parent).method)
            .step_by(ContextNode::LINK)
        {
            if ContextNode::callee(parent, at) == child {
                ContextNode::set_callee(parent, at, std::ptr::null());
            }
        }
    }
    /// Frees the code of bodies that were replaced and that no frame runs any more.
    pub(crate) fn free_obsolete(&mut self) {
        if self.code.obsolete.with_code.is_empty() || self.counts_blocks() {
            // executions of single bytecodes are found with the code's help at the end
            return;
        }
        let mut running = Vec::new();
        for t in 0..self.threads.len() as u32 {
            self.each_frame(ThreadId(t), |_, w| {
                running.push(w.method.cast_const());
                true
            });
        }
        let mut rest = std::mem::take(&mut self.code.obsolete.with_code);
        let mut classes = Vec::new();
        rest.retain(|&id| {
            let kept = running.contains(&(&raw const *self.loaded.methods[id.0 as usize]));
            if !kept {
                classes.push(self.method(id).class);
                self.drop_code(id);
            }
            kept
        });
        self.code.obsolete.with_code = rest;
        classes.dedup();
        for class in classes {
            self.drop_unused_pools(class);
        }
    }
    /// How many replaced bodies have their code still.
    pub fn obsolete_bodies(&self) -> usize {
        self.code.obsolete.with_code.len()
    }
}

impl Env {
    /// The method that has the body numbered `body` (see [`Method::body`]) of method `id`.
    pub fn of_body(&self, id: MethodId, body: u16) -> MethodId {
        let mut bodies = self.0.code.obsolete.bodies.iter();
        let found = bodies.find(|b| b.0 == id && b.1 == body);
        found.map_or(id, |b| b.2)
    }
}
