//! The attributes of a `module-info`.

use super::Dis;
use super::text::{MODULE_FLAGS, REQUIRES_FLAGS, flag_names, keywords};
use crate::attributes::Exports;
use crate::constant_pool::Constant;
use std::io::{self, Write};

impl<W: Write> Dis<'_, W> {
    /// `open module m@1.0`
    pub(super) fn module_declaration(&self) -> String {
        let Some(module) = &self.class.attributes.module else {
            return "module".into();
        };
        let name = match self.pool.get(module.name) {
            Ok(Constant::Module { name }) => self.utf8(name),
            _ => self.describe(module.name),
        };
        let version = match module.version {
            0 => String::new(),
            index => format!("@{}", self.utf8(index)),
        };
        format!(
            "{}module {name}{version}",
            keywords(module.flags, MODULE_FLAGS)
        )
    }

    pub(super) fn module_attributes(&mut self) -> io::Result<()> {
        let attributes = &self.class.attributes;
        if let Some(module) = &attributes.module {
            writeln!(self.out, "Module:")?;
            let flags = flag_names(module.flags, MODULE_FLAGS);
            self.row(2, module.name, Some(module.flags), &flags)?;
            self.row(2, module.version, None, "")?;
            self.count(module.requires.len(), "requires")?;
            for requires in &module.requires {
                let flags = flag_names(requires.flags, REQUIRES_FLAGS);
                self.row(4, requires.module, Some(requires.flags), &flags)?;
                self.row(4, requires.version, None, "")?;
            }
            self.exports("exports", &module.exports)?;
            self.exports("opens", &module.opens)?;
            self.count(module.uses.len(), "uses")?;
            for &service in &module.uses {
                self.row(4, service, None, "")?;
            }
            self.count(module.provides.len(), "provides")?;
            for provides in &module.provides {
                self.row(4, provides.service, None, "")?;
                for &implementation in &provides.with {
                    self.row(6, implementation, None, "")?;
                }
            }
        }
        if let Some(packages) = &attributes.module_packages {
            writeln!(self.out, "ModulePackages:")?;
            for &package in packages {
                self.row(2, package, None, "")?;
            }
        }
        if let Some(index) = attributes.module_main_class {
            let text = format!("ModuleMainClass: #{index}");
            self.commented(&text, 42, &self.class_text(index))?;
        }
        Ok(())
    }

    fn exports(&mut self, what: &str, rows: &[Exports]) -> io::Result<()> {
        self.count(rows.len(), what)?;
        for row in rows {
            let flags = flag_names(row.flags, MODULE_FLAGS);
            self.row(4, row.package, Some(row.flags), &flags)?;
            for &module in &row.to {
                self.row(6, module, None, "")?;
            }
        }
        Ok(())
    }

    fn count(&mut self, count: usize, what: &str) -> io::Result<()> {
        self.commented(&format!("  {count}"), 42, what)
    }

    fn row(
        &mut self,
        indent: usize,
        index: u16,
        flags: Option<u16>,
        names: &str,
    ) -> io::Result<()> {
        let flags = flags.map_or(String::new(), |flags| format!(",{flags:x}"));
        let text = format!("{:indent$}#{index}{flags}", "");
        if index == 0 {
            return writeln!(self.out, "{text}");
        }
        let comment = format!("{} {names}", self.describe(index));
        self.commented(&text, indent + 40, comment.trim_end())
    }
}
