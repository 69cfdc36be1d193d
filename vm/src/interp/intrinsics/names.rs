//! The names that HotSpot has for intrinsics, and for the options that switch them off.

/// Of the methods that have such names: class, method, names.
static NAMES: &[(&str, &str, &[&str])] = &[
    (
        "sun/security/provider/MD5",
        "implCompress",
        &["UseMD5Intrinsics", "_md5_implCompress"],
    ),
    (
        "sun/security/provider/SHA",
        "implCompress",
        &["UseSHA", "UseSHA1Intrinsics", "_sha_implCompress"],
    ),
    (
        "sun/security/provider/SHA2",
        "implCompress",
        &["UseSHA", "UseSHA256Intrinsics", "_sha2_implCompress"],
    ),
    (
        "sun/security/provider/SHA5",
        "implCompress",
        &["UseSHA", "UseSHA512Intrinsics", "_sha5_implCompress"],
    ),
    (
        "sun/security/provider/SHA3",
        "implCompress",
        &["UseSHA", "UseSHA3Intrinsics", "_sha3_implCompress"],
    ),
    (
        "sun/security/provider/SHA3",
        "keccak",
        &["UseSHA", "UseSHA3Intrinsics", "_sha3_implCompress"],
    ),
    (
        "sun/security/provider/DigestBase",
        "implCompressMultiBlock0",
        &["_digestBase_implCompressMB"],
    ),
    (
        "com/sun/crypto/provider/AESCrypt",
        "implEncryptBlock",
        &["UseAES", "UseAESIntrinsics", "_aescrypt_encryptBlock"],
    ),
    (
        "com/sun/crypto/provider/AESCrypt",
        "implDecryptBlock",
        &["UseAES", "UseAESIntrinsics", "_aescrypt_decryptBlock"],
    ),
    (
        "com/sun/crypto/provider/CipherBlockChaining",
        "implEncrypt",
        &[
            "UseAES",
            "UseAESIntrinsics",
            "_cipherBlockChaining_encryptAESCrypt",
        ],
    ),
    (
        "com/sun/crypto/provider/CipherBlockChaining",
        "implDecrypt",
        &[
            "UseAES",
            "UseAESIntrinsics",
            "_cipherBlockChaining_decryptAESCrypt",
        ],
    ),
    (
        "com/sun/crypto/provider/ElectronicCodeBook",
        "implECBEncrypt",
        &[
            "UseAES",
            "UseAESIntrinsics",
            "_electronicCodeBook_encryptAESCrypt",
        ],
    ),
    (
        "com/sun/crypto/provider/ElectronicCodeBook",
        "implECBDecrypt",
        &[
            "UseAES",
            "UseAESIntrinsics",
            "_electronicCodeBook_decryptAESCrypt",
        ],
    ),
    (
        "com/sun/crypto/provider/CounterMode",
        "implCrypt",
        &["UseAES", "UseAESCTRIntrinsics", "_counterMode_AESCrypt"],
    ),
    (
        "com/sun/crypto/provider/GHASH",
        "blockMult",
        &["UseGHASHIntrinsics", "_ghash_processBlocks"],
    ),
    (
        "com/sun/crypto/provider/GHASH",
        "processBlocks",
        &["UseGHASHIntrinsics", "_ghash_processBlocks"],
    ),
    (
        "com/sun/crypto/provider/ChaCha20Cipher",
        "chaCha20Block",
        &["UseChaCha20Intrinsics", "_chacha20Block"],
    ),
    (
        "com/sun/crypto/provider/ChaCha20Cipher",
        "implChaCha20Block",
        &["UseChaCha20Intrinsics", "_chacha20Block"],
    ),
    (
        "com/sun/crypto/provider/ChaCha20Cipher",
        "chaCha20Transform",
        &["UseChaCha20Intrinsics", "_chacha20Block"],
    ),
    (
        "com/sun/crypto/provider/Poly1305",
        "engineUpdate",
        &["UsePoly1305Intrinsics", "_poly1305_processBlocks"],
    ),
    (
        "com/sun/crypto/provider/Poly1305",
        "processMultipleBlocks",
        &["UsePoly1305Intrinsics", "_poly1305_processBlocks"],
    ),
    (
        "sun/security/util/math/intpoly/MontgomeryIntegerPolynomialP256",
        "mult",
        &["UseIntPolyIntrinsics", "_intpoly_montgomeryMult_P256"],
    ),
    (
        "java/util/zip/CRC32C",
        "updateBytes",
        &["UseCRC32CIntrinsics", "_updateBytesCRC32C"],
    ),
    (
        "java/util/Base64$Encoder",
        "encodeBlock",
        &["UseBASE64Intrinsics", "_base64_encodeBlock"],
    ),
    (
        "java/util/Base64$Decoder",
        "decodeBlock",
        &["UseBASE64Intrinsics", "_base64_decodeBlock"],
    ),
    (
        "java/lang/FdLibm$Sqrt",
        "compute",
        &["_dsqrt", "_dsqrt_strict"],
    ),
    (
        "java/math/BigInteger",
        "implMulAdd",
        &["UseMulAddIntrinsic", "_mulAdd"],
    ),
    (
        "java/math/BigInteger",
        "implMultiplyToLen",
        &["UseMultiplyToLenIntrinsic", "_multiplyToLen"],
    ),
    (
        "java/math/BigInteger",
        "implSquareToLen",
        &["UseSquareToLenIntrinsic", "_squareToLen"],
    ),
    (
        "java/math/BigInteger",
        "shiftLeftImplWorker",
        &["_bigIntegerLeftShiftWorker"],
    ),
    (
        "java/math/BigInteger",
        "montReduce",
        &[
            "UseMontgomeryMultiplyIntrinsic",
            "UseMontgomerySquareIntrinsic",
            "_montgomeryMultiply",
            "_montgomerySquare",
        ],
    ),
];

/// The names for a method; none has an effect on those without.
pub(super) fn names_of(class: &str, method: &str) -> &'static [&'static str] {
    let row = NAMES.iter().find(|n| n.0 == class && n.1 == method);
    row.map_or(&[], |n| n.2)
}
