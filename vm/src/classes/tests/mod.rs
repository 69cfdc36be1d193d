//! Tests of loading and linking on the installed class library; no Java code runs.

mod library;
mod made;
mod rules;
mod size;

use crate::Vm;
use crate::classpath::Search;
use crate::host::Host;
use crate::natives::Natives;
use crate::vm::Options;

/// A host that grants nothing and whose clock is stopped.
struct DenyingHost;

impl Host for DenyingHost {
    fn nano_time(&mut self) -> i64 {
        0
    }
    fn wall_clock(&mut self) -> (i64, u32) {
        (0, 0)
    }
    fn entropy(&mut self, buf: &mut [u8]) {
        buf.fill(0);
    }
    fn wait(&mut self, _fds: &[(i32, u8)], _deadline: Option<i64>) -> Vec<usize> {
        Vec::new()
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}

/// A VM whose well-known classes are loaded.
fn vm() -> Box<Vm> {
    vm_with(|_| ())
}

/// The same with other settings.
pub(crate) fn vm_with(set: impl FnOnce(&mut Options)) -> Box<Vm> {
    try_vm(set).unwrap()
}

/// The same, or why there is none.
pub(crate) fn try_vm(set: impl FnOnce(&mut Options)) -> Result<Box<Vm>, String> {
    let jdk = Search::usual(None, |name| std::env::var_os(name))
        .find()
        .unwrap();
    let mut options = Options {
        max_heap: 64 << 20,
        quantum: 1000,
        verify_app: false,
        ..Options::new(jdk.home())
    };
    set(&mut options);
    Vm::new(options, Box::new(DenyingHost), Natives::default())
}

/// Names of all classes of `java.base`.
fn base_classes(vm: &Vm) -> Vec<String> {
    let system = vm.loaded.boot_path.as_ref().unwrap().system();
    let mut names: Vec<String> = system
        .resources("java.base")
        .unwrap()
        .into_iter()
        .filter_map(|n| n.strip_suffix(".class").map(str::to_string))
        .filter(|n| !n.ends_with("module-info"))
        .collect();
    names.sort();
    names
}
