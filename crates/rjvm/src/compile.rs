//! The JDK's Java compiler, on a VM of its own.

use super::builder::Profiling;
use super::classes::Classes;
use super::context::Context;
use super::engine::Engine;
use super::error::Error;
use rjvm_hosts::{Grants, MemoryFiles};

impl Engine {
    /// Compiles Java sources, given by file name and text, with the JDK's own compiler: `Calc.java`, or with the folders
    /// of the package, `app/Calc.java`. Mistakes in them are an [`Error::Compile`], with the compiler's messages.
    ///
    /// ```no_run
    /// let engine = rjvm::Engine::new()?;
    /// let classes = engine.compile([("Hello.java", "class Hello { static int f() { return 42; } }")])?;
    /// assert_eq!(classes.names().collect::<Vec<_>>(), ["Hello"]);
    /// # Ok::<(), rjvm::Error>(())
    /// ```
    pub fn compile<N: AsRef<str>, T: AsRef<str>>(
        &self,
        sources: impl IntoIterator<Item = (N, T)>,
    ) -> Result<Classes, Error> {
        self.compile_with(sources, &Classes::new(), &[])
    }
    /// The same, with classes that the sources use, and with options of `javac`.
    pub fn compile_with<N: AsRef<str>, T: AsRef<str>>(
        &self,
        sources: impl IntoIterator<Item = (N, T)>,
        used: &Classes,
        options: &[&str],
    ) -> Result<Classes, Error> {
        let failed = |e: std::io::Error| Error::Setup(format!("sources for the compiler: {e}"));
        let files = MemoryFiles::with_limit(u64::MAX);
        for folder in [FROM, TO, USED] {
            files.create_dir(folder).map_err(failed)?;
        }
        for (path, bytes) in used.files() {
            files
                .write(format!("{USED}/{path}"), bytes)
                .map_err(failed)?;
        }
        let mut args: Vec<String> = ["-d", TO, "-cp", USED, "-proc:none"]
            .map(String::from)
            .into();
        args.extend(options.iter().map(|o| (*o).to_owned()));
        for (name, source) in sources {
            let path = format!("{FROM}/{}", name.as_ref());
            files.write(&path, source.as_ref()).map_err(failed)?;
            args.push(path);
        }
        let vm = self.vm().heap(1 << 30).profile(Profiling::Off);
        let mut vm = vm.grants(Grants::none().memory_files(&files)).build()?;
        let javac = "com.sun.tools.javac.Main";
        let code: i32 = vm.call(javac, "compile([Ljava/lang/String;)I", (args,))?;
        if code != 0 {
            // where the files are for the compiler is of no interest
            let messages = vm.stderr_text().replace(&format!("{FROM}/"), "");
            return Err(Error::Compile(messages));
        }
        let mut classes = Classes::new();
        for path in files.list() {
            if let Some(name) = path.strip_prefix(TO).and_then(|p| p.strip_prefix('/')) {
                classes = classes.with_file(name, files.read(&path).map_err(failed)?);
            }
        }
        Ok(classes)
    }
}

/// Where the compiler finds the sources and what they use, and puts the class files.
const FROM: &str = "/src";
const TO: &str = "/out";
const USED: &str = "/lib";
