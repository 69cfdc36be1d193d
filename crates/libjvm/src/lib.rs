//! `libjvm.so` for programs in C: `JNI_CreateJavaVM` and its like (JNI specification, chapter 5). Options are those of the program
//! `rjvm`, so a VM that is created this way can be profiled, too. What libraries of the JDK need of `libjvm.so` beyond that,
//! rjvm offers them itself (`jdk-stubs/src/jni/libjvm`).

use rjvm_jdk_stubs::{creation, libjvm};
use std::ffi::{CStr, c_char, c_void};
use std::path::Path;

const JNI_OK: i32 = 0;
const JNI_ERR: i32 = -1;
const JNI_EVERSION: i32 = -3;
const JNI_EEXIST: i32 = -5;

/// Options whose extra information is a function for the VM to call, which rjvm would not do.
const HOOKS: [&str; 3] = ["vfprintf", "exit", "abort"];

/// `JavaVMOption`
#[repr(C)]
pub struct CreationOption {
    text: *const c_char,
    _extra: *const c_void,
}

/// `JavaVMInitArgs`
#[repr(C)]
pub struct CreationArguments {
    version: i32,
    count: i32,
    options: *const CreationOption,
    ignore_unrecognized: u8,
}

/// Creates the VM of this process; the calling thread is its main thread.
///
/// # Safety
/// There is room for the addresses of VM and environment, and the arguments are as JNI describes them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JNI_CreateJavaVM(
    vm: *mut *const c_void,
    env: *mut *const c_void,
    arguments: *const CreationArguments,
) -> i32 {
    let mut versions = [(*arguments).version];
    if libjvm::default_options(versions.as_mut_ptr().cast()) != JNI_OK {
        return JNI_EVERSION;
    }
    let mut created = 0;
    libjvm::created_vms(std::ptr::null_mut(), 0, &mut created);
    if created != 0 {
        return JNI_EEXIST;
    }
    let options = (0..usize::try_from((*arguments).count).unwrap_or(0)).map(|i| {
        let text = CStr::from_ptr((*(*arguments).options.add(i)).text);
        text.to_string_lossy().into_owned()
    });
    let mut options: Vec<String> = options.collect();
    if let Some(home) = own_jdk() {
        // one of the caller's comes later, and counts
        options.insert(0, format!("--java-home={home}"));
    }
    if let Some(hook) = options.iter().find(|o| HOOKS.contains(&o.as_str())) {
        eprintln!("rjvm: error: the option {hook} of JNI_CreateJavaVM is not supported");
        return JNI_ERR;
    }
    let ignore = (*arguments).ignore_unrecognized != 0;
    let run = move |creator| rjvm_cli::launcher::run_creator(options, ignore, creator);
    match creation::create(run) {
        Some((made, environment)) => {
            *vm = made.cast();
            *env = environment.cast_const().cast();
            JNI_OK
        }
        None => JNI_ERR,
    }
}

/// The JDK in whose `lib/server` this library was found: then it is the one to run, as with HotSpot's library.
fn own_jdk() -> Option<String> {
    let mut found = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    let here = JNI_CreateJavaVM as *const c_void;
    // SAFETY: there is room for what is found, whose file name stays while the library is loaded.
    let file = unsafe {
        if libc::dladdr(here, found.as_mut_ptr()) == 0 {
            return None;
        }
        CStr::from_ptr(found.assume_init().dli_fname)
            .to_str()
            .ok()?
    };
    let lib = Path::new(file).parent()?;
    let home = lib.parent()?.parent()?;
    let is_jdk = lib.ends_with("lib/server") && home.join("lib/modules").is_file();
    is_jdk.then(|| home.display().to_string())
}

/// The VMs of this process.
///
/// # Safety
/// There is room for so many addresses, and for the number of VMs unless that is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JNI_GetCreatedJavaVMs(vms: *mut usize, room: i32, count: *mut i32) -> i32 {
    libjvm::created_vms(vms, room, count)
}

/// Whether a VM can be created with a version of the interface.
///
/// # Safety
/// The address is one of arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JNI_GetDefaultJavaVMInitArgs(arguments: *mut c_void) -> i32 {
    libjvm::default_options(arguments.cast())
}
