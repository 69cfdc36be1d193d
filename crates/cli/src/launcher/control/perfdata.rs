//! The file by which `jps` and `jcmd` find running VMs: `/tmp/hsperfdata_USER/PID`, in version 2.0 of the format of
//! `sun.jvmstat`. It holds who runs what, and the figures that `jstat` shows ([`Counters`]).
//!
//! ```text
//! prologue  0xcafec0c0  byte order  major  minor  accessible  used  overflow  time stamp  where entries begin  how many
//! entry     its length  where its name is  vector length  type  flags  unit  variability  where its data is  name  data
//! ```

use super::counters::{COUNTERS, Counters};
use crate::launcher::config::Config;
use rjvm_vm::Vm;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const MAGIC: u32 = 0xcafe_c0c0;
const PROLOGUE: usize = 32;
/// The file is mapped by readers: as many bytes as they expect, a multiple of this.
const PAGE: usize = 4096;
const ENTRY: usize = 20;
/// The program may read it: of what the specification names, not HotSpot's own.
const SUPPORTED: u8 = 1;
/// Units.
const NONE: u8 = 1;
const BYTES: u8 = 2;
const STRING: u8 = 5;
const HERTZ: u8 = 6;
const CONSTANT: u8 = 1;
const VARIABLE: u8 = 3;

/// The file of this process.
pub struct File(PathBuf);

impl File {
    /// Writes it; `None` if it cannot be, or would not be safe. Files of this user's that have outlived their process go.
    pub fn write(vm: &mut Vm, config: &Config, attachable: bool) -> Option<(File, Counters)> {
        let user = vm.rooms().host.system().user_name?;
        let folder = Path::new("/tmp").join(format!("hsperfdata_{user}"));
        let made = DirBuilder::new().mode(0o755).create(&folder);
        let here = fs::symlink_metadata(&folder).ok()?;
        let safe = here.is_dir() && here.uid() == rustix::process::geteuid().as_raw();
        // one that others may write to is none
        if !safe || here.mode() & 0o022 != 0 {
            return None;
        }
        if made.is_err() {
            tidy(&folder);
        }
        let path = folder.join(std::process::id().to_string());
        let _ = fs::remove_file(&path);
        let mut options = OpenOptions::new();
        let options = options.write(true).create_new(true).mode(0o600);
        let mut file = options.custom_flags(libc::O_NOFOLLOW).open(&path).ok()?;
        let (bytes, places) = contents(config, attachable);
        file.write_all(&bytes).ok()?;
        Some((File(path.clone()), Counters::new(path, bytes, places)))
    }
    /// The process ends.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Removes the files of processes that are gone.
fn tidy(folder: &Path) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name();
        let number = name.to_str().and_then(|n| n.parse::<i32>().ok());
        let pid = number.and_then(rustix::process::Pid::from_raw);
        let gone = rustix::io::Errno::SRCH;
        if pid.is_some_and(|p| rustix::process::test_kill_process(p) == Err(gone)) {
            let _ = fs::remove_file(file.path());
        }
    }
}

/// Entries behind one another.
#[derive(Default)]
struct Entries {
    bytes: Vec<u8>,
    number: u32,
}

impl Entries {
    /// Adds an entry; where its data is.
    fn add(
        &mut self,
        (name, of_vector): (&str, usize),
        (kind, unit, changes): (u8, u8, u8),
        data: &[u8],
    ) -> usize {
        let up = |n: usize| n.next_multiple_of(8);
        // the data of a number is at a multiple of its size
        let at = up(ENTRY + name.len() + 1);
        let length = up(at + data.len());
        let flags = if name.starts_with("java.") {
            SUPPORTED
        } else {
            0
        };
        let start = self.bytes.len();
        for word in [length, ENTRY, of_vector] {
            self.bytes.extend((word as u32).to_ne_bytes());
        }
        self.bytes.extend([kind, flags, unit, changes]);
        self.bytes.extend((at as u32).to_ne_bytes());
        self.bytes.extend(name.as_bytes());
        self.bytes.resize(start + at, 0);
        self.bytes.extend(data);
        self.bytes.resize(start + length, 0);
        self.number += 1;
        start + at
    }
    fn text(&mut self, name: &str, text: &str) {
        let mut data: Vec<u8> = text.bytes().filter(|&b| b != 0).collect();
        data.push(0);
        self.add((name, data.len()), (b'B', STRING, CONSTANT), &data);
    }
    fn number(&mut self, name: &str, unit: u8, n: i64) {
        self.add((name, 0), (b'J', unit, CONSTANT), &n.to_ne_bytes());
    }
}

/// The file, and where the counters are in it.
fn contents(config: &Config, attachable: bool) -> (Vec<u8>, Vec<usize>) {
    let property = |name: &str| {
        let mut all = config.vm.properties.iter().rev();
        all.find(|p| p.0 == name).map_or("", |p| p.1.as_str())
    };
    let mut e = Entries::default();
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let millis = since.map_or(0, |d| d.as_millis() as i64);
    e.number("sun.rt.createVmBeginTime", NONE, millis);
    e.number("sun.os.hrt.frequency", HERTZ, 1_000_000_000);
    e.number("sun.rt.jvmVersion", NONE, 17 << 24);
    let can = u8::from(attachable) + b'0';
    let capabilities = format!("{}{}", char::from(can), "0".repeat(63));
    e.text("sun.rt.jvmCapabilities", &capabilities);
    e.text("sun.rt.javaCommand", property("sun.java.command"));
    e.text("java.rt.vmArgs", &config.vm.arguments.join(" "));
    e.text("java.rt.vmFlags", "");
    e.text("java.property.java.vm.name", "rjvm");
    e.text("java.property.java.vm.version", env!("CARGO_PKG_VERSION"));
    e.text("java.property.java.vm.info", config.vm.mode());
    e.text("java.property.java.version", &config.jdk_version);
    let home = config.vm.java_home.to_string_lossy();
    e.text("java.property.java.home", &home);
    e.text("java.property.java.class.path", property("java.class.path"));
    let counters = COUNTERS.iter().map(|c| {
        let unit = if c.bytes { BYTES } else { NONE };
        let at = e.add((c.name, 0), (b'J', unit, VARIABLE), &[0; 8]);
        PROLOGUE + at
    });
    let places = counters.collect();
    let mut out = MAGIC.to_be_bytes().to_vec();
    let accessible = 1;
    out.extend([u8::from(cfg!(target_endian = "little")), 2, 0, accessible]);
    let used = (PROLOGUE + e.bytes.len()) as u32;
    out.extend(used.to_ne_bytes());
    let overflow = 0u32;
    out.extend(overflow.to_ne_bytes());
    let changed = 1i64;
    out.extend(changed.to_ne_bytes());
    out.extend((PROLOGUE as u32).to_ne_bytes());
    out.extend(e.number.to_ne_bytes());
    out.extend(e.bytes);
    // an entry of no length is the end
    out.resize((out.len() + ENTRY).next_multiple_of(PAGE), 0);
    (out, places)
}
