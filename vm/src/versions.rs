//! Ranges of JDK versions, by which rows of tables say where they hold.

/// The feature versions of the JDK whose class library runs here: those with a boot
/// sequence, ascending.
pub const SUPPORTED: &[u32] = &[17, 21, 25];

/// A range of feature versions of the JDK, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Versions {
    /// The first one.
    pub since: u32,
    /// The last one.
    pub until: u32,
}

impl Versions {
    /// All of them.
    pub const ALL: Versions = Versions {
        since: 0,
        until: u32::MAX,
    };
    /// From a table's row: at most one first and one last version.
    pub const fn of(since: &[u32], until: &[u32]) -> Versions {
        assert!(since.len() <= 1 && until.len() <= 1);
        let all = Versions::ALL;
        let range = Versions {
            since: if since.is_empty() {
                all.since
            } else {
                since[0]
            },
            until: if until.is_empty() {
                all.until
            } else {
                until[0]
            },
        };
        assert!(range.since <= range.until, "a range that is empty");
        range
    }
    /// Whether a version is in the range.
    pub const fn contains(self, feature: u32) -> bool {
        self.since <= feature && feature <= self.until
    }
}
