//! Names of natives in libraries, and which library of the JDK has the natives of a class.

/// The library of pictures and colours. The registry has none of its natives: they are functions of the JDK's own library.
pub const AWT: &str = "awt";

/// The JDK's native libraries besides `libjava`, by the beginning of names of classes whose natives they
/// have. HotSpot looks for those natives through `ClassLoader.findNative`, which is counted.
const LIBRARIES: [(&str, &str); 20] = [
    ("com/sun/management/internal/", "management_ext"),
    ("com/sun/security/auth/module/", "jaas"),
    ("java/awt/", AWT),
    ("java/net/", "net"),
    ("java/nio/MappedMemoryUtils", "nio"),
    ("java/util/prefs/", "prefs"),
    ("java/util/zip/", "zip"),
    ("jdk/internal/agent/", "management_agent"),
    ("jdk/internal/foreign/abi/fallback/", "fallbackLinker"),
    ("jdk/internal/jimage/", "jimage"),
    ("jdk/net/", "extnet"),
    ("sun/awt/", AWT),
    ("sun/instrument/", "instrument"),
    ("sun/java2d/", AWT),
    ("sun/management/", "management"),
    ("sun/net/", "net"),
    ("sun/nio/ch/", "nio"),
    ("sun/nio/fs/", "nio"),
    ("sun/rmi/transport/", "rmi"),
    ("sun/tools/attach/", "attach"),
];

/// The library, other than `libjava`, that has the natives of a class of the JDK (internal name).
pub fn library_of(class: &str) -> Option<&'static str> {
    let row = LIBRARIES.iter().find(|l| class.starts_with(l.0));
    row.map(|l| l.1)
}

/// The library, other than `libjava`, that has a native with this symbol.
pub fn library_of_symbol(symbol: &str) -> Option<&'static str> {
    let name = symbol.strip_prefix("Java_")?;
    let row = LIBRARIES
        .iter()
        .find(|l| name.starts_with(&l.0.replace('/', "_")));
    row.map(|l| l.1)
}

/// The symbol of a native (Java Native Interface, Resolving Native Method Names).
pub fn symbol(class: &str, method: &str) -> String {
    format!("Java_{}_{}", mangled(class), mangled(method))
}

/// A part of a symbol.
pub(super) fn mangled(part: &str) -> String {
    let mut s = String::new();
    for c in part.chars() {
        match c {
            '/' => s.push('_'),
            '_' => s.push_str("_1"),
            ';' => s.push_str("_2"),
            '[' => s.push_str("_3"),
            c if c.is_ascii_alphanumeric() => s.push(c),
            c => c.encode_utf16(&mut [0; 2]).iter().for_each(|u| {
                s.push_str(&format!("_0{u:04x}"));
            }),
        }
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_those_of_the_native_interface() {
        assert_eq!(
            symbol("java/util/zip/Inflater", "initIDs"),
            "Java_java_util_zip_Inflater_initIDs"
        );
        assert_eq!(symbol("p/A$B", "m_é"), "Java_p_A_00024B_m_1_000e9");
        for class in ["java/util/zip/CRC32", "sun/nio/ch/Net", "java/lang/Object"] {
            let symbol = symbol(class, "m");
            assert_eq!(library_of_symbol(&symbol), library_of(class));
        }
        assert_eq!(library_of("java/util/zip/CRC32"), Some("zip"));
    }
}
