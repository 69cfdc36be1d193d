//! HotSpot's attach protocol on Linux. A tool leaves a file `.attach_pidN` in the process's working directory, or in
//! `/tmp`, and sends SIGQUIT; the VM then listens on the socket `/tmp/.java_pidN`. A request is five strings, each
//! ended by a zero byte: the protocol's version, an operation, three arguments. The answer is a number on a separate line (0:
//! success) and text. Each request has its own connection.

use super::known::OperationResult;
use super::operations;
use super::queue::Queue;
use rjvm_vm::Vm;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Where all tools look, whatever temporary folder a program has.
const FOLDER: &str = "/tmp";
const VERSION: &str = "1";
/// The answer to another version.
const BAD_VERSION: i32 = 101;
/// Strings of a request.
const STRINGS: usize = 5;
/// Most bytes of a request.
const MOST: usize = 64 << 10;
/// How long a client may take to send a request, or to read the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The way in. It opens when a tool knocks for the first time.
pub struct AttachListener {
    queue: Queue,
    socket: PathBuf,
    opened: bool,
}

fn owner() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Whether this process may be attached to by that user: its owner, and the one who may do anything.
fn may_attach(user: u32) -> bool {
    user == 0 || user == owner()
}

impl AttachListener {
    /// For requests that go to this queue.
    pub fn new(queue: Queue) -> AttachListener {
        let name = format!(".java_pid{}", std::process::id());
        AttachListener {
            queue,
            socket: Path::new(FOLDER).join(name),
            opened: false,
        }
    }
    /// SIGQUIT has arrived. Whether a tool has sent it that wants to attach.
    pub fn poll(&mut self, vm: &mut Vm) -> bool {
        if self.opened {
            // somebody may have tidied up the folder
            let there = fs::symlink_metadata(&self.socket).is_ok_and(|m| m.file_type().is_socket());
            if there {
                return false;
            }
        }
        let name = format!(".attach_pid{}", std::process::id());
        let here = [PathBuf::from(&name), Path::new(FOLDER).join(&name)];
        let found = here.iter().find_map(|path| fs::symlink_metadata(path).ok());
        if !found.is_some_and(|m| may_attach(m.uid())) {
            return false;
        }
        self.queue.open(vm);
        // who knocks finds out that nobody opens
        self.opened = self.open().is_ok();
        true
    }
    fn open(&self) -> io::Result<()> {
        let listener = listen(&self.socket)?;
        let (queue, socket) = (self.queue.clone(), self.socket.clone());
        thread::Builder::new()
            .name("rjvm-attach".into())
            .stack_size(256 << 10)
            .spawn(move || serve(&listener, &queue))?;
        self.queue.at_end(move || {
            // ends the listener's wait
            let _ = UnixStream::connect(&socket);
            let _ = fs::remove_file(&socket);
        });
        Ok(())
    }
}

/// A socket of that name that is the owner's alone as soon as it has the name.
fn listen(path: &Path) -> io::Result<UnixListener> {
    let first = path.with_extension("tmp");
    let _ = fs::remove_file(&first);
    let listener = UnixListener::bind(&first)?;
    let made = fs::set_permissions(&first, fs::Permissions::from_mode(0o600))
        .and_then(|()| {
            let group = rustix::process::getegid().as_raw();
            chown(&first, Some(owner()), Some(group))
        })
        .and_then(|()| fs::rename(&first, path));
    if let Err(e) = made {
        let _ = fs::remove_file(&first);
        return Err(e);
    }
    Ok(listener)
}

fn serve(listener: &UnixListener, queue: &Queue) {
    for client in listener.incoming() {
        if queue.is_closed() {
            return;
        }
        match client {
            // one that breaks off is none of the others' business
            Ok(client) => {
                let _ = answer(client, queue);
            }
            // no descriptor is left, for now
            Err(_) => thread::sleep(Duration::from_millis(100)),
        }
    }
}

fn answer(mut client: UnixStream, queue: &Queue) -> io::Result<()> {
    let peer = rustix::net::sockopt::socket_peercred(&client)?;
    if !may_attach(peer.uid.as_raw()) {
        return Ok(());
    }
    client.set_read_timeout(Some(PATIENCE))?;
    client.set_write_timeout(Some(PATIENCE))?;
    let Some(request) = read(&mut client)? else {
        return Ok(());
    };
    let answer = match request.split_first() {
        Some((version, [operation, args @ ..])) if version == VERSION => {
            let (operation, args) = (operation.clone(), args.to_vec());
            let done = queue.ask_later(move |vm, known, reply| {
                operations::run(vm, known, (&operation, &args), reply);
            });
            done.unwrap_or_else(|| OperationResult {
                code: -1,
                text: "The program has ended\n".into(),
            })
        }
        _ => OperationResult {
            code: BAD_VERSION,
            text: String::new(),
        },
    };
    client.write_all(format!("{}\n", answer.code).as_bytes())?;
    client.write_all(answer.text.as_bytes())?;
    client.shutdown(std::net::Shutdown::Write)
}

/// The strings of a request; `None` if it is none.
fn read(client: &mut UnixStream) -> io::Result<Option<Vec<String>>> {
    let mut bytes = Vec::new();
    let mut room = [0; 4096];
    while bytes.iter().filter(|&&b| b == 0).count() < STRINGS {
        let n = client.read(&mut room)?;
        if n == 0 || bytes.len() + n > MOST {
            return Ok(None);
        }
        bytes.extend_from_slice(&room[..n]);
    }
    let strings = bytes.split(|&b| b == 0).take(STRINGS);
    Ok(strings
        .map(|s| String::from_utf8(s.to_vec()).ok())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_and_root_may_attach_and_nobody_else() {
        let other = owner() + 1;
        assert!(may_attach(owner()) && may_attach(0) && !may_attach(other));
    }
}
