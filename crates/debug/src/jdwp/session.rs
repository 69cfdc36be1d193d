//! A connection: takes commands where the VM has stopped, replies, and sends events.

use super::commands::{self, Answer, Calls};
use super::events;
use super::options::Options;
use super::transport::{Command, Message, Transport};
use super::wire;
use super::world::Context;
use crate::engine::{Event, Filter, Frontend, Happened, Policy, Served, What, World};
use rjvm_vm::cancel::Canceller;
use rjvm_vm::debug::CallEnded;
use std::io::{self, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{self, Command as Process, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// How long the other side may take to read.
const WRITE_TIME: Duration = Duration::from_secs(30);

/// The exit code of a VM whose transport cannot be opened, as HotSpot has it.
const NO_TRANSPORT: i32 = 2;

/// See the module.
pub(super) struct Session {
    options: Options,
    transport: Transport,
    /// Where it listens; 0: nowhere.
    port: Arc<AtomicU16>,
    begun: bool,
    opened: bool,
    /// The VM has ended.
    over: bool,
    out: Option<TcpStream>,
    /// The number of the last packet that was sent unasked.
    sent: u32,
    calls: Calls,
}

impl Session {
    pub fn new(options: Options, canceller: Canceller, port: Arc<AtomicU16>) -> Session {
        Session {
            options,
            transport: Transport::new(canceller),
            port,
            begun: false,
            opened: false,
            over: false,
            out: None,
            sent: 0,
            calls: Calls::default(),
        }
    }
    /// Opens the transport, at once or when an exception is thrown.
    fn begin(&mut self, world: &mut World<'_>) {
        self.begun = true;
        let o = &self.options;
        if o.on_throw.is_none() && !o.on_uncaught {
            return self.open(world);
        }
        if let Some(class) = o.on_throw.clone() {
            world.trigger(What::Exception, vec![Filter::Thrown(class)]);
        }
        if o.on_uncaught {
            let uncaught = Filter::Exception {
                class: None,
                caught: false,
                uncaught: true,
            };
            world.trigger(What::Exception, vec![uncaught]);
        }
    }
    /// Opens the transport, and waits for the debugger if the program is to do so.
    fn open(&mut self, world: &mut World<'_>) {
        self.opened = true;
        match self.transport.open(&self.options) {
            Ok(Some(port)) => {
                self.port.store(port, Relaxed);
                match self.options.launch.clone() {
                    None => self.say_listening(port),
                    Some(command) => launch(&command, port),
                }
            }
            Ok(None) => {}
            Err(e) => {
                let (host, port) = (self.options.host(), self.options.port);
                eprintln!("ERROR: transport error 202: {host}:{port}: {e}");
                eprintln!(
                    "ERROR: JDWP Transport dt_socket failed to initialize, TRANSPORT_INIT(510)"
                );
                process::exit(NO_TRANSPORT);
            }
        }
        if self.options.suspend || !self.options.server || self.options.launch.is_some() {
            match self.transport.first(|| world.vm.answer_tools()) {
                Some(message) => self.take(world, message),
                None => {
                    eprintln!("ERROR: transport error 202: timeout waiting for connection");
                    process::exit(NO_TRANSPORT);
                }
            }
        }
    }
    fn say_listening(&mut self, port: u16) {
        self.options.port = port;
        if self.options.quiet {
            return;
        }
        let mut out = io::stdout();
        // as HotSpot, which names no host
        let _ = writeln!(out, "Listening for transport dt_socket at address: {port}");
        let _ = out.flush();
    }
    fn take(&mut self, world: &mut World<'_>, message: Message) {
        match message {
            Message::Connected(stream) => {
                let _ = stream.set_write_timeout(Some(WRITE_TIME));
                self.out = Some(stream);
                world.attach(true);
            }
            Message::Command(command) => self.carry_out(world, command),
            Message::Gone(why) => {
                if let Some(why) = why {
                    eprintln!(
                        "rjvm: warning: the debugger has sent {why}: the connection is closed"
                    );
                }
                self.detach(world);
            }
        }
    }
    fn detach(&mut self, world: &mut World<'_>) {
        let Some(out) = self.out.take() else {
            return;
        };
        let _ = out.shutdown(Shutdown::Both);
        self.calls = Calls::default();
        world.attach(false);
        self.transport.is_free();
        if self.transport.listens() && !self.over && world.vm.debug_exit().is_none() {
            self.say_listening(self.options.port);
        }
    }
    /// The exception has been thrown that the debugger begins with.
    fn triggered(&mut self, world: &mut World<'_>, happened: &Happened) {
        world.clear_triggers();
        self.open(world);
        let mut first = happened.clone();
        first.events.truncate(1);
        first.events[0].0 = 0;
        if self.options.suspend {
            first.policy = Policy::All;
        }
        world.suspend_by(first.policy, first.thread);
        self.report(world, &first);
    }
    fn send(&mut self, bytes: &[u8]) {
        if let Some(out) = &mut self.out
            && out.write_all(bytes).is_err()
        {
            // the thread that reads notices, too
            let _ = out.shutdown(Shutdown::Both);
        }
    }
    fn carry_out(&mut self, world: &mut World<'_>, command: Command) {
        if self.out.is_none() {
            // it came before the end of a connection that is over
            return;
        }
        let Command {
            id,
            set,
            number,
            data,
        } = command;
        let mut context = Context::new(world, &data, self.options.virtual_threads);
        let answer = commands::carry_out(&mut context, &mut self.calls, id, set, number);
        let data = context.written();
        match answer {
            Ok(Answer::Reply) => self.send(&wire::reply(id, 0, &data)),
            Ok(Answer::Later) => {}
            Ok(Answer::Dispose) => {
                self.send(&wire::reply(id, 0, &data));
                self.detach(world);
            }
            Ok(Answer::Exit(code)) => {
                self.send(&wire::reply(id, 0, &data));
                world.exit(code);
            }
            Err(code) => self.send(&wire::reply(id, code.0, &[])),
        }
    }
}

impl Frontend for Session {
    fn report(&mut self, world: &mut World<'_>, happened: &Happened) {
        if !self.opened {
            return self.triggered(world, happened);
        }
        self.over |= happened.events.iter().any(|e| e.1 == Event::VmDeath);
        let data = events::composite(world, happened);
        self.sent += 1;
        let bytes = wire::command(self.sent, 64, 100, &data);
        self.send(&bytes);
    }
    fn call_ended(&mut self, world: &mut World<'_>, ended: &CallEnded) {
        if let Some((id, data)) = self.calls.ended(world, ended) {
            self.send(&wire::reply(id, 0, &data));
        }
    }
    fn serve(&mut self, world: &mut World<'_>, waits: bool) -> Served {
        if !self.begun {
            self.begin(world);
        }
        let message = match waits {
            true => self.transport.wait(|| world.vm.answer_tools()),
            false => self.transport.take(),
        };
        match message {
            Some(message) => {
                self.take(world, message);
                Served::Something
            }
            None => Served::Nothing,
        }
    }
}

/// Runs a command that is to connect to a port.
fn launch(command: &str, port: u16) {
    let mut words = command.split_whitespace();
    let Some(program) = words.next() else {
        return;
    };
    let mut process = Process::new(program);
    process.args(words).arg("dt_socket").arg(port.to_string());
    if let Err(e) = process.stdin(Stdio::null()).spawn() {
        eprintln!("ERROR: JDWP could not launch {program}: {e}");
        process::exit(NO_TRANSPORT);
    }
}
