//! Texts that many class files have: attributes' names, and those of the class library that programs use most. Constant
//! pools that are stored in memory leave them out.

/// The text as a `Utf8` entry: tag, length, bytes.
const fn entry<const N: usize>(text: &str) -> [u8; N] {
    let (text, mut entry) = (text.as_bytes(), [0; N]);
    [entry[0], entry[1], entry[2]] = [1, (text.len() >> 8) as u8, text.len() as u8];
    let mut i = 0;
    while i < text.len() {
        entry[3 + i] = text[i];
        i += 1;
    }
    entry
}

macro_rules! entries {
    ($($text:literal,)*) => {
        &[$({
            const ENTRY: &[u8] = &entry::<{ $text.len() + 3 }>($text);
            ENTRY
        },)*]
    };
}

/// Which of the words an entry is.
pub(crate) fn find(entry: &[u8]) -> Option<usize> {
    // all words are shorter than 256 bytes, and most entries are no texts
    let [1, 0, len, ..] = *entry else {
        return None;
    };
    let len = usize::from(len);
    let (first, end) = (SHORTER[len].into(), SHORTER[len + 1].into());
    let found = WORDS[first..end].binary_search(&entry).ok()?;
    Some(first + found)
}

/// How many words are shorter than so many bytes.
static SHORTER: [u16; 257] = {
    let mut shorter = [0; 257];
    let mut i = 0;
    while i < WORDS.len() {
        // a tag and a length are before each
        let mut len = WORDS[i].len() - 2;
        while len < shorter.len() {
            shorter[len] += 1;
            len += 1;
        }
        i += 1;
    }
    shorter
};

/// Entries, ascending. Those that most memory is saved by, of 30,769 classes in 600 libraries.
pub(crate) static WORDS: &[&[u8]] = entries! {
    "I",
    "J",
    "Z",
    "i",
    "()I",
    "()J",
    "()V",
    "()Z",
    "add",
    "get",
    "put",
    "(I)I",
    "(I)V",
    "(Z)V",
    "Code",
    "name",
    "next",
    "size",
    "this",
    "clone",
    "close",
    "value",
    "<init>",
    "append",
    "equals",
    "length",
    "remove",
    "result",
    "this$0",
    "values",
    "context",
    "getName",
    "hasNext",
    "isEmpty",
    "valueOf",
    "<clinit>",
    "getClass",
    "getValue",
    "hashCode",
    "iterator",
    "toString",
    "Signature",
    "substring",
    "Deprecated",
    "Exceptions",
    "SourceFile",
    "access$000",
    "access$100",
    "metafactory",
    "InnerClasses",
    "ConstantValue",
    "StackMapTable",
    "java/util/Map",
    "java/util/Set",
    "Ljava/io/File;",
    "java/lang/Enum",
    "java/lang/Long",
    "java/lang/Math",
    "java/util/List",
    "EnclosingMethod",
    "LineNumberTable",
    "Ljava/util/Map;",
    "Ljava/util/Set;",
    "java/lang/Class",
    "BootstrapMethods",
    "Ljava/util/List;",
    "java/lang/Object",
    "java/lang/String",
    "java/lang/System",
    "java/util/Arrays",
    "serialVersionUID",
    "()Ljava/util/Map;",
    "()Ljava/util/Set;",
    "Ljava/lang/Class;",
    "java/lang/Boolean",
    "java/lang/Integer",
    "java/util/HashMap",
    "java/util/Objects",
    "()Ljava/util/List;",
    "(Ljava/util/Map;)V",
    "Ljava/lang/Object;",
    "Ljava/lang/String;",
    "LocalVariableTable",
    "java/util/Iterator",
    "$assertionsDisabled",
    "()Ljava/lang/Class;",
    "(Ljava/util/List;)V",
    "Ljava/lang/Boolean;",
    "[Ljava/lang/Object;",
    "[Ljava/lang/String;",
    "java/io/IOException",
    "java/io/PrintStream",
    "java/lang/Character",
    "java/lang/Exception",
    "java/lang/Throwable",
    "java/util/ArrayList",
    "java/util/Map$Entry",
    "()Ljava/lang/Object;",
    "()Ljava/lang/String;",
    "(Ljava/lang/Class;)V",
    "Ljava/lang/Class<*>;",
    "Ljava/util/Iterator;",
    "SourceDebugExtension",
    "java/io/Serializable",
    "java/util/Collection",
    "()[Ljava/lang/String;",
    "(I)Ljava/lang/Object;",
    "(I)Ljava/lang/String;",
    "(Ljava/lang/Object;)I",
    "(Ljava/lang/Object;)V",
    "(Ljava/lang/Object;)Z",
    "(Ljava/lang/String;)I",
    "(Ljava/lang/String;)V",
    "(Ljava/lang/String;)Z",
    "Ljava/io/IOException;",
    "Ljava/io/InputStream;",
    "Ljava/io/PrintStream;",
    "Ljava/lang/Exception;",
    "Ljava/lang/Throwable;",
    "Ljava/util/Map$Entry;",
    "java/util/Collections",
    "()Ljava/util/Iterator;",
    "(I)Ljava/lang/Integer;",
    "(II)Ljava/lang/String;",
    "(Ljava/lang/String;I)V",
    "([Ljava/lang/String;)V",
    "Ljava/lang/Deprecated;",
    "Ljava/util/Collection;",
    "LocalVariableTypeTable",
    "desiredAssertionStatus",
    "()Ljava/lang/Throwable;",
    "java/lang/StringBuilder",
    "()Ljava/util/Collection;",
    "(Ljava/io/InputStream;)V",
    "(Ljava/lang/Throwable;)V",
    "java/lang/AssertionError",
    "java/lang/reflect/Method",
    "(Ljava/util/Collection;)V",
    "(Ljava/util/Collection;)Z",
    "Ljava/lang/StringBuilder;",
    "RuntimeVisibleAnnotations",
    "Ljava/lang/reflect/Method;",
    "java/lang/RuntimeException",
    "(C)Ljava/lang/StringBuilder;",
    "(I)Ljava/lang/StringBuilder;",
    "Ljava/lang/annotation/Target;",
    "java/lang/invoke/MethodHandles",
    "java/lang/IllegalStateException",
    "java/lang/annotation/Annotation",
    "Ljava/lang/annotation/Retention;",
    "java/lang/ClassNotFoundException",
    "(Ljava/util/List;)Ljava/util/List;",
    "Ljava/lang/annotation/ElementType;",
    "java/lang/IllegalArgumentException",
    "java/lang/invoke/LambdaMetafactory",
    "Ljava/util/Set<Ljava/lang/String;>;",
    "Ljava/util/List<Ljava/lang/String;>;",
    "(Ljava/lang/String;)Ljava/lang/Class;",
    "([Ljava/lang/Object;)Ljava/util/List;",
    "java/lang/invoke/MethodHandles$Lookup",
    "(Ljava/lang/Object;)Ljava/lang/Object;",
    "(Ljava/lang/Object;)Ljava/lang/String;",
    "(Ljava/lang/String;)Ljava/lang/Object;",
    "(Ljava/lang/String;)Ljava/lang/String;",
    "Ljava/lang/annotation/RetentionPolicy;",
    "(Ljava/lang/Object;Ljava/lang/Object;)V",
    "(Ljava/lang/Object;Ljava/lang/Object;)Z",
    "(Ljava/lang/String;Ljava/lang/Object;)V",
    "(Ljava/lang/String;Ljava/lang/String;)V",
    "java/lang/UnsupportedOperationException",
    "(Ljava/lang/String;[Ljava/lang/Object;)V",
    "([Ljava/lang/Object;)[Ljava/lang/Object;",
    "([Ljava/lang/Object;Ljava/lang/Object;)V",
    "getFilenameConstructorReflectionBootstrap",
    "(Ljava/lang/Object;ILjava/lang/Object;II)V",
    "(Ljava/lang/String;Ljava/lang/Throwable;)V",
    "(Ljava/lang/String;)Ljava/lang/StringBuffer;",
    "(Ljava/lang/Object;)Ljava/lang/StringBuilder;",
    "(Ljava/lang/String;)Ljava/lang/StringBuilder;",
    "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;",
    "Ljava/util/Map<Ljava/lang/String;Ljava/lang/String;>;",
    "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
    "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;",
    "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
    "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
    "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V",
    "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;",
    "(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;",
    "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
    "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
    "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;",
    "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_found() {
        for (i, entry) in WORDS.iter().enumerate() {
            assert_eq!(find(entry), Some(i), "{entry:?}");
        }
        assert_eq!(WORDS[find(b"\x01\0\x04Code").unwrap()], b"\x01\0\x04Code");
        assert_eq!(find(b"\x01\0\x04code"), None);
    }

    #[test]
    fn nothing_else_is_found() {
        let texts = [
            "".into(),
            "x".repeat(255),
            "x".repeat(256),
            "x".repeat(65_535),
        ];
        let texts = texts.iter().map(|text| {
            let mut entry = vec![1];
            entry.extend((text.len() as u16).to_be_bytes());
            entry.extend(text.bytes());
            entry
        });
        let changed = WORDS.iter().flat_map(|word| {
            (0..word.len()).map(|i| {
                let mut entry = word.to_vec();
                entry[i] = entry[i].wrapping_add(1);
                entry
            })
        });
        let others = [vec![], vec![1], vec![7, 0, 1], vec![10, 0, 1, 0, 2]];
        for entry in texts.chain(changed).chain(others) {
            assert_eq!(find(&entry), WORDS.iter().position(|word| **word == entry));
        }
    }
}
