//! Sockets: one thread of the operating system listens, another reads packets. The VM takes them where it has stopped.

use super::options::Options;
use super::wire::{HANDSHAKE, HEADER, Header, Kind};
use rjvm_vm::cancel::Canceller;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Packets that wait at most: who sends more waits, too.
const MOST_WAITING: usize = 64;

/// How long a new client may take for the handshake.
const HANDSHAKE_TIME: Duration = Duration::from_secs(2);

/// A command.
pub struct Command {
    /// Its number, for the reply.
    pub id: u32,
    /// Its set.
    pub set: u8,
    /// Its number there.
    pub number: u8,
    /// What it says.
    pub data: Vec<u8>,
}

/// What comes from outside.
pub enum Message {
    /// A client has connected.
    Connected(TcpStream),
    /// A command.
    Command(Command),
    /// Nothing more comes; the reason, if known.
    Gone(Option<String>),
}

/// How long tools wait while the debugger has the VM wait.
const NAP: Duration = Duration::from_millis(20);

/// The way in and out.
pub struct Transport {
    messages: Receiver<Message>,
    send: SyncSender<Message>,
    canceller: Canceller,
    /// A client is connected: no other is let in.
    busy: Arc<AtomicBool>,
    listens: bool,
    timeout: Option<Duration>,
}

impl Transport {
    /// A way that nothing has come by.
    pub fn new(canceller: Canceller) -> Transport {
        let (send, messages) = sync_channel(MOST_WAITING);
        Transport {
            messages,
            send,
            canceller,
            busy: Arc::default(),
            listens: false,
            timeout: None,
        }
    }
    /// Opens it as the options say. The port that it listens at, if it does.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(&mut self, options: &Options) -> io::Result<Option<u16>> {
        let place = (options.host(), options.port);
        self.timeout = (options.timeout > 0).then(|| Duration::from_millis(options.timeout));
        if options.server || options.launch.is_some() {
            let listener = TcpListener::bind(place)?;
            let port = listener.local_addr()?.port();
            self.listens = true;
            let (send, canceller, busy) =
                (self.send.clone(), self.canceller.clone(), self.busy.clone());
            Builder::new()
                .name("rjvm-jdwp-listen".into())
                .spawn(move || listen(&listener, &send, &canceller, &busy))?;
            return Ok(Some(port));
        }
        let mut stream = connect(place, self.timeout)?;
        shake(&mut stream)?;
        self.busy.store(true, SeqCst);
        self.begin(stream)?;
        Ok(None)
    }
    /// Whether others may connect.
    pub fn listens(&self) -> bool {
        self.listens
    }
    fn begin(&self, stream: TcpStream) -> io::Result<()> {
        read_from(stream, &self.send, &self.canceller)
    }
    /// A message that has come.
    pub fn take(&self) -> Option<Message> {
        self.messages.try_recv().ok()
    }
    /// The next message. Calls `meanwhile` now and then until it comes.
    pub fn wait(&self, meanwhile: impl FnMut()) -> Option<Message> {
        self.within(None, meanwhile)
    }
    /// The first thing that comes, within the time of the options.
    pub fn first(&self, meanwhile: impl FnMut()) -> Option<Message> {
        self.within(self.timeout, meanwhile)
    }
    fn within(&self, time: Option<Duration>, mut meanwhile: impl FnMut()) -> Option<Message> {
        let begun = Instant::now();
        loop {
            let left = time.map(|t| t.saturating_sub(begun.elapsed()));
            match self.messages.recv_timeout(left.unwrap_or(NAP).min(NAP)) {
                Ok(message) => return Some(message),
                Err(RecvTimeoutError::Timeout) if left.is_none_or(|t| t > NAP) => meanwhile(),
                Err(_) => return None,
            }
        }
    }
    /// No client is connected any more.
    pub fn is_free(&self) {
        self.busy.store(false, SeqCst);
    }
}

fn connect(place: (&str, u16), timeout: Option<Duration>) -> io::Result<TcpStream> {
    let begin = Instant::now();
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in place.to_socket_addrs()? {
        let left = timeout.map(|t| {
            t.saturating_sub(begin.elapsed())
                .max(Duration::from_millis(1))
        });
        let connected = match left {
            Some(left) => TcpStream::connect_timeout(&address, left),
            None => TcpStream::connect(address),
        };
        match connected {
            Ok(stream) => return Ok(stream),
            Err(e) => last = e,
        }
    }
    Err(last)
}

/// Both sides say the same word, the debugger first, whichever side has connected.
fn shake(stream: &mut TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(HANDSHAKE_TIME))?;
    let mut word = [0; HANDSHAKE.len()];
    stream.read_exact(&mut word)?;
    if word != *HANDSHAKE {
        return Err(io::Error::other("no debugger"));
    }
    stream.write_all(HANDSHAKE)?;
    stream.set_read_timeout(None)?;
    stream.set_nodelay(true)
}

fn listen(
    listener: &TcpListener,
    send: &SyncSender<Message>,
    canceller: &Canceller,
    busy: &AtomicBool,
) {
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else {
            // out of descriptors, perhaps: not again at once
            std::thread::sleep(Duration::from_millis(100));
            continue;
        };
        if busy.load(SeqCst) || shake(&mut stream).is_err() {
            continue;
        }
        busy.store(true, SeqCst);
        let Ok(reads) = stream.try_clone() else {
            busy.store(false, SeqCst);
            continue;
        };
        if send.send(Message::Connected(stream)).is_err() {
            return;
        }
        canceller.attend();
        if begin_reading(reads, send, canceller).is_err() {
            let _ = send.send(Message::Gone(None));
            canceller.attend();
        }
    }
}

fn read_from(
    stream: TcpStream,
    send: &SyncSender<Message>,
    canceller: &Canceller,
) -> io::Result<()> {
    let reads = stream.try_clone()?;
    if send.send(Message::Connected(stream)).is_ok() {
        begin_reading(reads, send, canceller)?;
    }
    Ok(())
}

fn begin_reading(
    mut stream: TcpStream,
    send: &SyncSender<Message>,
    canceller: &Canceller,
) -> io::Result<()> {
    let (send, canceller) = (send.clone(), canceller.clone());
    Builder::new()
        .name("rjvm-jdwp-read".into())
        .spawn(move || {
            let why = read_all(&mut stream, &send, &canceller);
            let _ = stream.shutdown(std::net::Shutdown::Both);
            if send.send(Message::Gone(why)).is_ok() {
                canceller.attend();
            }
        })?;
    Ok(())
}

/// Reads packets until there are none; why, if they are malformed.
fn read_all(
    stream: &mut impl Read,
    send: &SyncSender<Message>,
    canceller: &Canceller,
) -> Option<String> {
    loop {
        let mut header = [0; HEADER];
        stream.read_exact(&mut header).ok()?;
        let header = match Header::read(&header) {
            Ok(header) => header,
            Err(malformed) => return Some(malformed.to_string()),
        };
        // as it comes: who promises much and sends nothing is given no memory
        let (mut data, rest) = (Vec::new(), (header.length - HEADER) as u64);
        let read = stream.take(rest).read_to_end(&mut data).ok()?;
        if (read as u64) < rest {
            return None;
        }
        // nothing was asked, so a reply answers nothing
        let Kind::Command(set, number) = header.kind else {
            continue;
        };
        let id = header.id;
        let command = Command {
            id,
            set,
            number,
            data,
        };
        send.send(Message::Command(command)).ok()?;
        canceller.attend();
    }
}
