//! Probes of an embedded VM, with the feature `probes`; without it there are none.

#[cfg(not(feature = "probes"))]
pub(crate) use none::{ProbeTexts, VmProbes};
#[cfg(feature = "probes")]
pub(crate) use requested::{ProbeTexts, VmProbes};

#[cfg(feature = "probes")]
mod requested {
    use crate::{Error, Vm, VmBuilder};
    use rjvm_probes::{Limits, Script, Source};
    use rjvm_run::probes::Probes;
    use rjvm_vm::Vm as Core;

    /// The texts that a VM is built with.
    #[derive(Default)]
    pub(crate) struct ProbeTexts(Vec<Source>);

    /// What they have become.
    pub(crate) struct Compiled(Option<Script>);

    /// The probes of a VM.
    #[derive(Default)]
    pub(crate) struct VmProbes(Option<Probes>);

    impl ProbeTexts {
        /// Fails for a text that is no probe. They keep at most `memory` bytes.
        pub(crate) fn compile(&self, memory: usize) -> Result<Compiled, Error> {
            if self.0.is_empty() {
                return Ok(Compiled(None));
            }
            let limits = Limits {
                memory,
                ..Limits::default()
            };
            let script = Script::compile(&self.0, limits);
            let script = script.map_err(|e| Error::Setup(e.to_string()))?;
            Ok(Compiled(Some(script)))
        }
    }

    impl Compiled {
        /// Puts them into a VM.
        pub(crate) fn place(self, core: &mut Core) -> VmProbes {
            VmProbes(self.0.map(|script| Probes::place(core, script, None)))
        }
    }

    impl VmBuilder {
        /// Adds a probe in the language of docs/probes.md, such as `around:a.Db::query { @[arg0] = sum(elapsed) }`. You
        /// can add several. [`Vm::probes`] returns the results. A faulty probe is an [`Error::Setup`]. Needs the feature
        /// `probes`.
        pub fn probe(mut self, text: impl Into<String>) -> VmBuilder {
            self.probes.0.push(Source::new("probe", text));
            self
        }
    }

    impl Vm {
        /// The results of [`VmBuilder::probe`] so far, as text; empty without probes. Needs the feature `probes`.
        pub fn probes(&self) -> String {
            let probes = self.probes.0.as_ref();
            probes.map(|p| p.text(&self.core)).unwrap_or_default()
        }
        /// The same as JSON: `points`, `maps` and `notes`; `null` without probes. Needs the feature `probes`.
        pub fn probes_json(&self) -> String {
            let json = self.probes.0.as_ref().map(|p| p.json(&self.core));
            json.unwrap_or_default().to_string()
        }
    }
}

#[cfg(not(feature = "probes"))]
mod none {
    use crate::Error;
    use rjvm_vm::Vm as Core;

    /// No texts.
    #[derive(Default)]
    pub(crate) struct ProbeTexts(());

    /// No probes.
    #[derive(Default)]
    pub(crate) struct VmProbes(());

    impl ProbeTexts {
        /// None.
        pub(crate) fn compile(&self, _: usize) -> Result<ProbeTexts, Error> {
            Ok(ProbeTexts(()))
        }
        /// None.
        pub(crate) fn place(self, _: &mut Core) -> VmProbes {
            VmProbes(())
        }
    }
}
