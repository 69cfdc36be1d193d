//! The JDK, opened once for all VMs of a process.

use super::builder::VmBuilder;
use super::error::Error;
use rjvm_vm::boot::InstalledJdk;
use rjvm_vm::classpath::Search;
use rjvm_vm::natives::Natives;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The base of all VMs: a JDK whose class library is open and mapped. An engine never changes, cloning it is cheap, and
/// any number of threads can use it.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    library: InstalledJdk,
    natives: Natives,
}

impl Engine {
    /// Uses the JDK that the launcher would find: from `JAVA_HOME`, from `java` on `PATH`, or in the usual folders.
    pub fn new() -> Result<Engine, Error> {
        Engine::find(None)
    }
    /// Uses the JDK in this folder.
    pub fn with_java_home(home: impl Into<PathBuf>) -> Result<Engine, Error> {
        Engine::find(Some(home.into()))
    }
    fn find(home: Option<PathBuf>) -> Result<Engine, Error> {
        let jdk = Search::usual(home, |name| std::env::var_os(name)).find();
        let jdk = jdk.map_err(|e| Error::Setup(e.to_string()))?;
        let library = InstalledJdk::of(jdk).map_err(|e| Error::Setup(e.to_string()))?;
        let natives = rjvm_jdk_stubs::natives();
        let shared = Shared { library, natives };
        Ok(Engine {
            shared: Arc::new(shared),
        })
    }
    /// The folder of the JDK.
    pub fn java_home(&self) -> &Path {
        self.shared.library.jdk().home()
    }
    /// The version of the JDK, such as `17.0.13`.
    pub fn java_version(&self) -> String {
        self.shared.library.jdk().version()
    }
    /// Starts the settings of a new VM.
    pub fn vm(&self) -> VmBuilder {
        VmBuilder::new(self.clone())
    }
    pub(super) fn library(&self) -> &InstalledJdk {
        &self.shared.library
    }
    pub(super) fn natives(&self) -> Natives {
        self.shared.natives.clone()
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Engine({})", self.java_home().display())
    }
}

const _: () = {
    const fn shared<T: Send + Sync + Clone>() {}
    shared::<Engine>();
};
