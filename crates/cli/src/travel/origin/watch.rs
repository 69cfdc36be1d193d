//! The watch for a write while a program runs on: instruments that note the last one.
//!
//! Which object is asked for is known where the search ends: by its address there. So the last write of each object that has the
//! variable is noted on the way, and the one of the asked object is taken in the end. Where the object was when the search began is
//! noted, too: the search for earlier writes goes on with that address.

use super::data::{FrameKey, How, Trail, Variable, Watch, WriteHit};
use super::path::ExecutedPath;
use crate::travel::query::is;
use crate::travel::wire::MethodKey;
use rjvm_vm::instruments::{
    ClassFilter, Hit, HitKind, InstrumentId, Members, MethodFilter, Point, Spec,
};
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
    search: Arc<Mutex<Search>>,
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
type Bytecode = (MethodId, u16);

/// A native call that may write the variable of these objects: number, and value before, in bits or as the number of an object.
struct OpenCall {
    thread: ThreadId,
    height: usize,
    position: i64,
    /// The bytecode that has called it.
    by: Option<Bytecode>,
    before: Vec<(Place, Before)>,
    /// The array of which it copies the element, for certain.
    copies: Option<u32>,
}

/// Where the variable is.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Static,
    Object(u32),
}

#[derive(Clone, Copy, PartialEq)]
enum Before {
    Bits(u64),
    Object(u32),
    Null,
}

struct Search {
    watch: Watch,
    /// Writes from here on are not looked for.
    before: i64,
    last: Option<WriteHit>,
    path: ExecutedPath,
    objects: HashMap<u64, Tracked>,
    /// Collections so far: the addresses are those after that many.
    collections: u64,
    /// Whether objects of a class have the variable.
    classes: HashMap<ClassId, bool>,
    calls: Vec<OpenCall>,
    problem: Option<String>,
}

impl Search {
    fn too_many(&mut self) {
        self.problem.get_or_insert_with(|| {
            format!("more than {MOST_OBJECTS} objects have that variable: too many to distinguish")
        });
    }
    fn note(&mut self, position: i64, how: How) {
        if position < self.before {
            self.last = Some(WriteHit { position, how });
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
    fn written(&mut self, hit: &mut Hit<'_>, r: Ref, position: i64, by: Option<Bytecode>) {
        if position < self.before
            && let Some(t) = self.tracked(hit, r)
        {
            t.last = Some((position, by));
        }
    }
    /// Whether objects of a class have the variable.
    fn concerns(&mut self, vm: &Vm, class: ClassId) -> bool {
        if let Some(&known) = self.classes.get(&class) {
            return known;
        }
        let view = rjvm_vm::instruments::ClassView::new(vm, class);
        let is = match &self.watch {
            Watch::Memory(Variable::Field { class, .. }) => {
                view.name() == *class || view.supertypes().any(|s| s.name() == *class)
            }
            Watch::Memory(Variable::Element { class, .. }) => view.name() == *class,
            _ => false,
        };
        self.classes.insert(class, is);
        is
    }
    /// What the variable of an object holds.
    fn value(&self, hit: &mut Hit<'_>, r: Ref) -> Option<Before> {
        let typed = match &self.watch {
            Watch::Memory(Variable::Element { index, .. }) => hit.element(r, *index)?,
            Watch::Memory(Variable::Field { name, .. }) => hit.field_named(r, name)?,
            Watch::Memory(Variable::Static { name, .. }) => {
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
    fn native_begins(&mut self, hit: &mut Hit<'_>) {
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
                Watch::Memory(Variable::Static { class, .. }) => {
                    let of = hit.class_of_mirror(r);
                    let is = of.is_some_and(|c| hit.class_view(c).name() == *class);
                    is.then_some(Place::Static)
                }
                _ => {
                    let class = hit.class_of(r);
                    match self.concerns(hit.vm(), class) {
                        true => self.tracked(hit, r).map(|t| Place::Object(t.number)),
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
        let Watch::Memory(Variable::Element { index, .. }) = &self.watch else {
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
    fn native_ends(&mut self, hit: &mut Hit<'_>) {
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
                    Place::Object(n) => hit.vm().watched_object(n),
                    Place::Static => self.mirror(hit),
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
                let copied = matches!(place, Place::Object(n) if call.copies == Some(n))
                    && hit.kind() == HitKind::Return;
                if before != after || copied {
                    match place {
                        Place::Static => {
                            let how = how(hit.vm(), call.by);
                            self.note(call.position, how);
                        }
                        Place::Object(_) => self.written(hit, r, call.position, call.by),
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
        let Watch::Memory(Variable::Static { class, .. }) = &self.watch else {
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
        let mut search = Search {
            watch: watch.clone(),
            before,
            last: None,
            path: ExecutedPath::default(),
            objects: HashMap::new(),
            collections: vm.collections_so_far(),
            classes: HashMap::new(),
            calls: Vec::new(),
            problem: None,
        };
        if let Watch::Memory(Variable::Field { .. } | Variable::Element { .. }) = watch {
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
    /// What has been found up to here.
    pub fn found(&self, vm: &mut Vm) -> Trail {
        let mut search = lock(&self.search);
        search.follow(vm);
        let search = &*search;
        let object = match search.watch {
            Watch::Memory(Variable::Field { object, .. }) | Watch::Birth { object, .. } => {
                Some(object)
            }
            Watch::Memory(Variable::Element { array, .. }) => Some(array),
            _ => None,
        };
        let tracked = object.and_then(|object| search.objects.get(&object).copied());
        let of_object = tracked.and_then(|t| t.last).map(|(position, by)| {
            let how = how(vm, by);
            WriteHit { position, how }
        });
        let flow = match &search.watch {
            Watch::Path { start, .. } => Some(search.path.flow(vm, *start)),
            _ => None,
        };
        Trail {
            last: search.last.clone().or(of_object),
            start: tracked.and_then(|t| t.start),
            flow,
            problem: search.problem.clone(),
        }
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
    let m = rjvm_vm::instruments::MethodView::new(vm, method);
    How::Within {
        method: MethodKey {
            class: m.class().name(),
            name: m.name().into(),
            descriptor: m.descriptor().into(),
        },
        index,
    }
}

fn lock(search: &Mutex<Search>) -> std::sync::MutexGuard<'_, Search> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes where the objects are that have the variable already.
fn register(vm: &mut Vm, search: &mut Search) {
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

type OnHit = Box<dyn Fn(&mut Search, &mut Hit<'_>) + Send>;

/// Where a watch is notified, and what it notes there.
fn points(watch: &Watch) -> Vec<(Point, OnHit)> {
    let one = |frame: &FrameKey| {
        let key = frame.method.clone();
        MethodFilter::of(move |m| is(m, &key))
    };
    match watch {
        Watch::Local { frame, stores } => {
            let mut points = vec![(Point::Entry(one(frame)), entered(frame))];
            for &index in stores {
                let at = Point::Bytecode {
                    within: one(frame),
                    indices: (index, index),
                };
                points.push((at, stored(frame)));
            }
            points
        }
        Watch::Path { frame, .. } => {
            let at = Point::Bytecode {
                within: one(frame),
                indices: (0, u16::MAX),
            };
            vec![
                (Point::Entry(one(frame)), entered(frame)),
                (at, executed(frame)),
            ]
        }
        Watch::Memory(variable) => {
            let mut points = vec![(
                Point::Around(MethodFilter::of(|m| {
                    let (of, _) = m.descriptor().rsplit_once(')').unwrap_or_default();
                    m.is_native() && (!m.is_static() || of.contains(['L', '[']))
                })),
                Box::new(|s: &mut Search, hit: &mut Hit<'_>| match hit.kind() {
                    HitKind::Entry => s.native_begins(hit),
                    _ => s.native_ends(hit),
                }) as OnHit,
            )];
            points.extend(memory(variable));
            points
        }
        Watch::Birth { class, .. } => {
            let on_hit = |s: &mut Search, hit: &mut Hit<'_>| {
                if let Some(r) = hit.value().and_then(|v| v.object()) {
                    let position = hit.bytecodes() - 1;
                    // the bytecode that makes it, in the frame of a method with bytecodes
                    let own = hit.method().zip(hit.bci());
                    let by = own.or_else(|| hit.caller(1).and_then(|f| Some((f.method, f.bci?))));
                    s.written(hit, r, position, by);
                }
            };
            vec![(Point::Alloc(ClassFilter::named(class)), Box::new(on_hit))]
        }
        Watch::Thrown { thread } => {
            let thread = ThreadId(*thread);
            let on_hit = move |s: &mut Search, hit: &mut Hit<'_>| {
                if hit.thread() == thread {
                    // the bytecode that throws has been counted
                    let position = hit.bytecodes() - 1;
                    s.note(position, How::Bytecode);
                }
            };
            vec![(Point::Exception(ClassFilter::All), Box::new(on_hit))]
        }
        Watch::Return { thread, name } => {
            let (thread, name) = (ThreadId(*thread), name.clone());
            let within = match name {
                Some(name) => MethodFilter::of(move |m| m.name() == name),
                None => MethodFilter::All,
            };
            let on_hit = move |s: &mut Search, hit: &mut Hit<'_>| {
                if hit.thread() == thread {
                    // the bytecode that returns has been counted
                    let position = hit.bytecodes() - 1;
                    let native = hit.method_view().filter(|m| m.is_native());
                    let native = native.map(|m| format!("{}.{}", m.class().name(), m.name()));
                    s.note(position, How::Return { native });
                }
            };
            vec![(Point::Return(within), Box::new(on_hit))]
        }
    }
}

/// Where a field or an element is written by bytecodes.
fn memory(variable: &Variable) -> Option<(Point, OnHit)> {
    let field = |class: &str, name: &str| {
        let (class, name) = (class.to_owned(), name.to_owned());
        let related = move |m: &rjvm_vm::instruments::MemberView<'_>| {
            // a class that is not loaded yet may turn out to be one below it
            let below = m
                .class()
                .is_none_or(|c| c.supertypes().any(|s| s.name() == class));
            m.name() == name && (m.class_name() == class || below)
        };
        Point::Field {
            field: Members::of(related),
            within: MethodFilter::All,
            write: true,
        }
    };
    Some(match variable {
        Variable::Static { class, name } => {
            let on_hit = {
                let class = class.clone();
                move |s: &mut Search, hit: &mut Hit<'_>| {
                    if hit.this().is_some() {
                        return;
                    }
                    let named = hit.member().map(|m| m.0);
                    if named.is_some_and(|n| n == class || is_below(hit, &n, &class)) {
                        let position = hit.bytecodes();
                        s.note(position, How::Bytecode);
                    }
                }
            };
            (field(class, name), Box::new(on_hit))
        }
        Variable::Field { class, name, .. } => {
            let on_hit = |s: &mut Search, hit: &mut Hit<'_>| {
                if let Some(r) = hit.this() {
                    let position = hit.bytecodes();
                    s.written(hit, r, position, None);
                }
            };
            (field(class, name), Box::new(on_hit))
        }
        Variable::Element { index, .. } => {
            let index = i32::try_from(*index).ok()?;
            let on_hit = move |s: &mut Search, hit: &mut Hit<'_>| {
                if hit.index() != Some(index) {
                    return;
                }
                let Some(r) = hit.this() else { return };
                let class = hit.class_of(r);
                if s.concerns(hit.vm(), class) {
                    let position = hit.bytecodes();
                    s.written(hit, r, position, None);
                }
            };
            (Point::Element(MethodFilter::All), Box::new(on_hit))
        }
        _ => return None,
    })
}

/// Whether a class of that name has one of the other name above it.
fn is_below(hit: &Hit<'_>, name: &str, above: &str) -> bool {
    let classes = hit.vm().debug_classes();
    let mut named = classes.into_iter().map(|c| hit.class_view(c));
    named.any(|c| c.name() == name && c.supertypes().any(|s| s.name() == above))
}

fn in_frame(frame: &FrameKey) -> impl Fn(&Hit<'_>) -> bool + Send + use<> {
    let (thread, height) = (ThreadId(frame.thread), frame.height);
    move |hit| hit.thread() == thread && hit.frame() == height
}

/// The call begins.
fn entered(frame: &FrameKey) -> OnHit {
    let is_it = in_frame(frame);
    Box::new(move |s, hit| {
        let position = hit.bytecodes();
        if is_it(hit) && position < s.before {
            s.path.begin();
            s.note(position, How::Entry);
        }
    })
}

/// It is about to write the local.
fn stored(frame: &FrameKey) -> OnHit {
    let is_it = in_frame(frame);
    Box::new(move |s, hit| {
        if is_it(hit) {
            let position = hit.bytecodes();
            s.note(position, How::Bytecode);
        }
    })
}

/// It is about to execute a bytecode.
fn executed(frame: &FrameKey) -> OnHit {
    let is_it = in_frame(frame);
    Box::new(move |s, hit| {
        let position = hit.bytecodes();
        if is_it(hit)
            && position < s.before
            && let (Some(method), Some(index)) = (hit.method(), hit.bci())
        {
            s.path.add(method, position, index);
        }
    })
}
