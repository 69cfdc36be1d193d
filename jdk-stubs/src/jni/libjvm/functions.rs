//! The functions of `libjvm` that JNI specifies or a library calls, and the names of all others.
//!
//! The JDK's own natives of `java.base` are the callers of most. rjvm has its own natives for these, so they are never called;
//! but `libjava`, which has both natives and helpers of other libraries, is loaded only if all are there. If a library calls
//! one that has no code here, the VM ends and names it.

use crate::jni::cx::peek;
use crate::jni::ends::{die, fatal};
use crate::jni::env::JavaVm;
use crate::jni::fibers::running;
use crate::jni::functions::variadic;
use crate::jni::types::{JNI_EEXIST, JNI_ERR, JNI_EVERSION, JNI_OK, has_version};
use std::ffi::c_void;

/// A name, and the address of its function.
pub type SymbolAddress = (&'static str, u64);

/// All functions.
pub fn all() -> Vec<SymbolAddress> {
    let mut all = Vec::new();
    present(&mut all);
    absent(&mut all);
    all
}

macro_rules! present {
    ($($name:literal $f:path;)*) => {
        fn present(all: &mut Vec<SymbolAddress>) {
            $( all.push(($name, ($f as *const c_void).expose_provenance() as u64)); )*
        }
    };
}
present! {
    "JNI_CreateJavaVM" create_java_vm;
    "JNI_GetCreatedJavaVMs" created_vms;
    "JNI_GetDefaultJavaVMInitArgs" default_options;
    "JVM_IsStaticallyLinked" is_statically_linked;
    "jio_fprintf" jio_fprintf;
    "jio_printf" jio_printf;
    "jio_snprintf" jio_snprintf;
    "jio_vfprintf" jio_vfprintf;
    "jio_vsnprintf" jio_vsnprintf;
}

/// The program has a VM: there is no second one for its C code.
unsafe extern "C" fn create_java_vm(_: *mut *const JavaVm, _: *mut c_void, _: *mut c_void) -> i32 {
    match super::vms().is_empty() {
        true => JNI_ERR,
        false => JNI_EEXIST,
    }
}

/// `JNI_GetCreatedJavaVMs`: the VMs of the process that have native code.
///
/// # Safety
/// There is room for so many addresses of VMs, and for their number unless that is null.
pub unsafe extern "C" fn created_vms(to: *mut usize, room: i32, count: *mut i32) -> i32 {
    let vms = super::vms();
    let room = usize::try_from(room).unwrap_or(0);
    // SAFETY: the caller has so much room for VMs, and room for their number unless that is null.
    unsafe {
        for (i, vm) in vms.iter().take(room).enumerate() {
            to.add(i).write(*vm);
        }
        if !count.is_null() {
            count.write(vms.len() as i32);
        }
    }
    JNI_OK
}

/// The head of the options that a VM is created with.
#[repr(C)]
pub struct CreationOptions {
    version: i32,
}

/// `JNI_GetDefaultJavaVMInitArgs`: whether a VM knows the version of the interface that the options name.
///
/// # Safety
/// The address is one of options.
pub unsafe extern "C" fn default_options(options: *mut CreationOptions) -> i32 {
    let vm = super::vms().first().copied();
    // SAFETY: a VM's description is never freed, and the caller has options.
    let known = unsafe {
        let feature = |vm| (*std::ptr::with_exposed_provenance::<JavaVm>(vm)).feature;
        has_version((*options).version, vm.map_or(u32::MAX, feature))
    };
    match known {
        true => JNI_OK,
        false => JNI_EVERSION,
    }
}

/// The JDK's libraries are separate files.
unsafe extern "C" fn is_statically_linked() -> u8 {
    0
}

unsafe extern "C" {
    fn vsnprintf(to: *mut i8, room: usize, format: *const i8, list: *mut c_void) -> i32;
    fn vfprintf(file: *mut c_void, format: *const i8, list: *mut c_void) -> i32;
    #[cfg(target_arch = "x86_64")]
    fn vprintf(format: *const i8, list: *mut c_void) -> i32;
}

/// As `vsnprintf`, but -1 if there is not enough room.
unsafe extern "C" fn jio_vsnprintf(
    to: *mut i8,
    room: usize,
    format: *const i8,
    list: *mut c_void,
) -> i32 {
    if isize::try_from(room).is_err() || room == 0 {
        return -1;
    }
    // SAFETY: the caller has room, and arguments as the format says.
    let written = unsafe { vsnprintf(to, room, format, list) };
    match usize::try_from(written) {
        Ok(n) if n < room => written,
        _ => -1,
    }
}

unsafe extern "C" fn jio_vfprintf(file: *mut c_void, format: *const i8, list: *mut c_void) -> i32 {
    // SAFETY: the caller's file, and arguments as the format says.
    unsafe { vfprintf(file, format, list) }
}

#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn jio_vprintf(format: *const i8, list: *mut c_void) -> i32 {
    // SAFETY: arguments are as the format says.
    unsafe { vprintf(format, list) }
}

variadic!(@code jio_snprintf jio_vsnprintf, "24", "rcx");
variadic!(@code jio_fprintf jio_vfprintf, "16", "rdx");
variadic!(@code jio_printf jio_vprintf, "8", "rsi");

/// A library has called a function without code.
#[cold]
fn lacking(name: &str) -> ! {
    let text = format!("{name}: rjvm has no code for this function of libjvm");
    if running() == 0 {
        die(&text);
    }
    let env = std::ptr::with_exposed_provenance_mut(running());
    // SAFETY: the environment belongs to the native method that runs on this thread.
    unsafe { peek::<()>(env, |_| fatal(&text)) }
    unreachable!("a request that ends the VM is not answered")
}

macro_rules! absent {
    ($($name:ident)*) => {
        fn absent(all: &mut Vec<SymbolAddress>) {
            $({
                #[allow(non_snake_case, reason = "a name of C")]
                extern "C" fn $name() -> ! {
                    lacking(stringify!($name))
                }
                all.push((stringify!($name), ($name as *const c_void).expose_provenance() as u64));
            })*
        }
    };
}
absent! {
    JVM_ActiveProcessorCount JVM_AddModuleExports JVM_AddModuleExportsToAll JVM_AddModuleExportsToAllUnnamed JVM_AddReadsModule
    JVM_AreNestMates JVM_ArrayCopy JVM_AssertionStatusDirectives JVM_BeforeHalt JVM_CallStackWalk JVM_Clone
    JVM_ConstantPoolGetClassAt JVM_ConstantPoolGetClassAtIfLoaded JVM_ConstantPoolGetClassRefIndexAt
    JVM_ConstantPoolGetDoubleAt JVM_ConstantPoolGetFieldAt JVM_ConstantPoolGetFieldAtIfLoaded JVM_ConstantPoolGetFloatAt
    JVM_ConstantPoolGetIntAt JVM_ConstantPoolGetLongAt JVM_ConstantPoolGetMemberRefInfoAt JVM_ConstantPoolGetMethodAt
    JVM_ConstantPoolGetMethodAtIfLoaded JVM_ConstantPoolGetNameAndTypeRefIndexAt JVM_ConstantPoolGetNameAndTypeRefInfoAt
    JVM_ConstantPoolGetSize JVM_ConstantPoolGetStringAt JVM_ConstantPoolGetTagAt JVM_ConstantPoolGetUTF8At
    JVM_CreateThreadSnapshot JVM_CurrentCarrierThread JVM_CurrentThread JVM_CurrentTimeMillis JVM_DefineArchivedModules
    JVM_DefineClass JVM_DefineClassWithSource JVM_DefineModule JVM_DesiredAssertionStatus JVM_DumpAllStacks
    JVM_DumpClassListToFile JVM_DumpDynamicArchive JVM_DumpThreads JVM_EnsureMaterializedForStackWalk_func
    JVM_ExpandStackFrameInfo JVM_FillInStackTrace JVM_FindClassFromBootLoader JVM_FindClassFromCaller JVM_FindClassFromClass
    JVM_FindLibraryEntry JVM_FindLoadedClass JVM_FindPrimitiveClass JVM_FindScopedValueBindings JVM_FindSignal JVM_FreeMemory
    JVM_GC JVM_GetAllThreads JVM_GetAndClearReferencePendingList JVM_GetArrayElement JVM_GetArrayLength JVM_GetCDSConfigStatus
    JVM_GetCPClassNameUTF JVM_GetCPFieldClassNameUTF JVM_GetCPFieldModifiers JVM_GetCPFieldNameUTF JVM_GetCPFieldSignatureUTF
    JVM_GetCPMethodClassNameUTF JVM_GetCPMethodModifiers JVM_GetCPMethodNameUTF JVM_GetCPMethodSignatureUTF JVM_GetCallerClass
    JVM_GetClassAccessFlags JVM_GetClassAnnotations JVM_GetClassCPEntriesCount JVM_GetClassCPTypes JVM_GetClassConstantPool
    JVM_GetClassContext JVM_GetClassDeclaredConstructors JVM_GetClassDeclaredFields JVM_GetClassDeclaredMethods
    JVM_GetClassFieldsCount JVM_GetClassFileVersion JVM_GetClassInterfaces JVM_GetClassMethodsCount JVM_GetClassModifiers
    JVM_GetClassNameUTF JVM_GetClassSignature JVM_GetClassSigners JVM_GetClassTypeAnnotations JVM_GetDeclaredClasses
    JVM_GetDeclaringClass JVM_GetEnclosingMethodInfo JVM_GetExtendedNPEMessage JVM_GetFieldIxModifiers
    JVM_GetFieldTypeAnnotations JVM_GetInheritedAccessControlContext JVM_GetManagement JVM_GetMethodIxArgsSize
    JVM_GetMethodIxByteCode JVM_GetMethodIxByteCodeLength JVM_GetMethodIxExceptionIndexes JVM_GetMethodIxExceptionTableEntry
    JVM_GetMethodIxExceptionTableLength JVM_GetMethodIxExceptionsCount JVM_GetMethodIxLocalsCount JVM_GetMethodIxMaxStack
    JVM_GetMethodIxModifiers JVM_GetMethodIxNameUTF JVM_GetMethodIxSignatureUTF JVM_GetMethodParameters
    JVM_GetMethodTypeAnnotations JVM_GetNanoTimeAdjustment JVM_GetNestHost JVM_GetNestMembers JVM_GetNextThreadIdOffset
    JVM_GetPermittedSubclasses JVM_GetPrimitiveArrayElement JVM_GetProperties JVM_GetProtectionDomain
    JVM_GetRandomSeedForDumping JVM_GetRecordComponents JVM_GetSimpleBinaryName JVM_GetStackAccessControlContext
    JVM_GetStackTrace JVM_GetSystemPackage JVM_GetSystemPackages JVM_GetTemporaryDirectory JVM_GetVmArguments JVM_Halt
    JVM_HasReferencePendingList JVM_HoldsLock JVM_IHashCode JVM_InitAgentProperties JVM_InitClassName JVM_InitStackTraceElement
    JVM_InitStackTraceElementArray JVM_InitializeFromArchive JVM_InternString JVM_Interrupt JVM_InvokeMethod JVM_IsArrayClass
    JVM_IsCDSDumpingEnabled JVM_IsConstructorIx JVM_IsContainerized JVM_IsContinuationsSupported JVM_IsDumpingClassList
    JVM_IsFinalizationEnabled JVM_IsForeignLinkerSupported JVM_IsHiddenClass JVM_IsInterface JVM_IsPreviewEnabled
    JVM_IsPrimitiveClass JVM_IsRecord JVM_IsSameClassPackage JVM_IsSharingEnabled JVM_IsSupportedJNIVersion
    JVM_IsUseContainerSupport JVM_IsVMGeneratedMethodIx JVM_LatestUserDefinedLoader JVM_LoadLibrary JVM_LoadZipLibrary
    JVM_LogLambdaFormInvoker JVM_LookupDefineClass JVM_LookupLambdaProxyClassFromArchive JVM_MaxMemory
    JVM_MaxObjectInspectionAge JVM_MonitorNotify JVM_MonitorNotifyAll JVM_MonitorWait JVM_MoreStackWalk JVM_NanoTime
    JVM_NativePath JVM_NeedsClassInitBarrierForCDS JVM_NewArray JVM_NewInstanceFromConstructor JVM_NewMultiArray
    JVM_PhantomReferenceRefersTo JVM_PrintWarningAtDynamicAgentLoad JVM_RaiseSignal JVM_RawMonitorCreate JVM_RawMonitorDestroy
    JVM_RawMonitorEnter JVM_RawMonitorExit JVM_ReferenceClear JVM_ReferenceRefersTo JVM_RegisterContinuationMethods
    JVM_RegisterLambdaProxyClassForArchiving JVM_RegisterSignal JVM_ReleaseUTF JVM_ReportFinalizationComplete JVM_ResumeThread
    JVM_ScopedValueCache JVM_SetArrayElement JVM_SetBootLoaderUnnamedModule JVM_SetClassSigners JVM_SetCurrentThread
    JVM_SetNativeThreadName JVM_SetPrimitiveArrayElement JVM_SetScopedValueCache JVM_SetStackWalkContinuation
    JVM_SetThreadPriority JVM_Sleep JVM_SleepNanos JVM_StartThread JVM_StopThread JVM_SupportsCX8 JVM_SuspendThread
    JVM_TakeVirtualThreadListToUnblock JVM_TotalMemory JVM_UnloadLibrary JVM_VirtualThreadDisableSuspend JVM_VirtualThreadEnd
    JVM_VirtualThreadHideFrames JVM_VirtualThreadMount JVM_VirtualThreadPinnedEvent JVM_VirtualThreadStart
    JVM_VirtualThreadUnmount JVM_WaitForReferencePendingList JVM_Yield JVM_handle_linux_signal
}
