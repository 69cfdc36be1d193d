//! The file system by name. `dir` is the descriptor of the directory a relative name starts from, or
//! [`HERE`] for the working directory.

/// "The working directory" where a request takes a directory descriptor.
pub const HERE: i32 = libc::AT_FDCWD;

/// Attributes of a file, as `stat` gives them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are those of `struct stat`")]
pub struct Stat {
    pub mode: u32,
    pub ino: u64,
    pub dev: u64,
    pub rdev: u64,
    pub nlink: u64,
    pub uid: u32,
    pub gid: u32,
    pub size: i64,
    pub blksize: i64,
    /// Last access: seconds, nanoseconds.
    pub atime: (i64, i64),
    /// Last modification.
    pub mtime: (i64, i64),
    /// Last change of attributes.
    pub ctime: (i64, i64),
    /// Creation; the last modification where it is not known.
    pub birthtime: (i64, i64),
}

impl Stat {
    /// The file type bits (`S_IFMT`).
    pub fn kind(&self) -> u32 {
        self.mode & libc::S_IFMT
    }
    /// A regular file.
    pub fn is_regular(&self) -> bool {
        self.kind() == libc::S_IFREG
    }
    /// A directory.
    pub fn is_dir(&self) -> bool {
        self.kind() == libc::S_IFDIR
    }
}

/// Access and modification time, each in seconds and nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Times {
    /// Last access.
    pub access: (i64, i64),
    /// Last modification.
    pub modified: (i64, i64),
}

/// Size of a file system.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct FileStore {
    /// Bytes of a block.
    pub block_size: u64,
    /// Blocks in all.
    pub blocks: u64,
    /// Free blocks.
    pub free: u64,
    /// Blocks free for users without privileges.
    pub available: u64,
}

/// Hands the requests of [`Files`] to the macro `$to`, after `$with`.
#[macro_export]
macro_rules! file_requests {
    ($to:ident!, $($with:tt)*) => {
        $to! {
        $($with)*
        denied {
            /// The working directory.
            fn current_dir() -> Vec<u8>;
            /// Opens with the flags of the operating system.
            fn open(dir: i32, path: &[u8], flags: i32, mode: u32) -> i32;
            /// Attributes; of a symbolic link itself unless `follow`.
            fn stat(dir: i32, path: &[u8], follow: bool) -> Stat;
            /// Size of the file system a file is on.
            fn stat_store(path: &[u8]) -> FileStore;
            /// Succeeds if access (bits 4 read, 2 write, 1 execute, 0 existence) is possible.
            fn access(path: &[u8], mode: i32) -> ();
            /// Names in a directory without `.` and `..`, sorted, so that a program sees the same order everywhere.
            fn read_dir(path: &[u8]) -> Vec<Vec<u8>>;
            /// The same for an open directory.
            fn read_dir_of(fd: i32) -> Vec<Vec<u8>>;
            /// Makes a directory.
            fn create_dir(path: &[u8], mode: u32) -> ();
            /// Removes a file, or an empty directory when `directory`.
            fn remove(dir: i32, path: &[u8], directory: bool) -> ();
            /// Renames.
            fn rename(from_dir: i32, from: &[u8], to_dir: i32, to: &[u8]) -> ();
            /// A hard link `link` to `existing`.
            fn link(existing: &[u8], link: &[u8]) -> ();
            /// A symbolic link `link` with this target.
            fn symlink(target: &[u8], link: &[u8]) -> ();
            /// Target of a symbolic link.
            fn read_link(path: &[u8]) -> Vec<u8>;
            /// The absolute name without links, `.` and `..`.
            fn real_path(path: &[u8]) -> Vec<u8>;
            /// Makes a special file.
            fn make_node(path: &[u8], mode: u32, device: u64) -> ();
            /// Changes permission bits.
            fn chmod(path: &[u8], mode: u32) -> ();
            /// Changes owner and group (-1: as it is).
            fn chown(path: &[u8], uid: i32, gid: i32, follow: bool) -> ();
            /// Changes access and modification time.
            fn set_times(path: &[u8], times: Times, follow: bool) -> ();
            /// Longest name of a file in this directory.
            fn name_max(path: &[u8]) -> i64;
            /// A file-change watcher.
            fn watcher() -> i32;
            /// Adds a directory to a watcher; its number there.
            fn watch(watcher: i32, path: &[u8], mask: u32) -> i32;
            /// Removes it.
            fn unwatch(watcher: i32, number: i32) -> ();
        }
        otherwise {
            /// Name of a user.
            fn user_name(uid: u32) -> Option<Vec<u8>> = None;
            /// Name of a group.
            fn group_name(gid: u32) -> Option<Vec<u8>> = None;
            /// Number of a user.
            fn user_id(name: &[u8]) -> Option<u32> = None;
            /// Number of a group.
            fn group_id(name: &[u8]) -> Option<u32> = None;
        }
        }
    };
}

file_requests! {
    declare!,
    /// The file system.
    pub trait Files;
}
