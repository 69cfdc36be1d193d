//! A running VM is managed from outside: the management agent, started with the VM or by `jcmd` and attached tools, and clients of JMX and
//! of attaching, which run on HotSpot and on rjvm.
//!
//! The programs are in `tests/live`.
#![cfg(unix)]

use crate::common::live::{PATIENCE, classes, end, has, start, tool};
use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, work_dir};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Runs a client.
fn client(on: &Path, args: &[&str]) -> String {
    let got = Command::new(on)
        .arg("-cp")
        .arg(classes())
        .args(args)
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()
        .expect("it starts");
    let text = [got.stdout, got.stderr].concat();
    String::from_utf8_lossy(&text).into_owned()
}

/// What `Manage` finds in the program `Locks` by either way.
const FOUND: &str = "main TIMED_WAITING 2 1 null\n\
    blocked BLOCKED 0 0 main\n\
    parked WAITING 0 0 main\n\
    waiting WAITING 0 0 null\n\
    true\n\
    true\n";

#[test]
fn clients_on_both_vms_manage_a_running_program() {
    let running = start(
        "managed",
        &["-Xmx200m", "-Dx=y"],
        &["Locks", "an", "argument"],
    );
    let pid = running.id().to_string();
    let jcmd = |command: &str| tool("jcmd", &[&pid, command]).1;
    has(&jcmd("ManagementAgent.status"), &["Agent: disabled\n"]);
    let message = format!(
        "listed: Locks an argument\n7\nLocks an argument\ntrue true\n[-Xmx200m, -Dx=y]\n{FOUND}"
    );
    for on in [jdk::tool("java"), vm()] {
        let got = client(&on, &["Manage", &pid]);
        assert_eq!(got, message, "{}", on.display());
    }
    has(
        &jcmd("ManagementAgent.status"),
        &["Agent: enabled\n", "\nConnection Type: local\n"],
    );
    // tools of the JDK's that run on rjvm
    let jps = client(&vm(), &["-m", "jdk.jcmd/sun.tools.jps.Jps", "-lvm"]);
    has(
        &jps,
        &[&format!("{pid} Locks an argument -Xmx200m -Dx=y\n")],
    );
    let jstat = client(
        &vm(),
        &["-m", "jdk.jcmd/sun.tools.jstat.Jstat", "-gc", &pid],
    );
    has(&jstat, &["S0C", "\n"]);
    end(running);
}

/// A program whose agent listens at a separate port from the start; its output, if the agent does not come up.
fn listening(name: &str, options: &[&str], then: impl FnOnce(&str)) -> Option<Outcome> {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr());
    let port = free.expect("a port").port().to_string();
    let run = Run::new(&vm(), &format!("live-{name}"));
    let mut running = run
        .arg(format!("-Dcom.sun.management.jmxremote.port={port}"))
        .args(options)
        .arg("-cp")
        .arg(classes())
        .args(["Locks", "an", "argument"])
        .start();
    if !running.wait_for_stdout("ready", PATIENCE) {
        return Some(running.finish(PATIENCE));
    }
    then(&port);
    end(running);
    None
}

#[test]
fn the_agent_starts_with_the_vm() {
    const SSL: &str = "-Dcom.sun.management.jmxremote.ssl=false";
    const OPEN: &str = "-Dcom.sun.management.jmxremote.authenticate=false";
    let failed = listening("agent-open", &[SSL, OPEN], |port| {
        let arguments = format!("[-Dcom.sun.management.jmxremote.port={port}, {SSL}, {OPEN}]\n");
        let got = client(&jdk::tool("java"), &["Manage", "port", port]);
        assert_eq!(got, arguments + FOUND);
    });
    assert!(failed.is_none());

    let dir = work_dir().join("live-agent");
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let file = |name: &str, text: &str, mode: u32| {
        let path = dir.join(name);
        let _ = std::fs::remove_file(&path);
        std::fs::write(&path, text).expect("a file");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("its owner's");
        path.to_string_lossy().into_owned()
    };
    let passwords = file("passwords", "she secret\n", 0o600);
    let access = file("access", "she readwrite\n", 0o600);
    let with = |key: &str, value: &str| format!("-Dcom.sun.management.jmxremote.{key}={value}");
    let (passwords, access) = (
        with("password.file", &passwords),
        with("access.file", &access),
    );
    let failed = listening("agent-password", &[SSL, &passwords, &access], |port| {
        let java = jdk::tool("java");
        let got = client(&java, &["Manage", "port", port, "she", "secret"]);
        assert!(got.ends_with(FOUND), "{got}");
        let got = client(&java, &["Manage", "port", port, "she", "guess"]);
        has(
            &got,
            &["Authentication failed! Invalid username or password\n"],
        );
    });
    assert!(failed.is_none());

    // one that anybody can read is refused
    let open = with("password.file", &file("open", "she secret\n", 0o644));
    let failed = listening("agent-refused", &[SSL, &open, &access], |_| ());
    let failed = failed.expect("it does not come up");
    assert_eq!((failed.exit, failed.out().as_str()), (1, ""));
    has(
        &failed.err(),
        &["Error: Password file read access must be restricted: "],
    );
}
