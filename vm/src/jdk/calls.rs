//! The table of the JDK's methods that the VM, its natives and the launcher call by name.
//!
//! A row is `CONSTANT "method" "descriptor" marks;` with these marks: `static`; `since N` and `until N`, the JDK's
//! feature versions that have it. Code that calls a method which not every JDK has asks [`crate::Env::has_method`] first.
//! `check` compares the table with a JDK.

use super::rows::{JdkMethod, OptionalName};
use crate::versions::Versions;

/// The type of a row's constant, by its marks.
macro_rules! callee_type {
    () => { JdkMethod };
    (static $($rest:tt)*) => { callee_type!($($rest)*) };
    (since $($rest:tt)*) => { OptionalName<JdkMethod> };
    (until $($rest:tt)*) => { OptionalName<JdkMethod> };
}

/// A row's constant: its data, which a constant with versions wraps.
macro_rules! callee_value {
    ($row:expr;) => { $row };
    ($row:expr; static $($rest:tt)*) => { callee_value!(JdkMethod { is_static: true, ..$row }; $($rest)*) };
    ($row:expr; $(since $s:literal)? $(until $u:literal)?) => {
        OptionalName(JdkMethod { versions: Versions::of(&[$($s)?], &[$($u)?]), ..$row })
    };
}

/// A row's data, whatever its versions.
macro_rules! callee_row {
    ($row:expr;) => { $row };
    ($row:expr; static $($rest:tt)*) => { callee_row!($row; $($rest)*) };
    ($row:expr; $(since $s:literal)? $(until $u:literal)?) => { $row.0 };
}

macro_rules! calls {
    ($( $class:ident $name:literal {
        $( $row:ident $method:literal $desc:literal $($mark:ident $($version:literal)?)* ; )*
    } )*) => {
        $(
            #[doc = concat!("Methods of `", $name, "`.")]
            pub mod $class {
                use super::*;
                $(
                    #[doc = concat!("`", $method, $desc, "`")]
                    pub const $row: callee_type!($($mark $($version)?)*) =
                        callee_value!(JdkMethod::new($name, $method, $desc); $($mark $($version)?)*);
                )*
            }
        )*
        /// All rows.
        pub static CALLS: &[JdkMethod] = &[
            $( $( callee_row!($class::$row; $($mark $($version)?)*), )* )*
        ];
    };
}

/// The static field that the VM adds to classes of events: name and descriptor, by the JDK's feature version.
pub fn event_configuration(feature: u32) -> (&'static str, &'static str) {
    match feature {
        ..=20 => ("eventHandler", "Ljdk/jfr/internal/handlers/EventHandler;"),
        _ => (
            "eventConfiguration",
            "Ljdk/jfr/internal/event/EventConfiguration;",
        ),
    }
}

calls! {
    object "java/lang/Object" {
        INIT "<init>" "()V";
        TO_STRING "toString" "()Ljava/lang/String;";
    }
    boolean "java/lang/Boolean" {
        INIT "<init>" "(Z)V";
        VALUE_OF "valueOf" "(Z)Ljava/lang/Boolean;" static;
    }
    byte "java/lang/Byte" {
        VALUE_OF "valueOf" "(B)Ljava/lang/Byte;" static;
    }
    character "java/lang/Character" {
        VALUE_OF "valueOf" "(C)Ljava/lang/Character;" static;
    }
    short "java/lang/Short" {
        VALUE_OF "valueOf" "(S)Ljava/lang/Short;" static;
    }
    integer "java/lang/Integer" {
        VALUE_OF "valueOf" "(I)Ljava/lang/Integer;" static;
    }
    long "java/lang/Long" {
        INIT "<init>" "(J)V";
        VALUE_OF "valueOf" "(J)Ljava/lang/Long;" static;
    }
    float "java/lang/Float" {
        VALUE_OF "valueOf" "(F)Ljava/lang/Float;" static;
        TO_STRING "toString" "(F)Ljava/lang/String;" static;
    }
    double "java/lang/Double" {
        VALUE_OF "valueOf" "(D)Ljava/lang/Double;" static;
        TO_STRING "toString" "(D)Ljava/lang/String;" static;
    }
    collection "java/util/Collection" {
        TO_ARRAY "toArray" "()[Ljava/lang/Object;";
    }
    map "java/util/Map" {
        ENTRY_SET "entrySet" "()Ljava/util/Set;";
    }
    map_entry "java/util/Map$Entry" {
        GET_KEY "getKey" "()Ljava/lang/Object;";
        GET_VALUE "getValue" "()Ljava/lang/Object;";
    }
    class "java/lang/Class" {
        FOR_NAME "forName" "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;" static;
    }
    class_loader "java/lang/ClassLoader" {
        GET_SYSTEM_CLASS_LOADER "getSystemClassLoader" "()Ljava/lang/ClassLoader;" static;
        LOAD_CLASS "loadClass" "(Ljava/lang/String;)Ljava/lang/Class;";
        ADD_CLASS "addClass" "(Ljava/lang/Class;)V";
        CHECK_PACKAGE_ACCESS "checkPackageAccess" "(Ljava/lang/Class;Ljava/security/ProtectionDomain;)V" until 23;
        FIND_NATIVE "findNative" "(Ljava/lang/ClassLoader;Ljava/lang/String;)J" static until 23;
        FIND_NATIVE_OF_CLASS "findNative" "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;)J" static since 24;
    }
    continuation "jdk/internal/vm/Continuation" {
        ENTER "enter" "(Ljdk/internal/vm/Continuation;Z)V" static since 19;
        DO_YIELD "doYield" "()I" static since 21;
    }
    lib_fallback "jdk/internal/foreign/abi/fallback/LibFallback" {
        DO_UPCALL "doUpcall" "(JJLjava/lang/invoke/MethodHandle;)V" static since 21;
    }
    throwable "java/lang/Throwable" {
        INIT_CAUSE "initCause" "(Ljava/lang/Throwable;)Ljava/lang/Throwable;";
        PRINT_STACK_TRACE "printStackTrace" "()V";
        GET_STACK_TRACE "getStackTrace" "()[Ljava/lang/StackTraceElement;";
    }
    system "java/lang/System" {
        INIT_PHASE_1 "initPhase1" "()V" static;
        INIT_PHASE_2 "initPhase2" "(ZZ)I" static;
        INIT_PHASE_3 "initPhase3" "()V" static;
    }
    charset "java/nio/charset/Charset" {
        FOR_NAME "forName" "(Ljava/lang/String;)Ljava/nio/charset/Charset;" static;
    }
    flight_recorder "jdk/jfr/FlightRecorder" {
        REGISTER "register" "(Ljava/lang/Class;)V" static;
    }
    jvm_upcalls "jdk/jfr/internal/JVMUpcalls" {
        FILL "bytesForEagerInstrumentation" "(JZLjava/lang/Class;[B)[B" static until 20;
        FILL_OF_LOADER "bytesForEagerInstrumentation" "(JZZLjava/lang/Class;[B)[B" static since 21;
    }
    stack_trace_element "java/lang/StackTraceElement" {
        OF "of" "([Ljava/lang/StackTraceElement;)[Ljava/lang/StackTraceElement;" static since 21;
    }
    thread_dumper "jdk/internal/vm/ThreadDumper" {
        TO_TEXT "dumpThreads" "(Ljava/lang/String;Z)[B" static since 21;
        TO_JSON "dumpThreadsToJson" "(Ljava/lang/String;Z)[B" static since 21;
    }
    exceptions "jdk/internal/util/Exceptions" {
        ENHANCED_NON_SOCKET "enhancedNonSocketExceptions" "()Z" static since 25;
    }
    jcmd_vthread_commands "jdk/internal/vm/JcmdVThreadCommands" {
        PRINT_SCHEDULER "printScheduler" "()[B" static since 24;
        PRINT_POLLERS "printPollers" "()[B" static since 24;
    }
    app_class_loader "jdk/internal/loader/ClassLoaders$AppClassLoader" {
        // other system class loaders may have it, too
        APPEND "appendToClassPathForInstrumentation" "(Ljava/lang/String;)V";
    }
    instrumentation_impl "sun/instrument/InstrumentationImpl" {
        // the last says whether a warning is printed
        INIT "<init>" "(JZZZ)V" since 21;
        INIT_SILENT "<init>" "(JZZ)V" until 20;
        CALL_PREMAIN "loadClassAndCallPremain" "(Ljava/lang/String;Ljava/lang/String;)V";
        CALL_AGENTMAIN "loadClassAndCallAgentmain" "(Ljava/lang/String;Ljava/lang/String;)V";
        TRANSFORM "transform" "(Ljava/lang/Module;Ljava/lang/ClassLoader;Ljava/lang/String;Ljava/lang/Class;Ljava/security/ProtectionDomain;[BZ)[B";
    }
    internal_modules "jdk/internal/module/Modules" {
        TRANSFORMED_BY_AGENT "transformedByAgent" "(Ljava/lang/Module;)V" static;
    }
    shutdown "java/lang/Shutdown" {
        SHUTDOWN "shutdown" "()V" static;
    }
    version_props "java/lang/VersionProps" {
        PRINT "print" "(Z)V" static;
        PRINTLN "println" "(Z)V" static until 20;
    }
    thread "java/lang/Thread" {
        INIT "<init>" "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V";
        INIT_OF_TARGET "<init>" "(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;)V";
        RUN "run" "()V";
        DISPATCH_UNCAUGHT_EXCEPTION "dispatchUncaughtException" "(Ljava/lang/Throwable;)V";
        EXIT "exit" "()V";
    }
    thread_group "java/lang/ThreadGroup" {
        INIT_SYSTEM "<init>" "()V";
        INIT "<init>" "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V";
        ADD "add" "(Ljava/lang/Thread;)V" until 18;
    }
    abstract_stack_walker "java/lang/StackStreamFactory$AbstractStackWalker" {
        DO_STACK_WALK "doStackWalk" "(JIIII)Ljava/lang/Object;";
    }
    method_handle_natives "java/lang/invoke/MethodHandleNatives" {
        FIND_METHOD_HANDLE_TYPE "findMethodHandleType" "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;" static;
        LINK_METHOD_HANDLE_CONSTANT "linkMethodHandleConstant" "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;" static;
        LINK_METHOD "linkMethod" "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/invoke/MemberName;" static;
        // the `int` is the index of the constant
        LINK_CALL_SITE_AT "linkCallSite" "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/invoke/MemberName;" static until 18;
        LINK_CALL_SITE "linkCallSite" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/invoke/MemberName;" static since 19;
        LINK_DYNAMIC_CONSTANT_AT "linkDynamicConstant" "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;" static until 18;
        LINK_DYNAMIC_CONSTANT "linkDynamicConstant" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;" static since 19;
    }
    finalizer "java/lang/ref/Finalizer" {
        REGISTER "register" "(Ljava/lang/Object;)V" static;
    }
    weak_reference "java/lang/ref/WeakReference" {
        INIT "<init>" "(Ljava/lang/Object;)V";
    }
    direct_byte_buffer "java/nio/DirectByteBuffer" {
        INIT_INT "<init>" "(JI)V" until 20;
        INIT_LONG "<init>" "(JJ)V" since 21;
    }
    signal "jdk/internal/misc/Signal" {
        DISPATCH "dispatch" "(I)V" static;
    }
    agent "jdk/internal/agent/Agent" {
        START_AGENT "startAgent" "()V" static;
        START_REMOTE "startRemoteManagementAgent" "(Ljava/lang/String;)V" static;
        START_LOCAL "startLocalManagementAgent" "()V" static;
        STATUS "getManagementAgentStatus" "()Ljava/lang/String;" static;
        STOP_REMOTE "stopRemoteManagementAgent" "()V" static;
    }
    modules "jdk/internal/module/Modules" {
        LOAD_MODULE "loadModule" "(Ljava/lang/String;)Ljava/lang/Module;" static;
    }
    launcher_helper "sun/launcher/LauncherHelper" {
        CHECK_AND_LOAD_MAIN "checkAndLoadMain" "(ZILjava/lang/String;)Ljava/lang/Class;" static;
        MAKE_PLATFORM_STRING "makePlatformString" "(Z[B)Ljava/lang/String;" static;
        SHOW_SETTINGS "showSettings" "(ZLjava/lang/String;JJJ)V" static;
        LIST_MODULES "listModules" "()V" static;
        DESCRIBE_MODULE "describeModule" "(Ljava/lang/String;)V" static;
    }
    thread_info "java/lang/management/ThreadInfo" {
        INIT "<init>" "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ[Ljava/lang/StackTraceElement;[Ljava/lang/Object;[I[Ljava/lang/Object;)V";
    }
    management_factory_helper "sun/management/ManagementFactoryHelper" {
        CREATE_MEMORY_MANAGER "createMemoryManager" "(Ljava/lang/String;)Ljava/lang/management/MemoryManagerMXBean;" static;
        CREATE_MEMORY_POOL "createMemoryPool" "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;" static;
    }
    memory_impl "sun/management/MemoryImpl" {
        GET_MEMORY_POOLS "getMemoryPools" "()[Ljava/lang/management/MemoryPoolMXBean;" static;
        GET_MEMORY_MANAGERS "getMemoryManagers" "()[Ljava/lang/management/MemoryManagerMXBean;" static;
    }
    sensor "sun/management/Sensor" {
        TRIGGER "trigger" "(ILjava/lang/management/MemoryUsage;)V";
        CLEAR "clear" "(I)V";
    }
    flag "com/sun/management/internal/Flag" {
        INIT "<init>" "(Ljava/lang/String;Ljava/lang/Object;ZZLcom/sun/management/VMOption$Origin;)V";
    }
    garbage_collector_ext_impl "com/sun/management/internal/GarbageCollectorExtImpl" {
        GET_GC_INFO_BUILDER "getGcInfoBuilder" "()Lcom/sun/management/internal/GcInfoBuilder;";
        CREATE_GC_NOTIFICATION "createGCNotification" "(JLjava/lang/String;Ljava/lang/String;Ljava/lang/String;Lcom/sun/management/GcInfo;)V";
        CREATE_GARBAGE_COLLECTOR "createGarbageCollector" "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/management/GarbageCollectorMXBean;" static;
    }
    arrays "java/util/Arrays" {
        AS_LIST "asList" "([Ljava/lang/Object;)Ljava/util/List;" static;
    }
    diagnostic_command_argument_info "com/sun/management/internal/DiagnosticCommandArgumentInfo" {
        INIT "<init>" "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ZZZI)V";
    }
    diagnostic_command_info "com/sun/management/internal/DiagnosticCommandInfo" {
        // with the permission that a security manager asks for
        INIT_WITH_PERMISSION "<init>" "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ZLjava/util/List;)V" until 23;
        INIT "<init>" "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ZLjava/util/List;)V" since 24;
    }
    gc_info "com/sun/management/GcInfo" {
        INIT "<init>" "(Lcom/sun/management/internal/GcInfoBuilder;JJJ[Ljava/lang/management/MemoryUsage;[Ljava/lang/management/MemoryUsage;[Ljava/lang/Object;)V";
    }
}
