//! A processor of which nothing is known.

pub fn sha1(_: &mut [u32; 5], _: &[u8]) -> Option<()> {
    None
}
pub fn sha256(_: &mut [u32; 8], _: &[u8]) -> Option<()> {
    None
}
pub fn keccak(_: &mut [u64; 25]) -> Option<()> {
    None
}
pub fn encrypt(_: &[u32], _: &mut [u8]) -> Option<()> {
    None
}
pub fn encrypt_chain(_: &[u32], _: &mut [u8; 16], _: &mut [u8]) -> Option<()> {
    None
}
pub fn add_counters(_: &[u32], _: u128, _: &mut [u8]) -> Option<()> {
    None
}
pub fn decrypt(_: &[u32], _: &mut [u8]) -> Option<()> {
    None
}
pub fn decrypt_chain(_: &[u32], _: &[u8; 16], _: &[u8], _: &mut [u8]) -> Option<()> {
    None
}
pub fn ghash(_: &mut [u64; 2], _: [u64; 2], _: &[u8]) -> Option<()> {
    None
}
pub fn crc32c(_: u32, _: &[u8]) -> Option<u32> {
    None
}
/// Of a polynomial, nothing.
pub struct NoFolding;
pub static CRC32: NoFolding = NoFolding;
pub fn fold<'a>(_: &NoFolding, _: u32, _: &'a [u8]) -> Option<([u8; 64], &'a [u8])> {
    None
}
pub fn add_product(_: &mut [u64], _: &[u64], _: u64, _: u64) -> Option<u64> {
    None
}
pub fn borrows(_: u32, _: u32) -> Option<(u32, u32)> {
    None
}
pub fn encode_base64(_: &[u8; 64], _: &[u8], _: &mut [u8]) -> Option<usize> {
    None
}
pub fn are_base64(_: &[u8; 128], _: &[u8]) -> Option<usize> {
    None
}
pub fn decode_base64(_: &[u8; 128], _: &[u8], _: &mut [u8]) -> Option<usize> {
    None
}
pub fn keystream(_: &[u32; 16], _: &mut [u8]) -> Option<usize> {
    None
}
pub fn sum_of_products(_: &[i16; 16], _: &[i16; 16]) -> Option<i32> {
    None
}
