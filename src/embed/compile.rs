//! The JDK's Java compiler, on a VM of its own.

use super::builder::Profiling;
use super::classes::Classes;
use super::context::Context;
use super::engine::Engine;
use super::error::Error;
use super::folder::Folder;

impl Engine {
    /// Compiles Java sources, given by file name and text, with the JDK's own compiler: `Calc.java`, or with the folders
    /// of the package, `app/Calc.java`. What is wrong with them is [`Error::Compile`], with the compiler's messages.
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
    /// The same with classes that the sources use, and with options of `javac`.
    pub fn compile_with<N: AsRef<str>, T: AsRef<str>>(
        &self,
        sources: impl IntoIterator<Item = (N, T)>,
        used: &Classes,
        options: &[&str],
    ) -> Result<Classes, Error> {
        let failed = |e: std::io::Error| Error::Setup(format!("sources for the compiler: {e}"));
        let (from, to) = (
            Folder::new().map_err(failed)?,
            Folder::new().map_err(failed)?,
        );
        let path = Folder::with(used).map_err(failed)?;
        let text = |folder: &Folder| folder.path().display().to_string();
        let mut args: Vec<String> = ["-d", &text(&to), "-cp", &text(&path), "-proc:none"]
            .map(String::from)
            .into();
        args.extend(options.iter().map(|o| (*o).to_owned()));
        for (name, source) in sources {
            let (name, source) = (name.as_ref(), source.as_ref());
            from.write(name, source.as_bytes()).map_err(failed)?;
            args.push(from.path().join(name).display().to_string());
        }
        let vm = self.vm().heap(1 << 30).profile(Profiling::Off);
        let mut vm = vm.build()?;
        let javac = "com.sun.tools.javac.Main";
        let code: i32 = vm.call(javac, "compile([Ljava/lang/String;)I", (args,))?;
        if code == 0 {
            return to.files().map_err(failed);
        }
        // where the files are for the compiler is of no interest
        let folder = format!("{}/", text(&from));
        Err(Error::Compile(vm.stderr_text().replace(&folder, "")))
    }
}
