//! rjvm's own diagnosis, in builds with the feature `tracing`: what the VM and the tools do, as events of the crate of that name.
//! `RJVM_LOG` has the filter (`debug`, `rjvm::vm=trace,rjvm::tools=debug`); the events go to standard error.

use super::config::Config;
use super::tool::{ProgramRun, Tool, ToolFailure};
use rjvm_vm::Vm;

/// Reports what the VM and the tools do. In builds without the feature it does nothing.
#[derive(Default)]
pub struct Diagnosis {
    /// Whether there is a filter.
    #[cfg(feature = "tracing")]
    logs: bool,
}

impl Tool for Diagnosis {
    fn name(&self) -> &'static str {
        "the diagnosis"
    }
    fn prepare(&mut self, _config: &mut Config) -> Result<(), ToolFailure> {
        #[cfg(feature = "tracing")]
        {
            self.logs = traced::prepare()?;
        }
        Ok(())
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        #[cfg(feature = "tracing")]
        if self.logs {
            traced::start(vm, run);
        }
        let _ = (vm, run);
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        #[cfg(feature = "tracing")]
        traced::finish(vm, run);
        let _ = (vm, run);
        true
    }
}

/// A tool begins a step: `prepare`, `assemble`, `start` or `finish`.
pub fn step(name: &str, tool: &dyn Tool) {
    #[cfg(feature = "tracing")]
    tracing::trace!(target: "rjvm::tools", tool = tool.name(), "{name}");
    let _ = (name, tool);
}

#[cfg(feature = "tracing")]
mod traced {
    use super::{ProgramRun, ToolFailure};
    use rjvm_vm::Vm;
    use rjvm_vm::events::{Event, EventSet, EventView, Observer};
    use tracing_subscriber::filter::Targets;
    use tracing_subscriber::fmt;
    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::util::SubscriberInitExt;

    const FILTER: &str = "RJVM_LOG";

    /// Installs the filter; whether there is one.
    pub fn prepare() -> Result<bool, ToolFailure> {
        let Ok(text) = std::env::var(FILTER) else {
            return Ok(false);
        };
        let filter: Targets = text.parse().map_err(|e| ToolFailure::of(FILTER, &e))?;
        let lines = fmt::layer().without_time().with_ansi(false);
        let lines = lines.with_writer(std::io::stderr);
        // a process that runs several programs has it already
        let _ = tracing_subscriber::registry()
            .with(lines)
            .with(filter)
            .try_init();
        Ok(true)
    }

    pub fn start(vm: &mut Vm, run: &ProgramRun) {
        tracing::debug!(target: "rjvm::vm", taped = run.is_taped(), interpreted = ?vm.interpreted(), "created the VM");
        vm.observe(Box::new(Traced));
    }

    pub fn finish(vm: &Vm, run: &ProgramRun) {
        let tier = vm.tier_use();
        let (methods, bytes, inlined) = (tier.compiled, tier.bytes, tier.inlined);
        tracing::debug!(target: "rjvm::vm", code = run.code, methods, bytes, inlined, "the program ended");
    }

    struct Traced;

    impl Observer for Traced {
        fn events(&self) -> EventSet {
            EventSet::VM
                | EventSet::THREADS
                | EventSet::CLASSES
                | EventSet::UNLOADING
                | EventSet::COLLECTIONS
        }
        fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
            match event {
                Event::Started => tracing::debug!(target: "rjvm::vm", "starting the class library"),
                Event::Initialized => {
                    tracing::debug!(target: "rjvm::vm", "the class library is initialized")
                }
                Event::Ended => tracing::debug!(target: "rjvm::vm", "the VM ended"),
                Event::ThreadStarted(t) => {
                    tracing::debug!(target: "rjvm::threads", thread = t.0, "started");
                }
                Event::ThreadEnded(t) => {
                    tracing::debug!(target: "rjvm::threads", thread = t.0, "ended");
                }
                Event::ClassLoaded(c) => {
                    let class = seen.class(c);
                    let source = class.source.as_deref();
                    tracing::trace!(target: "rjvm::classes", id = c.0, class = class.dotted(), source, "defined");
                }
                Event::ClassPrepared(c) => {
                    let class = seen.class(c).dotted();
                    tracing::trace!(target: "rjvm::classes", id = c.0, class, "linked");
                }
                Event::ClassUnloaded(c) => {
                    let class = seen.class(c).dotted();
                    tracing::debug!(target: "rjvm::classes", id = c.0, class, "unloaded");
                }
                Event::CollectionEnded(c) => {
                    let (number, kind, cause) = (c.number, c.kind, c.cause);
                    tracing::debug!(target: "rjvm::heap", number, kind, cause, c.before, c.after, c.capacity, "collected");
                }
                _ => {}
            }
        }
    }
}
