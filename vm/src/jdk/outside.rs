//! The methods of the JDK that reach outside the VM: what they do there, and where a call of one tells about what, and how much.
//! Most are natives; of some, a method in front has the path.
//!
//! A row is `"method" What told bytes` under its class. What `told` and `bytes` are, [`Told`] and [`Bytes`] say.

use crate::versions::Versions;

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Does {
    /// A file is opened.
    Open,
    /// Bytes are read from a file or a socket.
    Read,
    /// Bytes are written.
    Write,
    /// A file or a socket is closed.
    Close,
    /// A socket is connected.
    Connect,
    /// A connection is accepted.
    Accept,
    /// The position in a file, or its size, is asked for or changed.
    Seek,
    /// What has been written is to reach the disk.
    Sync,
    /// Something is asked about a file.
    Stat,
    /// Folders, and what files are called and may be used for, are read or changed.
    Directory,
}

/// Where it is told what it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// Nowhere.
    No,
    /// A string, a path of `java.nio`, or a descriptor, in an argument.
    Arg(usize),
    /// In a field of the receiver.
    Field(&'static str),
    /// In an argument of the method in front of it, which is a row of its own.
    InFront,
}

/// How many bytes have been moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bytes {
    /// None.
    No,
    /// One, unless the result says that there was none.
    One,
    /// The result.
    Result,
    /// In an argument.
    Arg(usize),
}

/// A method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its class, with dots.
    pub class: &'static str,
    /// Its name.
    pub method: &'static str,
    /// What it does.
    pub does: Does,
    /// Where that is told.
    pub told: Told,
    /// How much it moves.
    pub bytes: Bytes,
    /// The JDKs that have it.
    pub versions: Versions,
}

macro_rules! outside {
    ($( $class:literal { $( $method:literal $does:ident $told:expr, $bytes:expr; )* } )*) => {
        /// All of them.
        pub static OUTSIDE: &[Row] = &[$($( Row {
            class: $class, method: $method, does: Does::$does, told: $told, bytes: $bytes,
            versions: Versions::of(&[], &[17]),
        } ),*),*];
    };
}

const NO: Told = Told::No;
const FD: Told = Told::Arg(0);
const PATH: Told = Told::Field("path");
const NONE: Bytes = Bytes::No;
const RESULT: Bytes = Bytes::Result;

outside! {
    "java.io.FileInputStream" {
        "open0" Open Told::Arg(0), NONE;
        "read0" Read PATH, Bytes::One;
        "readBytes" Read PATH, RESULT;
        "available0" Stat PATH, NONE;
        "skip0" Seek PATH, NONE;
        "length0" Seek PATH, NONE;
        "position0" Seek PATH, NONE;
    }
    "java.io.FileOutputStream" {
        "open0" Open Told::Arg(0), NONE;
        "write" Write PATH, Bytes::One;
        "writeBytes" Write PATH, Bytes::Arg(2);
    }
    "java.io.RandomAccessFile" {
        "open0" Open Told::Arg(0), NONE;
        "read0" Read PATH, Bytes::One;
        "readBytes" Read PATH, RESULT;
        "write0" Write PATH, Bytes::One;
        "writeBytes" Write PATH, Bytes::Arg(2);
        "seek0" Seek PATH, NONE;
        "length" Seek PATH, NONE;
        "setLength" Seek PATH, NONE;
        "getFilePointer" Seek PATH, NONE;
    }
    "java.io.FileDescriptor" {
        "close0" Close Told::Field("fd"), NONE;
        "sync" Sync Told::Field("fd"), NONE;
    }
    "java.io.UnixFileSystem" {
        "getBooleanAttributes0" Stat NO, NONE;
        "checkAccess" Stat NO, NONE;
        "getLastModifiedTime" Stat NO, NONE;
        "getLength" Stat NO, NONE;
        "canonicalize0" Stat NO, NONE;
        "getSpace" Stat NO, NONE;
        "getNameMax0" Stat NO, NONE;
        "list" Directory NO, NONE;
        "delete0" Directory NO, NONE;
        "rename0" Directory NO, NONE;
        "createFileExclusively" Directory NO, NONE;
        "createDirectory" Directory NO, NONE;
        "setPermission" Directory NO, NONE;
        "setLastModifiedTime" Directory NO, NONE;
        "setReadOnly" Directory NO, NONE;
    }
    "sun.nio.ch.FileDispatcherImpl" {
        "read0" Read FD, RESULT;
        "pread0" Read FD, RESULT;
        "readv0" Read FD, RESULT;
        "write0" Write FD, RESULT;
        "pwrite0" Write FD, RESULT;
        "writev0" Write FD, RESULT;
        "close0" Close FD, NONE;
        "closeIntFD" Close FD, NONE;
        "force0" Sync FD, NONE;
        "size0" Seek FD, NONE;
        "seek0" Seek FD, NONE;
        "truncate0" Seek FD, NONE;
    }
    "sun.nio.ch.SocketDispatcher" {
        "read0" Read FD, RESULT;
        "readv0" Read FD, RESULT;
    }
    "sun.nio.ch.DatagramChannelImpl" {
        "receive0" Read FD, RESULT;
        "send0" Write FD, RESULT;
    }
    "sun.nio.ch.DatagramDispatcher" {
        "read0" Read FD, RESULT;
        "readv0" Read FD, RESULT;
        "write0" Write FD, RESULT;
        "writev0" Write FD, RESULT;
    }
    "sun.nio.ch.UnixDomainSockets" {
        "connect0" Connect FD, NONE;
        "accept0" Accept FD, NONE;
    }
    "sun.nio.ch.Net" {
        "connect0" Connect Told::Arg(2), NONE;
        "accept" Accept NO, NONE;
    }
    "sun.nio.fs.UnixNativeDispatcher" {
        "open" Open Told::Arg(0), NONE;
        "open0" Open Told::InFront, NONE;
        "openat" Open Told::Arg(1), NONE;
        "openat0" Open Told::InFront, NONE;
        "close0" Close FD, NONE;
        "read" Read FD, RESULT;
        "write" Write FD, RESULT;
        "stat0" Stat NO, NONE;
        "stat1" Stat NO, NONE;
        "lstat0" Stat NO, NONE;
        "fstat" Stat NO, NONE;
        "fstatat0" Stat NO, NONE;
        "access0" Stat NO, NONE;
        "exists0" Stat NO, NONE;
        "statvfs0" Stat NO, NONE;
        "link0" Directory NO, NONE;
        "unlink0" Directory NO, NONE;
        "unlinkat0" Directory NO, NONE;
        "mknod0" Directory NO, NONE;
        "rename0" Directory NO, NONE;
        "renameat0" Directory NO, NONE;
        "mkdir0" Directory NO, NONE;
        "rmdir0" Directory NO, NONE;
        "readlink0" Directory NO, NONE;
        "realpath0" Directory NO, NONE;
        "symlink0" Directory NO, NONE;
        "chown0" Directory NO, NONE;
        "lchown0" Directory NO, NONE;
        "fchown" Directory NO, NONE;
        "chmod0" Directory NO, NONE;
        "fchmod" Directory NO, NONE;
        "utimes0" Directory NO, NONE;
        "lutimes0" Directory NO, NONE;
        "futimes" Directory NO, NONE;
        "futimens" Directory NO, NONE;
        "opendir0" Directory NO, NONE;
        "fdopendir" Directory NO, NONE;
        "readdir" Directory NO, NONE;
        "closedir" Directory NO, NONE;
        "fgetxattr0" Directory NO, NONE;
        "fsetxattr0" Directory NO, NONE;
        "fremovexattr0" Directory NO, NONE;
        "flistxattr" Directory NO, NONE;
    }
}

/// The row of a method; its class has dots.
pub fn outside(class: &str, method: &str) -> Option<&'static Row> {
    let mut rows = OUTSIDE.iter();
    rows.find(|r| r.method == method && r.class == class)
}
