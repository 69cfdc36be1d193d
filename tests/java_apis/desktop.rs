//! Pictures, fonts, colours and picture files (`tests/native/desktop`): the JDK's native libraries do them, and the pixels and
//! bytes are those of HotSpot on the same JDK. Since the libraries of the system decide about pixels, too, HotSpot runs beside
//! rjvm and there are no golden files. `libraries` has programs with libraries that draw.

use crate::common::run::{self, Outcome, Run};
use crate::common::{self, files_with_extension, golden, jdk, tests_dir, work_dir};
use std::path::{Path, PathBuf};

/// A font for programs that read one.
const FONT: &str = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf";

/// Programs, and whether they need a font.
const PROGRAMS: [(&str, bool); 5] = [
    ("Shapes", false),
    ("Letters", true),
    ("Files", false),
    ("Colours", false),
    ("Copies", false),
];

/// Programs with libraries, and the jars of these.
const LIBRARIES: [(&str, &[&str]); 3] = [
    ("Chart", &["jfreechart", "jcommon"]),
    ("Pages", &["pdfbox2", "fontbox2", "commons-logging"]),
    (
        "Drawing",
        &[
            "batik-all",
            "xml-apis-ext",
            "xmlgraphics-commons",
            "commons-io",
        ],
    ),
];

/// Programs that are jars, with their arguments: a picture in the working directory is made.
const JARS: [(&str, &str, &[&str], &str); 2] = [
    (
        "ditaa",
        "/usr/share/ditaa/ditaa.jar",
        &["diagram.txt"],
        "diagram.png",
    ),
    (
        "plantuml",
        "/usr/share/plantuml/plantuml.jar",
        &["-tpng", "sequence.puml"],
        "sequence.png",
    ),
];

fn room() -> PathBuf {
    tests_dir().join("native/desktop")
}

fn classes() -> PathBuf {
    let sources = files_with_extension(&room(), "java");
    jdk::compile("desktop-classes", &sources, &[], Path::new(""))
}

/// JDKs that have HotSpot and the library beside rjvm's class library.
fn homes() -> Vec<PathBuf> {
    let mut homes = vec![jdk::java_home().to_path_buf()];
    homes.extend(jdk::newer().iter().map(|jdk| jdk.home().to_path_buf()));
    homes.retain(|home| {
        let there = |file: &str| home.join(file).exists();
        there("bin/java") && there("lib/libawt_headless.so") && there("lib/libfontmanager.so")
    });
    if homes.is_empty() {
        common::not_checked("no JDK with HotSpot has the libraries of java.desktop");
    }
    match common::all() {
        true => homes,
        false => homes.split_off(homes.len().saturating_sub(1)),
    }
}

fn has_font() -> bool {
    let there = Path::new(FONT).is_file();
    if !there {
        common::not_checked("fonts-dejavu-core is not installed");
    }
    there
}

/// A program on HotSpot and on rjvm, with the class library of one JDK.
struct Pair<'a> {
    home: &'a Path,
    name: String,
    arguments: Vec<String>,
}

impl Pair<'_> {
    fn run(&self, ours: bool, options: &[&str]) -> (Outcome, PathBuf) {
        let (program, whose) = match ours {
            true => (run::vm(), "rjvm"),
            false => (self.home.join("bin/java"), "hotspot"),
        };
        let run = Run::new(&program, &format!("desktop-{whose}-{}", self.name));
        let dir = run.dir();
        let room = room().join("libraries");
        for name in ["diagram.txt", "sequence.puml"] {
            std::fs::copy(room.join(name), dir.join(name)).expect("the folder is writable");
        }
        let mut all = match ours {
            true => run::extra_args(),
            false => Vec::new(),
        };
        if ours {
            all.push(format!("--java-home={}", self.home.display()));
            all.extend(options.iter().map(|o| o.to_string()));
        }
        // what a library keeps of the fonts that it has found belongs to the run
        let home = format!("-Duser.home={}", dir.display());
        let tmp = run.tmpdir_option();
        let run = run.args(all).arg("-Djava.awt.headless=true").arg(home);
        let running = run.arg(tmp).args(&self.arguments).start();
        (running.finish(run::time_limit() * 4), dir)
    }
    /// Output and exit code are the same, and so are the bytes of a file.
    fn same(&self, options: &[&str], file: Option<&str>) -> Result<(), String> {
        let (want, want_in) = self.run(false, &[]);
        let (got, got_in) = self.run(true, options);
        if want.exit != 0 {
            return Err(format!("HotSpot fails: {}", want.err()));
        }
        if got.exit != 0 || got.timed_out {
            return Err(format!("exit {}: {}", got.exit, got.err()));
        }
        let Some(file) = file else {
            return match want.stdout == got.stdout {
                true => Ok(()),
                false => Err(golden::diff("standard output", &want.stdout, &got.stdout)),
            };
        };
        let read = |dir: PathBuf| std::fs::read(dir.join(file)).map_err(|e| format!("{file}: {e}"));
        match read(want_in)? == read(got_in)? {
            true => Ok(()),
            false => Err(format!("{file} has other bytes")),
        }
    }
}

/// `name` with the class library of the newest JDK; with those of all where tests do all that they can.
fn draws_alike(name: &str, arguments: &[String], options: &[&str], file: Option<&str>) {
    let mut results = Vec::new();
    for home in &homes() {
        let jdk = home.file_name().unwrap_or_default().to_string_lossy();
        let pair = Pair {
            home,
            name: format!("{name}-{jdk}"),
            arguments: arguments.to_vec(),
        };
        results.push((pair.name.clone(), pair.same(options, file)));
    }
    golden::report("programs that draw", &results);
}

fn program(class: &str, path: &str, font: bool) -> Vec<String> {
    let font = font.then(|| FONT.to_owned());
    let fixed = ["-cp", path, class].map(str::to_owned);
    fixed.into_iter().chain(font).collect()
}

#[test]
fn pictures_are_those_of_hotspot() {
    if !has_font() {
        return;
    }
    let path = classes().display().to_string();
    for (class, font) in PROGRAMS {
        if common::selected(class) {
            draws_alike(class, &program(class, &path, font), &[], None);
        }
    }
}

#[test]
fn arrays_move_while_libraries_draw() {
    let path = classes().display().to_string();
    let options = ["--gc-stress"];
    draws_alike("Copies", &program("Copies", &path, false), &options, None);
}

#[test]
fn libraries_draw_as_on_hotspot() {
    if !has_font() {
        return;
    }
    for (class, jars) in LIBRARIES {
        let files = jars.iter().map(|j| format!("/usr/share/java/{j}.jar"));
        let mut path: Vec<String> = files.collect();
        if !path.iter().all(|jar| Path::new(jar).is_file()) {
            common::not_checked(&format!("{class}: {jars:?} are not installed"));
            continue;
        }
        path.push(classes().display().to_string());
        let source = room().join(format!("libraries/{class}.java"));
        let (folder, with) = (format!("desktop-{class}"), path.join(":"));
        let made = jdk::compile(&folder, &[source], &["-cp", &with], Path::new(""));
        let all = format!("{}:{with}", made.display());
        draws_alike(class, &program(class, &all, class == "Pages"), &[], None);
    }
}

#[test]
fn diagrams_are_drawn_as_on_hotspot() {
    for (name, jar, arguments, picture) in JARS {
        if !Path::new(jar).is_file() {
            common::not_checked(&format!("{name} is not installed"));
            continue;
        }
        let mut all = vec!["-jar".to_owned(), jar.to_owned()];
        all.extend(arguments.iter().map(|a| a.to_string()));
        draws_alike(name, &all, &[], Some(picture));
    }
}

#[test]
fn without_native_code_a_picture_says_what_is_missing() {
    let home = jdk::java_home();
    let path = classes().display().to_string();
    let pair = Pair {
        home,
        name: "refused".to_owned(),
        arguments: program("Copies", &path, false),
    };
    let (got, _) = pair.run(true, &["--deterministic"]);
    let text = got.err();
    assert_eq!(got.exit, 1, "{text}");
    assert!(
        text.contains("java.lang.UnsatisfiedLinkError: 'void sun.java2d."),
        "{text}"
    );
}

#[test]
fn profiles_count_the_java_code_of_pictures_alike() {
    let path = classes().display().to_string();
    let counts = ["a", "b"].map(|which| {
        let profile = work_dir().join(format!("desktop-{which}.paths"));
        let pair = Pair {
            home: jdk::java_home(),
            name: format!("counts-{which}"),
            arguments: program("Copies", &path, false),
        };
        let file = profile.display().to_string();
        let options = ["--profile=exact", "--quiet", "-o", &file];
        let (got, _) = pair.run(true, &options);
        assert_eq!(got.exit, 0, "{}", got.err());
        let text = std::fs::read_to_string(&profile).expect("a profile");
        let draws = "sun.java2d.SunGraphics2D.fillRect(IIII)V";
        let line = text
            .lines()
            .find(|l| l.split('\t').next().is_some_and(|p| p.ends_with(draws)));
        line.unwrap_or_else(|| panic!("no path ends with {draws}"))
            .to_owned()
    });
    assert_eq!(counts[0], counts[1]);
}
