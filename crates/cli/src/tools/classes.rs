//! The code of profiled methods, from directories, jars and JDKs.

use super::ToolProblem;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use rjvm_classfile::{ClassFile, CodeAttribute};
use rjvm_costs::Shape;
use rjvm_profiler::MethodInfo;
use rjvm_vm::classpath::{BootPath, ClassPathEntry, Search, SystemModules};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// `--classes=PATH`
pub fn argument() -> Arg {
    Arg::new("classes")
        .long("classes")
        .value_name("PATH")
        .help("Directory, jar or JDK with the classes that ran; may be repeated")
        .action(ArgAction::Append)
        .value_parser(value_parser!(PathBuf))
}

/// Where classes are looked for, in this order.
#[derive(Default)]
pub struct Classes {
    places: Vec<ClassRoot>,
    known: BTreeMap<String, Option<ClassFile>>,
}

enum ClassRoot {
    Entry(ClassPathEntry),
    Jdk(Box<BootPath>),
}

impl Classes {
    /// Opens the places that the command line names.
    pub fn open(matches: &ArgMatches) -> Result<Classes, ToolProblem> {
        let mut classes = Classes::default();
        for path in matches.get_many::<PathBuf>("classes").unwrap_or_default() {
            classes.add(path)?;
        }
        Ok(classes)
    }

    /// Looks into another directory, jar or JDK, after all other places.
    pub fn add(&mut self, path: &Path) -> Result<(), ToolProblem> {
        let message = |e: &dyn std::fmt::Display| {
            ToolProblem::Message(format!("--classes={}: {e}", path.display()))
        };
        let jdk = ["lib/modules", "jmods/java.base.jmod"];
        let place = if jdk.iter().any(|part| path.join(part).is_file()) {
            let modules = SystemModules::open_home(path).map_err(|e| message(&e))?;
            ClassRoot::Jdk(Box::new(BootPath::new(modules)))
        } else {
            let entry = ClassPathEntry::open(path).map_err(|e| message(&e))?;
            ClassRoot::Entry(entry.ok_or_else(|| message(&"no such file"))?)
        };
        self.places.push(place);
        Ok(())
    }

    /// Looks into the JDK too, after all other places, if there is one.
    pub fn add_jdk(&mut self) {
        if let Ok(jdk) = Search::usual(None, |name| std::env::var_os(name)).find()
            && let Ok(modules) = SystemModules::open_home(jdk.home())
        {
            let path = BootPath::new(modules);
            self.places.push(ClassRoot::Jdk(Box::new(path)));
        }
    }

    /// What cost models ask of a method's code, in the same way.
    pub fn shape(&mut self, method: &MethodInfo) -> Result<Option<Shape>, ToolProblem> {
        let found = self.class_and_code(method)?;
        let Some((class, code)) = found else {
            return Ok(None);
        };
        let Some(info) = class.method(&method.name, &method.descriptor) else {
            return Ok(None);
        };
        let shape = Shape::of(class, info, code);
        let shape = shape.map_err(|e| ToolProblem::Message(format!("{}: {e}", method.label())))?;
        Ok(Some(shape))
    }

    /// Is a JDK among the places?
    pub fn has_jdk(&self) -> bool {
        self.places
            .iter()
            .any(|place| matches!(place, ClassRoot::Jdk(_)))
    }

    /// Is there any place?
    pub fn any(&self) -> bool {
        !self.places.is_empty()
    }

    /// The code of a method; `None` if there is no class file of its class, or no code in it.
    pub fn code(&mut self, method: &MethodInfo) -> Result<Option<&CodeAttribute>, ToolProblem> {
        Ok(self.class_and_code(method)?.map(|found| found.1))
    }

    /// The instructions of a method as text, in the same way.
    pub fn instructions(
        &mut self,
        method: &MethodInfo,
    ) -> Result<Option<Vec<(u16, String)>>, ToolProblem> {
        let found = self.class_and_code(method)?;
        Ok(found.and_then(|(class, code)| rjvm_run::profile::instructions(class, code)))
    }

    fn class_and_code(
        &mut self,
        method: &MethodInfo,
    ) -> Result<Option<(&ClassFile, &CodeAttribute)>, ToolProblem> {
        if !self.known.contains_key(&method.class) {
            let class = self.load(method)?;
            self.known.insert(method.class.clone(), class);
        }
        let class = self.known.get(&method.class).and_then(Option::as_ref);
        Ok(class.and_then(|class| {
            let method = class.method(&method.name, &method.descriptor)?;
            Some((class, method.attributes.code.as_deref()?))
        }))
    }

    /// The first class file of the name that has the method's lines: another version of a class is another class.
    fn load(&self, method: &MethodInfo) -> Result<Option<ClassFile>, ToolProblem> {
        let class = method.plain_class();
        let name = class.replace('.', "/");
        let message =
            |e: &dyn std::fmt::Display| ToolProblem::Message(format!("class {class}: {e}"));
        for place in &self.places {
            let bytes = match place {
                ClassRoot::Entry(entry) => entry
                    .find(&format!("{name}.class"))
                    .map_err(|e| message(&e))?,
                ClassRoot::Jdk(path) => {
                    let class = path.find(&name).map_err(|e| message(&e))?;
                    class.map(|class| class.bytes.into_owned())
                }
            };
            if let Some(bytes) = bytes {
                let found = ClassFile::parse(&bytes).map_err(|e| message(&e))?;
                if has_lines(&found, method) {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }
}

/// Does a class file have the lines of a method that a profile has, as far as both have any?
fn has_lines(class: &ClassFile, method: &MethodInfo) -> bool {
    let Some(info) = class.method(&method.name, &method.descriptor) else {
        return false;
    };
    let found = info
        .attributes
        .code
        .as_deref()
        .map_or(&[][..], |code| &code.line_numbers);
    let Some(known) = method.source.as_ref().filter(|_| !found.is_empty()) else {
        return true;
    };
    let found = MethodInfo::new("", "", "()V", false, false).with_source("", found);
    known.lines().is_empty() || found.source.is_some_and(|s| s.lines() == known.lines())
}
