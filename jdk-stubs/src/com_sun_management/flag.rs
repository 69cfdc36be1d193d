//! Natives of `com.sun.management.internal.Flag`: the options of HotSpot's that mean something here, with their values.

use crate::support::{non_null, ref_array, string_arg, string_array};
use rjvm_vm::Value as JavaValue;
use rjvm_vm::jdk::calls;
use rjvm_vm::throw::{Call, Cont, Next, Resume, Upcall};
use rjvm_vm::vm::Options;
use rjvm_vm::{ClassId, Env, LoaderId, R, Ref, Throw, jdk, natives};

natives! { "com/sun/management/internal/Flag";
    initialize "()V" => initialize;
    getAllFlagNames "()[Ljava/lang/String;" => get_all_flag_names;
    getInternalFlagCount "()I" => get_internal_flag_count;
    getFlags "([Ljava/lang/String;[Lcom/sun/management/internal/Flag;I)I" => get_flags;
    setLongValue "(Ljava/lang/String;J)V" => set_long_value;
    setDoubleValue "(Ljava/lang/String;D)V" => set_double_value;
    setBooleanValue "(Ljava/lang/String;Z)V" => set_boolean_value;
    setStringValue "(Ljava/lang/String;Ljava/lang/String;)V" => set_string_value;
}

/// An option's value.
enum Value {
    Switch(bool),
    Number(i64),
    Text(String),
}

/// How a running program sets an option.
enum Setter {
    /// Not at all.
    ReadOnly,
    Switch(fn(&mut Env, bool)),
    Text(fn(&mut Env, String)),
}

/// An option: name, value, how it is set.
struct Row {
    name: &'static str,
    get: fn(&Options) -> Value,
    set: Setter,
}

const fn fixed(name: &'static str, get: fn(&Options) -> Value) -> Row {
    Row {
        name,
        get,
        set: Setter::ReadOnly,
    }
}

const fn switch(name: &'static str, get: fn(&Options) -> Value, set: fn(&mut Env, bool)) -> Row {
    Row {
        name,
        get,
        set: Setter::Switch(set),
    }
}

/// The options, in HotSpot's order.
static FLAGS: &[Row] = &[
    fixed("UseCompressedOops", |_| Value::Switch(true)),
    fixed("UseCompressedClassPointers", |_| Value::Switch(true)),
    fixed("ObjectAlignmentInBytes", |_| Value::Number(8)),
    fixed("EnableDynamicAgentLoading", |o| {
        Value::Switch(o.dynamic_agents)
    }),
    switch(
        "HeapDumpOnOutOfMemoryError",
        |o| Value::Switch(o.heap_dump_on_oom),
        Env::set_heap_dump_on_oom,
    ),
    Row {
        name: "HeapDumpPath",
        get: |o| Value::Text(o.heap_dump_path.clone().unwrap_or_default()),
        set: Setter::Text(|vm, path| vm.set_heap_dump_path(Some(path).filter(|p| !p.is_empty()))),
    },
    switch(
        "ShowCodeDetailsInExceptionMessages",
        |o| Value::Switch(o.null_pointer_messages),
        Env::set_null_pointer_messages,
    ),
    switch(
        "PrintConcurrentLocks",
        |o| Value::Switch(o.print_concurrent_locks),
        Env::set_print_concurrent_locks,
    ),
    fixed("ExitOnOutOfMemoryError", |o| Value::Switch(o.exit_on_oom)),
    fixed("MaxMetaspaceSize", |o| {
        Value::Number(o.max_metaspace.map_or(-1, |n| n as i64))
    }),
    fixed("MetaspaceSize", |o| Value::Number(o.metaspace_size as i64)),
    fixed("CompressedClassSpaceSize", |o| {
        Value::Number(o.class_space as i64)
    }),
    fixed("MaxDirectMemorySize", |o| {
        Value::Number(o.max_direct_memory.map_or(0, |n| n as i64))
    }),
    fixed("ThreadStackSize", |o| {
        Value::Number((o.stack_bytes >> 10) as i64)
    }),
    // the collectors here bear the names of the serial one's
    fixed("UseSerialGC", |_| Value::Switch(true)),
    fixed("UseParallelGC", |_| Value::Switch(false)),
    fixed("UseG1GC", |_| Value::Switch(false)),
    fixed("UseZGC", |_| Value::Switch(false)),
    fixed("MaxHeapSize", |o| Value::Number(o.max_heap as i64)),
];

/// The options that a program has set.
#[derive(Default)]
struct SetByProgram(Vec<&'static str>);

const KEY: &str = "options set by the program";

fn set_by_program(vm: &mut Env, name: &str) -> bool {
    let set = vm.extensions().get(KEY);
    let set = set.and_then(|s| s.downcast_ref::<SetByProgram>());
    set.is_some_and(|s| s.0.contains(&name))
}

fn find(name: &str) -> Option<&'static Row> {
    FLAGS.iter().find(|f| f.name == name)
}

/// An option as `jcmd VM.flags` and `jinfo -flag` show it.
pub struct FlagInfo {
    /// Its name.
    pub name: &'static str,
    /// Its type, in HotSpot's words.
    pub kind: &'static str,
    /// Its value.
    pub value: String,
    /// It was given, set by the program, or follows from the machine: it is not the default.
    pub is_set: bool,
    /// How it was set, in HotSpot's words.
    pub origin: &'static str,
    /// Whether a running program can set it.
    pub manageable: bool,
}

impl FlagInfo {
    /// As on a command line.
    pub fn written(&self) -> String {
        match self.value.as_str() {
            "true" => format!("-XX:+{}", self.name),
            "false" => format!("-XX:-{}", self.name),
            value => format!("-XX:{}={value}", self.name),
        }
    }
}

/// All options.
pub fn shown(vm: &mut Env) -> Vec<FlagInfo> {
    let mut all = of_options(vm.options(), vm.feature());
    for shown in &mut all {
        if set_by_program(vm, shown.name) {
            (shown.origin, shown.is_set) = ("management", true);
        }
    }
    all
}

/// All options, as they are before a program runs.
pub fn of_options(options: &Options, feature: u32) -> Vec<FlagInfo> {
    let row = |row: &Row| {
        let (kind, value) = match (row.get)(options) {
            Value::Switch(on) => ("bool", on.to_string()),
            Value::Number(n) => ("intx", n.to_string()),
            Value::Text(text) => ("ccstr", text),
        };
        let origin = match of_creation(options, feature, row) {
            Origin::Program => "management",
            Origin::Given => "command line",
            Origin::Machine => "ergonomic",
            Origin::Default => "default",
        };
        FlagInfo {
            name: row.name,
            kind,
            value,
            is_set: origin != "default",
            origin,
            manageable: !matches!(row.set, Setter::ReadOnly),
        }
    };
    FLAGS.iter().map(row).collect()
}

/// Why an option is not set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotSet {
    /// There is none of this name.
    Unknown,
    /// It cannot change while a program runs.
    Fixed,
    /// The value is of another type.
    Type,
}

/// Sets an option to a value written as text: 1 or `true` for a switch that is on.
pub fn set_text(vm: &mut Env, name: &str, value: &str) -> Result<(), NotSet> {
    let row = find(name).ok_or(NotSet::Unknown)?;
    match (&row.set, value) {
        (Setter::ReadOnly, _) => return Err(NotSet::Fixed),
        (Setter::Switch(f), "1" | "true") => f(vm, true),
        (Setter::Switch(f), "0" | "false") => f(vm, false),
        (Setter::Switch(_), _) => return Err(NotSet::Type),
        (Setter::Text(f), text) => f(vm, text.into()),
    }
    note_set(vm, row);
    Ok(())
}

/// Where an option's value comes from.
enum Origin {
    Program,
    Given,
    Machine,
    Default,
}

fn origin(vm: &mut Env, row: &Row) -> Origin {
    match set_by_program(vm, row.name) {
        true => Origin::Program,
        false => of_creation(vm.options(), vm.feature(), row),
    }
}

/// Where the value with which the VM began comes from.
fn of_creation(options: &Options, feature: u32, row: &Row) -> Origin {
    const OF_THE_MACHINE: [&str; 3] = ["MaxHeapSize", "UseCompressedOops", "UseSerialGC"];
    let was = feature < 18 && row.name == "UseCompressedClassPointers";
    if options.given.iter().any(|g| g == row.name) {
        Origin::Given
    } else if was || OF_THE_MACHINE.contains(&row.name) {
        Origin::Machine
    } else {
        Origin::Default
    }
}

/// The option was set while the program runs.
fn note_set(vm: &mut Env, row: &'static Row) {
    let set = vm.extensions().entry(KEY);
    let set = set.or_insert_with(|| Box::<SetByProgram>::default());
    if let Some(set) = set.downcast_mut::<SetByProgram>()
        && !set.0.contains(&row.name)
    {
        set.0.push(row.name);
    }
}

fn initialize(vm: &mut Env) -> R<()> {
    let origin = vm.jdk_class(jdk::vm_option_origin::CLASS)?;
    vm.ensure_initialized(origin)
}

fn get_all_flag_names(vm: &mut Env) -> R<Ref> {
    let names: Vec<String> = FLAGS.iter().map(|f| f.name.into()).collect();
    string_array(vm, &names)
}

fn get_internal_flag_count(_: &mut Env) -> R<i32> {
    Ok(FLAGS.len() as i32)
}

/// Fills `flags` with those of these names (null: all), null for a name that there is not, and returns how many there
/// are.
fn get_flags(vm: &mut Env, names: Ref, flags: Ref, count: i32) -> R<i32> {
    non_null(flags)?;
    let count = usize::try_from(count)
        .unwrap_or(0)
        .min(vm.heap().len(flags));
    let mut rows = Vec::new();
    match names.non_null() {
        None => rows.extend((0..FLAGS.len()).map(Some)),
        Some(names) => {
            for i in 0..vm.heap().len(names) {
                let name = vm.heap().elem_ref(names, i);
                let name = string_arg(vm, name)?;
                rows.push(FLAGS.iter().position(|f| f.name == name));
            }
        }
    }
    rows.truncate(count);
    // the rows' numbers plus one, 0 for what there is not, for the continuation
    let int = vm.primitive(b'I');
    let list = vm.new_array_of(int, rows.len())?;
    for (i, row) in rows.iter().enumerate() {
        let n = row.map_or(0, |r| r as i32 + 1);
        vm.heap_mut().set_elem::<i32>(list, i, n);
    }
    let pair = vm.known().object;
    let pair = ref_array(vm, pair, &[Ref::NULL, Ref::NULL])?;
    Err(Box::new(Throw::Upcall(Upcall {
        call: None,
        cont: Some(Cont::new(filled, [0, stage::VALUE, 0], [flags, list, pair])),
        resume: Resume::Value,
    })))
}

/// What comes next for an option: its value's constructor, its own; after these its place in the array.
mod stage {
    pub const VALUE: u64 = 0;
    pub const FLAG: u64 = 1;
}

/// `data`: the option's place in the list, what comes next, how many have been made. `refs`: result, list, and a pair
/// of value and flag under construction.
fn filled(vm: &mut Env, c: &mut Cont, input: Result<JavaValue, Ref>) -> Next {
    if let Err(e) = input {
        return Next::Throw(Throw::object(e));
    }
    let [flags, list, pair] = c.refs;
    while (c.data[0] as usize) < vm.heap().len(list) {
        let i = c.data[0] as usize;
        let row = vm.heap().elem::<i32>(list, i) as usize;
        let Some(row) = row.checked_sub(1).map(|r| &FLAGS[r]) else {
            c.data[0] += 1;
            continue;
        };
        let call = match c.data[1] {
            stage::VALUE => value(vm, pair, row),
            stage::FLAG => flag(vm, pair, row).map(Some),
            _ => {
                let made = vm.heap().elem_ref(pair, 1);
                vm.heap_mut().set_elem_ref(flags, i, made);
                c.data = [c.data[0] + 1, stage::VALUE, c.data[2] + 1];
                continue;
            }
        };
        match call {
            Ok(call) => {
                c.data[1] += 1;
                if let Some(call) = call {
                    return Next::Call(call);
                }
            }
            Err(t) => return Next::Throw(t),
        }
    }
    Next::Return((c.data[2] as i32).into())
}

fn boot_class(vm: &mut Env, name: &str) -> R<ClassId> {
    let c = vm.load_class(LoaderId::BOOT, name)?;
    vm.ensure_initialized(c)?;
    Ok(c)
}

/// Begins the option's value; the call of its constructor, if it has one.
fn value(vm: &mut Env, pair: Ref, row: &Row) -> R<Option<Call>> {
    let (init, content) = match (row.get)(vm.options()) {
        Value::Switch(on) => (calls::boolean::INIT, JavaValue::from(on)),
        Value::Number(n) => (calls::long::INIT, JavaValue::Long(n)),
        Value::Text(text) => {
            let text = vm.new_string(&text)?;
            vm.heap_mut().set_elem_ref(pair, 0, text);
            return Ok(None);
        }
    };
    let class = boot_class(vm, init.class)?;
    let value = vm.alloc_object(class)?;
    vm.heap_mut().set_elem_ref(pair, 0, value);
    let method = vm.jdk_method(class, init);
    Ok(Some(Call::new(vm, method, &[value.into(), content])))
}

/// Begins the option, and the call of its constructor.
fn flag(vm: &mut Env, pair: Ref, row: &Row) -> R<Call> {
    let origin = match origin(vm, row) {
        Origin::Program => jdk::vm_option_origin::MANAGEMENT,
        Origin::Given => jdk::vm_option_origin::VM_CREATION,
        Origin::Machine => jdk::vm_option_origin::ERGONOMIC,
        Origin::Default => jdk::vm_option_origin::DEFAULT,
    };
    let origin = vm.get_static(origin)?;
    let class = vm.jdk_class(jdk::flag::CLASS)?;
    let flag = vm.alloc_object(class)?;
    vm.heap_mut().set_elem_ref(pair, 1, flag);
    let name = vm.new_string(row.name)?;
    let writeable = !matches!(row.set, Setter::ReadOnly);
    let value = vm.heap().elem_ref(pair, 0);
    let method = vm.jdk_method(class, calls::flag::INIT);
    let args = [
        flag.into(),
        name.into(),
        value.into(),
        writeable.into(),
        // it is for everybody
        true.into(),
        origin.into(),
    ];
    Ok(Call::new(vm, method, &args))
}

/// Sets an option by `f`, which says whether it is of the right type.
fn set(vm: &mut Env, name: Ref, f: impl FnOnce(&mut Env, &Setter) -> R<bool>) -> R<()> {
    let name = string_arg(vm, name)?;
    let Some(row) = find(&name).filter(|r| !matches!(r.set, Setter::ReadOnly)) else {
        let text = format!("Flag {name} does not exist or is not writeable");
        return Err(Throw::msg("java/lang/IllegalArgumentException", text));
    };
    if !f(vm, &row.set)? {
        let text = format!("Flag {name} is of another type");
        return Err(Throw::msg("java/lang/IllegalArgumentException", text));
    }
    note_set(vm, row);
    Ok(())
}

/// No option with a number can be set.
fn set_long_value(vm: &mut Env, name: Ref, _value: i64) -> R<()> {
    set(vm, name, |_, _| Ok(false))
}

/// No option with a number can be set.
fn set_double_value(vm: &mut Env, name: Ref, _value: f64) -> R<()> {
    set(vm, name, |_, _| Ok(false))
}

fn set_boolean_value(vm: &mut Env, name: Ref, on: bool) -> R<()> {
    set(vm, name, |vm, setter| {
        let Setter::Switch(f) = setter else {
            return Ok(false);
        };
        f(vm, on);
        Ok(true)
    })
}

fn set_string_value(vm: &mut Env, name: Ref, value: Ref) -> R<()> {
    set(vm, name, |vm, setter| {
        let value = string_arg(vm, value)?;
        let Setter::Text(f) = setter else {
            return Ok(false);
        };
        f(vm, value);
        Ok(true)
    })
}
