//! Methods of the JDK by their bodies: what decides their branches has been looked at.

use super::loops::LOOPS;
use super::sums::SUMMED;
use super::table::INTRINSICS;
use crate::classes::method::CodeRef;
use crate::classpath::SystemModules;
use crate::ids::{LoaderId, MethodId};
use crate::jdk::check::class_file;
use crate::vm::Vm;
use rjvm_classfile::opcodes::{self as o, Operand};
use rjvm_classfile::{Constant, ConstantPool};
use std::sync::Arc;

/// A method and a hash of a body that it has in some builds of the JDK. Branches of such a body are decided by what
/// the intrinsics that call it take for their keys, by constants, and by what `VarHandle`s in constants hold.
type Body = (&'static str, &'static str, u64);

/// The bodies that are known.
#[rustfmt::skip]
pub(super) static BODIES: &[Body] = &[
    ("com/sun/crypto/provider/AESCrypt", "decryptBlock", 0x22593a718313d883),
    ("com/sun/crypto/provider/AESCrypt", "encryptBlock", 0xc53d91f2537b5b03),
    ("com/sun/crypto/provider/AESCrypt", "implDecryptBlock", 0x8cac78ccef0b5cdf),
    ("com/sun/crypto/provider/AESCrypt", "implDecryptBlock", 0xfe82a936daea693a),
    ("com/sun/crypto/provider/AESCrypt", "implEncryptBlock", 0x51bcde814638fdba),
    ("com/sun/crypto/provider/AESCrypt", "implEncryptBlock", 0x86b997b08dac222d),
    ("com/sun/crypto/provider/ChaCha20Cipher", "chaCha20Block", 0x0196161376d1259f),
    ("com/sun/crypto/provider/ChaCha20Cipher", "chaCha20Block", 0x7f96dfc253f39603),
    ("com/sun/crypto/provider/ChaCha20Cipher", "generateKeystream", 0x5d6790a9c04f398a),
    ("com/sun/crypto/provider/ChaCha20Cipher", "implChaCha20Block", 0x8181020316f468dc),
    ("com/sun/crypto/provider/ChaCha20Cipher", "xor", 0x01e5b9a1552c65cf),
    ("com/sun/crypto/provider/CounterMode", "increment", 0x0678e18c3075c174),
    ("com/sun/crypto/provider/GHASH", "blockMult", 0x87e1f824ca0f7055),
    ("com/sun/crypto/provider/GHASH", "processBlock", 0xa4a7583a3644586a),
    ("com/sun/crypto/provider/HmacCore", "engineDoFinal", 0x3e58375298d7b76b),
    ("com/sun/crypto/provider/HmacCore", "engineDoFinal", 0xbfdf5cee1362423f),
    ("com/sun/crypto/provider/HmacCore", "engineGetMacLength", 0x4d8c22a161360279),
    ("com/sun/crypto/provider/HmacCore", "engineReset", 0xb01fabce01a9565f),
    ("com/sun/crypto/provider/HmacCore", "engineUpdate", 0x561a42ace0a56cf2),
    ("com/sun/crypto/provider/HmacCore", "engineUpdate", 0xa0228c1f17edc226),
    // its loop is in `processMultipleBlocks`
    ("com/sun/crypto/provider/Poly1305", "engineUpdate", 0x271f820b3ff5bd72),
    ("com/sun/crypto/provider/Poly1305", "processBlock", 0x69e8377417cdb544),
    ("java/lang/FdLibm", "__HI", 0xaa022f15a8b78c0f),
    ("java/lang/FdLibm", "__HI_LO", 0x7c71654045558f71),
    ("java/lang/FdLibm", "__LO", 0xf81e9934a17f85ca),
    ("java/lang/FdLibm$Sqrt", "compute", 0x411c27f305d7b67e),
    ("java/lang/Integer", "compare", 0x7d64cb8b99fe0c0e),
    ("java/lang/Integer", "compareUnsigned", 0x0f484d9d8cecce30),
    ("java/lang/Integer", "reverseBytes", 0x53a9c49f3313907b),
    ("java/lang/Integer", "rotateLeft", 0x8a0f06e6376742c8),
    ("java/lang/Integer", "rotateRight", 0xcf2d8429bab7d01d),
    ("java/lang/Long", "reverseBytes", 0x73a23a81e26b6de3),
    ("java/lang/Long", "rotateLeft", 0x9a45f324a1bcd496),
    ("java/lang/Long", "rotateRight", 0x1e665ea308236b1b),
    ("java/lang/Math", "max", 0xbb6ca7c1d728eecb),
    ("java/lang/Math", "min", 0x868958570016b527),
    ("java/lang/Math", "multiplyHigh", 0x9ec85d98ce524fa7),
    ("java/lang/Math", "unsignedMultiplyHigh", 0xafe58f6034326553),
    ("java/lang/invoke/VarForm", "getMemberName", 0x6105b092bea62096),
    ("java/lang/invoke/VarForm", "getMemberName", 0xf0f7b952ba378faf),
    ("java/lang/invoke/VarHandle", "accessModeType", 0x5ca1cea915ee5a04),
    ("java/lang/invoke/VarHandle", "accessModeType", 0xbfed3b16137c9d95),
    ("java/lang/invoke/VarHandle", "checkAccessModeThenIsDirect", 0xdaa16b21beb333d6),
    ("java/lang/invoke/VarHandle", "checkExactAccessMode", 0x705ab1c6820861e3),
    ("java/lang/invoke/VarHandle", "getTypesAndInvokers", 0x9d315bc35f726e13),
    ("java/lang/invoke/VarHandle", "isDirect", 0x3ccf46ea7ed69789),
    ("java/lang/invoke/VarHandleByteArrayAsInts$ArrayHandle", "get", 0x9a9ba7c288202f21),
    ("java/lang/invoke/VarHandleByteArrayAsInts$ArrayHandle", "get", 0xc1aa023954bf686e),
    ("java/lang/invoke/VarHandleByteArrayAsInts$ArrayHandle", "index", 0x8d0b03dc3fa18fdd),
    ("java/lang/invoke/VarHandleByteArrayAsInts$ArrayHandle", "index", 0xc319134f05027a7c),
    ("java/lang/invoke/VarHandleByteArrayAsInts$ArrayHandle", "set", 0x966c66532e593f97),
    ("java/lang/invoke/VarHandleByteArrayAsInts$ArrayHandle", "set", 0xec7d4efdf8d34340),
    ("java/lang/invoke/VarHandleByteArrayAsLongs$ArrayHandle", "get", 0xb2486a6da3dd46b3),
    ("java/lang/invoke/VarHandleByteArrayAsLongs$ArrayHandle", "get", 0xb6232b26d573e9f8),
    ("java/lang/invoke/VarHandleByteArrayAsLongs$ArrayHandle", "index", 0x04b01711cb7eb851),
    ("java/lang/invoke/VarHandleByteArrayAsLongs$ArrayHandle", "index", 0x6faf85a7a8446149),
    ("java/lang/invoke/VarHandleByteArrayAsLongs$ArrayHandle", "set", 0x88c6b1995d2a32c5),
    ("java/lang/invoke/VarHandleByteArrayAsLongs$ArrayHandle", "set", 0xcd2b78e8e6f5644a),
    ("java/lang/invoke/VarHandleGuards", "guard_LII_V", 0xaa61472b80990639),
    ("java/lang/invoke/VarHandleGuards", "guard_LII_V", 0xc76592e938505d4e),
    ("java/lang/invoke/VarHandleGuards", "guard_LIJ_V", 0x0924002e3ba537a2),
    ("java/lang/invoke/VarHandleGuards", "guard_LIJ_V", 0x7c3e0719fa23a6b8),
    ("java/lang/invoke/VarHandleGuards", "guard_LI_I", 0xc99e01463b615732),
    ("java/lang/invoke/VarHandleGuards", "guard_LI_I", 0xdf56f664388fb247),
    ("java/lang/invoke/VarHandleGuards", "guard_LI_J", 0x8a5a3afe8d8f5c73),
    ("java/lang/invoke/VarHandleGuards", "guard_LI_J", 0xed701e0ac8112dce),
    ("java/math/BigInteger", "addOne", 0x8159b5d40fdfd86c),
    ("java/math/BigInteger", "implMulAdd", 0x3f767acff669d599),
    ("java/math/BigInteger", "implMulAddCheck", 0x760014bf1b55dd34),
    ("java/math/BigInteger", "implMultiplyToLen", 0x3b17baa92f7c35da),
    ("java/math/BigInteger", "implMultiplyToLen", 0x94a07c25f417a9f1),
    ("java/math/BigInteger", "intArrayCmpToLen", 0x756cda4b140a249e),
    ("java/math/BigInteger", "mulAdd", 0x3e11ff7626d1f759),
    ("java/math/BigInteger", "primitiveLeftShift", 0x7c0ceca26618cd14),
    ("java/math/BigInteger", "subN", 0xdaa4fd2b1d03cbb1),
    ("java/nio/ByteOrder", "nativeOrder", 0x9d7f9afc77af53de),
    ("java/security/MessageDigest", "digest", 0x0a15fde4a3a00806),
    ("java/security/MessageDigest", "digest", 0x86a01b5d76a8c025),
    ("java/security/MessageDigest", "getDigestLength", 0xe2413ec63072fd95),
    ("java/security/MessageDigest", "update", 0x0b79bb321d03b7e4),
    ("java/security/MessageDigest", "update", 0xded67eae476b1c90),
    ("java/security/MessageDigest$Delegate", "engineDigest", 0x386db09cdc438576),
    ("java/security/MessageDigest$Delegate", "engineDigest", 0x5d685940648bc315),
    ("java/security/MessageDigest$Delegate", "engineGetDigestLength", 0x2432e7bfb90f4baa),
    ("java/security/MessageDigest$Delegate", "engineUpdate", 0x5310a4fba660cd04),
    ("java/util/Arrays", "fill", 0x427f00e5addfe32f),
    ("java/util/Arrays", "fill", 0x4d766a8befdc0929),
    ("java/util/Arrays", "fill", 0x73b88935598e91ba),
    ("java/util/Objects", "checkFromIndexSize", 0xf490a0bd1ec4d56f),
    ("java/util/Objects", "checkFromToIndex", 0x887a0acd7ecc6cb7),
    ("java/util/Objects", "requireNonNull", 0x5f0e64a6022b3e24),
    ("javax/crypto/Mac", "chooseFirstProvider", 0x1760fde96928face),
    ("javax/crypto/Mac", "doFinal", 0x1f7607f9a08f550e),
    ("javax/crypto/Mac", "doFinal", 0x88c125a5910b1cb7),
    ("javax/crypto/Mac", "doFinal", 0xf3a52e4d9a93805c),
    ("javax/crypto/Mac", "getMacLength", 0xf3c6fc4645743980),
    ("javax/crypto/Mac", "update", 0x633508ec6da591b1),
    ("jdk/internal/misc/Unsafe", "convEndian", 0x70cf8ce5169dd226),
    ("jdk/internal/misc/Unsafe", "convEndian", 0x8c245a36f558020b),
    ("jdk/internal/misc/Unsafe", "getIntUnaligned", 0x2f78543991b08993),
    ("jdk/internal/misc/Unsafe", "getIntUnaligned", 0x444d2c7da65b9a44),
    ("jdk/internal/misc/Unsafe", "getLongUnaligned", 0x64936aa622097c73),
    ("jdk/internal/misc/Unsafe", "getLongUnaligned", 0xa2e240a3aff3ff01),
    ("jdk/internal/misc/Unsafe", "makeInt", 0x17d79151c25d4158),
    ("jdk/internal/misc/Unsafe", "makeInt", 0x2e6d6f0ab66fdaef),
    ("jdk/internal/misc/Unsafe", "makeLong", 0x5490ee462dd5fcb1),
    ("jdk/internal/misc/Unsafe", "makeLong", 0xcec76e80f9adf7fa),
    ("jdk/internal/misc/Unsafe", "makeLong", 0xf8432b7647f13f33),
    ("jdk/internal/misc/Unsafe", "pickPos", 0xe1051e21e8c41928),
    ("jdk/internal/misc/Unsafe", "putIntParts", 0xb531537b08a919d6),
    ("jdk/internal/misc/Unsafe", "putIntParts", 0xbfa7f81cecfde6e1),
    ("jdk/internal/misc/Unsafe", "putIntUnaligned", 0x18d5682ed1468326),
    ("jdk/internal/misc/Unsafe", "putIntUnaligned", 0xb0da5f673d67d8cd),
    ("jdk/internal/misc/Unsafe", "putLongParts", 0x7fab6b6e873d1bea),
    ("jdk/internal/misc/Unsafe", "putLongParts", 0x84760a6f62a2c793),
    ("jdk/internal/misc/Unsafe", "putLongParts", 0xb8029266aafb8aa6),
    ("jdk/internal/misc/Unsafe", "putLongUnaligned", 0xb36805dc4686fdf2),
    ("jdk/internal/misc/Unsafe", "putLongUnaligned", 0xef4accadbc1c53a4),
    ("jdk/internal/misc/Unsafe", "putShortParts", 0x973e15d7383299fc),
    ("jdk/internal/misc/Unsafe", "toUnsignedInt", 0x3b181a134f8a0394),
    ("jdk/internal/misc/Unsafe", "toUnsignedInt", 0xaaccebcec957413a),
    ("jdk/internal/misc/Unsafe", "toUnsignedLong", 0x04e4f265c02ff144),
    ("jdk/internal/misc/Unsafe", "toUnsignedLong", 0x97b99ed275545dda),
    ("jdk/internal/misc/Unsafe", "toUnsignedLong", 0xf8b64802c2827ecb),
    ("jdk/internal/util/Preconditions", "checkFromIndexSize", 0x66ff90fc910113ff),
    ("jdk/internal/util/Preconditions", "checkFromToIndex", 0x91a69d0f3bdc748c),
    ("jdk/internal/util/Preconditions", "checkIndex", 0x15d7b74a6b93ef9a),
    ("sun/security/provider/ByteArrayAccess", "b2iBig64", 0xaff690190043447c),
    ("sun/security/provider/ByteArrayAccess", "b2lBig128", 0xe62447df0b98e358),
    ("sun/security/provider/ByteArrayAccess", "b2lLittle", 0xedc4c455ff215a6f),
    ("sun/security/provider/ByteArrayAccess", "i2bBig", 0x94f4aaddadaf3bdf),
    ("sun/security/provider/ByteArrayAccess", "i2bBig4", 0x529e0263339244ac),
    ("sun/security/provider/ByteArrayAccess", "l2bBig", 0x419bff6904a39bc4),
    ("sun/security/provider/ByteArrayAccess", "l2bLittle", 0xb1bc6888781fadea),
    ("sun/security/provider/DigestBase", "engineDigest", 0x215407940f3159e0),
    ("sun/security/provider/DigestBase", "engineDigest", 0x2c0b7a708a9f1cd0),
    ("sun/security/provider/DigestBase", "engineDigest", 0xcb3be51e512766f3),
    ("sun/security/provider/DigestBase", "engineGetDigestLength", 0x5c2d5f7f3c1b55a9),
    ("sun/security/provider/DigestBase", "engineReset", 0xf9b01c4ac3daa935),
    ("sun/security/provider/DigestBase", "engineUpdate", 0xa9279751e2658ebe),
    ("sun/security/provider/DigestBase", "engineUpdate", 0xf5406c1b9ef8dcf5),
    ("sun/security/provider/DigestBase", "implCompressMultiBlock", 0xf5a3007566b55b58),
    ("sun/security/provider/DigestBase", "implCompressMultiBlockCheck", 0x9cd746d577a7b4c7),
    ("sun/security/provider/DigestBase", "implCompressMultiBlockCheck", 0xdff901a8eea34a66),
    ("sun/security/provider/MD5", "FF", 0x0faace4faf1ff444),
    ("sun/security/provider/MD5", "FF", 0x62d7f149e426af9d),
    ("sun/security/provider/MD5", "GG", 0x609c9122cd79f341),
    ("sun/security/provider/MD5", "GG", 0xe664210867577cf0),
    ("sun/security/provider/MD5", "HH", 0xb4b820eb9e954a37),
    ("sun/security/provider/MD5", "HH", 0xc1430fad7fbafebc),
    ("sun/security/provider/MD5", "II", 0x3b4e086dded87c44),
    ("sun/security/provider/MD5", "II", 0xb3fbcc3ec37a3c1f),
    ("sun/security/provider/MD5", "implCompress", 0xb6983fe798e9e246),
    ("sun/security/provider/MD5", "implCompress0", 0xef4f64212959c002),
    ("sun/security/provider/MD5", "implCompressCheck", 0xc282fc7ca84182b9),
    ("sun/security/provider/MD5", "implCompressCheck", 0xebeda73eb5756254),
    ("sun/security/provider/SHA", "implCompress", 0xa51eaeeac8d87962),
    ("sun/security/provider/SHA", "implCompress0", 0x59d18e604edc5ce6),
    ("sun/security/provider/SHA", "implCompress0", 0x915c13db7bdec687),
    ("sun/security/provider/SHA", "implCompressCheck", 0xc282fc7ca84182b9),
    ("sun/security/provider/SHA", "implCompressCheck", 0xebeda73eb5756254),
    ("sun/security/provider/SHA", "implDigest", 0xa6e6e7d5eb01a34b),
    ("sun/security/provider/SHA", "implReset", 0xeb4cab3d7216e5af),
    ("sun/security/provider/SHA", "resetHashes", 0xdc734f8c41cf74ad),
    ("sun/security/provider/SHA2", "implCompress", 0x54e9921423fcc2f0),
    ("sun/security/provider/SHA2", "implCompress0", 0x4d1c0e8fa979829d),
    ("sun/security/provider/SHA2", "implCompress0", 0x87888f3c65bcf574),
    ("sun/security/provider/SHA2", "implCompressCheck", 0xc282fc7ca84182b9),
    ("sun/security/provider/SHA2", "implCompressCheck", 0xebeda73eb5756254),
    ("sun/security/provider/SHA2", "implDigest", 0x7f808652e86b0fd7),
    ("sun/security/provider/SHA2", "implReset", 0xe785f1f515fd5277),
    ("sun/security/provider/SHA2", "resetHashes", 0xa18a327865e591b4),
    ("sun/security/provider/SHA3", "bytes2Lanes", 0x64b31ff74e345a93),
    ("sun/security/provider/SHA3", "implCompress", 0xe94ff13f6681e108),
    ("sun/security/provider/SHA3", "implCompress0", 0x0bfc0339a19d2970),
    ("sun/security/provider/SHA3", "implCompress0", 0xe94145123ec5b193),
    ("sun/security/provider/SHA3", "implCompressCheck", 0x152d5fb33594e88a),
    ("sun/security/provider/SHA3", "implCompressCheck", 0x43dc8853928e4b48),
    ("sun/security/provider/SHA3", "keccak", 0x2200f1c0b695930f),
    ("sun/security/provider/SHA3", "keccak", 0x63b7a7883c3d65a1),
    ("sun/security/provider/SHA3", "keccak", 0x7e2ac03e4ddb4b73),
    ("sun/security/provider/SHA3", "keccak", 0x82926a6f9a901134),
    ("sun/security/provider/SHA3", "lanes2Bytes", 0xef4695b1aa482d2b),
    ("sun/security/provider/SHA3", "smChi", 0x3604541dd86e4419),
    ("sun/security/provider/SHA3", "smIota", 0x476cc831d588edaa),
    ("sun/security/provider/SHA3", "smPiRho", 0x4064e0d6cf9d1996),
    ("sun/security/provider/SHA3", "smTheta", 0x58eb5a295dd932f6),
    ("sun/security/provider/SHA5", "implCompress", 0x2359f79be97cfb88),
    ("sun/security/provider/SHA5", "implCompress0", 0xf6f87a21619d7e2b),
    ("sun/security/provider/SHA5", "implCompressCheck", 0x94c20112a83446a0),
    ("sun/security/provider/SHA5", "implCompressCheck", 0xe6b65cfa6f1c1806),
    ("sun/security/provider/SHA5", "implDigest", 0x859d56c39fb894e0),
    ("sun/security/provider/SHA5", "implReset", 0xd9c3ec5a4f84478a),
    ("sun/security/provider/SHA5", "lf_R", 0x2b850e8b73d2ea96),
    ("sun/security/provider/SHA5", "lf_S", 0x1fe2a8c8a38cef04),
    ("sun/security/provider/SHA5", "lf_S", 0x5d673f70dc46e8e5),
    ("sun/security/provider/SHA5", "lf_ch", 0x08a6f581dec49c69),
    ("sun/security/provider/SHA5", "lf_delta0", 0x93f8980c4fe6ff10),
    ("sun/security/provider/SHA5", "lf_delta1", 0x4ce556e6e03ae338),
    ("sun/security/provider/SHA5", "lf_maj", 0x4b9660f9c7723457),
    ("sun/security/provider/SHA5", "lf_sigma0", 0x8445c56ef8e79e7a),
    ("sun/security/provider/SHA5", "lf_sigma1", 0x6eac96954c3da007),
    ("sun/security/provider/SHA5", "resetHashes", 0xecd2296510f3026a),
    ("sun/security/util/math/intpoly/IntegerPolynomial", "carry", 0x0dd03a4288e0e6cb),
    ("sun/security/util/math/intpoly/IntegerPolynomial", "carry", 0xd1e951ee2781ea7e),
    ("sun/security/util/math/intpoly/IntegerPolynomial", "carryOut", 0xdbf1f6473dfc62cd),
    ("sun/security/util/math/intpoly/IntegerPolynomial$Element", "isSummand", 0xc7b42fecae98b866),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setProduct", 0x05132b7af95e5f09),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setProduct", 0x07b309fc7b2f45a5),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setProduct", 0x41657c9bd445ca79),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setProduct", 0xa4ef740c96ba80cc),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setProduct", 0xe8f3023487b8364a),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setSum", 0x532890669edf5ff1),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setSum", 0xba62ab3bddea39bd),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setSum", 0xcf7fa88f733909f6),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setSum", 0xf7e7d3e4faef6016),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setValue", 0x30229137c32e1e73),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setValue", 0x7ac4a6dc36801e66),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setValue", 0xb74ffd5cf476ad3d),
    ("sun/security/util/math/intpoly/IntegerPolynomial$MutableElement", "setValue", 0xdd7ba837320a93e4),
    ("sun/security/util/math/intpoly/IntegerPolynomial1305", "carryReduce", 0x5c5acf277446a558),
    ("sun/security/util/math/intpoly/IntegerPolynomial1305", "carryValue", 0xfd66f3718e97c5b3),
    ("sun/security/util/math/intpoly/IntegerPolynomial1305", "encode", 0x2a8d0b3873bdb8df),
    ("sun/security/util/math/intpoly/IntegerPolynomial1305", "encode", 0x6df286039f4d0aaa),
    ("sun/security/util/math/intpoly/IntegerPolynomial1305", "mult", 0x5a09b1a8c1b47e4e),
    ("sun/security/util/math/intpoly/IntegerPolynomial25519", "carryReduce", 0x1a34ae4c9fef36eb),
    ("sun/security/util/math/intpoly/IntegerPolynomial25519", "carryReduce", 0xb2a232dc47e8c377),
    ("sun/security/util/math/intpoly/IntegerPolynomial25519", "mult", 0x8af2d2657d5111b2),
    ("sun/security/util/math/intpoly/IntegerPolynomial25519", "square", 0x67acadeb92c2fe27),
    ("sun/security/util/math/intpoly/IntegerPolynomialP256", "carryReduce", 0x257325bb0a6d6ca9),
    ("sun/security/util/math/intpoly/IntegerPolynomialP256", "carryReduce", 0xe3ca107133635a56),
    ("sun/security/util/math/intpoly/IntegerPolynomialP256", "carryReduce0", 0x025164b9c84a7756),
    ("sun/security/util/math/intpoly/IntegerPolynomialP256", "mult", 0xc000cc611a8ca221),
    ("sun/security/util/math/intpoly/IntegerPolynomialP256", "square", 0x48cf6697c0b7c68e),
    ("sun/security/util/math/intpoly/MontgomeryIntegerPolynomialP256", "mult", 0x59af5f29ade9f7a8),
];

/// The bodies with loops that are passed over.
fn loops() -> impl Iterator<Item = Body> {
    LOOPS.iter().flat_map(|l| {
        let [class, name, _] = l.method;
        l.bodies.iter().map(move |b| (class, name, b.0))
    })
}

/// Whether a method has one of these bodies.
pub(super) fn is_known(vm: &Vm, id: MethodId) -> bool {
    let m = vm.method(id);
    let name: (&str, &str) = (&vm.class(m.class).name, vm.syms.str(m.name));
    if !BODIES
        .iter()
        .copied()
        .chain(loops())
        .any(|b| (b.0, b.1) == name)
    {
        return false;
    }
    body_of(vm, id).is_some_and(|b| BODIES.contains(&b) || loops().any(|l| l == b))
}

/// A method's body, if it has one and the boot loader has loaded it.
pub(super) fn body_of(vm: &Vm, id: MethodId) -> Option<(&str, &str, u64)> {
    let m = vm.method(id);
    let class = vm.class(m.class);
    let code = m.code().filter(|_| class.loader == LoaderId::BOOT)?;
    Some((&class.name, vm.syms.str(m.name), hash(code)))
}

/// Methods of [`BODIES`] that only one other method of their class calls: a JDK without the caller need not have a known body.
const CALLED_BY: &[(&str, &str, &str)] =
    &[("java/lang/Math", "multiplyHigh", "unsignedMultiplyHigh")];

/// Methods that intrinsics are, or call, and that have other bodies in a JDK than those that are known: a line each. They run as
/// bytecodes there, and so does what calls them.
pub fn unknown_bodies(modules: &SystemModules) -> Vec<String> {
    let mut methods: Vec<(&str, &str)> = BODIES
        .iter()
        .copied()
        .chain(loops())
        .map(|b| (b.0, b.1))
        .collect();
    methods.extend(INTRINSICS.iter().map(|i| (i.method[0], i.method[1])));
    methods.extend(SUMMED.iter().map(|s| (s.method[0], s.method[1])));
    methods.sort_unstable();
    methods.dedup();
    let mut lines = Vec::new();
    for (class, name) in methods {
        let Ok(Some(cf)) = class_file(modules, class) else {
            continue;
        };
        let cf = Arc::new(cf);
        let declares = |name: &str| {
            let mut names = cf.methods.iter().map(|m| cf.constant_pool.str(m.name));
            names.any(|n| n.is_ok_and(|n| n == name))
        };
        let callers = CALLED_BY.iter().filter(|c| (c.0, c.1) == (class, name));
        if callers.into_iter().any(|c| !declares(c.2)) {
            continue;
        }
        let named = |&index: &usize| {
            let m = &cf.methods[index];
            cf.constant_pool.str(m.name).is_ok_and(|n| n == name) && m.attributes.code.is_some()
        };
        let hashes: Vec<u64> = (0..cf.methods.len())
            .filter(named)
            .map(|index| hash(CodeRef { cf: &cf, index }))
            .collect();
        let known = |&hash: &u64| {
            let body = (class, name, hash);
            BODIES.contains(&body) || loops().any(|l| l == body)
        };
        if !hashes.is_empty() && !hashes.iter().any(known) {
            let hashes: Vec<String> = hashes.iter().map(|h| format!("{h:#018x}")).collect();
            let class = class.replace('/', ".");
            lines.push(format!(
                "{class}.{name} has another body than those that run as native code: {}",
                hashes.join(", ")
            ));
        }
    }
    lines
}

/// A hash of a method's name, descriptor, bytecodes and the constants that they name (FNV-1a).
pub(super) fn hash(code: CodeRef<'_>) -> u64 {
    let pool = &code.cf.constant_pool;
    let method = &code.cf.methods[code.index];
    let mut h = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for &b in bytes.iter().chain(&[0xff]) {
            h = (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for index in [method.name, method.descriptor] {
        add(pool.text(index).unwrap_or_default());
    }
    for insn in o::insns(code.bytes()) {
        let Ok(insn) = insn else {
            return 0;
        };
        let constant = match insn.operand {
            Operand::Constant(index)
            | Operand::Interface { index, .. }
            | Operand::MultiArray { index, .. } => text_of(pool, index),
            _ => None,
        };
        match constant {
            Some(text) => {
                add(&[insn.opcode]);
                text.iter().for_each(|part| add(part.as_bytes()));
            }
            None => add(&code.bytes()[insn.pc..insn.next_pc()]),
        }
    }
    h
}

/// What a constant names, independent of its place in the pool.
fn text_of(pool: &ConstantPool, index: u16) -> Option<Vec<String>> {
    if let Ok(m) = pool.member_ref(index) {
        return Some([m.class, m.name, m.descriptor].map(str::to_owned).into());
    }
    match pool.get(index).ok()? {
        Constant::Class { .. } => Some(vec![pool.class_name(index).ok()?.into()]),
        Constant::String { utf8 } => Some(vec![pool.str(utf8).ok()?.into()]),
        number @ (Constant::Integer(_)
        | Constant::Long(_)
        | Constant::Float(_)
        | Constant::Double(_)) => Some(vec![format!("{number:?}")]),
        _ => None,
    }
}
