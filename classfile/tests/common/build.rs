//! A writer of small class files, right or wrong on purpose.

/// A class file in the making. Parts are appended as bytes; constants are shared.
#[derive(Clone)]
pub struct Class {
    pub major: u16,
    pub flags: u16,
    pub this: u16,
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    pub fields: Vec<Vec<u8>>,
    pub methods: Vec<Vec<u8>>,
    pub attributes: Vec<Vec<u8>>,
    constants: Vec<Vec<u8>>,
}

/// Bytes of big-endian 16-bit numbers.
pub fn u2s(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_be_bytes()).collect()
}

impl Class {
    /// A public class `T` that extends `java/lang/Object`, version 61.
    pub fn new() -> Class {
        let mut class = Class {
            major: 61,
            flags: 0x21,
            this: 0,
            super_class: 0,
            interfaces: vec![],
            fields: vec![],
            methods: vec![],
            attributes: vec![],
            constants: vec![],
        };
        class.this = class.class("T");
        class.super_class = class.class("java/lang/Object");
        class
    }

    /// The index of a constant, given by tag and contents.
    pub fn constant(&mut self, tag: u8, contents: &[u8]) -> u16 {
        let constant = [&[tag], contents].concat();
        if let Some(at) = self.constants.iter().position(|c| *c == constant) {
            return at as u16 + 1;
        }
        self.constants.push(constant);
        let index = self.constants.len() as u16;
        if tag == 5 || tag == 6 {
            self.constants.push(vec![]);
        }
        index
    }

    pub fn utf8(&mut self, text: &str) -> u16 {
        self.raw_utf8(&rjvm_classfile::mutf8::from_str(text))
    }

    /// Lets the pool end after the first half of a `long`.
    pub fn truncate_pool(&mut self) {
        self.constants.pop();
    }

    pub fn raw_utf8(&mut self, bytes: &[u8]) -> u16 {
        let contents = [&u2s(&[bytes.len() as u16]), bytes].concat();
        self.constant(1, &contents)
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.constant(7, &u2s(&[name]))
    }

    pub fn string(&mut self, text: &str) -> u16 {
        let text = self.utf8(text);
        self.constant(8, &u2s(&[text]))
    }

    pub fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let indices = [self.utf8(name), self.utf8(descriptor)];
        self.constant(12, &u2s(&indices))
    }

    /// A member reference; `tag` 9, 10 or 11.
    pub fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let indices = [self.class(class), self.name_and_type(name, descriptor)];
        self.constant(tag, &u2s(&indices))
    }

    pub fn method_handle(&mut self, kind: u8, reference: u16) -> u16 {
        let contents = [&[kind][..], &u2s(&[reference])].concat();
        self.constant(15, &contents)
    }

    /// An attribute's bytes.
    pub fn attribute(&mut self, name: &str, contents: &[u8]) -> Vec<u8> {
        let name = self.utf8(name);
        let length = (contents.len() as u32).to_be_bytes();
        [&u2s(&[name])[..], &length, contents].concat()
    }

    /// The bytes of a field or method.
    pub fn info(&mut self, flags: u16, name: &str, descriptor: &str, attrs: &[Vec<u8>]) -> Vec<u8> {
        let head = [
            flags,
            self.utf8(name),
            self.utf8(descriptor),
            attrs.len() as u16,
        ];
        [u2s(&head), attrs.concat()].concat()
    }

    pub fn field(&mut self, flags: u16, name: &str, descriptor: &str, attrs: &[Vec<u8>]) {
        let field = self.info(flags, name, descriptor, attrs);
        self.fields.push(field);
    }

    pub fn method(&mut self, flags: u16, name: &str, descriptor: &str, attrs: &[Vec<u8>]) {
        let method = self.info(flags, name, descriptor, attrs);
        self.methods.push(method);
    }

    /// A `Code` attribute.
    pub fn code(
        &mut self,
        max_stack: u16,
        max_locals: u16,
        code: &[u8],
        exceptions: &[[u16; 4]],
        attrs: &[Vec<u8>],
    ) -> Vec<u8> {
        let mut contents = u2s(&[max_stack, max_locals]);
        contents.extend((code.len() as u32).to_be_bytes());
        contents.extend(code);
        contents.extend(u2s(&[exceptions.len() as u16]));
        contents.extend(u2s(exceptions.as_flattened()));
        contents.extend(u2s(&[attrs.len() as u16]));
        contents.extend(attrs.concat());
        self.attribute("Code", &contents)
    }

    pub fn add(&mut self, name: &str, contents: &[u8]) {
        let attribute = self.attribute(name, contents);
        self.attributes.push(attribute);
    }

    /// The whole file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = 0xCAFE_BABEu32.to_be_bytes().to_vec();
        out.extend(u2s(&[0, self.major, self.constants.len() as u16 + 1]));
        out.extend(self.constants.concat());
        out.extend(u2s(&[
            self.flags,
            self.this,
            self.super_class,
            self.interfaces.len() as u16,
        ]));
        out.extend(u2s(&self.interfaces));
        for table in [&self.fields, &self.methods, &self.attributes] {
            out.extend(u2s(&[table.len() as u16]));
            out.extend(table.concat());
        }
        out
    }
}

/// A class with every attribute that a class (rather than a module) can have, and with constants
/// of every kind but `Module` and `Package`.
pub fn everything() -> Class {
    let mut c = Class::new();
    let annotation = |c: &mut Class| {
        let mut bytes = u2s(&[1, c.utf8("LA;"), 6]);
        for (name, tag, index) in [
            ("i", b'I', c.constant(3, &7i32.to_be_bytes())),
            ("s", b's', c.utf8("text")),
            ("c", b'c', c.utf8("[I")),
        ] {
            bytes.extend(u2s(&[c.utf8(name)]));
            bytes.push(tag);
            bytes.extend(u2s(&[index]));
        }
        bytes.extend(u2s(&[c.utf8("e")]));
        bytes.push(b'e');
        bytes.extend(u2s(&[c.utf8("LE;"), c.utf8("X")]));
        bytes.extend(u2s(&[c.utf8("n")]));
        bytes.push(b'@');
        bytes.extend(u2s(&[c.utf8("LB;"), 0]));
        bytes.extend(u2s(&[c.utf8("a")]));
        bytes.extend([b'[', 0, 1, b'Z']);
        bytes.extend(u2s(&[c.constant(3, &1i32.to_be_bytes())]));
        bytes
    };
    let annotations = annotation(&mut c);
    let type_annotations = {
        let plain = u2s(&[c.utf8("LA;"), 0]);
        let targets: [&[u8]; 8] = [
            &[0x00, 0],
            &[0x10, 0xFF, 0xFF],
            &[0x11, 0, 1],
            &[0x13],
            &[0x16, 0],
            &[0x40, 0, 1, 0, 0, 0, 2, 0, 1],
            &[0x43, 0, 0],
            &[0x47, 0, 0, 0],
        ];
        let mut bytes = u2s(&[targets.len() as u16]);
        for target in targets {
            bytes.extend(target);
            bytes.extend([2, 0, 0, 3, 1]);
            bytes.extend(&plain);
        }
        bytes
    };
    let four = |c: &mut Class| {
        vec![
            c.attribute("RuntimeVisibleAnnotations", &annotations),
            c.attribute("RuntimeInvisibleAnnotations", &annotations),
            c.attribute("RuntimeVisibleTypeAnnotations", &type_annotations),
            c.attribute("RuntimeInvisibleTypeAnnotations", &type_annotations),
        ]
    };

    // Fields: a constant of each kind.
    let constants = [
        ("I", c.constant(3, &(-5i32).to_be_bytes())),
        ("F", c.constant(4, &1.5f32.to_be_bytes())),
        ("J", c.constant(5, &i64::MIN.to_be_bytes())),
        ("D", c.constant(6, &f64::NAN.to_be_bytes())),
        ("Ljava/lang/String;", c.string("h\u{e9}\0\u{1F600}\n")),
    ];
    for (descriptor, index) in constants {
        let mut attrs = vec![
            c.attribute("ConstantValue", &u2s(&[index])),
            c.attribute("Synthetic", &[]),
            c.attribute("Deprecated", &[]),
        ];
        let signature = u2s(&[c.utf8("TX;")]);
        attrs.push(c.attribute("Signature", &signature));
        attrs.extend(four(&mut c));
        attrs.push(c.attribute("org.example.Unknown", &[1, 2, 3]));
        c.field(0x1019, "constant", descriptor, &attrs);
    }

    // One method with code of many formats.
    let out = c.member(9, "java/lang/System", "out", "Ljava/io/PrintStream;");
    let init = c.member(10, "java/lang/Object", "<init>", "()V");
    let run = c.member(11, "java/lang/Runnable", "run", "()V");
    let bootstrap = c.member(10, "B", "boot", "()Ljava/lang/Object;");
    let handle = c.method_handle(6, bootstrap);
    let new_handle = c.method_handle(8, init);
    let method_type = {
        let descriptor = c.utf8("(I)J");
        c.constant(16, &u2s(&[descriptor]))
    };
    let condy = {
        let name_and_type = c.name_and_type("k", "I");
        c.constant(17, &u2s(&[0, name_and_type]))
    };
    let indy = {
        let name_and_type = c.name_and_type("run", "()Ljava/lang/Runnable;");
        c.constant(18, &u2s(&[1, name_and_type]))
    };
    let array = c.class("[[I");
    let [o, i, r] = [out, init, run].map(u16::to_be_bytes);
    let [d, k, a] = [indy, condy, array].map(u16::to_be_bytes);
    let code = [
        &[0x2a, 0xb7, i[0], i[1]][..], // 0: invokespecial Object.<init>
        &[0xb2, o[0], o[1], 0x57],     // 4: getstatic, pop
        &[0xba, d[0], d[1], 0, 0, 0xb9, r[0], r[1], 1, 0], // 8: indy, invokeinterface
        &[0x10, 0xF9, 0x11, 1, 0, 0x60, 0x13, k[0], k[1]], // 18: bipush sipush iadd ldc_w
        &[0xc5, a[0], a[1], 2, 0x57, 0x03, 0xbc, 10, 0x57], // 27: multianewarray, newarray
        &[0x84, 1, 0xFF, 0xc4, 0x84, 1, 0, 0, 7], // 36: iinc, wide iinc
        &[0x1b, 0xaa, 0],              // 45: iload_1, tableswitch
    ];
    let mut code = code.concat();
    for number in [26, 0, 1, 26, 27] {
        code.extend(i32::to_be_bytes(number));
    }
    code.extend([0x00, 0x00, 0x00, 0x00]); // 68..72
    let return_at = code.len();
    code.extend([0x00, 0xb1, 0x4d, 0xb1]); // nop, return, astore_2, return
    let at = return_at as u16;
    let code_attrs = vec![
        c.attribute("LineNumberTable", &u2s(&[2, 0, 10, 4, 11])),
        c.attribute("LineNumberTable", &u2s(&[1, at, 12])),
        {
            let names = [c.utf8("this"), c.utf8("LT;"), c.utf8("n"), c.utf8("I")];
            let rows = [
                2,
                0,
                at,
                names[0],
                names[1],
                0,
                4,
                at - 4,
                names[2],
                names[3],
                1,
            ];
            c.attribute("LocalVariableTable", &u2s(&rows))
        },
        {
            let names = [c.utf8("this"), c.utf8("LT<TX;>;")];
            c.attribute(
                "LocalVariableTypeTable",
                &u2s(&[1, 0, at, names[0], names[1], 0]),
            )
        },
        {
            let object = u2s(&[c.class("java/lang/Throwable")]);
            let mut table = u2s(&[3]);
            table.extend([255, 0, (at - 2) as u8, 0, 2, 6, 1, 0, 0]);
            table.extend([0, 251, 0, 0]);
            table[1] = 4;
            table.extend([64 + 1, 7, object[0], object[1]]);
            c.attribute("StackMapTable", &table)
        },
        c.attribute("RuntimeVisibleTypeAnnotations", &type_annotations),
        c.attribute("RuntimeInvisibleTypeAnnotations", &type_annotations),
        c.attribute("org.example.Code", &[9]),
    ];
    let caught = c.class("java/lang/Throwable");
    let handlers = [[0, at, at + 2, caught], [4, at, at + 2, 0]];
    let body = c.code(4, 3, &code, &handlers, &code_attrs);
    let throwable = c.class("java/lang/Exception");
    let mut attrs = vec![body, c.attribute("Exceptions", &u2s(&[1, throwable]))];
    attrs.push(c.attribute("Synthetic", &[]));
    attrs.push(c.attribute("Deprecated", &[]));
    let signature = u2s(&[c.utf8("<X:>(TX;)V")]);
    attrs.push(c.attribute("Signature", &signature));
    let parameters = [&[1][..], &u2s(&[c.utf8("n"), 0x10])].concat();
    attrs.push(c.attribute("MethodParameters", &parameters));
    attrs.extend(four(&mut c));
    let per_parameter = [&[1][..], &annotations].concat();
    attrs.push(c.attribute("RuntimeVisibleParameterAnnotations", &per_parameter));
    attrs.push(c.attribute("RuntimeInvisibleParameterAnnotations", &per_parameter));
    attrs.push(c.attribute("org.example.Unknown", &[4]));
    c.method(0x1001, "<init>", "(I)V", &attrs);
    let default = [&[b's'][..], &u2s(&[c.utf8("text")])].concat();
    let default = c.attribute("AnnotationDefault", &default);
    c.method(0x0101, "value", "()Ljava/lang/String;", &[default]);

    // The class's own attributes.
    let source = u2s(&[c.utf8("T.java")]);
    c.add("SourceFile", &source);
    c.add("SourceDebugExtension", b"SMAP");
    let inner = u2s(&[1, c.class("T$I"), c.this, c.utf8("I"), 0x0A]);
    c.add("InnerClasses", &inner);
    let enclosing = u2s(&[c.class("Outer"), c.name_and_type("m", "()V")]);
    c.add("EnclosingMethod", &enclosing);
    c.add("Synthetic", &[]);
    c.add("Deprecated", &[]);
    let signature = u2s(&[c.utf8("<X:Ljava/lang/Object;>Ljava/lang/Object;")]);
    c.add("Signature", &signature);
    let text = c.string("argument");
    c.add(
        "BootstrapMethods",
        &u2s(&[
            2,
            handle,
            0,
            handle,
            4,
            text,
            method_type,
            new_handle,
            array,
        ]),
    );
    let members = u2s(&[1, c.class("T$I")]);
    c.add("NestMembers", &members);
    c.add("PermittedSubclasses", &members);
    let mut record = u2s(&[1, c.utf8("n"), c.utf8("I"), 6]);
    let signature = u2s(&[c.utf8("TX;")]);
    record.extend(c.attribute("Signature", &signature));
    record.extend(four(&mut c).concat());
    record.extend(c.attribute("org.example.Unknown", &[5]));
    c.add("Record", &record);
    for attribute in four(&mut c) {
        c.attributes.push(attribute);
    }
    c.add("org.example.Unknown", &[6, 7]);
    c
}

/// A `module-info` with every module attribute.
pub fn module() -> Class {
    let mut c = Class::new();
    c.flags = 0x8000;
    c.super_class = 0;
    c.this = c.class("module-info");
    let [m, base, to] = ["m", "java.base", "n"].map(|name| {
        let name = c.utf8(name);
        c.constant(19, &u2s(&[name]))
    });
    let [p, q] = ["p", "p/q"].map(|name| {
        let name = c.utf8(name);
        c.constant(20, &u2s(&[name]))
    });
    let [service, implementation, main] = ["p/Service", "p/q/Impl", "p/Main"].map(|n| c.class(n));
    let version = c.utf8("17.0.1");
    let mut rows = vec![m, 0x20, version];
    rows.extend([1, base, 0x8000, version]);
    rows.extend([2, p, 0, 0, q, 0x1000, 1, to]);
    rows.extend([1, q, 0, 0]);
    rows.extend([1, service]);
    rows.extend([1, service, 1, implementation]);
    c.add("Module", &u2s(&rows));
    c.add("ModulePackages", &u2s(&[2, p, q]));
    c.add("ModuleMainClass", &u2s(&[main]));
    c
}
