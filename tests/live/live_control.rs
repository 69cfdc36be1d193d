//! A running VM answers the JDK's own tools: `jps`, `jcmd`, `jstack`, `jmap` and `jinfo` find it, attach to it and get
//! answers in HotSpot's form; what it executes does not change by that.
//!
//! The programs are in `tests/live`.
#![cfg(unix)]

use crate::common::live::{PATIENCE, ask, attach, classes, end, has, signal, socket, start, tool};
use crate::common::run::{Run, vm};
use crate::common::{jdk, not_checked, work_dir};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn the_tools_of_the_jdk_find_a_running_vm_and_get_answers() {
    let running = start("tools", &["-Xmx200m"], &["Locks", "an", "argument"]);
    let pid = running.id().to_string();
    let line = format!("{pid} Locks an argument -Xmx200m\n");
    has(&tool("jps", &["-lvm"]).1, &[&line]);
    has(
        &tool("jcmd", &["-l"]).1,
        &[&format!("{pid} Locks an argument")],
    );
    let jcmd = |args: &[&str]| {
        let (good, text) = tool("jcmd", &[&[pid.as_str()], args].concat());
        assert!(good, "{args:?}: {text}");
        text
    };
    // two collections, and as many as there were before
    let row = |option: &str| -> Vec<String> {
        let (good, text) = tool("jstat", &[option, &pid]);
        assert!(good, "{option}: {text}");
        let mut lines = text.lines().map(str::split_whitespace);
        let (names, values) = (lines.next().expect("names"), lines.next().expect("values"));
        names.zip(values).map(|(n, v)| format!("{n}={v}")).collect()
    };
    let figure = |option: &str, name: &str| -> f64 {
        let all = row(option);
        let found = all.iter().find_map(|f| f.strip_prefix(&format!("{name}=")));
        let found = found.unwrap_or_else(|| panic!("{option}: {all:?}"));
        found.parse().expect("a number")
    };
    jcmd(&["GC.run"]);
    let full = figure("-gc", "FGC");
    jcmd(&["GC.run"]);
    assert_eq!(figure("-gc", "FGC"), full + 1.0);
    let (used, size) = (figure("-gc", "OU"), figure("-gc", "OC"));
    assert!(used > 1000.0 && used <= size, "{used} of {size} KB");
    assert!(figure("-class", "Loaded") > 400.0);
    assert!((1.0..=100.0).contains(&figure("-gcutil", "O")));
    assert!(figure("-gccapacity", "OGCMX") >= 100_000.0);
    let help = jcmd(&["help"]);
    has(
        &help,
        &[
            "The following commands are available:\n",
            "\nThread.print\n",
            "\nhelp\n",
        ],
    );
    let commands = help.lines().skip(2).take_while(|l| !l.is_empty());
    let commands: Vec<&str> = commands.collect();
    assert!(commands.len() > 10 && commands.is_sorted(), "{commands:?}");
    for command in commands {
        has(
            &jcmd(&["help", command]),
            &[&format!(":\n{command}\n"), "\nImpact: ", "\nSyntax"],
        );
    }
    has(
        &jcmd(&["help", "GC.heap_dump"]),
        &[
            "\nSyntax : GC.heap_dump [options] <filename>\n",
            "\t-all : [optional] ",
        ],
    );
    has(&jcmd(&["VM.version"]), &["rjvm version ", "\nJDK 17."]);
    has(&jcmd(&["VM.uptime", "-date"]), &["+0000: ", " s\n"]);
    has(
        &jcmd(&["VM.command_line"]),
        &[
            "\njvm_args: -Xmx200m \n",
            "\njava_command: Locks an argument\n",
        ],
    );
    has(&jcmd(&["VM.flags"]), &["-XX:MaxHeapSize=209715200 "]);
    has(
        &jcmd(&["VM.system_properties"]),
        &["\njava.vm.name=rjvm\n", "\ntold=a \\= b\\n\\u00E9\n"],
    );
    has(&jcmd(&["GC.run"]), &["Command executed successfully\n"]);
    has(
        &jcmd(&["GC.heap_info"]),
        &[" tenured generation   total ", "\n Metaspace       used "],
    );
    has(
        &jcmd(&["VM.metaspace", "basic"]),
        &["\n Metaspace       used ", "\n  class space    used "],
    );
    has(
        &jcmd(&["JVMTI.agent_load", "/none.jar", "x=y"]),
        &["\nreturn code: 100\n"],
    );
    has(
        &jcmd(&["JVMTI.agent_load", "/none.so"]),
        &["/none.so was not loaded.\n"],
    );
    for (args, why) in [
        (&["none"][..], "Unknown diagnostic command"),
        (
            &["VM.version", "x"],
            "The argument list of this diagnostic command should be empty.",
        ),
        (&["GC.heap_dump"], "The argument 'filename' is mandatory."),
    ] {
        let (good, text) = tool("jcmd", &[&[pid.as_str()], args].concat());
        assert!(!good, "{text}");
        has(&text, &["java.lang.IllegalArgumentException: ", why]);
    }

    let threads = jcmd(&["Thread.print", "-l"]);
    has(
        &threads,
        &[
            "\nFull thread dump rjvm (",
            "\n\"main\" #1 prio=5 ",
            "\n   java.lang.Thread.State: TIMED_WAITING (sleeping)\n\tat java.lang.Thread.sleep(java.base@17",
            "\n\tat Locks.held(Locks.java:30)\n\t- locked <0x",
            " (a java.lang.Object)\n\t- locked <0x",
            " (a java.lang.Class for Locks)\n\tat Locks.main(Locks.java:42)\n\n   Locked ownable synchronizers:\n\t- <0x",
            " (a java.util.concurrent.locks.ReentrantLock$NonfairSync)\n",
            "\t- waiting to lock <0x",
            "\t- parking to wait for  <0x",
        ],
    );
    let of = |name: &str| {
        let at = threads.find(&format!("\n\"{name}\"")).expect("the thread");
        threads[at + 1..]
            .split("\n\n")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert!(!of("blocked").contains("- locked"), "{}", of("blocked"));
    assert!(of("waiting").contains("- locked"), "{}", of("waiting"));
    let stacks = tool("jstack", &[&pid]).1;
    has(
        &stacks,
        &[
            "\n\"parked\"",
            "\tat java.util.concurrent.locks.LockSupport.park(java.base@17",
        ],
    );
    assert!(!stacks.contains("Locked ownable"));

    has(
        &tool("jinfo", &["-flag", "MaxHeapSize", &pid]).1,
        &["-XX:MaxHeapSize=209715200\n"],
    );
    has(&tool("jinfo", &["-sysprops", &pid]).1, &["\ntold=a \\= b"]);
    let flag = "HeapDumpOnOutOfMemoryError";
    assert!(tool("jinfo", &["-flag", &format!("+{flag}"), &pid]).0);
    has(
        &tool("jinfo", &["-flag", flag, &pid]).1,
        &[&format!("-XX:+{flag}\n")],
    );
    let (good, text) = tool("jinfo", &["-flag", "+UseG1GC", &pid]);
    assert!(!good);
    has(&text, &["flag 'UseG1GC' cannot be changed"]);
    end(running);
}

#[test]
fn heaps_are_counted_and_dumped() {
    let running = start("heaps", &[], &["Locks"]);
    let pid = running.id().to_string();
    let counted = tool("jmap", &["-histo", &pid]).1;
    has(
        &counted,
        &[" num     #instances         #bytes  class name (module)\n----"],
    );
    let rows: Vec<Vec<&str>> = counted
        .lines()
        .skip(2)
        .map(|l| l.split_whitespace().collect())
        .collect();
    let number = |s: &str| s.parse::<u64>().expect("a number");
    // the arrays that the program keeps are most of it
    let bytes = &rows[0];
    assert_eq!((bytes[0], bytes[3]), ("1:", "[B"));
    assert!(number(bytes[2]) > 1_000_000, "{bytes:?}");
    let (total, rows) = rows.split_last().expect("rows");
    let sum = |i: usize| rows.iter().map(|r| number(r[i])).sum::<u64>();
    assert_eq!((number(total[1]), number(total[2])), (sum(1), sum(2)));
    assert!(rows.iter().any(|r| r[3] == "java.lang.String"));

    let dir = work_dir().join("live-dumps");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let path = |name: &str| dir.join(name).to_string_lossy().into_owned();
    let (all, live, reported) = (path("all.hprof"), path("live.hprof"), path("histogram"));
    let jcmd = |args: &[&str]| tool("jcmd", &[&[pid.as_str()], args].concat()).1;
    has(
        &jcmd(&["GC.heap_dump", "-all", &all]),
        &[&format!(
            "Dumping heap to {all} ...\nHeap dump file created ["
        )],
    );
    has(
        &jcmd(&["GC.heap_dump", &all]),
        &[&format!("Unable to create {all}: File exists\n")],
    );
    has(
        &jcmd(&["GC.heap_dump", "-overwrite", &all]),
        &["Heap dump file created ["],
    );
    has(
        &tool("jmap", &[&format!("-dump:live,format=b,file={live}"), &pid]).1,
        &["Heap dump file created ["],
    );
    for file in [&all, &live] {
        let dump = std::fs::read(file).expect("a dump");
        assert!(dump.starts_with(b"JAVA PROFILE 1.0.2\0") && dump.len() > 1_000_000);
    }
    has(
        &tool("jmap", &[&format!("-histo:all,file={reported}"), &pid]).1,
        &["Heap inspection file created: "],
    );
    has(
        &std::fs::read_to_string(&reported).expect("a file"),
        &["[B (java.base@17"],
    );
    has(
        &jcmd(&["GC.class_histogram", "-all"]),
        &["class name (module)", "\nTotal "],
    );
    end(running);
}

#[test]
fn a_busy_vm_answers_and_executes_what_it_would_have_executed() {
    // how long that must be depends on the machine, and on who else wants it
    let mut rounds = ["60000", "240000", "960000"].into_iter();
    assert!(rounds.any(answered_while), "each run had ended before that");
}

/// Whether so many rounds took until all questions were answered. Then the profile is the one of a run without questions.
fn answered_while(rounds: &str) -> bool {
    let profile = |name: &str, requested: bool| {
        let run = Run::new(&vm(), &format!("live-busy-{name}"));
        let file = run.dir().join("x.rjp");
        let output = file.to_string_lossy().into_owned();
        let mut running = run
            .args(["--profile=exact", "--allocations", "-o", &output, "-cp"])
            .arg(classes())
            .args(["Busy", rounds])
            .start();
        assert!(running.wait_for_stdout("ready", PATIENCE));
        let questions: [([&str; 5], &[&str]); 3] = [
            (["1", "threaddump", "-l", "", ""], &["0\n", "Busy.main("]),
            (["1", "inspectheap", "-live", "", ""], &["\nTotal"]),
            (
                ["1", "jcmd", "VM.system_properties", "", ""],
                &["java.vm.name"],
            ),
        ];
        let mut answers = 0;
        if requested {
            attach(&running);
            for (question, parts) in questions.iter().cycle().take(60) {
                let answer = ask(running.id(), *question);
                if running.stdout_so_far().contains("done") {
                    break;
                }
                has(&answer, parts);
                answers += 1;
            }
        }
        let done = running.finish(PATIENCE);
        assert_eq!(done.exit, 0, "{}", done.err());
        let in_time = !requested || answers == 60;
        let profile = std::fs::read(file).expect("a profile");
        in_time.then(|| (profile, done.out()))
    };
    let Some(questioned) = profile("questioned", true) else {
        return false;
    };
    assert!(
        profile("alone", false) == Some(questioned),
        "profiles differ"
    );
    true
}

#[test]
fn a_thousand_tools_leave_nothing_behind() {
    let running = start("leaks", &["-Xmx64m"], &["Locks"]);
    let pid = running.id();
    let attach = |times: &str| {
        let mut command = Command::new(jdk::tool("java"));
        command.arg("-cp").arg(classes());
        let got = command
            .args(["Attacher", &pid.to_string(), times])
            .output()
            .expect("java starts");
        let text = String::from_utf8_lossy(&got.stdout).into_owned();
        assert_eq!(
            text.trim(),
            format!("good {times}"),
            "{}",
            String::from_utf8_lossy(&got.stderr)
        );
    };
    let count = |what: &str| {
        let found = std::fs::read_dir(format!("/proc/{pid}/{what}")).expect("it runs");
        found.count()
    };
    let resident = || {
        let text = std::fs::read_to_string(format!("/proc/{pid}/statm")).expect("it runs");
        let pages = text.split(' ').nth(1).and_then(|n| n.parse::<usize>().ok());
        pages.expect("pages") * 4
    };
    attach("50");
    let before = (count("fd"), count("task"));
    let kilobytes = resident();
    attach("1000");
    assert_eq!((count("fd"), count("task")), before);
    let more = resident().saturating_sub(kilobytes);
    assert!(more < 1024, "{more} KB more");
    end(running);
    assert!(!socket(pid).exists(), "the socket goes with the process");
}

#[test]
fn strange_requests_are_refused_and_harm_nobody() {
    let running = start("strange", &[], &["Locks"]);
    let pid = running.id();
    attach(&running);
    let mode = std::fs::metadata(socket(pid))
        .expect("a socket")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(ask(pid, ["2", "threaddump", "", "", ""]), "101\n");
    has(
        &ask(pid, ["1", "nothing", "", "", ""]),
        &["-1\n", "not recognized"],
    );
    has(
        &ask(pid, ["1", "load", "instrument", "false", "x.jar"]),
        &["0\n", "return code: 100"],
    );
    // one that goes away, one that says nothing that is text, one that never ends
    drop(UnixStream::connect(socket(pid)));
    for bytes in [vec![0xff; 5], vec![b'x'; 100_000], vec![0; 5]] {
        let mut client = UnixStream::connect(socket(pid)).expect("it listens");
        let _ = client.write_all(&bytes);
        let _ = client.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = client.read_to_end(&mut answer);
    }
    has(
        &ask(pid, ["1", "jcmd", "VM.version", "", ""]),
        &["0\n", "rjvm version"],
    );
    // without a tool's file SIGQUIT still dumps the threads
    signal(&running, libc::SIGQUIT);
    let mut running = running;
    assert!(running.wait_for_stdout("Full thread dump", PATIENCE));
    end(running);
}

/// HotSpot blocks SIGQUIT in most of its threads, and the processes it starts inherit that.
#[test]
fn a_vm_that_was_started_with_the_signal_blocked_is_found() {
    let mut command = Command::new(vm());
    command.args(["--quiet", "-cp"]).arg(classes());
    command.arg("Locks").stdout(Stdio::piped());
    // SAFETY: these may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let mut one = std::mem::zeroed();
            libc::sigemptyset(&mut one);
            libc::sigaddset(&mut one, libc::SIGQUIT);
            match libc::pthread_sigmask(libc::SIG_BLOCK, &one, std::ptr::null_mut()) {
                0 => Ok(()),
                n => Err(std::io::Error::from_raw_os_error(n)),
            }
        });
    }
    let mut running = command.spawn().expect("the VM starts");
    let pid = running.id();
    let out = BufReader::new(running.stdout.take().expect("a pipe"));
    let ready = out.lines().map_while(Result::ok).any(|l| l == "ready");
    let answer = tool("jcmd", &[&pid.to_string(), "VM.version"]);
    running.kill().expect("it has not been waited for");
    running.wait().expect("it is a child");
    assert!(ready && answer.0, "{}", answer.1);
    has(&answer.1, &["rjvm version"]);
}

/// Another user cannot even connect; and if the socket is open to everyone, gets no answer. Only root can
/// become another user: others cannot find out here (the rule itself is tested beside it, in `attach.rs`).
#[test]
fn another_user_is_refused() {
    let running = start("users", &[], &["Locks"]);
    let pid = running.id();
    attach(&running);
    // SAFETY: no pointers.
    if unsafe { libc::geteuid() } == 0 {
        let python = "import socket, sys\n\
            s = socket.socket(socket.AF_UNIX)\n\
            s.connect(sys.argv[1])\n\
            try: s.sendall(b'1\\0jcmd\\0VM.version\\0\\0\\0'); print('answer:', s.recv(1000))\n\
            except OSError as e: print(\"answer: b''\", e)";
        let nobody = || {
            let mut command = Command::new("python3");
            let command = command.args(["-c", python]).arg(socket(pid));
            let got = command.uid(65534).gid(65534).output().ok()?;
            Some(String::from_utf8_lossy(&[got.stdout, got.stderr].concat()).into_owned())
        };
        match nobody() {
            None => not_checked("python3 is not installed"),
            Some(text) => {
                has(&text, &["PermissionError"]);
                let open = std::fs::Permissions::from_mode(0o666);
                std::fs::set_permissions(socket(pid), open).expect("it is ours");
                let answer = nobody().expect("it is installed");
                assert!(!answer.contains("rjvm"), "{answer}");
                has(&answer, &["answer: b''"]);
            }
        }
    }
    has(
        &ask(pid, ["1", "jcmd", "VM.version", "", ""]),
        &["rjvm version"],
    );
    end(running);
}

#[test]
fn who_does_not_want_it_is_left_alone() {
    // a VM that may not be attached to is found, and dumps its threads when asked
    let mut running = start("off", &["-XX:+DisableAttachMechanism"], &["Locks"]);
    let pid = running.id();
    let listed = |pid: u32| {
        let all = tool("jps", &["-q"]).1;
        all.lines().any(|l| l == pid.to_string())
    };
    assert!(listed(pid));
    let jcmd = tool("jcmd", &["-l"]).1;
    assert!(
        !jcmd.lines().any(|l| l.starts_with(&format!("{pid} "))),
        "{jcmd}"
    );
    let trigger = format!("/proc/{pid}/cwd/.attach_pid{pid}");
    std::fs::write(&trigger, "").expect("the working directory is writable");
    signal(&running, libc::SIGQUIT);
    assert!(running.wait_for_stdout("Full thread dump", PATIENCE));
    assert!(!socket(pid).exists());
    std::fs::remove_file(trigger).expect("it is there");
    end(running);
    assert!(!listed(pid), "the file goes with the process");
    for (name, option) in [
        ("no-file", "-XX:-UsePerfData"),
        ("deterministic", "--deterministic"),
        ("record", "--record=run.rec"),
    ] {
        let running = start(name, &[option], &["Locks"]);
        let (shown, pid) = (listed(running.id()), running.id());
        if option.starts_with("--") {
            signal(&running, libc::SIGQUIT);
            std::thread::sleep(Duration::from_millis(100));
            assert!(!socket(pid).exists(), "{option}");
        }
        end(running);
        assert!(!shown, "{option}");
    }
}

/// HPROF writes its data at a request, and again at the end.
#[test]
fn hprof_writes_its_file_when_requested() {
    for (doe, at_end) in [("y", true), ("n", false)] {
        let name = format!("hprof-{doe}");
        let option = format!("-agentlib:hprof=cpu=times,heap=sites,file=x.txt,doe={doe}");
        let file = Run::new(&vm(), &format!("live-{name}")).dir().join("x.txt");
        let _ = std::fs::remove_file(&file);
        let running = start(&name, &[&option], &["Locks"]);
        signal(&running, libc::SIGQUIT);
        let begin = Instant::now();
        let whole = loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if text.ends_with("CPU TIME (ms) END\n") {
                break text;
            }
            assert!(begin.elapsed() < PATIENCE, "{text}");
            std::thread::sleep(Duration::from_millis(5));
        };
        has(&whole, &["SITES BEGIN", "THREAD START", "Locks.held("]);
        let done = end(running);
        has(&done.out(), &["Full thread dump"]);
        let text = std::fs::read_to_string(&file).expect("it was written");
        assert_eq!(text.contains("CPU TIME (ms) BEGIN"), at_end, "{text}");
    }
}
