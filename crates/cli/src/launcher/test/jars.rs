//! Where the program that runs tests is found: on the class path, where the command line says, or where the distribution
//! installs it.

use crate::launcher::bench::BenchError;
use rjvm_vm::classpath::{ClassPath, expand_wildcards};
use std::path::Path;

/// Where Debian and its like install Java libraries.
const FOLDER: &str = "/usr/share/java";

/// A program that runs tests.
pub struct TestRunner {
    /// Its main class.
    main: &'static str,
    /// What it consists of: a class by which a part is known, and its jar. The first one is the program itself.
    parts: &'static [(&'static str, &'static str)],
    /// How it is installed.
    package: &'static str,
}

/// The console launcher of the JUnit platform, with the engines of JUnit 5 and of JUnit 4.
pub const JUNIT: TestRunner = TestRunner {
    main: "org.junit.platform.console.ConsoleLauncher",
    parts: &[
        (
            "org/junit/platform/console/ConsoleLauncher",
            "junit-platform-console",
        ),
        (
            "org/junit/platform/launcher/Launcher",
            "junit-platform-launcher",
        ),
        (
            "org/junit/platform/engine/TestEngine",
            "junit-platform-engine",
        ),
        (
            "org/junit/platform/commons/JUnitException",
            "junit-platform-commons",
        ),
        (
            "org/junit/platform/reporting/legacy/xml/LegacyXmlReportGeneratingListener",
            "junit-platform-reporting",
        ),
        (
            "org/opentest4j/reporting/events/api/Event",
            "opentest4j-reporting-events",
        ),
        (
            "org/opentest4j/reporting/schema/Namespace",
            "opentest4j-reporting-schema",
        ),
        ("org/junit/jupiter/api/Test", "junit-jupiter-api"),
        (
            "org/junit/jupiter/engine/JupiterTestEngine",
            "junit-jupiter-engine",
        ),
        (
            "org/junit/jupiter/params/ParameterizedTest",
            "junit-jupiter-params",
        ),
        (
            "org/junit/vintage/engine/VintageTestEngine",
            "junit-vintage-engine",
        ),
        ("org/junit/runner/Runner", "junit4"),
        ("org/hamcrest/Matcher", "hamcrest"),
        ("org/opentest4j/AssertionFailedError", "opentest4j"),
        ("org/apiguardian/api/API", "apiguardian-api"),
        ("com/univocity/parsers/csv/CsvParser", "univocity-parsers"),
        ("picocli/CommandLine", "picocli"),
    ],
    package: "junit5",
};

/// TestNG.
pub const TESTNG: TestRunner = TestRunner {
    main: "org.testng.TestNG",
    parts: &[
        ("org/testng/TestNG", "testng"),
        ("com/beust/jcommander/JCommander", "jcommander"),
        ("bsh/Interpreter", "bsh"),
        ("org/junit/runner/Runner", "junit4"),
        ("org/hamcrest/Matcher", "hamcrest"),
    ],
    package: "testng",
};

impl TestRunner {
    /// Its main class.
    pub fn main(&self) -> &'static str {
        self.main
    }
    /// Its main class, and what the class path lacks of it.
    pub fn find(
        &self,
        class_path: &ClassPath,
        given: Option<&str>,
    ) -> Result<(&'static str, Vec<String>), BenchError> {
        let has = |path: &ClassPath, class: &str| {
            matches!(path.find(&format!("{class}.class")), Ok(Some(_)))
        };
        let (program, _) = self.parts[0];
        if let Some(given) = given {
            let given = expand_wildcards(given).to_string_lossy().into_owned();
            if !has(&ClassPath::open(&given), program) && !has(class_path, program) {
                return Err(BenchError::NoLauncher(given, self.main));
            }
            return Ok((self.main, vec![given]));
        }
        if has(class_path, program) {
            return Ok((self.main, Vec::new()));
        }
        let jar = |name: &str| Path::new(FOLDER).join(format!("{name}.jar"));
        if !jar(self.parts[0].1).is_file() {
            return Err(BenchError::NotInstalled(self.main, FOLDER, self.package));
        }
        let lacking = self
            .parts
            .iter()
            .filter(|(class, _)| !has(class_path, class));
        let jars = lacking
            .map(|(_, name)| jar(name))
            .filter(|jar| jar.is_file());
        Ok((
            self.main,
            jars.map(|jar| jar.display().to_string()).collect(),
        ))
    }
}
