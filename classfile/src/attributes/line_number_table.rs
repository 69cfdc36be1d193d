//! `LineNumberTable` (JVMS 4.7.12).

use crate::error::Result;
use crate::reader::Reader;

/// Appends `(start_pc, line)` rows: a method may have several tables.
pub(super) fn parse(r: &mut Reader<'_>, rows: &mut Vec<(u16, u16)>) -> Result<()> {
    let count = r.u2()?;
    let bytes = r.bytes(usize::from(count) * 4)?;
    rows.extend(bytes.chunks_exact(4).map(|b| {
        (
            u16::from_be_bytes([b[0], b[1]]),
            u16::from_be_bytes([b[2], b[3]]),
        )
    }));
    Ok(())
}
