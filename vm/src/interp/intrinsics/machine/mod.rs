//! Instructions of the processor for digests, ciphers, sums and products, where it has them. Each function returns `None` where it has
//! not: then the caller's portable code does the same.

#[cfg(target_arch = "x86_64")]
mod aes;
#[cfg(target_arch = "x86_64")]
mod base64;
#[cfg(target_arch = "x86_64")]
mod base64_avx2;
#[cfg(target_arch = "x86_64")]
mod chacha;
#[cfg(target_arch = "x86_64")]
mod chacha_avx2;
#[cfg(target_arch = "x86_64")]
mod crc;
#[cfg(target_arch = "x86_64")]
mod field;
#[cfg(target_arch = "x86_64")]
mod fold;
#[cfg(target_arch = "x86_64")]
mod roots;
#[cfg(target_arch = "x86_64")]
mod rows;
#[cfg(target_arch = "x86_64")]
mod sha;

#[cfg(target_arch = "x86_64")]
pub use self::{
    aes::{add_counters, decrypt, decrypt_chain, encrypt, encrypt_chain},
    base64::{are_base64, decode_base64, encode_base64},
    chacha::keystream,
    crc::crc32c,
    field::ghash,
    fold::{CRC32, fold},
    roots::{borrows, sum_of_products},
    rows::add_product,
    sha::{keccak, sha1, sha256},
};

#[cfg(not(target_arch = "x86_64"))]
mod none;
#[cfg(not(target_arch = "x86_64"))]
pub use none::{
    CRC32, add_counters, add_product, are_base64, borrows, crc32c, decode_base64, decrypt,
    decrypt_chain, encode_base64, encrypt, encrypt_chain, fold, ghash, keccak, keystream, sha1,
    sha256,
};

#[cfg(test)]
mod tests;
