//! Classes, methods, stacks and threads of the VM as constants of a chunk: each is looked up once in a chunk.

use hashbrown::HashMap;
use rjvm_jfr::{Chunk, ClassFacts, Frame, Id, MethodFacts, Pool, ThreadFacts};
use rjvm_profiler::cct::NO_SITE;
use rjvm_profiler::samples::Frame as Place;
use rjvm_run::profile::{describe_class, describe_loader};
use rjvm_vm::events::EventView;
use rjvm_vm::{ClassId, LoaderId, MethodId, ThreadId};

/// What the chunk has already.
#[derive(Default)]
pub struct ChunkContents {
    classes: HashMap<ClassId, Id>,
    loaders: HashMap<LoaderId, Id>,
    frames: HashMap<(u32, u32), Frame>,
    threads: HashMap<ThreadId, Id>,
}

impl ChunkContents {
    /// A class is unloaded: numbers of classes, methods and loaders may be given again.
    pub fn unloaded(&mut self) {
        self.classes.clear();
        self.loaders.clear();
        self.frames.clear();
    }
    /// Names of threads may be others from now on.
    pub fn forget_threads(&mut self) {
        self.threads.clear();
    }
    /// A class loader.
    pub fn loader(&mut self, chunk: &mut Chunk, seen: &EventView<'_>, loader: LoaderId) -> Id {
        *self
            .loaders
            .entry(loader)
            .or_insert_with(|| chunk.described_loader(&describe_loader(seen, loader)))
    }
    /// A class.
    pub fn class(&mut self, chunk: &mut Chunk, seen: &EventView<'_>, class: ClassId) -> Id {
        *self
            .classes
            .entry(class)
            .or_insert_with(|| chunk.described_class(&describe_class(seen, class)))
    }
    /// A class that is being unloaded, and its loader as far as they are known.
    pub fn dead_class(
        &mut self,
        chunk: &mut Chunk,
        seen: &EventView<'_>,
        class: ClassId,
    ) -> (Id, Id) {
        let loader = self.loaders.get(&seen.class(class).loader);
        let loader = loader.copied().unwrap_or(Id::NONE);
        let known = self.classes.get(&class).copied();
        let id = known.unwrap_or_else(|| {
            let c = seen.class(class);
            chunk.class(&ClassFacts {
                loader,
                name: &c.name,
                package: Id::NONE,
                modifiers: c.access.into(),
                hidden: c.hidden,
            })
        });
        (id, loader)
    }
    fn frame(&mut self, chunk: &mut Chunk, seen: &mut EventView<'_>, place: Place) -> Frame {
        if let Some(&frame) = self.frames.get(&(place.method, place.bci)) {
            return frame;
        }
        let method = MethodId(place.method);
        let (class, native) = (seen.method(method).class, seen.method(method).is_native());
        let class = self.class(chunk, seen, class);
        let bci = match place.bci {
            NO_SITE => -1,
            bci => bci as i32,
        };
        let at = seen.line_at(method, bci);
        let m = seen.method(method);
        let id = chunk.method(&MethodFacts {
            class,
            name: &at.method,
            descriptor: &at.descriptor,
            modifiers: m.access.into(),
            hidden: m.hidden,
        });
        let kind = if native { "Native" } else { "Interpreted" };
        let frame = Frame {
            method: id,
            line: at.line.max(-1),
            bci: bci.max(0),
            kind: chunk.text(Pool::FrameType, kind),
        };
        self.frames.insert((place.method, place.bci), frame);
        frame
    }
    /// A stack, of which `depth` frames are stored; the outermost frame comes first.
    pub fn stack(
        &mut self,
        chunk: &mut Chunk,
        seen: &mut EventView<'_>,
        stack: &[Place],
        depth: usize,
    ) -> Id {
        if stack.is_empty() {
            return Id::NONE;
        }
        let kept = stack.iter().rev().take(depth);
        let frames: Vec<Frame> = kept.map(|&f| self.frame(chunk, seen, f)).collect();
        chunk.stack(stack.len() > depth, frames.into_iter())
    }
    /// A thread.
    pub fn thread(&mut self, chunk: &mut Chunk, seen: &mut EventView<'_>, thread: ThreadId) -> Id {
        if let Some(&id) = self.threads.get(&thread) {
            return id;
        }
        let groups = seen.thread_groups(thread);
        let group = groups
            .iter()
            .fold(Id::NONE, |parent, name| chunk.group(parent, name));
        // the first thread is the main one before it has an object
        let (name, id) = match seen.thread_object(thread).is_null() && thread.0 == 0 {
            true => ("main".to_owned(), 1),
            false => (seen.thread_name(thread), seen.java_thread_id(thread)),
        };
        let id = chunk.thread(&ThreadFacts {
            name: &name,
            os_id: i64::from(thread.0) + 1,
            id,
            group,
        });
        self.threads.insert(thread, id);
        id
    }
    /// The thread has ended.
    pub fn ended(&mut self, thread: ThreadId) {
        self.threads.remove(&thread);
    }
}
