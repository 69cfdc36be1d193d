//! The command line.

use rjvm_vm::startup::Stop;
use rjvm_vm::vm::{Options, ProfileMode, Vm};

/// Runs the command line of this process; the exit code.
pub fn main() -> i32 {
    let mut args = std::env::args().skip(1).peekable();
    let mut cp = ".".to_string();
    let mut o = Options {
        java_home: std::env::var("JAVA_HOME")
            .unwrap_or("/usr/lib/jvm/java-17-openjdk-amd64".into())
            .into(),
        max_heap: 1 << 30,
        stack_bytes: 2 << 20,
        properties: vec![],
        gc_stress: false,
        quantum: 100_000,
        verify_boot: false,
        verify_app: true,
        verbose_class: false,
        verbose_gc: false,
        profile: ProfileMode::Off,
        sample_every: None,
        seed: 1,
        boot_append: vec![],
        assertions: vec![],
        exit_on_oom: false,
        system_assertions: false,
    };
    let mut main = None;
    while let Some(a) = args.next() {
        match a.as_str() {
            "-cp" => cp = args.next().unwrap(),
            "--profile=exact" => o.profile = ProfileMode::Exact,
            "-raw" => o.boot_append.push(args.next().unwrap()),
            "-stress" => o.gc_stress = true,
            "-verbose:class" => o.verbose_class = true,
            _ => {
                main = Some(a);
                break;
            }
        }
    }
    o.properties.push(("java.class.path".into(), cp));
    let mut natives = rjvm_vm::natives::Natives::default();
    natives.add(&rjvm_jdk_stubs::all());
    let mut vm = Vm::new(o, Box::new(rjvm_jdk_stubs::os::OsHost::new()), natives).unwrap();
    let r = run(&mut vm, &main.unwrap(), args.collect());
    match r {
        Ok(()) => 0,
        Err(Stop::Exit(c)) => c,
        Err(Stop::Threw(e)) => {
            let c = vm.class(vm.class_of(e)).dotted();
            let m = vm.get_ref(e, "detailMessage:Ljava/lang/String;");
            let m = if m.is_null() {
                String::new()
            } else {
                vm.string(m)
            };
            eprintln!("threw {c}: {m}");
            1
        }
        Err(e) => {
            eprintln!("{e:?}");
            1
        }
    }
}

fn run(vm: &mut Vm, main: &str, args: Vec<String>) -> Result<(), Stop> {
    if std::env::var("RAW").is_ok() {
        let t = vm.attach_thread(rjvm_vm::Ref::NULL, 2 << 20).unwrap();
        for k in args {
            let t0 = std::time::Instant::now();
            let r = vm.call_static(t, main, &k, "()I", &[]);
            println!("{k} {:?} {:?}", r.map(|v| v as i32), t0.elapsed());
        }
        return Ok(());
    }
    let t = vm.start_up()?;
    let s = vm.new_string(main).unwrap();
    let c = vm.call_static(
        t,
        "sun/launcher/LauncherHelper",
        "checkAndLoadMain",
        "(ZILjava/lang/String;)Ljava/lang/Class;",
        &[1, 1, s.0 as u64],
    )?;
    let c = vm.of_mirror(rjvm_vm::Ref(c as u32));
    vm.init_on(t, c)?;
    let m = vm.method_named(c, "main", "([Ljava/lang/String;)V");
    let string = vm.known.string;
    let a = vm.new_array_of(string, args.len()).unwrap();
    for (i, s) in args.iter().enumerate() {
        let s = vm.new_string(s).unwrap();
        vm.heap.set_elem_ref(a, i, s);
    }
    vm.call_on(t, m, &[a.0 as u64])?;
    Ok(())
}
