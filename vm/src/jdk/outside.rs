//! The methods of the JDK that reach outside the VM: what they do there, and where a call of one reports about what, and how much.
//! Most are natives; of some, a method in front has the path.
//!
//! A row is `"method" What told, bytes;` under its class, with `since N;` and `until N;` behind it where not all supported JDKs have the
//! method. What `reported` and `bytes` are, [`NamedBy`] and [`Bytes`] say.

use crate::versions::Versions;

/// The action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OutsideAction {
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
    /// The position in a file, or its size, is read or changed.
    Seek,
    /// Written bytes are to reach the disk.
    Sync,
    /// Something is asked about a file.
    Stat,
    /// Folders, and what files are called and may be used for, are read or changed.
    Directory,
}

/// Where the resource is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedBy {
    /// Nowhere.
    No,
    /// A string, a path of `java.nio`, or a descriptor, in an argument.
    Arg(usize),
    /// In a field of the receiver.
    Field(&'static str),
    /// In an argument of the method in front of it, which has a separate row.
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
pub struct OutsideRow {
    /// Its class, with dots.
    pub class: &'static str,
    /// Its name.
    pub method: &'static str,
    /// What it does.
    pub does: OutsideAction,
    /// The source of the name.
    pub reported: NamedBy,
    /// How much it moves.
    pub bytes: Bytes,
    /// The JDKs that have it.
    pub versions: Versions,
}

macro_rules! outside {
    (
        $( $class:literal {
            $( $method:literal $does:ident $reported:expr, $bytes:expr $(; since $s:literal)? $(; until $u:literal)?; )*
        } )*
    ) => {
        /// All of them.
        pub static OUTSIDE: &[OutsideRow] = &[$($( OutsideRow {
            class: $class, method: $method, does: OutsideAction::$does, reported: $reported, bytes: $bytes,
            versions: Versions::of(&[$($s)?], &[$($u)?]),
        } ),*),*];
    };
}

const NO: NamedBy = NamedBy::No;
const FD: NamedBy = NamedBy::Arg(0);
const PATH: NamedBy = NamedBy::Field("path");
const NONE: Bytes = Bytes::No;
const RESULT: Bytes = Bytes::Result;

outside! {
    "java.io.FileInputStream" {
        "open0" Open NamedBy::Arg(0), NONE;
        "read0" Read PATH, Bytes::One;
        "readBytes" Read PATH, RESULT;
        "available0" Stat PATH, NONE;
        "isRegularFile0" Stat PATH, NONE; since 25;
        "skip0" Seek PATH, NONE;
        "length0" Seek PATH, NONE;
        "position0" Seek PATH, NONE;
    }
    "java.io.FileOutputStream" {
        "open0" Open NamedBy::Arg(0), NONE;
        "write" Write PATH, Bytes::One;
        "writeBytes" Write PATH, Bytes::Arg(2);
    }
    "java.io.RandomAccessFile" {
        "open0" Open NamedBy::Arg(0), NONE;
        "read0" Read PATH, Bytes::One;
        "readBytes" Read PATH, RESULT; until 20;
        "readBytes0" Read PATH, RESULT; since 21;
        "write0" Write PATH, Bytes::One;
        "writeBytes" Write PATH, Bytes::Arg(2); until 20;
        "writeBytes0" Write PATH, Bytes::Arg(2); since 21;
        "seek0" Seek PATH, NONE;
        "length" Seek PATH, NONE; until 20;
        "length0" Seek PATH, NONE; since 21;
        "setLength" Seek PATH, NONE; until 20;
        "setLength0" Seek PATH, NONE; since 21;
        "getFilePointer" Seek PATH, NONE;
    }
    "java.io.FileDescriptor" {
        "close0" Close NamedBy::Field("fd"), NONE;
        "sync" Sync NamedBy::Field("fd"), NONE; until 20;
        "sync0" Sync NamedBy::Field("fd"), NONE; since 21;
    }
    "java.io.UnixFileSystem" {
        "getBooleanAttributes0" Stat NO, NONE;
        "checkAccess" Stat NO, NONE; until 20;
        "checkAccess0" Stat NO, NONE; since 21;
        "getLastModifiedTime" Stat NO, NONE; until 20;
        "getLastModifiedTime0" Stat NO, NONE; since 21;
        "getLength" Stat NO, NONE; until 20;
        "getLength0" Stat NO, NONE; since 21;
        "canonicalize0" Stat NO, NONE;
        "getSpace" Stat NO, NONE; until 20;
        "getSpace0" Stat NO, NONE; since 21;
        "getNameMax0" Stat NO, NONE;
        "list" Directory NO, NONE; until 20;
        "list0" Directory NO, NONE; since 21;
        "delete0" Directory NO, NONE;
        "rename0" Directory NO, NONE;
        "createFileExclusively" Directory NO, NONE; until 20;
        "createFileExclusively0" Directory NO, NONE; since 21;
        "createDirectory" Directory NO, NONE; until 20;
        "createDirectory0" Directory NO, NONE; since 21;
        "setPermission" Directory NO, NONE; until 20;
        "setPermission0" Directory NO, NONE; since 21;
        "setLastModifiedTime" Directory NO, NONE; until 20;
        "setLastModifiedTime0" Directory NO, NONE; since 21;
        "setReadOnly" Directory NO, NONE; until 20;
        "setReadOnly0" Directory NO, NONE; since 21;
    }
    "sun.nio.ch.FileDispatcherImpl" {
        "read0" Read FD, RESULT; until 20;
        "pread0" Read FD, RESULT; until 20;
        "readv0" Read FD, RESULT; until 20;
        "write0" Write FD, RESULT; until 20;
        "pwrite0" Write FD, RESULT; until 20;
        "writev0" Write FD, RESULT; until 20;
        "close0" Close FD, NONE; until 20;
        "closeIntFD" Close FD, NONE; until 20;
        "force0" Sync FD, NONE; until 20;
        "size0" Seek FD, NONE; until 20;
        "seek0" Seek FD, NONE; until 20;
        "truncate0" Seek FD, NONE; until 20;
    }
    "sun.nio.ch.UnixFileDispatcherImpl" {
        "read0" Read FD, RESULT; since 21;
        "pread0" Read FD, RESULT; since 21;
        "readv0" Read FD, RESULT; since 21;
        "write0" Write FD, RESULT; since 21;
        "pwrite0" Write FD, RESULT; since 21;
        "writev0" Write FD, RESULT; since 21;
        "closeIntFD" Close FD, NONE; since 21;
        "force0" Sync FD, NONE; since 21;
        "size0" Seek FD, NONE; since 21;
        "seek0" Seek FD, NONE; since 21;
        "truncate0" Seek FD, NONE; since 21;
        "available0" Stat FD, NONE; since 25;
        "isOther0" Stat FD, NONE; since 25;
    }
    "sun.nio.ch.UnixDispatcher" {
        "close0" Close FD, NONE; since 21;
    }
    "sun.nio.ch.SocketDispatcher" {
        "read0" Read FD, RESULT;
        "readv0" Read FD, RESULT;
        "write0" Write FD, RESULT; since 21;
        "writev0" Write FD, RESULT; since 21;
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
    "java.net.SocketInputStream" {
        "socketRead0" Read FD, RESULT; until 17;
    }
    "java.net.SocketOutputStream" {
        "socketWrite0" Write FD, Bytes::Arg(3); until 17;
    }
    "java.net.PlainSocketImpl" {
        "socketConnect" Connect NamedBy::Arg(0), NONE; until 17;
        "socketAccept" Accept NO, NONE; until 17;
        "socketClose0" Close NO, NONE; until 17;
    }
    "sun.nio.ch.UnixDomainSockets" {
        "connect0" Connect FD, NONE;
        "accept0" Accept FD, NONE;
    }
    "sun.nio.ch.Net" {
        "connect0" Connect NamedBy::Arg(2), NONE;
        "accept" Accept NO, NONE;
    }
    "sun.nio.fs.UnixNativeDispatcher" {
        "open" Open NamedBy::Arg(0), NONE;
        "open0" Open NamedBy::InFront, NONE;
        "openat" Open NamedBy::Arg(1), NONE;
        "openat0" Open NamedBy::InFront, NONE;
        "close0" Close FD, NONE;
        "read" Read FD, RESULT; until 20;
        "read0" Read FD, RESULT; since 21;
        "write" Write FD, RESULT; until 20;
        "write0" Write FD, RESULT; since 21;
        "stat0" Stat NO, NONE;
        "stat1" Stat NO, NONE; until 20;
        "lstat0" Stat NO, NONE;
        "fstat" Stat NO, NONE; until 20;
        "fstat0" Stat NO, NONE; since 21;
        "fstatat0" Stat NO, NONE;
        "access0" Stat NO, NONE;
        "exists0" Stat NO, NONE; until 20;
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
        "fchown" Directory NO, NONE; until 20;
        "fchown0" Directory NO, NONE; since 21;
        "chmod0" Directory NO, NONE;
        "fchmod" Directory NO, NONE; until 20;
        "fchmod0" Directory NO, NONE; since 21;
        "utimes0" Directory NO, NONE; until 24;
        "lutimes0" Directory NO, NONE; until 24;
        "futimes" Directory NO, NONE; until 20;
        "futimes0" Directory NO, NONE; since 21; until 24;
        "utimensat0" Directory NO, NONE; since 25;
        "fchmodat0" Directory NO, NONE; since 25;
        "futimens" Directory NO, NONE; until 20;
        "futimens0" Directory NO, NONE; since 21;
        "opendir0" Directory NO, NONE;
        "fdopendir" Directory NO, NONE;
        "readdir" Directory NO, NONE; until 20;
        "readdir0" Directory NO, NONE; since 21;
        "closedir" Directory NO, NONE;
        "fgetxattr0" Directory NO, NONE;
        "fsetxattr0" Directory NO, NONE;
        "fremovexattr0" Directory NO, NONE;
        "flistxattr" Directory NO, NONE;
    }
}

/// The row of a method; its class has dots.
pub fn outside(class: &str, method: &str) -> Option<&'static OutsideRow> {
    let mut rows = OUTSIDE.iter();
    rows.find(|r| r.method == method && r.class == class)
}
