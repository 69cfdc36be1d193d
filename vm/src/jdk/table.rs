//! The table of the JDK's classes and fields that the VM and its natives know.
//!
//! A row is `CONSTANT "field" "descriptor" marks;` with these marks: `static`; `injected`, added by the
//! VM; `optional`, lacking in some updates; `since N` and `until N`, the JDK's feature versions that have
//! it. A class may have `since` and `until` too.

use super::rows::{ClassName, ClassRow, FieldRow, JdkField, OptionalName, Static, kind_of};
use crate::ids::ClassId;
use crate::versions::Versions;
use std::mem::offset_of;

/// The type of a field's constant, by its marks.
macro_rules! name_type {
    ($early:literal $desc:literal) => { JdkField<{ kind_of($desc) }, $early> };
    ($early:literal $desc:literal injected) => { JdkField<{ kind_of($desc) }, $early> };
    ($early:literal $desc:literal injected since $s:literal) => { OptionalName<JdkField<{ kind_of($desc) }, $early>> };
    ($early:literal $desc:literal static) => { Static<{ kind_of($desc) }, $early> };
    ($early:literal $desc:literal static until $u:literal) => { OptionalName<Static<{ kind_of($desc) }, $early>> };
    ($early:literal $desc:literal static since $s:literal $(until $u:literal)?) => { OptionalName<Static<{ kind_of($desc) }, $early>> };
    ($early:literal $desc:literal optional) => { OptionalName<JdkField<{ kind_of($desc) }, $early>> };
    ($early:literal $desc:literal since $s:literal $(until $u:literal)?) => {
        OptionalName<JdkField<{ kind_of($desc) }, $early>>
    };
    ($early:literal $desc:literal until $u:literal) => { OptionalName<JdkField<{ kind_of($desc) }, $early>> };
}

/// Applies the marks of a row to its data.
macro_rules! marked {
    ($row:expr;) => { $row };
    ($row:expr; static $($rest:tt)*) => { marked!(FieldRow { is_static: true, ..$row }; $($rest)*) };
    ($row:expr; injected $($rest:tt)*) => { marked!(FieldRow { injected: true, ..$row }; $($rest)*) };
    ($row:expr; optional $($rest:tt)*) => { marked!(FieldRow { optional: true, ..$row }; $($rest)*) };
    ($row:expr; $(since $s:literal)? $(until $u:literal)?) => {
        FieldRow { versions: Versions::of(&[$($s)?], &[$($u)?]), ..$row }
    };
}

macro_rules! classes {
    (
        early { $( $class:ident $name:literal $(since $es:literal)? $(until $eu:literal)? { $($rows:tt)* } )* }
        late { $( $late:ident $late_name:literal $(since $s:literal)? $(until $u:literal)? { $($late_rows:tt)* } )* }
    ) => {
        /// The classes that are loaded before anything runs.
        #[derive(Default)]
        pub struct KnownClasses { $( #[doc = $name] pub $class: ClassId, )* }

        impl KnownClasses {
            /// Loads them one by one.
            pub(crate) fn load(
                mut load: impl FnMut(ClassName<true>) -> Result<ClassId, String>,
            ) -> Result<KnownClasses, String> {
                Ok(KnownClasses { $( $class: load($class::CLASS)?, )* })
            }
        }

        table! {
            $( $class $name true [$($es)?] [$($eu)?] { $($rows)* } )*
            $( $late $late_name false [$($s)?] [$($u)?] { $($late_rows)* } )*
        }
    };
}

macro_rules! table {
    ($( $class:ident $name:literal $early:literal $since:tt $until:tt {
        $( $field:ident $text:literal $desc:literal $($mark:ident $($version:literal)?)* ; )*
    } )*) => {
        $(
            #[doc = concat!("`", $name, "`")]
            pub mod $class {
                use super::*;
                /// The class.
                pub const CLASS: ClassName<$early> = ClassName(offset_of!(ClassOrder, $class) as u16);
                /// Index of its first field.
                #[allow(dead_code, reason = "some classes have no fields here")]
                const FIRST: usize = offset_of!(FieldOrder, $class);
                #[repr(C)]
                #[allow(non_snake_case, dead_code, reason = "for the offsets of its fields, which are their numbers")]
                pub(super) struct Order { $( $field: u8, )* }
                $(
                    #[doc = concat!("`", $text, "`: `", $desc, "`")]
                    pub const $field: name_type!($early $desc $($mark $($version)?)*) =
                        <name_type!($early $desc $($mark $($version)?)*)>::new(FIRST + offset_of!(Order, $field));
                )*
            }
        )*

        #[repr(C)]
        #[allow(dead_code, reason = "for the offsets of its fields, which are their numbers")]
        struct ClassOrder { $( $class: u8, )* }
        #[repr(C)]
        #[allow(dead_code, reason = "for the offsets of its fields, which are the numbers of the first rows")]
        struct FieldOrder { $( $class: $class::Order, )* }

        /// All classes.
        pub static CLASSES: [ClassRow; size_of::<ClassOrder>()] = [ $( ClassRow {
            name: $name,
            early: $early,
            versions: Versions::of(&$since, &$until),
            first: offset_of!(FieldOrder, $class),
            len: size_of::<$class::Order>(),
        } ),* ];

        /// All fields, those of one class together, classes in the order of [`CLASSES`].
        pub static FIELDS: [FieldRow; size_of::<FieldOrder>()] = [ $( $(
            marked!(FieldRow::new($text, $desc); $($mark $($version)?)*),
        )* )* ];
    };
}

classes! {
    early {
        object "java/lang/Object" {}
        class "java/lang/Class" {
            // the `ClassId`; lies first
            RJVM_CLASS "$rjvm_class" "I" injected;
            CLASS_LOADER "classLoader" "Ljava/lang/ClassLoader;";
            COMPONENT_TYPE "componentType" "Ljava/lang/Class;";
            MODULE "module" "Ljava/lang/Module;";
            PROTECTION_DOMAIN "$protection_domain" "Ljava/lang/Object;" injected;
            CLASS_DATA "classData" "Ljava/lang/Object;";
            NAME "name" "Ljava/lang/String;";
            REDEFINED "classRedefinedCount" "I";
            SIGNERS "$signers" "Ljava/lang/Object;" injected;
            // what was native before
            MODIFIERS "modifiers" "C" since 25;
            PRIMITIVE "primitive" "Z" since 25;
            DOMAIN "protectionDomain" "Ljava/security/ProtectionDomain;" since 25;
        }
        string "java/lang/String" {
            VALUE "value" "[B";
            CODER "coder" "B";
            HASH "hash" "I";
            HASH_IS_ZERO "hashIsZero" "Z";
        }
        throwable "java/lang/Throwable" {
            STACK_TRACE "stackTrace" "[Ljava/lang/StackTraceElement;";
            BACKTRACE "backtrace" "Ljava/lang/Object;";
            DETAIL_MESSAGE "detailMessage" "Ljava/lang/String;";
            CAUSE "cause" "Ljava/lang/Throwable;";
            SUPPRESSED_SENTINEL "SUPPRESSED_SENTINEL" "Ljava/util/List;" static;
            SUPPRESSED_EXCEPTIONS "suppressedExceptions" "Ljava/util/List;";
            UNASSIGNED_STACK "UNASSIGNED_STACK" "[Ljava/lang/StackTraceElement;" static;
            DEPTH "depth" "I";
        }
        thread "java/lang/Thread" {
            NAME "name" "Ljava/lang/String;";
            PRIORITY "priority" "I" until 18;
            TID "tid" "J";
            PARK_BLOCKER "parkBlocker" "Ljava/lang/Object;";
            GROUP "group" "Ljava/lang/ThreadGroup;" until 18;
            TARGET "target" "Ljava/lang/Runnable;" until 18;
            DAEMON "daemon" "Z" until 18;
            EETOP "eetop" "J";
            STACK_SIZE "stackSize" "J" until 18;
            THREAD_STATUS "threadStatus" "I" until 18;
            STILLBORN "stillborn" "Z" until 18;
            INTERRUPTED "interrupted" "Z";
            INHERITED_ACCESS_CONTROL_CONTEXT "inheritedAccessControlContext" "Ljava/security/AccessControlContext;" until 23;
            // what `Thread.scopedValueCache` returns
            SCOPED_CACHE "$scoped_cache" "Ljava/lang/Object;" injected since 20;
            HOLDER "holder" "Ljava/lang/Thread$FieldHolder;" since 19;
        }
        thread_holder "java/lang/Thread$FieldHolder" since 19 {
            GROUP "group" "Ljava/lang/ThreadGroup;";
            TASK "task" "Ljava/lang/Runnable;";
            STACK_SIZE "stackSize" "J";
            PRIORITY "priority" "I";
            DAEMON "daemon" "Z";
            THREAD_STATUS "threadStatus" "I";
        }
        thread_group "java/lang/ThreadGroup" {
            PARENT "parent" "Ljava/lang/ThreadGroup;";
            NAME "name" "Ljava/lang/String;";
            NGROUPS "ngroups" "I";
            GROUPS "groups" "[Ljava/lang/ThreadGroup;";
            NTHREADS "nthreads" "I" until 18;
            THREADS "threads" "[Ljava/lang/Thread;" until 18;
            NWEAKS "nweaks" "I" since 19;
            WEAKS "weaks" "[Ljava/lang/ref/WeakReference;" since 19;
        }
        system "java/lang/System" {
            IN "in" "Ljava/io/InputStream;" static;
            OUT "out" "Ljava/io/PrintStream;" static;
            ERR "err" "Ljava/io/PrintStream;" static;
            SECURITY "security" "Ljava/lang/SecurityManager;" static until 23;
            PROPS "props" "Ljava/util/Properties;" static;
        }
        class_loader "java/lang/ClassLoader" {
            // the `LoaderId` (0: not seen yet)
            RJVM_LOADER "$rjvm_loader" "I" injected;
            NAME_AND_ID "nameAndId" "Ljava/lang/String;";
            PARENT "parent" "Ljava/lang/ClassLoader;";
            UNNAMED_MODULE "unnamedModule" "Ljava/lang/Module;";
            NAME "name" "Ljava/lang/String;";
            SCL "scl" "Ljava/lang/ClassLoader;" static;
        }
        cloneable "java/lang/Cloneable" {}
        serializable "java/io/Serializable" {}
        reference "java/lang/ref/Reference" {
            REFERENT "referent" "Ljava/lang/Object;";
            NEXT "next" "Ljava/lang/ref/Reference;";
            DISCOVERED "discovered" "Ljava/lang/ref/Reference;";
        }
        soft_reference "java/lang/ref/SoftReference" {
            TIMESTAMP "timestamp" "J";
            CLOCK "clock" "J" static;
        }
        weak_reference "java/lang/ref/WeakReference" {}
        final_reference "java/lang/ref/FinalReference" {}
        phantom_reference "java/lang/ref/PhantomReference" {}
        finalizer "java/lang/ref/Finalizer" {}
        stack_trace_element "java/lang/StackTraceElement" {
            DECLARING_CLASS_OBJECT "declaringClassObject" "Ljava/lang/Class;";
            CLASS_LOADER_NAME "classLoaderName" "Ljava/lang/String;";
            MODULE_NAME "moduleName" "Ljava/lang/String;";
            MODULE_VERSION "moduleVersion" "Ljava/lang/String;";
            DECLARING_CLASS "declaringClass" "Ljava/lang/String;";
            METHOD_NAME "methodName" "Ljava/lang/String;";
            FILE_NAME "fileName" "Ljava/lang/String;";
            LINE_NUMBER "lineNumber" "I";
        }
        field "java/lang/reflect/Field" {
            CLAZZ "clazz" "Ljava/lang/Class;";
            SLOT "slot" "I";
            NAME "name" "Ljava/lang/String;";
            TYPE "type" "Ljava/lang/Class;";
            MODIFIERS "modifiers" "I";
            SIGNATURE "signature" "Ljava/lang/String;";
            ANNOTATIONS "annotations" "[B";
            TRUSTED_FINAL "trustedFinal" "Z";
        }
        method "java/lang/reflect/Method" {
            CLAZZ "clazz" "Ljava/lang/Class;";
            SLOT "slot" "I";
            PARAMETER_TYPES "parameterTypes" "[Ljava/lang/Class;";
            EXCEPTION_TYPES "exceptionTypes" "[Ljava/lang/Class;";
            SIGNATURE "signature" "Ljava/lang/String;";
            ANNOTATIONS "annotations" "[B";
            PARAMETER_ANNOTATIONS "parameterAnnotations" "[B";
            MODIFIERS "modifiers" "I";
            NAME "name" "Ljava/lang/String;";
            RETURN_TYPE "returnType" "Ljava/lang/Class;";
            ANNOTATION_DEFAULT "annotationDefault" "[B";
        }
        constructor "java/lang/reflect/Constructor" {
            CLAZZ "clazz" "Ljava/lang/Class;";
            SLOT "slot" "I";
            PARAMETER_TYPES "parameterTypes" "[Ljava/lang/Class;";
            EXCEPTION_TYPES "exceptionTypes" "[Ljava/lang/Class;";
            SIGNATURE "signature" "Ljava/lang/String;";
            ANNOTATIONS "annotations" "[B";
            PARAMETER_ANNOTATIONS "parameterAnnotations" "[B";
            MODIFIERS "modifiers" "I";
        }
        parameter "java/lang/reflect/Parameter" {
            MODIFIERS "modifiers" "I";
            NAME "name" "Ljava/lang/String;";
            EXECUTABLE "executable" "Ljava/lang/reflect/Executable;";
            INDEX "index" "I";
        }
        record_component "java/lang/reflect/RecordComponent" {
            CLAZZ "clazz" "Ljava/lang/Class;";
            TYPE "type" "Ljava/lang/Class;";
            ACCESSOR "accessor" "Ljava/lang/reflect/Method;";
            NAME "name" "Ljava/lang/String;";
            SIGNATURE "signature" "Ljava/lang/String;";
            ANNOTATIONS "annotations" "[B";
            TYPE_ANNOTATIONS "typeAnnotations" "[B";
        }
        method_handle "java/lang/invoke/MethodHandle" {
            FORM "form" "Ljava/lang/invoke/LambdaForm;";
        }
        var_handle "java/lang/invoke/VarHandle" {}
        member_name "java/lang/invoke/MemberName" {
            METHOD "method" "Ljava/lang/invoke/ResolvedMethodName;";
            NAME "name" "Ljava/lang/String;";
            TYPE "type" "Ljava/lang/Object;";
            FLAGS "flags" "I";
            // of a field its offset; of a method its index in the vtable, 0 or -1
            VMINDEX "$vmindex" "I" injected;
            CLAZZ "clazz" "Ljava/lang/Class;";
        }
        resolved_method_name "java/lang/invoke/ResolvedMethodName" {
            // the class of the method below, which stays loaded
            VMHOLDER "$vmholder" "Ljava/lang/Class;" injected;
            HOLDER "vmholder" "Ljava/lang/Class;" since 22;
            // the `MethodId` plus 1
            VMTARGET "$vmtarget" "I" injected;
        }
        method_handle_natives "java/lang/invoke/MethodHandleNatives" {}
        method_type "java/lang/invoke/MethodType" {
            PTYPES "ptypes" "[Ljava/lang/Class;";
            RTYPE "rtype" "Ljava/lang/Class;";
        }
        lambda_form "java/lang/invoke/LambdaForm" {
            VMENTRY "vmentry" "Ljava/lang/invoke/MemberName;";
        }
        module "java/lang/Module" {
            NAME "name" "Ljava/lang/String;";
            LOADER "loader" "Ljava/lang/ClassLoader;";
            // index in `Modules` plus 1 (0: not seen yet)
            RJVM_MODULE "$rjvm_module" "I" injected;
        }
        boolean_box "java/lang/Boolean" {
            VALUE "value" "Z";
        }
        byte_box "java/lang/Byte" {
            VALUE "value" "B";
        }
        character_box "java/lang/Character" {
            VALUE "value" "C";
        }
        short_box "java/lang/Short" {
            VALUE "value" "S";
        }
        integer_box "java/lang/Integer" {
            VALUE "value" "I";
        }
        long_box "java/lang/Long" {
            VALUE "value" "J";
        }
        float_box "java/lang/Float" {
            VALUE "value" "F";
        }
        double_box "java/lang/Double" {
            VALUE "value" "D";
        }
        number "java/lang/Number" {}
    }
    late {
        jfr_event "jdk/jfr/Event" {}
        jfr_mirror_event "jdk/jfr/internal/MirrorEvent" {}
        jvm_upcalls "jdk/jfr/internal/JVMUpcalls" {}
        string_pool "jdk/jfr/internal/StringPool" {
            GENERATION "generation" "S" static since 21;
        }
        event_writer_17 "jdk/jfr/internal/EventWriter" until 20 {
            START "startPosition" "J";
            START_ADDRESS "startPositionAddress" "J";
            CURRENT "currentPosition" "J";
            MOST "maxPosition" "J";
            THREAD "threadID" "J";
            VALID "valid" "Z";
            NOTIFIED "notified" "Z";
        }
        event_writer "jdk/jfr/internal/event/EventWriter" since 21 {
            START "startPosition" "J";
            CURRENT "currentPosition" "J";
            MOST "maxPosition" "J";
            THREAD "threadID" "J";
            VALID "valid" "Z";
            EXCLUDED "excluded" "Z";
        }
        vm_option_origin "com/sun/management/VMOption$Origin" {
            DEFAULT "DEFAULT" "Lcom/sun/management/VMOption$Origin;" static;
            VM_CREATION "VM_CREATION" "Lcom/sun/management/VMOption$Origin;" static;
            ERGONOMIC "ERGONOMIC" "Lcom/sun/management/VMOption$Origin;" static;
            MANAGEMENT "MANAGEMENT" "Lcom/sun/management/VMOption$Origin;" static;
        }
        aes_crypt "com/sun/crypto/provider/AESCrypt" {
            K "K" "[I";
            LIMIT "limit" "I";
            ROUNDS_12 "ROUNDS_12" "Z";
            ROUNDS_14 "ROUNDS_14" "Z";
        }
        cha_cha20 "com/sun/crypto/provider/ChaCha20Cipher" {
            COUNTER "counter" "J";
            FINAL_COUNTER "finalCounterValue" "J";
            START_STATE "startState" "[I";
            KEY_STREAM "keyStream" "[B";
            LIMIT "keyStrLimit" "I" since 20;
            OFFSET "keyStrOffset" "I";
        }
        cipher_block_chaining "com/sun/crypto/provider/CipherBlockChaining" {
            LAST "r" "[B";
            MIXED "k" "[B";
        }
        counter_mode "com/sun/crypto/provider/CounterMode" {
            COUNTER "counter" "[B";
            ENCRYPTED_COUNTER "encryptedCounter" "[B";
            USED "used" "I";
        }
        digest_base "sun/security/provider/DigestBase" {
            BLOCK_SIZE "blockSize" "I";
            BUFFER "buffer" "[B";
            BUFFERED "bufOfs" "I";
            DIGEST_LENGTH "digestLength" "I";
            PROCESSED "bytesProcessed" "J";
        }
        digest_delegate "java/security/MessageDigest$Delegate" {
            SPI "digestSpi" "Ljava/security/MessageDigestSpi;";
        }
        feedback_cipher "com/sun/crypto/provider/FeedbackCipher" {
            BLOCK_SIZE "blockSize" "I";
            EMBEDDED_CIPHER "embeddedCipher" "Lcom/sun/crypto/provider/SymmetricCipher;";
        }
        hmac_core "com/sun/crypto/provider/HmacCore" {
            IS_FIRST "first" "Z";
            INNER "k_ipad" "[B";
            MD "md" "Ljava/security/MessageDigest;";
            OUTER "k_opad" "[B";
        }
        mac "javax/crypto/Mac" {
            INITIALIZED "initialized" "Z";
            SPI "spi" "Ljavax/crypto/MacSpi;";
        }
        md5 "sun/security/provider/MD5" {
            STATE "state" "[I";
        }
        poly1305 "com/sun/crypto/provider/Poly1305" {
            SUM "a" "Lsun/security/util/math/MutableIntegerModuloP;";
            BLOCK "n" "Lsun/security/util/math/MutableIntegerModuloP;";
            FACTOR "r" "Lsun/security/util/math/IntegerModuloP;";
        }
        polynomial_element "sun/security/util/math/intpoly/IntegerPolynomial$Element" {
            LIMBS "limbs" "[J";
            ADDS "numAdds" "I";
        }
        sha "sun/security/provider/SHA" {
            W "W" "[I";
            STATE "state" "[I";
        }
        sha2 "sun/security/provider/SHA2" {
            INITIAL "initialHashes" "[I";
            W "W" "[I";
            STATE "state" "[I";
        }
        sha3 "sun/security/provider/SHA3" {
            STATE "state" "[B" optional;
            LANES "lanes" "[J" optional;
            WORDS "state" "[J" optional;
        }
        sha5 "sun/security/provider/SHA5" {
            INITIAL "initialHashes" "[J";
            W "W" "[J";
            STATE "state" "[J";
        }
        flag "com/sun/management/internal/Flag" {}
        gc_info "com/sun/management/GcInfo" {}
        unix_system "com/sun/security/auth/module/UnixSystem" {
            USERNAME "username" "Ljava/lang/String;";
            UID "uid" "J";
            GID "gid" "J";
            GROUPS "groups" "[J";
        }
        diagnostic_command_info "com/sun/management/internal/DiagnosticCommandInfo" {}
        diagnostic_command_argument_info "com/sun/management/internal/DiagnosticCommandArgumentInfo" {}
        agent "jdk/internal/agent/Agent" {}
        modules "jdk/internal/module/Modules" {}
        arrays "java/util/Arrays" {}
        vm_support "jdk/internal/vm/VMSupport" {
            AGENT_PROPS "agentProps" "Ljava/util/Properties;" static;
        }
        garbage_collector_ext_impl "com/sun/management/internal/GarbageCollectorExtImpl" {}
        file "java/io/File" {
            PATH "path" "Ljava/lang/String;";
        }
        file_descriptor "java/io/FileDescriptor" {
            FD "fd" "I";
            APPEND "append" "Z";
        }
        file_input_stream "java/io/FileInputStream" {
            FD "fd" "Ljava/io/FileDescriptor;";
        }
        file_output_stream "java/io/FileOutputStream" {
            FD "fd" "Ljava/io/FileDescriptor;";
        }
        random_access_file "java/io/RandomAccessFile" {
            FD "fd" "Ljava/io/FileDescriptor;";
        }
        application_shutdown_hooks "java/lang/ApplicationShutdownHooks" {
            HOOKS "hooks" "Ljava/util/IdentityHashMap;" static;
        }
        assertion_status_directives "java/lang/AssertionStatusDirectives" {
            CLASSES "classes" "[Ljava/lang/String;";
            CLASS_ENABLED "classEnabled" "[Z";
            PACKAGES "packages" "[Ljava/lang/String;";
            PACKAGE_ENABLED "packageEnabled" "[Z";
            DEFLT "deflt" "Z";
        }
        process_handle_info "java/lang/ProcessHandleImpl$Info" {
            START_TIME "startTime" "J";
            TOTAL_TIME "totalTime" "J";
            USER "user" "Ljava/lang/String;";
            COMMAND "command" "Ljava/lang/String;";
            ARGUMENTS "arguments" "[Ljava/lang/String;";
            COMMAND_LINE "commandLine" "Ljava/lang/String;";
        }
        launcher_helper "sun/launcher/LauncherHelper" {
            // what `main` is like: `launcher_helper_main` has the bits of the number
            MAIN_TYPE "mainType" "I" static since 21 until 21;
            IS_STATIC_MAIN "isStaticMain" "Z" static since 22;
            NO_ARG_MAIN "noArgMain" "Z" static since 22;
        }
        stack_frame_info "java/lang/StackFrameInfo" {
            MEMBER_NAME "memberName" "Ljava/lang/Object;" until 21;
            NAME "name" "Ljava/lang/String;" since 22;
            TYPE "type" "Ljava/lang/Object;" since 22;
            BCI "bci" "I";
        }
        charset "java/nio/charset/Charset" {}
        thread_dumper "jdk/internal/vm/ThreadDumper" since 21 {}
        jcmd_vthread_commands "jdk/internal/vm/JcmdVThreadCommands" since 24 {}
        class_frame_info "java/lang/ClassFrameInfo" since 22 {
            CLASS_OR_MEMBER_NAME "classOrMemberName" "Ljava/lang/Object;";
            FLAGS "flags" "I";
        }
        exceptions "jdk/internal/util/Exceptions" since 25 {}
        thread_identifiers "java/lang/Thread$ThreadIdentifiers" since 21 {
            NEXT_TID_OFFSET "NEXT_TID_OFFSET" "J" static;
        }
        continuation "jdk/internal/vm/Continuation" since 21 {
            TAIL "tail" "Ljdk/internal/vm/StackChunk;";
        }
        stack_chunk "jdk/internal/vm/StackChunk" since 21 {
            // the number of the stack that represents it, plus 1
            SP "sp" "I";
        }
        thread_snapshot "jdk/internal/vm/ThreadSnapshot" since 25 {
            NAME "name" "Ljava/lang/String;";
            THREAD_STATUS "threadStatus" "I";
            CARRIER_THREAD "carrierThread" "Ljava/lang/Thread;";
            STACK_TRACE "stackTrace" "[Ljava/lang/StackTraceElement;";
            LOCKS "locks" "[Ljdk/internal/vm/ThreadSnapshot$ThreadLock;";
            BLOCKER_TYPE "blockerTypeOrdinal" "I";
            BLOCKER_OBJECT "blockerObject" "Ljava/lang/Object;";
        }
        thread_snapshot_lock "jdk/internal/vm/ThreadSnapshot$ThreadLock" since 25 {
            DEPTH "depth" "I";
            OBJECT "obj" "Ljava/lang/Object;";
        }
        base_virtual_thread "java/lang/BaseVirtualThread" since 19 {}
        virtual_thread "java/lang/VirtualThread" since 21 {
            STATE "state" "I";
            PARKING "PARKING" "I" static;
            TIMED_PARKING "TIMED_PARKING" "I" static;
            PARKED "PARKED" "I" static;
            TIMED_PARKED "TIMED_PARKED" "I" static;
            // of those that unmount wherever they wait
            NOTIFIED "notified" "Z" since 24;
            TIMEOUT "timeout" "J" since 24;
            ON_WAITING_LIST "onWaitingList" "Z" since 24;
            NEXT "next" "Ljava/lang/VirtualThread;" since 24;
            BLOCKING "BLOCKING" "I" static since 24;
            BLOCKED "BLOCKED" "I" static since 24;
            WAITING "WAITING" "I" static since 24;
            WAIT "WAIT" "I" static since 24;
            TIMED_WAITING "TIMED_WAITING" "I" static since 24;
            TIMED_WAIT "TIMED_WAIT" "I" static since 24;
        }
        abstract_stack_walker "java/lang/StackStreamFactory$AbstractStackWalker" {
            ANCHOR "anchor" "J";
            CONTINUATION "continuation" "Ljdk/internal/vm/Continuation;" since 19;
        }
        class_definition "java/lang/instrument/ClassDefinition" {
            CLASS_OF_IT "mClass" "Ljava/lang/Class;";
            CLASS_FILE "mClassFile" "[B";
        }
        call_site "java/lang/invoke/CallSite" {
            TARGET "target" "Ljava/lang/invoke/MethodHandle;";
        }
        memory_manager_mx_bean "java/lang/management/MemoryManagerMXBean" {}
        memory_pool_mx_bean "java/lang/management/MemoryPoolMXBean" {}
        memory_usage "java/lang/management/MemoryUsage" {
            INIT "init" "J";
            USED "used" "J";
            COMMITTED "committed" "J";
            MAX "max" "J";
        }
        inet4_address "java/net/Inet4Address" {}
        inet6_address "java/net/Inet6Address" {
            HOLDER6 "holder6" "Ljava/net/Inet6Address$Inet6AddressHolder;";
        }
        inet6_address_holder "java/net/Inet6Address$Inet6AddressHolder" {
            THIS_0 "this$0" "Ljava/net/Inet6Address;" optional;
            IPADDRESS "ipaddress" "[B";
            SCOPE_ID "scope_id" "I";
            SCOPE_ID_SET "scope_id_set" "Z";
            SCOPE_IFNAME "scope_ifname" "Ljava/net/NetworkInterface;";
            SCOPE_IFNAME_SET "scope_ifname_set" "Z";
        }
        inet_address "java/net/InetAddress" {
            HOLDER "holder" "Ljava/net/InetAddress$InetAddressHolder;";
            PREFER_IPV6_ADDRESS "preferIPv6Address" "I" static until 17;
        }
        inet_address_holder "java/net/InetAddress$InetAddressHolder" {
            ORIGINAL_HOST_NAME "originalHostName" "Ljava/lang/String;";
            HOST_NAME "hostName" "Ljava/lang/String;";
            ADDRESS "address" "I";
            FAMILY "family" "I";
        }
        inet_address_container "java/net/InetAddressContainer" until 17 {
            ADDR "addr" "Ljava/net/InetAddress;";
        }
        socket_impl "java/net/SocketImpl" {
            FD "fd" "Ljava/io/FileDescriptor;";
            ADDRESS "address" "Ljava/net/InetAddress;";
            PORT "port" "I";
            LOCALPORT "localport" "I";
        }
        abstract_plain_socket_impl "java/net/AbstractPlainSocketImpl" until 17 {
            TIMEOUT "timeout" "I";
        }
        inet_socket_address "java/net/InetSocketAddress" {
            HOLDER "holder" "Ljava/net/InetSocketAddress$InetSocketAddressHolder;";
        }
        inet_socket_address_holder "java/net/InetSocketAddress$InetSocketAddressHolder" {
            ADDR "addr" "Ljava/net/InetAddress;";
            PORT "port" "I";
        }
        interface_address "java/net/InterfaceAddress" {
            ADDRESS "address" "Ljava/net/InetAddress;";
            BROADCAST "broadcast" "Ljava/net/Inet4Address;";
            MASK_LENGTH "maskLength" "S";
        }
        network_interface "java/net/NetworkInterface" {
            NAME "name" "Ljava/lang/String;";
            DISPLAY_NAME "displayName" "Ljava/lang/String;";
            INDEX "index" "I";
            ADDRS "addrs" "[Ljava/net/InetAddress;";
            BINDINGS "bindings" "[Ljava/net/InterfaceAddress;";
            CHILDS "childs" "[Ljava/net/NetworkInterface;";
        }
        buffer "java/nio/Buffer" {
            ADDRESS "address" "J";
            CAPACITY "capacity" "I";
        }
        direct_buffer "sun/nio/ch/DirectBuffer" {}
        direct_byte_buffer "java/nio/DirectByteBuffer" {}
        access_control_context "java/security/AccessControlContext" {
            CONTEXT "context" "[Ljava/security/ProtectionDomain;";
            PRIVILEGED_CONTEXT "privilegedContext" "Ljava/security/AccessControlContext;" until 23;
            IS_PRIVILEGED "isPrivileged" "Z" until 23;
            IS_AUTHORIZED "isAuthorized" "Z" until 23;
        }
        access_controller "java/security/AccessController" {}
        protection_domain "java/security/ProtectionDomain" {}
        hashtable "java/util/Hashtable" {
            TABLE "table" "[Ljava/util/Hashtable$Entry;";
        }
        hashtable_entry "java/util/Hashtable$Entry" {
            VALUE "value" "Ljava/lang/Object;";
            NEXT "next" "Ljava/util/Hashtable$Entry;";
        }
        properties "java/util/Properties" {
            MAP "map" "Ljava/util/concurrent/ConcurrentHashMap;";
        }
        concurrent_hash_map "java/util/concurrent/ConcurrentHashMap" {
            TABLE "table" "[Ljava/util/concurrent/ConcurrentHashMap$Node;";
            NEXT_TABLE "nextTable" "[Ljava/util/concurrent/ConcurrentHashMap$Node;";
        }
        concurrent_hash_map_node "java/util/concurrent/ConcurrentHashMap$Node" {
            KEY "key" "Ljava/lang/Object;";
            VAL "val" "Ljava/lang/Object;";
            NEXT "next" "Ljava/util/concurrent/ConcurrentHashMap$Node;";
        }
        concurrent_hash_map_tree_bin "java/util/concurrent/ConcurrentHashMap$TreeBin" {
            ROOT "first" "Ljava/util/concurrent/ConcurrentHashMap$TreeNode;";
        }
        identity_hash_map "java/util/IdentityHashMap" {
            SIZE "size" "I";
        }
        abstract_ownable_synchronizer "java/util/concurrent/locks/AbstractOwnableSynchronizer" {
            EXCLUSIVE_OWNER_THREAD "exclusiveOwnerThread" "Ljava/lang/Thread;";
        }
        inflater "java/util/zip/Inflater" {
            INPUT_CONSUMED "inputConsumed" "I";
            OUTPUT_CONSUMED "outputConsumed" "I";
        }
        native_library_impl "jdk/internal/loader/NativeLibraries$NativeLibraryImpl" {
            FROM_CLASS "fromClass" "Ljava/lang/Class;";
            NAME "name" "Ljava/lang/String;";
            JNI_VERSION "jniVersion" "I";
            HANDLE "handle" "J";
        }
        raw_native_library_impl "jdk/internal/loader/RawNativeLibraries$RawNativeLibraryImpl" since 18 {
            HANDLE "handle" "J";
        }
        signal "jdk/internal/misc/Signal" {
            HANDLERS "handlers" "Ljava/util/Hashtable;" static;
        }
        unsafe_constants "jdk/internal/misc/UnsafeConstants" {
            ADDRESS_SIZE0 "ADDRESS_SIZE0" "I" static;
            PAGE_SIZE "PAGE_SIZE" "I" static;
            DATA_CACHE_LINE_FLUSH_SIZE "DATA_CACHE_LINE_FLUSH_SIZE" "I" static;
            BIG_ENDIAN "BIG_ENDIAN" "Z" static;
            UNALIGNED_ACCESS "UNALIGNED_ACCESS" "Z" static;
        }
        constant_pool "jdk/internal/reflect/ConstantPool" {
            CONSTANT_POOL_OOP "constantPoolOop" "Ljava/lang/Object;";
        }
        management_factory_helper "sun/management/ManagementFactoryHelper" {}
        memory_impl "sun/management/MemoryImpl" {}
        memory_pool_impl "sun/management/MemoryPoolImpl" {
            NAME "name" "Ljava/lang/String;";
        }
        memory_manager_impl "sun/management/MemoryManagerImpl" {
            NAME "name" "Ljava/lang/String;";
        }
        sensor "sun/management/Sensor" {}
        vm_management_impl "sun/management/VMManagementImpl" {
            COMP_TIME_MONITORING_SUPPORT "compTimeMonitoringSupport" "Z" static;
            CURRENT_THREAD_CPU_TIME_SUPPORT "currentThreadCpuTimeSupport" "Z" static;
            OBJECT_MONITOR_USAGE_SUPPORT "objectMonitorUsageSupport" "Z" static;
            OTHER_THREAD_CPU_TIME_SUPPORT "otherThreadCpuTimeSupport" "Z" static;
            REMOTE_DIAGNOSTIC_COMMANDS_SUPPORT "remoteDiagnosticCommandsSupport" "Z" static;
            SYNCHRONIZER_USAGE_SUPPORT "synchronizerUsageSupport" "Z" static;
            THREAD_CONTENTION_MONITORING_SUPPORT "threadContentionMonitoringSupport" "Z" static;
            THREAD_ALLOCATED_MEMORY_SUPPORT "threadAllocatedMemorySupport" "Z" static;
        }
        file_channel_impl "sun/nio/ch/FileChannelImpl" {
            FD "fd" "Ljava/io/FileDescriptor;";
        }
        file_key "sun/nio/ch/FileKey" {
            ST_DEV "st_dev" "J";
            ST_INO "st_ino" "J";
        }
        unix_exception "sun/nio/fs/UnixException" {
            ERRNO "errno" "I";
        }
        unix_file_attributes "sun/nio/fs/UnixFileAttributes" {
            ST_MODE "st_mode" "I";
            ST_INO "st_ino" "J";
            ST_DEV "st_dev" "J";
            ST_RDEV "st_rdev" "J";
            ST_NLINK "st_nlink" "I";
            ST_UID "st_uid" "I";
            ST_GID "st_gid" "I";
            ST_SIZE "st_size" "J";
            ST_ATIME_SEC "st_atime_sec" "J";
            ST_ATIME_NSEC "st_atime_nsec" "J";
            ST_MTIME_SEC "st_mtime_sec" "J";
            ST_MTIME_NSEC "st_mtime_nsec" "J";
            ST_CTIME_SEC "st_ctime_sec" "J";
            ST_CTIME_NSEC "st_ctime_nsec" "J";
            ST_BIRTHTIME_SEC "st_birthtime_sec" "J";
            ST_BIRTHTIME_NSEC "st_birthtime_nsec" "J";
        }
        unix_file_store_attributes "sun/nio/fs/UnixFileStoreAttributes" {
            F_FRSIZE "f_frsize" "J";
            F_BLOCKS "f_blocks" "J";
            F_BFREE "f_bfree" "J";
            F_BAVAIL "f_bavail" "J";
        }
        unix_mount_entry "sun/nio/fs/UnixMountEntry" {
            NAME "name" "[B";
            DIR "dir" "[B";
            FSTYPE "fstype" "[B";
            OPTS "opts" "[B";
        }
    }
}
