//! The watch for a write while a program runs on: instruments that note the last one.
//!
//! Which object is requested is known where the search ends: by its address there. So the last write of each object that has the
//! variable is noted on the way, and the one of the requested object is taken in the end. Where the object was when the search began is
//! noted, too: the search for earlier writes continues with that address.

use super::calls::CallNotes;
use super::data::{How, OriginVariable, Trail, Watch, WriteHit};
use super::initial::InitialWrites;
use super::path::ExecutedPath;
use super::points::points;
use crate::travel::wire::MethodKey;
use rjvm_vm::instruments::{ClassView, Hit, HitKind, InstrumentId, MethodView, Spec};
use rjvm_vm::jdk::moves::ARRAY_COPY;
use rjvm_vm::{ClassId, MethodId, Ref, ThreadId, Value, Vm};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Objects that a search distinguishes at most.
const MOST_OBJECTS: usize = 1 << 22;
/// Calls of natives that are under way at most, in all threads.
const MOST_CALLS: usize = 1 << 16;

/// A watch that is placed in a VM.
pub struct PlacedWatch {
    instruments: Vec<InstrumentId>,
    search: Arc<Mutex<WriteSearch>>,
}

/// An object that has the variable.
#[derive(Clone, Copy)]
struct Tracked {
    /// The VM's number of it.
    number: u32,
    /// Where it was when the search began.
    start: Option<u64>,
    last: Option<(i64, Option<Bytecode>)>,
}

/// A bytecode of a method, for which the VM or a native method writes.
pub(super) type Bytecode = (MethodId, u16);

/// A native call that may write the variable of these objects: number, and value before, in bits or as the number of an object.
struct OpenCall {
    thread: ThreadId,
    height: usize,
    position: i64,
    /// The bytecode that has called it.
    by: Option<Bytecode>,
    before: Vec<(WatchPlace, Before)>,
    /// The array of which it copies the element, for certain.
    copies: Option<u32>,
}

/// Where the variable is.
#[derive(Clone, Copy, PartialEq)]
enum WatchPlace {
    Static,
    Object(u32),
}

#[derive(Clone, Copy, PartialEq)]
enum Before {
    Bits(u64),
    Object(u32),
    Null,
}

pub(super) struct WriteSearch {
    watch: Watch,
    /// Writes from here on are not looked for.
    pub(super) before: i64,
    last: Option<WriteHit>,
    pub(super) path: ExecutedPath,
    pub(super) called: CallNotes,
    objects: HashMap<u64, Tracked>,
    /// Collections so far: the addresses are those after that many.
    collections: u64,
    /// Whether objects of a class have the variable.
    classes: HashMap<ClassId, bool>,
    calls: Vec<OpenCall>,
    /// By thread, the write that it is about to make: bytecodes it had executed, and the knowledge before it.
    announced: HashMap<ThreadId, (i64, Undo)>,
    /// Of a static field: the writes that wait for the initializer of its class.
    initial: Option<InitialWrites>,
    problem: Option<String>,
}

/// The knowledge before a write was announced.
enum Undo {
    Variable(i64, Option<WriteHit>),
    Object(i64, u32, Option<(i64, Option<Bytecode>)>),
}

impl WriteSearch {
    fn too_many(&mut self) {
        self.problem.get_or_insert_with(|| {
            format!("more than {MOST_OBJECTS} objects have that variable: too many to distinguish")
        });
    }
    pub(super) fn note(&mut self, position: i64, how: How) {
        if position < self.before {
            self.last = Some(WriteHit { position, how });
        }
    }
    /// The same of a static field.
    fn note_static(&mut self, vm: &Vm, position: i64, how: How) {
        self.note(position, how);
        if position < self.before
            && let Some(initial) = &mut self.initial
        {
            initial.noted(vm);
        }
    }
    /// The thread of the hit is about to write the variable, which has one place.
    pub(super) fn announce(&mut self, hit: &mut Hit<'_>) {
        let position = hit.bytecodes();
        if position >= self.before {
            return;
        }
        if let Some(initial) = &mut self.initial
            && initial.waits(hit, position)
        {
            return;
        }
        let undo = Undo::Variable(position, self.last.clone());
        self.announced.insert(hit.thread(), (hit.executed(), undo));
        self.note_static(hit.vm(), position, How::Bytecode);
    }
    /// It is about to write the variable of an object.
    pub(super) fn announce_of(&mut self, hit: &mut Hit<'_>, r: Ref) {
        let position = hit.bytecodes();
        if position < self.before
            && let Some(t) = self.tracked(hit, r)
        {
            let undo = Undo::Object(position, t.number, t.last);
            t.last = Some((position, None));
            self.announced.insert(hit.thread(), (hit.executed(), undo));
        }
    }
    /// Forgets writes that were announced and not made, because a schedule let another thread run first.
    fn settle(&mut self, vm: &mut Vm) {
        let live: Vec<ThreadId> = vm.live_threads().collect();
        let mut made = |(t, (executed, _)): &(ThreadId, (i64, Undo))| {
            !live.contains(t) || vm.executed_by(*t) > *executed
        };
        let mut open: Vec<_> = self.announced.drain().filter(|a| !made(a)).collect();
        // one may have been announced after another one
        open.sort_by_key(|(_, (_, Undo::Variable(at, _) | Undo::Object(at, ..)))| -at);
        for (_, (_, undo)) in open {
            match undo {
                Undo::Variable(at, last) => {
                    if self.last.as_ref().is_some_and(|l| l.position == at) {
                        self.last = last;
                    }
                }
                Undo::Object(at, number, last) => {
                    let mut all = self.objects.values_mut();
                    if let Some(t) = all.find(|t| t.number == number)
                        && t.last.is_some_and(|l| l.0 == at)
                    {
                        t.last = last;
                    }
                }
            }
        }
    }
    /// The addresses are brought up to date.
    fn follow(&mut self, vm: &Vm) {
        let collections = vm.collections_so_far();
        if collections != self.collections {
            self.collections = collections;
            let all = std::mem::take(&mut self.objects);
            let moved = all.into_values().filter_map(|t| {
                let r = vm.watched_object(t.number);
                (!r.is_null()).then_some((r.slot(), t))
            });
            self.objects = moved.collect();
        }
    }
    fn tracked(&mut self, hit: &mut Hit<'_>, r: Ref) -> Option<&mut Tracked> {
        self.follow(hit.vm());
        if self.objects.len() >= MOST_OBJECTS && !self.objects.contains_key(&r.slot()) {
            self.too_many();
            return None;
        }
        let new = || Tracked {
            number: hit.watch_object(r),
            start: None,
            last: None,
        };
        Some(self.objects.entry(r.slot()).or_insert_with(new))
    }
    pub(super) fn written(
        &mut self,
        hit: &mut Hit<'_>,
        r: Ref,
        position: i64,
        by: Option<Bytecode>,
    ) {
        if position < self.before
            && let Some(t) = self.tracked(hit, r)
        {
            t.last = Some((position, by));
        }
    }
    /// Whether objects of a class have the variable.
    pub(super) fn concerns(&mut self, vm: &Vm, class: ClassId) -> bool {
        if let Some(&known) = self.classes.get(&class) {
            return known;
        }
        let view = ClassView::new(vm, class);
        let is = match &self.watch {
            Watch::Memory(OriginVariable::Field { class, .. }) => {
                view.name() == *class || view.supertypes().any(|s| s.name() == *class)
            }
            Watch::Memory(OriginVariable::Element { class, .. }) => view.name() == *class,
            _ => false,
        };
        self.classes.insert(class, is);
        is
    }
    /// What the variable of an object holds.
    fn value(&self, hit: &mut Hit<'_>, r: Ref) -> Option<Before> {
        let typed = match &self.watch {
            Watch::Memory(OriginVariable::Element { index, .. }) => hit.element(r, *index)?,
            Watch::Memory(OriginVariable::Field { name, .. }) => hit.field_named(r, name)?,
            Watch::Memory(OriginVariable::Static { name, .. }) => {
                let class = hit.class_of_mirror(r)?;
                let field = hit.find_field(class, name)?;
                hit.field(r, field)?
            }
            _ => return None,
        };
        Some(match typed.value {
            Value::Ref(r) if r.is_null() => Before::Null,
            Value::Ref(r) => Before::Object(hit.watch_object(r)),
            plain => Before::Bits(plain.slot()),
        })
    }
    /// A native method has been entered.
    pub(super) fn native_begins(&mut self, hit: &mut Hit<'_>) {
        let (thread, height) = (hit.thread(), hit.frame());
        // the call has been counted, and the write is by it
        let position = hit.bytecodes() - 1;
        if position >= self.before || self.calls.len() >= MOST_CALLS {
            return;
        }
        let copies = self.copied(hit);
        let arguments = (0..hit.arguments()).filter_map(|n| hit.argument(n)?.object());
        let objects: Vec<Ref> = hit.this().into_iter().chain(arguments).collect();
        let mut before = Vec::new();
        for r in objects {
            let place = match &self.watch {
                Watch::Memory(OriginVariable::Static { class, .. }) => {
                    let of = hit.class_of_mirror(r);
                    let is = of.is_some_and(|c| hit.class_view(c).name() == *class);
                    is.then_some(WatchPlace::Static)
                }
                _ => {
                    let class = hit.class_of(r);
                    match self.concerns(hit.vm(), class) {
                        true => self.tracked(hit, r).map(|t| WatchPlace::Object(t.number)),
                        false => None,
                    }
                }
            };
            if let Some(place) = place
                && let Some(value) = self.value(hit, r)
            {
                before.push((place, value));
            }
        }
        if !before.is_empty() {
            let by = hit.caller(1).and_then(|f| Some((f.method, f.bci?)));
            self.calls.push(OpenCall {
                thread,
                height,
                position,
                by,
                before,
                copies,
            });
        }
    }
    /// The array into which the native of the hit is about to copy the watched element.
    fn copied(&mut self, hit: &mut Hit<'_>) -> Option<u32> {
        let Watch::Memory(OriginVariable::Element { index, .. }) = &self.watch else {
            return None;
        };
        let index = i64::try_from(*index).ok()?;
        if !hit.method_view()?.is_static() || hit.method_view()?.descriptor() != ARRAY_COPY {
            return None;
        }
        let int = |n: usize| match hit.argument(n)?.value {
            Value::Int(v) => Some(i64::from(v)),
            _ => None,
        };
        let (to, from, length) = (hit.argument(2)?.object()?, int(3)?, int(4)?);
        if !(from..from.saturating_add(length)).contains(&index) {
            return None;
        }
        let class = hit.class_of(to);
        let is = self.concerns(hit.vm(), class);
        is.then(|| self.tracked(hit, to).map(|t| t.number))
            .flatten()
    }
    /// It is left.
    pub(super) fn native_ends(&mut self, hit: &mut Hit<'_>) {
        let (thread, height) = (hit.thread(), hit.frame());
        // those above it were left in a way that is not reported
        while let Some(i) = self.calls.iter().rposition(|c| c.thread == thread) {
            if self.calls[i].height < height {
                return;
            }
            let call = self.calls.remove(i);
            let is_this = call.height == height;
            for (place, before) in call.before {
                let r = match place {
                    WatchPlace::Object(n) => hit.vm().watched_object(n),
                    WatchPlace::Static => self.mirror(hit),
                };
                let before = match before {
                    Before::Object(n) => {
                        let r = hit.vm().watched_object(n);
                        hit.forget_object(n);
                        r.slot()
                    }
                    Before::Bits(bits) => bits,
                    Before::Null => 0,
                };
                if !is_this || r.is_null() {
                    continue;
                }
                let after = match self.value(hit, r) {
                    Some(Before::Object(n)) => {
                        let r = hit.vm().watched_object(n);
                        hit.forget_object(n);
                        r.slot()
                    }
                    Some(Before::Bits(bits)) => bits,
                    _ => 0,
                };
                let copied = matches!(place, WatchPlace::Object(n) if call.copies == Some(n))
                    && hit.kind() == HitKind::Return;
                if before != after || copied {
                    match place {
                        WatchPlace::Static => {
                            let how = how(hit.vm(), call.by);
                            self.note_static(hit.vm(), call.position, how);
                        }
                        WatchPlace::Object(_) => self.written(hit, r, call.position, call.by),
                    }
                }
            }
            if is_this {
                return;
            }
        }
    }
    /// The mirror of the class whose static field is watched.
    fn mirror(&self, hit: &Hit<'_>) -> Ref {
        let Watch::Memory(OriginVariable::Static { class, .. }) = &self.watch else {
            return Ref::NULL;
        };
        let vm = hit.vm();
        let named = vm.debug_classes().into_iter();
        let mut named = named.filter(|&c| hit.class_view(c).name() == *class);
        named.next().map_or(Ref::NULL, |c| vm.mirror(c))
    }
}

impl PlacedWatch {
    /// Places a watch for writes before a position.
    pub fn new(vm: &mut Vm, watch: Watch, before: i64) -> PlacedWatch {
        let mut search = WriteSearch {
            watch: watch.clone(),
            before,
            last: None,
            path: ExecutedPath::default(),
            called: match watch {
                Watch::Calls { from, .. } => CallNotes::from(from),
                _ => CallNotes::default(),
            },
            objects: HashMap::new(),
            collections: vm.collections_so_far(),
            classes: HashMap::new(),
            calls: Vec::new(),
            announced: HashMap::new(),
            initial: match &watch {
                Watch::Memory(OriginVariable::Static { class, .. }) => {
                    Some(InitialWrites::new(vm, class))
                }
                _ => None,
            },
            problem: None,
        };
        if let Watch::Memory(OriginVariable::Field { .. } | OriginVariable::Element { .. }) = watch
        {
            register(vm, &mut search);
        }
        let search = Arc::new(Mutex::new(search));
        let mut instruments = Vec::new();
        for (at, on_hit) in points(&watch) {
            let search = search.clone();
            let listener = move |hit: &mut Hit<'_>| on_hit(&mut lock(&search), hit);
            instruments.push(vm.place_instrument(Spec::notify(at, listener)));
        }
        PlacedWatch {
            instruments,
            search,
        }
    }
    /// The findings up to here.
    pub fn found(&self, vm: &mut Vm) -> Trail {
        let mut search = lock(&self.search);
        search.follow(vm);
        search.settle(vm);
        let mut initial = search.initial.take();
        let found = &*search;
        let object = match found.watch {
            Watch::Memory(OriginVariable::Field { object, .. }) | Watch::Birth { object, .. } => {
                Some(object)
            }
            Watch::Memory(OriginVariable::Element { array, .. }) => Some(array),
            _ => None,
        };
        let tracked = object.and_then(|object| found.objects.get(&object).copied());
        let of_object = tracked.and_then(|t| t.last).map(|(position, by)| {
            let how = how(vm, by);
            WriteHit { position, how }
        });
        let flow = match &found.watch {
            Watch::Path { start, .. } => Some(found.path.flow(vm, *start)),
            _ => None,
        };
        let calls = match &found.watch {
            Watch::Calls { .. } => Some(found.called.list()),
            _ => None,
        };
        let mut trail = Trail {
            calls,
            last: found.last.clone().or(of_object),
            start: tracked.and_then(|t| t.start),
            flow,
            problem: found.problem.clone(),
            ..Trail::default()
        };
        if let Some(initial) = &mut initial {
            initial.found(vm, &mut trail);
        }
        search.initial = initial;
        trail
    }
    /// Nothing is looked for any more.
    pub fn remove(self, vm: &mut Vm) {
        for id in self.instruments {
            let _ = vm.remove_instrument(id);
        }
        for t in lock(&self.search).objects.values() {
            vm.forget_object(t.number);
        }
    }
}

fn how(vm: &Vm, by: Option<Bytecode>) -> How {
    let Some((method, index)) = by else {
        return How::Bytecode;
    };
    let m = MethodView::new(vm, method);
    How::Within {
        method: MethodKey {
            class: m.class().name(),
            name: m.name().into(),
            descriptor: m.descriptor().into(),
        },
        index,
    }
}

fn lock(search: &Mutex<WriteSearch>) -> std::sync::MutexGuard<'_, WriteSearch> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes where the objects are that have the variable already.
fn register(vm: &mut Vm, search: &mut WriteSearch) {
    let mut all = Vec::new();
    vm.debug_objects(|r| all.push(r));
    // garbage of classes that are gone has no class, and collections do not move what is looked at here
    for r in all {
        let class = vm.class_of(r);
        if search.concerns(vm, class) {
            if search.objects.len() >= MOST_OBJECTS {
                return search.too_many();
            }
            let number = vm.watch_object(r);
            let start = Some(r.slot());
            search.objects.insert(
                r.slot(),
                Tracked {
                    number,
                    start,
                    last: None,
                },
            );
        }
    }
}
