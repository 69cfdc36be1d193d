//! Constants of a chunk: threads, classes, methods, stacks and strings that events name by number. Each is described when it is first
//! named in the chunk.

use hashbrown::{HashMap, HashSet};
use rjvm_jfr::{Given, Layouts};
use rjvm_vm::{ClassId, Env, LoaderId, MethodId, R, Ref, jdk};
use std::ops::ControlFlow;

type Values = Vec<(&'static str, Given)>;

const CLASS: &str = "java.lang.Class";
const LOADER: &str = "jdk.types.ClassLoader";
const METHOD: &str = "jdk.types.Method";
const MODULE: &str = "jdk.types.Module";
const PACKAGE: &str = "jdk.types.Package";
const STACK: &str = "jdk.types.StackTrace";
const STRING: &str = "java.lang.String";
const SYMBOL: &str = "jdk.types.Symbol";
const THREAD: &str = "java.lang.Thread";
const GROUP: &str = "jdk.types.ThreadGroup";
const FRAME_TYPE: &str = "jdk.types.FrameType";

/// Numbers of frame types.
const INTERPRETED: i64 = 1;
const NATIVE: i64 = 2;

/// The constants.
#[derive(Default)]
pub struct Constants {
    /// Those that are not in the file yet: type, number, fields.
    new: Vec<(&'static str, i64, Values)>,
    /// Those that the chunk has.
    known: HashSet<(&'static str, i64)>,
    /// Numbers of those that have none by nature: type and key.
    texts: HashMap<(&'static str, String), i64>,
    stacks: HashMap<Vec<(u32, i32)>, i64>,
    /// The last number of a stack: stacks keep none from chunk to chunk.
    last_stack: i64,
}

/// Which classes and methods at the top of a stack are left out; `None`: all.
#[derive(Default)]
pub struct StackFilter {
    pub rows: Vec<(Option<String>, Option<String>)>,
}

impl StackFilter {
    fn leaves_out(&self, class: &str, method: &str) -> bool {
        let fits = |want: &Option<String>, is: &str| want.as_ref().is_none_or(|w| w == is);
        self.rows
            .iter()
            .any(|(c, m)| fits(c, class) && fits(m, method))
    }
}

impl Constants {
    /// Bytes that those not yet written take, about.
    pub fn len(&self) -> usize {
        self.new.len()
    }
    /// Another chunk begins.
    pub fn begin_chunk(&mut self) {
        let last_stack = self.last_stack;
        *self = Constants {
            last_stack,
            ..Constants::default()
        };
    }
    fn begins(&mut self, of: &'static str, number: i64) -> bool {
        self.known.insert((of, number))
    }
    fn add(&mut self, of: &'static str, number: i64, values: Values) {
        self.new.push((of, number, values));
    }
    fn text(
        &mut self,
        of: &'static str,
        key: String,
        values: impl FnOnce(&mut Self) -> Values,
    ) -> i64 {
        if let Some(&n) = self.texts.get(&(of, key.clone())) {
            return n;
        }
        let n = self.texts.len() as i64 + 1;
        self.texts.insert((of, key), n);
        let values = values(self);
        self.add(of, n, values);
        n
    }
    /// A name.
    pub fn symbol(&mut self, text: &str) -> i64 {
        let values = |_: &mut Self| vec![("string", Given::Text(Some(text.into())))];
        self.text(SYMBOL, text.into(), values)
    }
    /// A string that the class library has numbered.
    pub fn string(&mut self, number: i64, text: String) {
        if self.begins(STRING, number) {
            self.add(STRING, number, vec![("", Given::Text(Some(text)))]);
        }
    }
    fn group(&mut self, names: &[String]) -> i64 {
        let Some((name, outer)) = names.split_last() else {
            return 0;
        };
        let parent = self.group(outer);
        let values = |_: &mut Self| {
            let name = Given::Text(Some(name.clone()));
            vec![("parent", Given::Long(parent)), ("name", name)]
        };
        self.text(GROUP, names.join("\0"), values)
    }
    /// What follows the flags of a checkpoint, of the constants that are new: how many types, and their constants.
    pub fn take(&mut self, layouts: &Layouts) -> (usize, Vec<u8>) {
        let mut new = std::mem::take(&mut self.new);
        new.sort_by_key(|c| layouts.number(c.0).unwrap_or(0));
        let mut out = Vec::new();
        let mut pools = 0;
        for pool in new.chunk_by(|a, b| a.0 == b.0) {
            let Some(number) = layouts.number(pool[0].0) else {
                continue;
            };
            pools += 1;
            rjvm_jfr::put_long(&mut out, number);
            rjvm_jfr::put_long(&mut out, pool.len() as i64);
            for (of, number_of_it, values) in pool {
                rjvm_jfr::put_long(&mut out, *number_of_it);
                match (*of, &values[..]) {
                    (STRING, [(_, Given::Text(text))]) => {
                        rjvm_jfr::put_text(&mut out, text.as_deref())
                    }
                    _ => layouts.value(number, values, &mut out),
                }
            }
        }
        (pools, out)
    }
}

/// The constant of a thread's object, whose number is the thread's identifier.
pub fn thread(vm: &mut Env, of: fn(&mut Env) -> &mut Constants, object: Ref) -> R<i64> {
    let number = vm.get(object, jdk::thread::TID);
    if !of(vm).begins(THREAD, number) {
        return Ok(number);
    }
    let name = vm.get(object, jdk::thread::NAME);
    let name = name.non_null().map_or(String::new(), |n| vm.string(n));
    let mut groups = Vec::new();
    let mut group = vm.thread_group_of(object);
    while let Some(at) = group.non_null() {
        let name = vm.get(at, jdk::thread_group::NAME);
        groups.push(name.non_null().map_or(String::new(), |n| vm.string(n)));
        group = vm.get(at, jdk::thread_group::PARENT);
    }
    groups.reverse();
    let is_virtual = vm.feature() >= 21 && vm.is_a(object, jdk::base_virtual_thread::CLASS);
    if is_virtual {
        groups = vec!["VirtualThreads".into()];
    }
    let constants = of(vm);
    let group = constants.group(&groups);
    let (os_name, os_id) = match is_virtual {
        true => (String::new(), 0),
        false => (name.clone(), number),
    };
    let values = vec![
        ("osName", Given::Text(Some(os_name))),
        ("osThreadId", Given::Long(os_id)),
        ("javaName", Given::Text(Some(name))),
        ("javaThreadId", Given::Long(number)),
        ("group", Given::Long(group)),
        ("virtual", Given::Bool(is_virtual)),
    ];
    constants.add(THREAD, number, values);
    Ok(number)
}

/// The constant of a class.
pub fn class(vm: &mut Env, of: fn(&mut Env) -> &mut Constants, c: ClassId) -> i64 {
    let number = vm.class_number(c);
    if !of(vm).begins(CLASS, number) {
        return number;
    }
    let k = vm.class(c);
    let (name, loader, hidden, array) = (k.name.clone(), k.loader, k.hidden, k.is_array());
    let modifiers = match array || k.is_primitive() {
        true => k.access,
        false => vm.declared_modifiers(c),
    };
    let location = vm.system_module(c).map(|m| format!("jrt:/{m}"));
    let module = match array {
        true => None,
        false => {
            let module = vm.module_of(c).non_null();
            module.and_then(|module| vm.module_name(module))
        }
    };
    let loader = self::loader(vm, of, loader);
    let constants = of(vm);
    let module = module.map_or(0, |(module, version)| {
        let key = format!("{module}\0{loader}");
        constants.text(MODULE, key, |constants| {
            let mut symbol = |text: Option<&str>| text.map_or(0, |text| constants.symbol(text));
            let rows = [
                ("name", symbol(Some(&module))),
                ("version", symbol(version.as_deref())),
                ("location", symbol(location.as_deref())),
                ("classLoader", loader),
            ];
            rows.map(|(name, n)| (name, Given::Long(n))).to_vec()
        })
    });
    let package = match name.rsplit_once('/') {
        Some((package, _)) if !array => {
            let key = format!("{package}\0{module}\0{loader}");
            constants.text(PACKAGE, key, |constants| {
                let name = constants.symbol(package);
                // a named module's exports are not looked up
                let exported = Given::Bool(module == 0);
                vec![
                    ("name", Given::Long(name)),
                    ("module", Given::Long(module)),
                    ("exported", exported),
                ]
            })
        }
        _ => 0,
    };
    let name = constants.symbol(&name);
    let values = vec![
        ("classLoader", Given::Long(loader)),
        ("name", Given::Long(name)),
        ("package", Given::Long(package)),
        ("modifiers", Given::Long(modifiers.into())),
        ("hidden", Given::Bool(hidden)),
    ];
    constants.add(CLASS, number, values);
    number
}

fn loader(vm: &mut Env, of: fn(&mut Env) -> &mut Constants, l: LoaderId) -> i64 {
    let number = i64::from(l.0) + 1;
    if !of(vm).begins(LOADER, number) {
        return number;
    }
    let facts = match l == LoaderId::BOOT {
        true => None,
        false => vm.loader_facts(l),
    };
    let (class_number, name) = match facts {
        Some((c, name)) => (class(vm, of, c), name),
        None => (0, Some("bootstrap".to_owned())),
    };
    let constants = of(vm);
    let name = name.map_or(0, |name| constants.symbol(&name));
    let values = vec![
        ("type", Given::Long(class_number)),
        ("name", Given::Long(name)),
    ];
    constants.add(LOADER, number, values);
    number
}

fn method(vm: &mut Env, of: fn(&mut Env) -> &mut Constants, m: MethodId) -> i64 {
    let number = i64::from(m.0) + 1;
    if !of(vm).begins(METHOD, number) {
        return number;
    }
    let it = vm.method(m);
    let (owner, access, hidden) = (it.class, it.access, it.hidden);
    let (name, descriptor) = (it.name, it.desc);
    let name = vm.symbols().str(name).to_string();
    let descriptor = vm.symbols().str(descriptor).to_string();
    let owner = class(vm, of, owner);
    let constants = of(vm);
    let (name, descriptor) = (constants.symbol(&name), constants.symbol(&descriptor));
    let values = vec![
        ("type", Given::Long(owner)),
        ("name", Given::Long(name)),
        ("descriptor", Given::Long(descriptor)),
        ("modifiers", Given::Long(access.into())),
        ("hidden", Given::Bool(hidden)),
    ];
    constants.add(METHOD, number, values);
    number
}

/// The constant of the running thread's stack, `skip` frames at its top left out, and `most` kept.
pub fn stack(
    vm: &mut Env,
    of: fn(&mut Env) -> &mut Constants,
    skip: usize,
    most: usize,
    filter: Option<&StackFilter>,
) -> i64 {
    let mut frames = Vec::new();
    let mut seen = 0;
    let mut begun = filter.is_none();
    let current = vm.current();
    vm.walk_stack(current, |vm, m, bci| {
        seen += 1;
        if seen <= skip {
            return ControlFlow::Continue(());
        }
        if let (false, Some(filter)) = (begun, filter) {
            let class = vm.external_class(vm.method(m).class);
            let name = vm.symbols().str(vm.method(m).name).to_string();
            if filter.leaves_out(&class, &name) {
                return ControlFlow::Continue(());
            }
            begun = true;
        }
        frames.push((m.0, bci));
        match frames.len() > most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    let constants = of(vm);
    if let Some(&number) = constants.stacks.get(&frames) {
        return number;
    }
    constants.last_stack += 1;
    let number = constants.last_stack;
    constants.stacks.insert(frames.clone(), number);
    let truncated = frames.len() > most;
    let mut rows = Vec::with_capacity(frames.len());
    for &(m, bci) in frames.iter().take(most) {
        let m = MethodId(m);
        let of_method = method(vm, of, m);
        let it = vm.method(m);
        let line = match (u16::try_from(bci), it.code()) {
            (Ok(pc), Some(code)) => code.attr().line_of(pc).map_or(-1, i64::from),
            _ => -1,
        };
        let (kind, text) = match it.is_native() {
            true => (NATIVE, "Native"),
            false => (INTERPRETED, "Interpreted"),
        };
        let constants = of(vm);
        if constants.begins(FRAME_TYPE, kind) {
            let text = Given::Text(Some(text.into()));
            constants.add(FRAME_TYPE, kind, vec![("description", text)]);
        }
        rows.push(vec![
            ("method", Given::Long(of_method)),
            ("lineNumber", Given::Long(line)),
            ("bytecodeIndex", Given::Long(bci.max(0).into())),
            ("type", Given::Long(kind)),
        ]);
    }
    let values = vec![
        ("truncated", Given::Bool(truncated)),
        ("frames", Given::Values(rows)),
    ];
    of(vm).add(STACK, number, values);
    number
}
