//! Instructions of the processor for digests, ciphers and sums, where it has them. Each function returns `None` where it has
//! not: then the caller's portable code does the same.

#[cfg(target_arch = "x86_64")]
mod aes;
#[cfg(target_arch = "x86_64")]
mod crc;
#[cfg(target_arch = "x86_64")]
mod field;
#[cfg(target_arch = "x86_64")]
mod sha;

#[cfg(target_arch = "x86_64")]
pub use self::{
    aes::{decrypt, encrypt, encrypt_chain},
    crc::crc32c,
    field::ghash,
    sha::{sha1, sha256},
};

#[cfg(not(target_arch = "x86_64"))]
mod none;
#[cfg(not(target_arch = "x86_64"))]
pub use none::{crc32c, decrypt, encrypt, encrypt_chain, ghash, sha1, sha256};

#[cfg(test)]
mod tests;
