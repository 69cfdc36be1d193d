//! An arena: memory that objects lie in until a collection.

/// A part of the heap in which objects are allocated, or to which they are moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arena {
    /// New objects.
    Eden,
    /// Objects that have survived a young collection: one of two spaces, of which one is empty at a time.
    Survivor0,
    /// The other one.
    Survivor1,
    /// Objects that have survived two, or a full one, and large ones.
    Old,
}

impl Arena {
    /// All there are.
    pub const ALL: [Arena; 4] = [Arena::Eden, Arena::Survivor0, Arena::Survivor1, Arena::Old];
    /// Its number, 1 to 4.
    pub fn id(self) -> u32 {
        self as u32 + 1
    }
    /// Its name in HotSpot's words.
    pub fn name(self) -> &'static str {
        match self {
            Arena::Eden => "eden",
            Arena::Survivor0 => "survivor 0",
            Arena::Survivor1 => "survivor 1",
            Arena::Old => "old",
        }
    }
}
