//! Class files on their way through the transformers of all agents, before they become classes and when classes are
//! redefined. Transformers that cannot transform again come first, in the order of their agents.

use super::work::Job;
use super::{Agents, Transformed};
use crate::ids::{ClassId, LoaderId, Ref, ThreadId};
use crate::jdk::calls::{instrumentation_impl, internal_modules};
use crate::natives::Env;
use crate::throw::{Call, Cont, Next, R, Resume, Throw, Upcall};
use crate::value::Value;
use crate::vm::Vm;
use std::sync::Arc;

/// Class files whose definition never came back are forgotten when there are so many others.
const MOST: usize = 64;

/// Who transforms a class file next.
struct TransformStep {
    again: bool,
    agent: usize,
}

impl Agents {
    fn job(&mut self, id: u64) -> Option<&mut Job> {
        self.jobs.iter_mut().find(|j| j.id == id)
    }
    fn add_job(&mut self, job: Job) -> u64 {
        self.next_job += 1;
        let id = self.next_job;
        if self.jobs.len() == MOST {
            self.jobs.remove(0);
        }
        self.jobs.push(Job { id, ..job });
        id
    }
    fn take_job(&mut self, id: u64) -> Option<Job> {
        let at = self.jobs.iter().position(|j| j.id == id)?;
        Some(self.jobs.remove(at))
    }
    /// Whether a thread runs a transformer.
    fn is_transforming(&self, t: ThreadId) -> bool {
        self.transforming.contains(&t)
    }
    /// Who is next to transform the class file.
    fn step(&mut self, id: u64) -> Option<TransformStep> {
        let list: Vec<[bool; 2]> = self.list.iter().map(|a| a.transforms).collect();
        let has_object: Vec<bool> = self.list.iter().map(|a| a.object != 0).collect();
        let job = self.job(id)?;
        loop {
            let (again, agent) = job.next;
            if agent >= list.len() {
                if again {
                    return None;
                }
                job.next = (true, 0);
                job.initial = job.made.clone().unwrap_or_else(|| job.original.clone());
                continue;
            }
            job.next.1 += 1;
            if list[agent][usize::from(again)] && has_object[agent] {
                return Some(TransformStep { again, agent });
            }
        }
    }
}

impl Vm {
    /// Shows a class file that is about to become a class to the transformers; what it has become, if anything else.
    /// Ends in an upcall with `Resume::Again` as long as there are transformers that have not seen it.
    pub(in crate::classes) fn transformed(
        &mut self,
        (loader, name): (LoaderId, Option<&str>),
        domain: Ref,
        bytes: &[u8],
    ) -> R<Option<Transformed>> {
        let thread = self.cur;
        if !self.booted || self.loaded.agents.is_transforming(thread) {
            return Ok(None);
        }
        let jobs = &self.loaded.agents.jobs;
        let known = jobs.iter().find(|j| {
            j.thread == thread
                && j.class.is_none()
                && j.loader == loader
                && j.name.as_deref() == name
                && *j.original == *bytes
        });
        let id = match known {
            Some(job) => job.id,
            None => {
                let original: Arc<[u8]> = bytes.into();
                self.loaded.agents.add_job(Job {
                    id: 0,
                    thread,
                    loader,
                    name: name.map(Into::into),
                    class: None,
                    initial: original.clone(),
                    original,
                    made: None,
                    next: (false, 0),
                })
            }
        };
        let on = self.transform_on(id, domain);
        self.loaded.agents.shows = on.is_err();
        on?;
        let job = self.loaded.agents.job(id).expect("just seen");
        Ok(job.made.as_ref().map(|made| Transformed {
            bytes: made.to_vec(),
            initial: (job.initial != *made).then(|| job.initial.clone()),
        }))
    }
    /// The definition of a class file has ended.
    pub(in crate::classes) fn transformed_is_over<T>(
        &mut self,
        loader: LoaderId,
        name: Option<&str>,
        r: &R<T>,
    ) {
        let again = |t: &Throw| matches!(t, Throw::Upcall(_) | Throw::Block | Throw::Collect(_));
        if r.as_ref().err().is_some_and(|t| again(t)) {
            return;
        }
        let thread = self.cur;
        self.loaded.agents.jobs.retain(|j| {
            j.thread != thread
                || j.class.is_some()
                || j.loader != loader
                || j.name.as_deref() != name
        });
    }
    /// Begins to show a class file that is to be instead of the one of a class to the transformers: to all of them, or
    /// to those that can transform again.
    pub(super) fn begin_transforming(&mut self, c: ClassId, bytes: Arc<[u8]>, all: bool) -> u64 {
        let k = self.class(c);
        let job = Job {
            id: 0,
            thread: self.cur,
            loader: k.loader,
            name: Some((*k.name).into()),
            class: Some(c),
            initial: bytes.clone(),
            original: bytes,
            made: None,
            next: (!all, 0),
        };
        self.loaded.agents.add_job(job)
    }
    /// The resulting class file, and the file for a later transformation.
    pub(super) fn end_transforming(&mut self, id: u64) -> Option<(Arc<[u8]>, Arc<[u8]>)> {
        let job = self.loaded.agents.take_job(id)?;
        Some((job.made.unwrap_or(job.original), job.initial))
    }
    /// Has the next transformers see a class file; an upcall, unless there are none.
    pub(super) fn transform_on(&mut self, id: u64, domain: Ref) -> R<()> {
        let nobody = self.loaded.agents.is_transforming(self.cur);
        let before = self.loaded.agents.job(id).map(|j| j.next);
        let Some(step) = self.loaded.agents.step(id).filter(|_| !nobody) else {
            return Ok(());
        };
        let call = self.transform_call(id, &step, domain);
        if call.is_err()
            && let (Some(job), Some(before)) = (self.loaded.agents.job(id), before)
        {
            // when there is room it is this one's turn again
            job.next = before;
        }
        Err(call?)
    }
    fn transform_call(&mut self, id: u64, step: &TransformStep, domain: Ref) -> R<Box<Throw>> {
        let job = self.loaded.agents.job(id).expect("it is under way");
        let bytes = job.made.as_ref().unwrap_or(&job.original).clone();
        let name = job.name.clone();
        let byte = self.primitive(b'B');
        let array = self.new_array_of(byte, bytes.len())?;
        self.heap.bytes_mut(array).copy_from_slice(&bytes);
        let name = match name {
            Some(name) => self.new_string(&name)?,
            None => Ref::NULL,
        };
        let cont = Cont::own(
            transform,
            [id, step.agent as u64, u64::from(step.again)],
            [array, name, domain],
        );
        Ok(Box::new(Throw::Upcall(Upcall {
            call: None,
            cont: Some(cont),
            resume: Resume::Again,
        })))
    }
    /// The call of an agent's `transform`.
    fn call_of_transform(&mut self, c: &Cont) -> Option<Call> {
        let [id, agent, again] = c.data;
        let [array, name, domain] = c.refs;
        let object = self.loaded.agents.list.get(agent as usize)?.object;
        let object = self.heap.cell(object);
        let job = self.loaded.agents.job(id)?;
        let (loader, class) = (job.loader, job.class);
        // the class library looks the module of a class that is there up itself
        let module = match class {
            None => self.module_of_job(id),
            Some(_) => Ref::NULL,
        };
        let class = class.map_or(Ref::NULL, |c| self.mirror(c));
        let loader = self.shown_loader(loader);
        let holder = self.class_of(object);
        let method = self.jdk_method(holder, instrumentation_impl::TRANSFORM);
        let args = [object, module, loader, name, class, domain, array].map(|r| u64::from(r.0));
        Some(Call {
            made: None,
            method,
            args: args.into_iter().chain([again & 1]).collect(),
        })
    }
    /// The named module that the class of a class file on its way is in, or is to be in.
    fn module_of_job(&mut self, id: u64) -> Ref {
        let Some(job) = self.loaded.agents.job(id) else {
            return Ref::NULL;
        };
        let (loader, class) = (job.loader, job.class);
        let name = job.name.as_deref().unwrap_or("");
        let package = name.rsplit_once('/').map_or("", |(p, _)| p).to_owned();
        let module = match (class, self.syms.find(&package)) {
            (Some(c), _) => self.module_of(c),
            (None, Some(package)) => self.module_of_package(loader, package),
            (None, None) => Ref::NULL,
        };
        match module.is_null() || self.module_name(module).is_none() {
            true => Ref::NULL,
            false => module,
        }
    }
    /// The call that has a module read the unnamed modules of the boot loader and of the application's, since code that
    /// agents add to its classes calls theirs. Each module needs it once.
    fn default_reads(&mut self, id: u64) -> R<Option<Call>> {
        let module = self.module_of_job(id);
        if module.is_null() {
            return Ok(None);
        }
        let i = self.module_index(module) as usize;
        if self.modules.list[i].default_reads {
            return Ok(None);
        }
        let row = internal_modules::TRANSFORMED_BY_AGENT;
        let class = self.boot_class(row.class);
        self.ensure_initialized(class)?;
        self.modules.list[i].default_reads = true;
        // it may have moved
        let module = self.module_of_job(id);
        Ok(Some(Call {
            made: None,
            method: self.jdk_method(class, row),
            args: [u64::from(module.0)].into_iter().collect(),
        }))
    }
}

/// Steps of [`transform`], in `data[2]` beside whether the transformers can transform again.
mod step {
    /// The module of a class that is redefined gets its reads.
    pub const BEGIN: u64 = 0;
    pub const CALL: u64 = 2;
    pub const CALLED: u64 = 4;
    /// There is another class file: the module of a class that is defined gets its reads.
    pub const MADE: u64 = 6;
    pub const DONE: u64 = 8;
    pub const ALL: u64 = 14;
}

/// Calls the transformers of one agent, and keeps what they return.
fn transform(vm: &mut Vm, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    transform_steps(vm, c, input).unwrap_or_else(Next::Throw)
}

fn transform_steps(vm: &mut Vm, c: &mut Cont, input: Result<Value, Ref>) -> R<Next> {
    let (thread, id) = (vm.cur, c.data[0]);
    vm.loaded.agents.shows = false;
    let at = |c: &Cont| c.data[2] & step::ALL;
    let go = |c: &mut Cont, to: u64| c.data[2] = c.data[2] & !step::ALL | to;
    let defines = vm.loaded.agents.job(id).is_some_and(|j| j.class.is_none());
    if at(c) == step::BEGIN {
        if !defines && let Some(call) = vm.default_reads(id)? {
            go(c, step::CALL);
            return Ok(Next::Call(call));
        }
        go(c, step::CALL);
    }
    if at(c) == step::CALL {
        let Some(call) = vm.call_of_transform(c) else {
            return Ok(Next::Return(Value::Void));
        };
        go(c, step::CALLED);
        vm.loaded.agents.transforming.push(thread);
        return Ok(Next::Call(call));
    }
    if at(c) == step::CALLED {
        go(c, step::DONE);
        let agents = &mut vm.loaded.agents;
        if let Some(at) = agents.transforming.iter().rposition(|&t| t == thread) {
            agents.transforming.remove(at);
        }
        // the class library catches what transformers throw; anything else leaves the class as it is, too
        if let Ok(value) = input
            && let Some(made) = value.reference().non_null()
        {
            let made: Arc<[u8]> = vm.heap.bytes(made).into();
            if let Some(job) = vm.loaded.agents.job(id) {
                job.made = Some(made);
                go(c, step::MADE);
            }
        }
    }
    if at(c) == step::MADE
        && defines
        && let Some(call) = vm.default_reads(id)?
    {
        go(c, step::DONE);
        return Ok(Next::Call(call));
    }
    Ok(Next::Return(Value::Void))
}

impl Env {
    /// Whether the running thread is in a transformer.
    pub fn is_transforming(&self) -> bool {
        self.0.loaded.agents.is_transforming(self.0.cur)
    }
}
