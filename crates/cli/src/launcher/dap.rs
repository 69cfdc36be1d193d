//! `rjvm debug --dap`: an editor debugs by the Debug Adapter Protocol, on the standard streams or on a port of this machine.

use super::codes::WRONG_USE;
use super::debug::{begin, memory, read_place, unreadable};
use super::debuggee::{DebugSource, Debuggee};
use crate::file_error::FileError;
use crate::invalid::InvalidValue;
use crate::messages;
use crate::subcommands;
use crate::travel::{
    BegunProgram, CheckpointLimits, DapError, DapServer, DapStart, Launch, ShowOutput, TravelError,
};
use rustix::stdio;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// How long a client may take to give the token.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of a token.
const TOKEN: usize = 16;

/// Where the client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DapWay {
    Streams,
    /// 0: any port that is free.
    Port(u16),
}

/// Reads the value of the option.
pub fn way(text: &str) -> Result<DapWay, InvalidValue> {
    match text {
        "" => Ok(DapWay::Streams),
        port => { port.parse() }
            .map(DapWay::Port)
            .map_err(|_| InvalidValue::Expected("a port, 0 to 65535")),
    }
}

/// Serves a client; the exit code.
pub fn serve(
    way: DapWay,
    source: &DebugSource,
    words: &[String],
    limits: CheckpointLimits,
    input: Option<&Path>,
) -> i32 {
    if let Some(problem) = input.and_then(unreadable) {
        messages::error(&problem);
        return WRONG_USE;
    }
    let starter = |sockets: Sockets| {
        Box::new(DapStarter {
            source: source.clone(),
            words: words.to_vec(),
            limits,
            input: input.map(Path::to_owned),
            sockets,
        })
    };
    let done = match way {
        DapWay::Streams => streams().map_err(broken).and_then(|(from, to)| {
            DapServer::new(from, to, None, starter(Sockets::default()), read_place).run()
        }),
        DapWay::Port(port) => on_port(port, &starter),
    };
    match done {
        Ok(()) => 0,
        Err(why) => messages::failed(&why),
    }
}

fn broken(e: io::Error) -> DapError {
    TravelError::from(e).into()
}

/// The standard streams, for the client alone: what this process prints goes to the error output from now on.
fn streams() -> io::Result<(File, File)> {
    let from = rustix::io::fcntl_dupfd_cloexec(stdio::stdin(), 3)?;
    let to = rustix::io::fcntl_dupfd_cloexec(stdio::stdout(), 3)?;
    let none = File::open("/dev/null")?;
    stdio::dup2_stdin(&none)?;
    stdio::dup2_stdout(stdio::stderr())?;
    Ok((File::from(from), File::from(to)))
}

/// Serves the first client that has the token.
fn on_port(port: u16, starter: &dyn Fn(Sockets) -> Box<DapStarter>) -> Result<(), DapError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener =
        listener.map_err(|e| DapError::NotBegun(format!("cannot listen on port {port}: {e}")))?;
    let port = listener.local_addr().map_err(broken)?.port();
    let token = token().map_err(broken)?;
    messages::note(&format!(
        "the debug adapter listens at 127.0.0.1:{port}, token {token}"
    ));
    let sockets = Sockets::default();
    sockets.borrow_mut().listener = Some(listener);
    loop {
        let open = sockets.borrow();
        let accepted = open.listener.as_ref().map(TcpListener::accept);
        drop(open);
        let Some(accepted) = accepted else {
            return Ok(());
        };
        let (stream, _) = accepted.map_err(broken)?;
        let Ok((from, to)) = client(&stream) else {
            continue;
        };
        sockets.borrow_mut().client = Some(stream);
        let start = starter(sockets.clone());
        let mut server = DapServer::new(from, to, Some(token.clone()), start, read_place);
        let done = server.run();
        if server.is_admitted() {
            return done;
        }
        sockets.borrow_mut().client = None;
    }
}

/// The sockets that a copy of the process, in which the program runs, has not.
#[derive(Default)]
struct OpenSockets {
    listener: Option<TcpListener>,
    client: Option<TcpStream>,
}

type Sockets = Rc<RefCell<OpenSockets>>;

fn client(stream: &TcpStream) -> io::Result<(File, File)> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let file = |stream: TcpStream| File::from(OwnedFd::from(stream));
    Ok((file(stream.try_clone()?), file(stream.try_clone()?)))
}

/// A word that cannot be guessed.
fn token() -> io::Result<String> {
    let mut bytes = [0; TOKEN];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// Begins the programs of a client. The command line has the values that the client does not give.
struct DapStarter {
    source: DebugSource,
    words: Vec<String>,
    limits: CheckpointLimits,
    input: Option<PathBuf>,
    sockets: Sockets,
}

impl DapStart for DapStarter {
    fn admitted(&mut self) {
        if let Some(client) = &self.sockets.borrow().client {
            // one that cannot wait any longer ends the session later
            let _ = client.set_read_timeout(None);
        }
    }
    fn begin(
        &mut self,
        launch: &Launch,
        output: Box<dyn ShowOutput>,
        close: &mut dyn FnMut(),
    ) -> Result<BegunProgram, DapError> {
        if let Some(folder) = &launch.folder {
            let entered = std::env::set_current_dir(folder);
            entered.map_err(|e| {
                DapError::Argument("cwd".into(), FileError::at(folder)(e).to_string())
            })?;
        }
        // a client that names no program has the one of the command line
        let own = launch.recording.is_none() && launch.words.is_empty();
        let words = match own {
            true => self.words.clone(),
            false => launch.words.clone(),
        };
        let source = match (&launch.recording, &launch.record) {
            (Some(recording), _) => DebugSource::Recording(recording.clone()),
            (None, Some(kept)) => DebugSource::Live(Some(kept.clone())),
            (None, None) if launch.live => DebugSource::Live(None),
            (None, None) => match &self.source {
                // that is another program
                DebugSource::Recording(_) if !own => DebugSource::Deterministic,
                source => source.clone(),
            },
        };
        if words.is_empty() && !matches!(source, DebugSource::Recording(_)) {
            return Err(DapError::expected(
                "mainClass, jar or recording",
                "one of them",
            ));
        }
        let debuggee = Debuggee::new(subcommands::DEBUG.name, source, words);
        let debuggee =
            debuggee.map_err(|refusal| DapError::NotBegun(refusal.text().trim_end().to_owned()))?;
        let input = launch.stdin.as_deref().or(self.input.as_deref());
        if let Some(problem) = input.and_then(unreadable) {
            return Err(DapError::NotBegun(problem.to_string()));
        }
        let limits = CheckpointLimits {
            checkpoints: { launch.checkpoints }.map_or(self.limits.checkpoints, |n| n as usize),
            memory: match &launch.checkpoint_memory {
                Some(text) => memory(text)
                    .map_err(|e| DapError::Argument("checkpointMemory".into(), e.to_string()))?,
                None => self.limits.memory,
            },
        };
        let (sources, name) = (debuggee.config.all_sources(), debuggee.config.program());
        let sockets = self.sockets.clone();
        let mut close_all = || {
            close();
            sockets.take();
        };
        let (start, folder) = begin(debuggee, input, limits, output, &mut close_all)?;
        Ok(BegunProgram {
            start,
            sources,
            name,
            folder: Box::new(folder),
        })
    }
}
