//! Methods that only move values: into and out of the objects that hold one primitive value, from array to array, from an object to
//! its clone.

/// Descriptor of `System.arraycopy`, which no other native has.
pub const ARRAY_COPY: &str = "(Ljava/lang/Object;ILjava/lang/Object;II)V";

/// Name and descriptor of `Object.clone`.
pub const CLONE: (&str, &str) = ("clone", "()Ljava/lang/Object;");

/// Whether a native method writes its last argument to a place in memory that other arguments name.
pub fn stores_last_argument(class: &str, method: &str) -> bool {
    class == "jdk/internal/misc/Unsafe"
        && (method.starts_with("put") || method.starts_with("compareAnd"))
}

/// The classes of objects with one primitive value, by internal name.
pub const BOXES: [&str; 8] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Short",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
];

/// Whether a method, by the internal name of its class, makes such an object of a primitive value (`valueOf`), or returns the value
/// that one holds (`intValue`).
pub fn converts(class: &str, method: &str, descriptor: &str) -> bool {
    let Some((parameters, result)) = descriptor[1..].split_once(')') else {
        return false;
    };
    BOXES.contains(&class)
        && match method {
            "valueOf" => parameters.len() == 1,
            _ => method.ends_with("Value") && parameters.is_empty() && result.len() == 1,
        }
}

#[cfg(test)]
mod tests {
    use super::converts;

    #[test]
    fn boxing_is_known_from_other_calls() {
        assert!(converts(
            "java/lang/Integer",
            "valueOf",
            "(I)Ljava/lang/Integer;"
        ));
        assert!(converts("java/lang/Double", "doubleValue", "()D"));
        assert!(!converts(
            "java/lang/Integer",
            "valueOf",
            "(Ljava/lang/String;)Ljava/lang/Integer;"
        ));
        assert!(!converts(
            "java/lang/String",
            "valueOf",
            "(I)Ljava/lang/String;"
        ));
        assert!(!converts("java/lang/Integer", "intValueExact", "()J"));
    }
}
