//! A program from its main class to its exit code: the steps of `java`'s launcher.

use rjvm_vm::classes::InitState;
use rjvm_vm::interp::Outcome;
use rjvm_vm::jdk::{JdkMethod, OptionalName, Static, calls};
use rjvm_vm::startup::CallStop;
use rjvm_vm::{ClassId, Ref, ThreadId, Value as Slot, Vm as Core};

const HELPER: &str = "sun/launcher/LauncherHelper";

/// A program that is started, runs or ends. It continues wherever the VM was stopped.
pub struct Program {
    main: ThreadId,
    start: Start,
    step: Step,
    /// Root cells: the text that is made a string, and the arguments' array.
    bytes: u32,
    array: u32,
    /// The root cell of the object whose `main` is called, unless that is static.
    object: Option<u32>,
    class: ClassId,
    code: i32,
    at_main: Option<AtMain>,
}

/// The program to start.
pub struct Start {
    /// The main class, module or jar.
    pub what: String,
    /// Which of them it is, by the number that `LauncherHelper` has for it.
    pub mode: i32,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The main class is looked at, but not run.
    pub dry: bool,
    /// Profiles show `main` alone, rather than whatever is in the scope of the embedder's calls.
    pub main_alone: bool,
}

/// Called when the main class is initialized and `main` is about to begin; whether it does.
pub type AtMain = Box<dyn FnOnce(&mut Core) -> bool + Send>;

/// The step that the VM runs.
#[derive(Clone, Copy)]
enum Step {
    /// The helper class is initialized, to make text the argument with this number, or the name of the main class.
    Helper(Option<usize>),
    /// The text is made.
    Text(Option<usize>),
    /// The main class is loaded and checked.
    Check,
    /// The main class is initialized.
    Initialize,
    /// The object is made whose `main` is called.
    Construct,
    /// `main`
    Main,
    /// The main thread ends, and the others run.
    Others,
    /// The shutdown hooks.
    Hooks,
}

/// The form of a main class's `main`.
struct MainKind {
    is_static: bool,
    takes_args: bool,
}

/// How far a program is.
pub enum Running {
    /// It has ended with this code.
    Ended(i32),
    /// The VM has stopped for this reason.
    Stopped(Outcome),
}

impl Program {
    /// A program that is to be started on the main thread.
    pub fn new(main: ThreadId, start: Start) -> Program {
        Program {
            main,
            start,
            step: Step::Helper(None),
            bytes: 0,
            array: 0,
            object: None,
            class: ClassId::NONE,
            code: 0,
            at_main: None,
        }
    }
    /// A callback runs when `main` is about to begin. If it does not begin, the VM has stopped as at the end of its fuel.
    pub fn at_main(&mut self, f: AtMain) {
        self.at_main = Some(f);
    }
    /// The program of a main class.
    pub fn of_class(main: ThreadId, class: &str, args: Vec<String>) -> Program {
        let start = Start {
            what: class.into(),
            mode: 1,
            args,
            dry: false,
            main_alone: false,
        };
        Program::new(main, start)
    }
    /// Notifies who is to be called when `main` is about to begin; whether it does.
    pub fn is_at_main(&mut self, core: &mut Core) -> bool {
        self.at_main.take().is_none_or(|f| f(core))
    }
    /// The first step.
    pub fn begin(&mut self, core: &mut Core) -> Outcome {
        self.guarded(core, |program, core| program.text(core, None))
    }
    /// A program of which nothing is left but its end: the main thread has come to this result.
    pub fn ending(&mut self, core: &mut Core, result: Result<(), Ref>) -> Outcome {
        self.guarded(core, |program, core| program.end_main(core, result))
    }
    /// Continues until the program has ended or the VM has stopped.
    pub fn follow(&mut self, core: &mut Core, mut outcome: Outcome) -> Running {
        loop {
            let result = match outcome {
                Outcome::Idle => {
                    outcome = core.resume();
                    continue;
                }
                Outcome::Returned(result) => result,
                Outcome::AllDone => Ok(Slot::Void),
                other => {
                    let goes_on = matches!(other, Outcome::OutOfFuel | Outcome::Halted(_));
                    if matches!(self.step, Step::Main) && !goes_on {
                        self.main_is_over(core);
                    }
                    if matches!(other, Outcome::Exit(_)) {
                        core.notify_end();
                    }
                    return Running::Stopped(other);
                }
            };
            if matches!(self.step, Step::Hooks) {
                // an exception there has nobody to go to, as with `java`
                core.notify_end();
                return Running::Ended(self.code);
            }
            outcome = self.guarded(core, |program, core| match result {
                Ok(value) => program.next(core, value),
                Err(e) => {
                    if matches!(program.step, Step::Main) {
                        program.main_is_over(core);
                    }
                    program.end_main(core, Err(e))
                }
            });
        }
    }
    fn guarded(
        &mut self,
        core: &mut Core,
        f: impl FnOnce(&mut Program, &mut Core) -> Outcome,
    ) -> Outcome {
        core.guarded(|core| f(self, core))
            .unwrap_or_else(Outcome::Fault)
    }
    fn next(&mut self, core: &mut Core, value: Slot) -> Outcome {
        match self.step {
            Step::Helper(arg) => self.make_text(core, arg),
            Step::Text(None) => self.check(core, value),
            Step::Text(Some(i)) => self.argument(core, i, value.reference()),
            Step::Check => {
                if self.start.dry {
                    return self.end_main(core, Ok(()));
                }
                self.class = core.of_mirror(value.reference());
                let string = core.known().string;
                let n = self.start.args.len();
                match core.new_array_of(string, n) {
                    Ok(array) => self.array = core.heap_mut().new_cell(array),
                    Err(_) => return no_room(core),
                }
                self.argument_from(core, 0)
            }
            Step::Initialize => match self.kind_of_main(core) {
                MainKind {
                    is_static: true, ..
                } => self.call_main(core),
                _ => self.construct(core),
            },
            Step::Construct => self.call_main(core),
            Step::Main => {
                self.main_is_over(core);
                self.end_main(core, Ok(()))
            }
            Step::Others => self.hooks(core),
            Step::Hooks => unreachable!("the last step"),
        }
    }
    /// What the class library has found out of the main class's `main` when it was checked.
    fn kind_of_main(&self, core: &Core) -> MainKind {
        use rjvm_vm::jdk::launcher_helper as helper;
        // bits of `LauncherHelper.mainType`
        const WITHOUT_ARGS: i32 = 1;
        const INSTANCE: i32 = 2;
        let flag = |f: OptionalName<Static<b'Z', false>>| {
            core.has_field(f).and_then(|f| core.get_static(f).ok())
        };
        let number = core.has_field(helper::MAIN_TYPE);
        let number = number.and_then(|f| core.get_static(f).ok());
        MainKind {
            is_static: match number {
                Some(bits) => bits & INSTANCE == 0,
                None => flag(helper::IS_STATIC_MAIN).unwrap_or(true),
            },
            takes_args: match number {
                Some(bits) => bits & WITHOUT_ARGS == 0,
                None => !flag(helper::NO_ARG_MAIN).unwrap_or(false),
            },
        }
    }
    /// Makes the object whose `main` is called (JEP 512).
    fn construct(&mut self, core: &mut Core) -> Outcome {
        self.step = Step::Construct;
        let Ok(object) = core.alloc_object(self.class) else {
            return no_room(core);
        };
        self.object = Some(core.heap_mut().new_cell(object));
        let init = core.method_named(self.class, "<init>", "()V");
        core.call(self.main, init, &[object.into()])
    }
    fn call_main(&mut self, core: &mut Core) -> Outcome {
        self.step = Step::Main;
        let MainKind { takes_args, .. } = self.kind_of_main(core);
        let desc = if takes_args {
            "([Ljava/lang/String;)V"
        } else {
            "()V"
        };
        let method = core.method_named(self.class, "main", desc);
        match self.start.main_alone {
            true => core.main_begins(self.main, method),
            false => core.set_scope(self.main, true),
        }
        core.count_allocations(true);
        if !self.is_at_main(core) {
            return Outcome::OutOfFuel;
        }
        let object = self.object.map(|cell| core.heap().cell(cell).into());
        let array = takes_args.then(|| core.heap().cell(self.array).into());
        let args: Vec<Slot> = object.into_iter().chain(array).collect();
        core.call(self.main, method, &args)
    }
    fn main_is_over(&mut self, core: &mut Core) {
        match self.start.main_alone {
            true => core.main_is_over(self.main),
            false => core.set_scope(self.main, false),
        }
    }
    /// Makes an argument, or the name of the main class, a string: in Java where `java` does. Text that is not ASCII has been
    /// decoded already.
    fn text(&mut self, core: &mut Core, arg: Option<usize>) -> Outcome {
        let text = arg.map_or(&self.start.what, |i| &self.start.args[i]);
        self.step = Step::Text(arg);
        if !text.is_ascii() {
            return match core.new_string(text) {
                Ok(string) => Outcome::Returned(Ok(string.into())),
                Err(_) => no_room(core),
            };
        }
        let Ok(bytes) = core.new_byte_array(text.len()) else {
            return no_room(core);
        };
        core.heap_mut()
            .bytes_mut(bytes)
            .copy_from_slice(text.as_bytes());
        match self.bytes {
            0 => self.bytes = core.heap_mut().new_cell(bytes),
            cell => core.heap_mut().set_cell(cell, bytes),
        }
        let helper = core.boot_class(HELPER);
        if core.init_state(helper) == InitState::Initialized {
            return self.make_text(core, arg);
        }
        self.step = Step::Helper(arg);
        core.initialize_on(self.main, helper)
    }
    fn make_text(&mut self, core: &mut Core, arg: Option<usize>) -> Outcome {
        self.step = Step::Text(arg);
        let bytes = core.heap().cell(self.bytes);
        self.help(
            core,
            calls::launcher_helper::MAKE_PLATFORM_STRING,
            &[true.into(), bytes.into()],
        )
    }
    /// Calls a static method of the helper class, which is initialized.
    fn help(&mut self, core: &mut Core, callee: JdkMethod, args: &[Slot]) -> Outcome {
        let helper = core.boot_class(HELPER);
        let method = core.jdk_method(helper, callee);
        core.call(self.main, method, args)
    }
    fn check(&mut self, core: &mut Core, what: Slot) -> Outcome {
        self.step = Step::Check;
        let mode = Slot::Int(self.start.mode);
        let helper = core.boot_class(HELPER);
        if core.init_state(helper) != InitState::Initialized {
            // the name is not ASCII
            let cell = core.heap_mut().new_cell(what.reference());
            let init = core.init_on(self.main, helper);
            let what = core.heap().cell(cell);
            return match init {
                Ok(_) => self.check(core, what.into()),
                Err(stop) => stopped(stop),
            };
        }
        let args = [true.into(), mode, what];
        self.help(core, calls::launcher_helper::CHECK_AND_LOAD_MAIN, &args)
    }
    fn argument(&mut self, core: &mut Core, i: usize, text: Ref) -> Outcome {
        let array = core.heap().cell(self.array);
        core.heap_mut().set_elem_ref(array, i, text);
        self.argument_from(core, i + 1)
    }
    fn argument_from(&mut self, core: &mut Core, i: usize) -> Outcome {
        if i < self.start.args.len() {
            return self.text(core, Some(i));
        }
        self.step = Step::Initialize;
        core.initialize_on(self.main, self.class)
    }
    /// The main thread ends like any other, then the rest of them.
    fn end_main(&mut self, core: &mut Core, result: Result<(), Ref>) -> Outcome {
        self.step = Step::Others;
        self.code = i32::from(result.is_err());
        core.make_current(self.main);
        core.end_main_thread(result.map(|()| Slot::Void));
        core.resume()
    }
    /// A thread of the name that it has in `java` runs the hooks.
    fn hooks(&mut self, core: &mut Core) -> Outcome {
        self.step = Step::Hooks;
        // a few hundred bytecodes of the class library, which count but are not stopped
        let (fuel, before) = (core.fuel(), core.bytecodes());
        core.set_fuel(None);
        let made = core.shutdown_thread();
        let shutdown = core.boot_class("java/lang/Shutdown");
        let ready = made.and_then(|t| {
            if core.init_state(shutdown) != InitState::Initialized {
                core.init_on(t, shutdown)?;
            }
            Ok(t)
        });
        core.set_fuel(fuel.map(|f| (f - (core.bytecodes() - before)).max(0)));
        match ready {
            Ok(t) => {
                let method = core.jdk_method(shutdown, calls::shutdown::SHUTDOWN);
                core.call(t, method, &[])
            }
            Err(stop) => stopped(stop),
        }
    }
}

fn stopped(stop: CallStop) -> Outcome {
    match stop {
        CallStop::Threw(e) => Outcome::Returned(Err(e)),
        CallStop::Exit(code) => Outcome::Exit(code),
        CallStop::Deadlock(report) => Outcome::Deadlock(report),
        CallStop::OutOfFuel => Outcome::OutOfFuel,
        CallStop::Halted(why) => Outcome::Halted(why),
        CallStop::Fault(fault) => Outcome::Fault(fault),
    }
}

#[cold]
fn no_room(core: &mut Core) -> Outcome {
    core.print_error("rjvm: error: the heap is too small for the program's arguments\n");
    Outcome::Exit(1)
}
