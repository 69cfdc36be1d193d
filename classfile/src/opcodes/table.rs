//! THE opcode table (JVMS 6.5): constants, names, lengths, decoder and disassembler all come
//! from here.
//!
//! A row: byte, constant, mnemonic, operand format, the popped values, the pushed values (bottom of
//! the stack first), and whether the instruction itself can throw (errors of resolution and
//! `IllegalMonitorStateException` of returns included; `StackOverflowError` and asynchronous
//! exceptions not). Stack letters: `I J F D A` as in descriptors, with `A` for any reference or
//! return address; `1` for one slot of whatever kind; `*` where it depends on the operands.

use super::Operands;

/// A row of the opcode table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opcode {
    /// The opcode itself.
    pub byte: u8,
    /// The mnemonic.
    pub mnemonic: &'static str,
    /// The format of the operands.
    pub operands: Operands,
    /// What it pops, deepest first, in stack letters.
    pub pop: &'static str,
    /// What it pushes, deepest first, in stack letters.
    pub push: &'static str,
    /// Whether it can throw.
    pub can_throw: bool,
}

macro_rules! table {
    ($($byte:literal $constant:ident $mnemonic:literal $operands:ident $pop:literal $push:literal
        $throws:ident;)*) => {
        $(
            #[doc = concat!("`", $mnemonic, "` (JVMS 6.5).")]
            pub const $constant: u8 = $byte;
        )*

        /// All opcodes; a row's index is its byte.
        pub static OPCODES: &[Opcode] = &[$(
            Opcode {
                byte: $byte,
                mnemonic: $mnemonic,
                operands: Operands::$operands,
                pop: $pop,
                push: $push,
                can_throw: table!(@$throws),
            },
        )*];
    };
    (@throws) => { true };
    (@quiet) => { false };
}

#[rustfmt::skip]
table! {
    0x00 NOP              "nop"              None            ""      ""        quiet;
    0x01 ACONST_NULL      "aconst_null"      None            ""      "A"       quiet;
    0x02 ICONST_M1        "iconst_m1"        None            ""      "I"       quiet;
    0x03 ICONST_0         "iconst_0"         None            ""      "I"       quiet;
    0x04 ICONST_1         "iconst_1"         None            ""      "I"       quiet;
    0x05 ICONST_2         "iconst_2"         None            ""      "I"       quiet;
    0x06 ICONST_3         "iconst_3"         None            ""      "I"       quiet;
    0x07 ICONST_4         "iconst_4"         None            ""      "I"       quiet;
    0x08 ICONST_5         "iconst_5"         None            ""      "I"       quiet;
    0x09 LCONST_0         "lconst_0"         None            ""      "J"       quiet;
    0x0a LCONST_1         "lconst_1"         None            ""      "J"       quiet;
    0x0b FCONST_0         "fconst_0"         None            ""      "F"       quiet;
    0x0c FCONST_1         "fconst_1"         None            ""      "F"       quiet;
    0x0d FCONST_2         "fconst_2"         None            ""      "F"       quiet;
    0x0e DCONST_0         "dconst_0"         None            ""      "D"       quiet;
    0x0f DCONST_1         "dconst_1"         None            ""      "D"       quiet;
    0x10 BIPUSH           "bipush"           Byte            ""      "I"       quiet;
    0x11 SIPUSH           "sipush"           Short           ""      "I"       quiet;
    0x12 LDC              "ldc"              Constant1       ""      "*"       throws;
    0x13 LDC_W            "ldc_w"            Constant2       ""      "*"       throws;
    0x14 LDC2_W           "ldc2_w"           Constant2       ""      "*"       throws;
    0x15 ILOAD            "iload"            Local           ""      "I"       quiet;
    0x16 LLOAD            "lload"            Local           ""      "J"       quiet;
    0x17 FLOAD            "fload"            Local           ""      "F"       quiet;
    0x18 DLOAD            "dload"            Local           ""      "D"       quiet;
    0x19 ALOAD            "aload"            Local           ""      "A"       quiet;
    0x1a ILOAD_0          "iload_0"          None            ""      "I"       quiet;
    0x1b ILOAD_1          "iload_1"          None            ""      "I"       quiet;
    0x1c ILOAD_2          "iload_2"          None            ""      "I"       quiet;
    0x1d ILOAD_3          "iload_3"          None            ""      "I"       quiet;
    0x1e LLOAD_0          "lload_0"          None            ""      "J"       quiet;
    0x1f LLOAD_1          "lload_1"          None            ""      "J"       quiet;
    0x20 LLOAD_2          "lload_2"          None            ""      "J"       quiet;
    0x21 LLOAD_3          "lload_3"          None            ""      "J"       quiet;
    0x22 FLOAD_0          "fload_0"          None            ""      "F"       quiet;
    0x23 FLOAD_1          "fload_1"          None            ""      "F"       quiet;
    0x24 FLOAD_2          "fload_2"          None            ""      "F"       quiet;
    0x25 FLOAD_3          "fload_3"          None            ""      "F"       quiet;
    0x26 DLOAD_0          "dload_0"          None            ""      "D"       quiet;
    0x27 DLOAD_1          "dload_1"          None            ""      "D"       quiet;
    0x28 DLOAD_2          "dload_2"          None            ""      "D"       quiet;
    0x29 DLOAD_3          "dload_3"          None            ""      "D"       quiet;
    0x2a ALOAD_0          "aload_0"          None            ""      "A"       quiet;
    0x2b ALOAD_1          "aload_1"          None            ""      "A"       quiet;
    0x2c ALOAD_2          "aload_2"          None            ""      "A"       quiet;
    0x2d ALOAD_3          "aload_3"          None            ""      "A"       quiet;
    0x2e IALOAD           "iaload"           None            "AI"    "I"       throws;
    0x2f LALOAD           "laload"           None            "AI"    "J"       throws;
    0x30 FALOAD           "faload"           None            "AI"    "F"       throws;
    0x31 DALOAD           "daload"           None            "AI"    "D"       throws;
    0x32 AALOAD           "aaload"           None            "AI"    "A"       throws;
    0x33 BALOAD           "baload"           None            "AI"    "I"       throws;
    0x34 CALOAD           "caload"           None            "AI"    "I"       throws;
    0x35 SALOAD           "saload"           None            "AI"    "I"       throws;
    0x36 ISTORE           "istore"           Local           "I"     ""        quiet;
    0x37 LSTORE           "lstore"           Local           "J"     ""        quiet;
    0x38 FSTORE           "fstore"           Local           "F"     ""        quiet;
    0x39 DSTORE           "dstore"           Local           "D"     ""        quiet;
    0x3a ASTORE           "astore"           Local           "A"     ""        quiet;
    0x3b ISTORE_0         "istore_0"         None            "I"     ""        quiet;
    0x3c ISTORE_1         "istore_1"         None            "I"     ""        quiet;
    0x3d ISTORE_2         "istore_2"         None            "I"     ""        quiet;
    0x3e ISTORE_3         "istore_3"         None            "I"     ""        quiet;
    0x3f LSTORE_0         "lstore_0"         None            "J"     ""        quiet;
    0x40 LSTORE_1         "lstore_1"         None            "J"     ""        quiet;
    0x41 LSTORE_2         "lstore_2"         None            "J"     ""        quiet;
    0x42 LSTORE_3         "lstore_3"         None            "J"     ""        quiet;
    0x43 FSTORE_0         "fstore_0"         None            "F"     ""        quiet;
    0x44 FSTORE_1         "fstore_1"         None            "F"     ""        quiet;
    0x45 FSTORE_2         "fstore_2"         None            "F"     ""        quiet;
    0x46 FSTORE_3         "fstore_3"         None            "F"     ""        quiet;
    0x47 DSTORE_0         "dstore_0"         None            "D"     ""        quiet;
    0x48 DSTORE_1         "dstore_1"         None            "D"     ""        quiet;
    0x49 DSTORE_2         "dstore_2"         None            "D"     ""        quiet;
    0x4a DSTORE_3         "dstore_3"         None            "D"     ""        quiet;
    0x4b ASTORE_0         "astore_0"         None            "A"     ""        quiet;
    0x4c ASTORE_1         "astore_1"         None            "A"     ""        quiet;
    0x4d ASTORE_2         "astore_2"         None            "A"     ""        quiet;
    0x4e ASTORE_3         "astore_3"         None            "A"     ""        quiet;
    0x4f IASTORE          "iastore"          None            "AII"   ""        throws;
    0x50 LASTORE          "lastore"          None            "AIJ"   ""        throws;
    0x51 FASTORE          "fastore"          None            "AIF"   ""        throws;
    0x52 DASTORE          "dastore"          None            "AID"   ""        throws;
    0x53 AASTORE          "aastore"          None            "AIA"   ""        throws;
    0x54 BASTORE          "bastore"          None            "AII"   ""        throws;
    0x55 CASTORE          "castore"          None            "AII"   ""        throws;
    0x56 SASTORE          "sastore"          None            "AII"   ""        throws;
    0x57 POP              "pop"              None            "1"     ""        quiet;
    0x58 POP2             "pop2"             None            "11"    ""        quiet;
    0x59 DUP              "dup"              None            "1"     "11"      quiet;
    0x5a DUP_X1           "dup_x1"           None            "11"    "111"     quiet;
    0x5b DUP_X2           "dup_x2"           None            "111"   "1111"    quiet;
    0x5c DUP2             "dup2"             None            "11"    "1111"    quiet;
    0x5d DUP2_X1          "dup2_x1"          None            "111"   "11111"   quiet;
    0x5e DUP2_X2          "dup2_x2"          None            "1111"  "111111"  quiet;
    0x5f SWAP             "swap"             None            "11"    "11"      quiet;
    0x60 IADD             "iadd"             None            "II"    "I"       quiet;
    0x61 LADD             "ladd"             None            "JJ"    "J"       quiet;
    0x62 FADD             "fadd"             None            "FF"    "F"       quiet;
    0x63 DADD             "dadd"             None            "DD"    "D"       quiet;
    0x64 ISUB             "isub"             None            "II"    "I"       quiet;
    0x65 LSUB             "lsub"             None            "JJ"    "J"       quiet;
    0x66 FSUB             "fsub"             None            "FF"    "F"       quiet;
    0x67 DSUB             "dsub"             None            "DD"    "D"       quiet;
    0x68 IMUL             "imul"             None            "II"    "I"       quiet;
    0x69 LMUL             "lmul"             None            "JJ"    "J"       quiet;
    0x6a FMUL             "fmul"             None            "FF"    "F"       quiet;
    0x6b DMUL             "dmul"             None            "DD"    "D"       quiet;
    0x6c IDIV             "idiv"             None            "II"    "I"       throws;
    0x6d LDIV             "ldiv"             None            "JJ"    "J"       throws;
    0x6e FDIV             "fdiv"             None            "FF"    "F"       quiet;
    0x6f DDIV             "ddiv"             None            "DD"    "D"       quiet;
    0x70 IREM             "irem"             None            "II"    "I"       throws;
    0x71 LREM             "lrem"             None            "JJ"    "J"       throws;
    0x72 FREM             "frem"             None            "FF"    "F"       quiet;
    0x73 DREM             "drem"             None            "DD"    "D"       quiet;
    0x74 INEG             "ineg"             None            "I"     "I"       quiet;
    0x75 LNEG             "lneg"             None            "J"     "J"       quiet;
    0x76 FNEG             "fneg"             None            "F"     "F"       quiet;
    0x77 DNEG             "dneg"             None            "D"     "D"       quiet;
    0x78 ISHL             "ishl"             None            "II"    "I"       quiet;
    0x79 LSHL             "lshl"             None            "JI"    "J"       quiet;
    0x7a ISHR             "ishr"             None            "II"    "I"       quiet;
    0x7b LSHR             "lshr"             None            "JI"    "J"       quiet;
    0x7c IUSHR            "iushr"            None            "II"    "I"       quiet;
    0x7d LUSHR            "lushr"            None            "JI"    "J"       quiet;
    0x7e IAND             "iand"             None            "II"    "I"       quiet;
    0x7f LAND             "land"             None            "JJ"    "J"       quiet;
    0x80 IOR              "ior"              None            "II"    "I"       quiet;
    0x81 LOR              "lor"              None            "JJ"    "J"       quiet;
    0x82 IXOR             "ixor"             None            "II"    "I"       quiet;
    0x83 LXOR             "lxor"             None            "JJ"    "J"       quiet;
    0x84 IINC             "iinc"             Iinc            ""      ""        quiet;
    0x85 I2L              "i2l"              None            "I"     "J"       quiet;
    0x86 I2F              "i2f"              None            "I"     "F"       quiet;
    0x87 I2D              "i2d"              None            "I"     "D"       quiet;
    0x88 L2I              "l2i"              None            "J"     "I"       quiet;
    0x89 L2F              "l2f"              None            "J"     "F"       quiet;
    0x8a L2D              "l2d"              None            "J"     "D"       quiet;
    0x8b F2I              "f2i"              None            "F"     "I"       quiet;
    0x8c F2L              "f2l"              None            "F"     "J"       quiet;
    0x8d F2D              "f2d"              None            "F"     "D"       quiet;
    0x8e D2I              "d2i"              None            "D"     "I"       quiet;
    0x8f D2L              "d2l"              None            "D"     "J"       quiet;
    0x90 D2F              "d2f"              None            "D"     "F"       quiet;
    0x91 I2B              "i2b"              None            "I"     "I"       quiet;
    0x92 I2C              "i2c"              None            "I"     "I"       quiet;
    0x93 I2S              "i2s"              None            "I"     "I"       quiet;
    0x94 LCMP             "lcmp"             None            "JJ"    "I"       quiet;
    0x95 FCMPL            "fcmpl"            None            "FF"    "I"       quiet;
    0x96 FCMPG            "fcmpg"            None            "FF"    "I"       quiet;
    0x97 DCMPL            "dcmpl"            None            "DD"    "I"       quiet;
    0x98 DCMPG            "dcmpg"            None            "DD"    "I"       quiet;
    0x99 IFEQ             "ifeq"             Branch2         "I"     ""        quiet;
    0x9a IFNE             "ifne"             Branch2         "I"     ""        quiet;
    0x9b IFLT             "iflt"             Branch2         "I"     ""        quiet;
    0x9c IFGE             "ifge"             Branch2         "I"     ""        quiet;
    0x9d IFGT             "ifgt"             Branch2         "I"     ""        quiet;
    0x9e IFLE             "ifle"             Branch2         "I"     ""        quiet;
    0x9f IF_ICMPEQ        "if_icmpeq"        Branch2         "II"    ""        quiet;
    0xa0 IF_ICMPNE        "if_icmpne"        Branch2         "II"    ""        quiet;
    0xa1 IF_ICMPLT        "if_icmplt"        Branch2         "II"    ""        quiet;
    0xa2 IF_ICMPGE        "if_icmpge"        Branch2         "II"    ""        quiet;
    0xa3 IF_ICMPGT        "if_icmpgt"        Branch2         "II"    ""        quiet;
    0xa4 IF_ICMPLE        "if_icmple"        Branch2         "II"    ""        quiet;
    0xa5 IF_ACMPEQ        "if_acmpeq"        Branch2         "AA"    ""        quiet;
    0xa6 IF_ACMPNE        "if_acmpne"        Branch2         "AA"    ""        quiet;
    0xa7 GOTO             "goto"             Branch2         ""      ""        quiet;
    0xa8 JSR              "jsr"              Branch2         ""      "A"       quiet;
    0xa9 RET              "ret"              Local           ""      ""        quiet;
    0xaa TABLESWITCH      "tableswitch"      TableSwitch     "I"     ""        quiet;
    0xab LOOKUPSWITCH     "lookupswitch"     LookupSwitch    "I"     ""        quiet;
    0xac IRETURN          "ireturn"          None            "I"     ""        throws;
    0xad LRETURN          "lreturn"          None            "J"     ""        throws;
    0xae FRETURN          "freturn"          None            "F"     ""        throws;
    0xaf DRETURN          "dreturn"          None            "D"     ""        throws;
    0xb0 ARETURN          "areturn"          None            "A"     ""        throws;
    0xb1 RETURN           "return"           None            ""      ""        throws;
    0xb2 GETSTATIC        "getstatic"        Constant2       ""      "*"       throws;
    0xb3 PUTSTATIC        "putstatic"        Constant2       "*"     ""        throws;
    0xb4 GETFIELD         "getfield"         Constant2       "A"     "*"       throws;
    0xb5 PUTFIELD         "putfield"         Constant2       "*"     ""        throws;
    0xb6 INVOKEVIRTUAL    "invokevirtual"    Constant2       "*"     "*"       throws;
    0xb7 INVOKESPECIAL    "invokespecial"    Constant2       "*"     "*"       throws;
    0xb8 INVOKESTATIC     "invokestatic"     Constant2       "*"     "*"       throws;
    0xb9 INVOKEINTERFACE  "invokeinterface"  InvokeInterface "*"     "*"       throws;
    0xba INVOKEDYNAMIC    "invokedynamic"    InvokeDynamic   "*"     "*"       throws;
    0xbb NEW              "new"              Constant2       ""      "A"       throws;
    0xbc NEWARRAY         "newarray"         NewArray        "I"     "A"       throws;
    0xbd ANEWARRAY        "anewarray"        Constant2       "I"     "A"       throws;
    0xbe ARRAYLENGTH      "arraylength"      None            "A"     "I"       throws;
    0xbf ATHROW           "athrow"           None            "A"     ""        throws;
    0xc0 CHECKCAST        "checkcast"        Constant2       "A"     "A"       throws;
    0xc1 INSTANCEOF       "instanceof"       Constant2       "A"     "I"       throws;
    0xc2 MONITORENTER     "monitorenter"     None            "A"     ""        throws;
    0xc3 MONITOREXIT      "monitorexit"      None            "A"     ""        throws;
    0xc4 WIDE             "wide"             Wide            "*"     "*"       quiet;
    0xc5 MULTIANEWARRAY   "multianewarray"   MultiANewArray  "*"     "A"       throws;
    0xc6 IFNULL           "ifnull"           Branch2         "A"     ""        quiet;
    0xc7 IFNONNULL        "ifnonnull"        Branch2         "A"     ""        quiet;
    0xc8 GOTO_W           "goto_w"           Branch4         ""      ""        quiet;
    0xc9 JSR_W            "jsr_w"            Branch4         ""      "A"       quiet;
}
