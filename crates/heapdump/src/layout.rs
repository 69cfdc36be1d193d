//! How many bytes objects take in the heap they were dumped from, which a dump does not say.

use crate::classes::Type;

/// How a VM lays out objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Bytes before the first field.
    pub header: u32,
    /// Bytes before the first element of an array.
    pub array: u32,
    /// Bytes of a reference.
    pub reference: u32,
}

impl Layout {
    /// Those that VMs with references of 8 bytes in their dumps have, the roomiest first: HotSpot without and with
    /// compressed class pointers, with compressed references, rjvm, HotSpot with compact headers.
    const WIDE: [Layout; 6] = [
        Layout::new(16, 24, 8),
        Layout::new(16, 20, 8),
        Layout::new(12, 16, 8),
        Layout::new(12, 16, 4),
        Layout::new(8, 16, 4),
        Layout::new(8, 12, 4),
    ];
    /// Those of VMs of 32 bits.
    const NARROW: [Layout; 1] = [Layout::new(8, 12, 4)];

    const fn new(header: u32, array: u32, reference: u32) -> Layout {
        Layout {
            header,
            array,
            reference,
        }
    }
    /// The layouts of VMs whose dumps have references of `id` bytes.
    pub(crate) fn candidates(id: u32) -> &'static [Layout] {
        match id {
            8 => &Layout::WIDE,
            _ => &Layout::NARROW,
        }
    }
    /// Bytes of an instance with that many references and bytes of other fields.
    pub(crate) fn instance(&self, references: u32, others: u32) -> u64 {
        let fields = u64::from(references) * u64::from(self.reference) + u64::from(others);
        (u64::from(self.header) + fields).next_multiple_of(8)
    }
    /// Bytes of an array.
    pub(crate) fn array(&self, element: Type, len: u32) -> u64 {
        let width = element.width(self.reference);
        let elements = u64::from(width) * u64::from(len);
        let first = match width {
            8 => self.array.next_multiple_of(8),
            _ => self.array,
        };
        (u64::from(first) + elements).next_multiple_of(8)
    }
}
