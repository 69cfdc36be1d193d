//! Conditions of requests.

use super::objects::{NULL, Objects};
use super::sources::mapped_sources;
use super::types::{Filter, Location};
use super::world::World;
use rjvm_vm::{ClassId, Ref, ThreadId, Vm};
use std::borrow::Cow;

/// What conditions are about.
#[derive(Clone, Copy, Default)]
pub(super) struct Subject {
    pub thread: Option<ThreadId>,
    /// Its object, where the thread may have ended.
    pub thread_object: Option<Ref>,
    /// The class that the event is in, or about.
    pub class: Option<ClassId>,
    pub at: Option<Location>,
    pub this: Option<Ref>,
    pub exception: Option<(Ref, bool)>,
    pub field: Option<(ClassId, usize)>,
}

/// Whether a name is of a pattern.
pub(super) fn matches(name: &str, pattern: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => name == pattern,
    }
}

/// The source file of a class, where its class file names it.
pub fn source_file(vm: &Vm, class: ClassId) -> Option<String> {
    let cf = vm.class(class).cf.as_ref()?;
    let name = cf.attributes.source_file?;
    Some(cf.constant_pool.str(name).ok()?.to_owned())
}

/// The `SourceDebugExtension` of a class, where its class file has one.
fn extension(vm: &Vm, class: ClassId) -> Option<Cow<'_, str>> {
    let cf = vm.class(class).cf.as_ref()?;
    let bytes = cf.attributes.source_debug_extension.as_deref()?;
    Some(String::from_utf8_lossy(bytes))
}

impl Filter {
    /// Whether a class is one that the condition permits, if it is about classes.
    pub(super) fn permits_class(&self, vm: &Vm, class: ClassId) -> bool {
        match self {
            Filter::ClassMatch(pattern) => matches(&vm.class(class).dotted(), pattern),
            Filter::ClassExclude(pattern) => !matches(&vm.class(class).dotted(), pattern),
            Filter::ClassOnly(of) => class == *of || is_subclass(vm, class, *of),
            Filter::Source(pattern) => {
                source_file(vm, class).is_some_and(|s| matches(&s, pattern))
                    || extension(vm, class)
                        .is_some_and(|map| mapped_sources(&map).any(|s| matches(s, pattern)))
            }
            _ => true,
        }
    }
}

/// Whether a class is a subclass of another one, or implements it.
pub(super) fn is_subclass(vm: &Vm, class: ClassId, of: ClassId) -> bool {
    let mut up = std::iter::successors(Some(class), |&c| vm.class(c).super_class);
    up.any(|c| c == of) || vm.class(class).all_interfaces.contains(&of)
}

impl World<'_> {
    /// Whether all conditions of a request are fulfilled; the second says whether it is the last time.
    pub(super) fn passes(&mut self, request: usize, subject: &Subject) -> (bool, bool) {
        let mut last = false;
        for i in 0..self.engine.requests[request].filters.len() {
            if let Filter::Count(left) = &mut self.engine.requests[request].filters[i] {
                *left = left.saturating_sub(1);
                if *left > 0 {
                    return (false, false);
                }
                last = true;
                continue;
            }
            let filter = &self.engine.requests[request].filters[i];
            if !permits(self.vm, &self.engine.objects, filter, subject) {
                return (false, false);
            }
        }
        (true, last)
    }
}

/// Whether one condition is fulfilled.
fn permits(vm: &mut Vm, objects: &Objects, filter: &Filter, s: &Subject) -> bool {
    match filter {
        Filter::Count(_) => true,
        Filter::Thread(id) => {
            let now = || s.thread.and_then(|t| vm.a_thread(t).object.non_null());
            let object = s.thread_object.or_else(now);
            object.is_some() && object == objects.get(vm, *id)
        }
        Filter::ClassOnly(_)
        | Filter::ClassMatch(_)
        | Filter::ClassExclude(_)
        | Filter::Source(_) => s.class.is_none_or(|c| filter.permits_class(vm, c)),
        Filter::Location(l) => s.at == Some(*l),
        Filter::Exception {
            class,
            caught,
            uncaught,
        } => s.exception.is_some_and(|(e, is_caught)| {
            let is = class.is_none_or(|c| vm.instance_of(e, c));
            is && if is_caught { *caught } else { *uncaught }
        }),
        Filter::Thrown(name) => s
            .exception
            .is_some_and(|(e, _)| *vm.name(vm.class_of(e)) == **name),
        Filter::Field { holder, index } => s.field == Some((*holder, *index)),
        Filter::Instance(id) => match objects.get(vm, *id) {
            Some(r) => s.this == Some(r),
            None => *id == NULL && s.this.is_none(),
        },
        Filter::PlatformThreads => s.thread.is_none_or(|t| !is_virtual(vm, t)),
    }
}

/// Whether a thread is virtual: a continuation, which has no turn of its own.
fn is_virtual(vm: &mut Vm, t: ThreadId) -> bool {
    !vm.env().platform_threads().contains(&t)
}
