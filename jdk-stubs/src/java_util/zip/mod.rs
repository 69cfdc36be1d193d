//! Natives of package `java.util.zip`, over the same zlib the JDK uses: compressed bytes are equal.

pub mod adler32;
mod checksum;
pub mod crc32;
pub mod deflater;
pub mod inflater;
mod stream;
mod twins;
