//! From a VM's counters to a profile.

use crate::blocks::{Bba, blocks, count};
use rjvm_classfile::opcodes::{Insn, insns};
use rjvm_classfile::{ClassFile, CodeAttribute, dis};
use rjvm_profiler::cct::{Visit, Walk};
use rjvm_profiler::export::jfr::{self, ClassDescription, KnownMethod, LoaderDescription};
use rjvm_profiler::export::{Listing, xml};
use rjvm_profiler::{
    About, Extra, Filter, Flat, Identity, MethodInfo, Profile, Recorded, Roots, Threads, TreeError,
    View, VisibleContexts,
};
use rjvm_vm::classes::CodeRef;
use rjvm_vm::vm::ProfileMode;
use rjvm_vm::{ClassId, LoaderId, MethodId, ThreadId, Vm};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::rc::Rc;

/// Whose execution a profile shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// The dynamic extent of `main` and the threads started in it.
    #[default]
    Main,
    /// Everything from the start of the VM on.
    All,
}

/// Class, name, descriptor and place in the sources of a method by its id.
pub fn method(vm: &Vm, id: u32) -> MethodInfo {
    vm.method_info(MethodId(id))
}

/// The exact profile of the execution so far.
pub fn exact(vm: &mut Vm, scope: Scope) -> Result<Profile, TreeError> {
    let view = View {
        threads: Threads::Apart,
        ..View::default()
    };
    let wanted = ProfileRequest {
        scope,
        view,
        ..ProfileRequest::default()
    };
    Ready::new(vm).shown(vm, wanted).profile()
}

/// A request for an exact profile.
#[derive(Clone, Debug, Default)]
pub struct ProfileRequest {
    /// Whose execution it shows.
    pub scope: Scope,
    /// The part of it, and how its threads are merged.
    pub view: View,
    /// The contexts to leave out.
    pub filter: Filter,
    /// Facts about the run.
    pub about: About,
}

/// A VM whose contexts have all counts.
pub struct Ready {
    /// The names of all threads, by number.
    names: Vec<String>,
}

impl Ready {
    /// Ends counting.
    pub fn new(vm: &mut Vm) -> Ready {
        vm.release_kept_contexts();
        Ready::so_far(vm)
    }

    /// The same while more is going to be counted.
    pub fn so_far(vm: &mut Vm) -> Ready {
        vm.flush_open_frames();
        Ready {
            names: thread_names(vm),
        }
    }

    /// The requested part of the profile so far, to be written without a copy.
    pub fn shown<'a>(
        &self,
        vm: &'a Vm,
        wanted: ProfileRequest,
    ) -> VisibleContexts<impl Fn(&Visit, &mut Extra) + use<'a>> {
        let options = vm.options();
        let all = wanted.scope == Scope::All;
        let roots = |(thread, walks): (ThreadId, Vec<Walk>)| Roots {
            id: u64::from(thread.0),
            name: self.names[thread.0 as usize].clone(),
            walks,
        };
        let recorded = Recorded {
            call_sites: wanted.view.call_sites && options.profile != ProfileMode::Exact,
            allocations: options.allocations,
            counts: options.profile == ProfileMode::Blocks,
            upcalls: options.upcalls_to_root,
            about: wanted.about,
            threads: vm.contexts(all).into_iter().map(roots).collect(),
            methods: vm.methods_of_contexts(all),
            links: vm.links_of_contexts(),
            view: wanted.view,
            filter: wanted.filter,
        };
        recorded.shown(|id| method(vm, id), extras(vm))
    }
}

/// By number.
fn thread_names(vm: &mut Vm) -> Vec<String> {
    let threads = vm.all_threads().len() as u32;
    (0..threads).map(|t| vm.thread_name(ThreadId(t))).collect()
}

/// What fills in the optional columns of contexts.
fn extras(vm: &Vm) -> impl Fn(&Visit, &mut Extra) {
    let executions = vm.executions();
    move |visit, extra| {
        (extra.objects, extra.bytes) = vm.allocations(visit);
        executions.add(visit, &mut extra.counts);
    }
}

/// The totals of the methods in [`exact`], without the contexts and the methods' places in the sources.
pub fn flat(vm: &mut Vm, scope: Scope) -> Result<Flat, TreeError> {
    vm.flush_open_frames();
    vm.release_kept_contexts();
    let vm = &*vm;
    let threads = vm.contexts(scope == Scope::All).into_iter();
    Flat::of_walks(
        |id| vm.method_identity(MethodId(id)),
        threads.map(|(_, roots)| roots),
        |visit| vm.allocations(visit),
    )
}

/// The samples taken so far.
pub fn samples(vm: &mut Vm) -> Result<Profile, TreeError> {
    vm.finish_samples();
    match vm.samples() {
        Some(r) => r.profile(|id| method(vm, id)),
        None => Ok(Profile::default()),
    }
}

/// The samples taken so far, while more are going to be taken.
pub fn samples_so_far(vm: &mut Vm) -> Result<Profile, TreeError> {
    match vm.samples_so_far() {
        Some(r) => r.profile(|id| method(vm, id)),
        None => Ok(Profile::default()),
    }
}

/// Writes a line for each sample, if the recorder keeps them.
pub fn sample_log(vm: &Vm, out: &mut dyn Write) -> io::Result<()> {
    match vm.samples() {
        Some(r) => r.write_log(|id| method(vm, id), out),
        None => Ok(()),
    }
}

/// Bytecodes that JP would report for a profile with counts of single ones, by this analysis of basic
/// blocks: those of all blocks that were entered.
pub fn by_blocks(vm: &Vm, profile: &Profile, bba: Bba) -> u64 {
    let codes = codes(vm, &profile.methods);
    let of_method = |code: &Option<CodeRef<'_>>| blocks((*code)?.attr(), bba).ok();
    let blocks: Vec<_> = codes.iter().map(of_method).collect();
    let mut sum = 0u64;
    for tree in profile.threads.iter().map(|thread| &thread.tree) {
        for (index, node) in (0u32..).zip(tree.nodes()) {
            if let Some(blocks) = &blocks[node.method as usize] {
                sum = sum.saturating_add(count(blocks, &tree.counts(index)).1);
            }
        }
    }
    sum
}

/// Where instructions and basic blocks of methods begin, as JP2 numbers and divides
/// them. Classes of one name are one in a profile; the code is the first one's.
pub fn code(vm: &Vm, methods: &[MethodInfo]) -> Vec<Option<xml::Code>> {
    codes(vm, methods)
        .into_iter()
        .map(|code| layout(code?.attr()))
        .collect()
}

/// The instructions of those of the methods that cost something, as text.
pub fn listings(vm: &Vm, methods: &[MethodInfo], mut costly: Vec<(u32, u64)>) -> Vec<Listing> {
    let codes = codes(vm, methods);
    costly.sort_unstable();
    let listing = |(method, _): (u32, u64)| {
        let code = codes[method as usize]?;
        Some(Listing {
            method,
            instructions: instructions(code.cf, code.attr())?,
        })
    };
    costly.into_iter().filter_map(listing).collect()
}

/// Bytecode indices and instructions as text; `None` if the code cannot be decoded.
pub fn instructions(class: &ClassFile, code: &CodeAttribute) -> Option<Vec<(u16, String)>> {
    let text = |insn: Insn<'_>| (insn.pc as u16, dis::instruction(class, &insn));
    let all = insns(&code.code).map(|insn| Some(text(insn.ok()?)));
    all.collect()
}

/// Methods that a VM has, by their labels.
#[derive(Debug)]
pub struct KnownMethods(HashMap<String, KnownMethod>);

impl jfr::KnownMethods for KnownMethods {
    fn of(&self, method: &MethodInfo) -> Option<KnownMethod> {
        self.0.get(&method.label()).cloned()
    }
}

/// Those of the methods whose classes are loaded.
pub fn known_methods(vm: &Vm, methods: &[MethodInfo]) -> KnownMethods {
    let known: HashSet<Identity<'_>> = methods.iter().map(MethodInfo::identity).collect();
    let mut all = HashMap::new();
    for method in vm.all_methods() {
        let info = vm.method_identity(method.id);
        // one that is unloaded has its code at most
        if !known.contains(&info.identity()) || vm.retired_method(method.id).is_some() {
            continue;
        }
        let mut class = describe_class(vm, method.class);
        if class.hidden {
            // methods of all hidden classes of one name are one in a profile
            class.name = info.plain_class().replace('.', "/");
        }
        all.entry(info.label()).or_insert(KnownMethod {
            modifiers: method.access.into(),
            class,
        });
    }
    KnownMethods(all)
}

/// A chain of loaders, each of which has defined the class of the next one, is described so far.
const LONGEST_CHAIN: usize = 16;

/// A class, as JFR describes it.
pub fn describe_class(vm: &Vm, class: ClassId) -> ClassDescription {
    describe(vm, class, LONGEST_CHAIN)
}

/// A class loader, as JFR describes it.
pub fn describe_loader(vm: &Vm, loader: LoaderId) -> LoaderDescription {
    describe_loader_in(vm, loader, LONGEST_CHAIN)
}

fn describe(vm: &Vm, class: ClassId, chain: usize) -> ClassDescription {
    let c = vm.class(class);
    ClassDescription {
        name: c.name.to_string(),
        modifiers: c.access.into(),
        hidden: c.hidden,
        module: match c.is_array() {
            true => None,
            false => vm.system_module(class).map(str::to_owned),
        },
        loader: describe_loader_in(vm, c.loader, chain),
    }
}

fn describe_loader_in(vm: &Vm, loader: LoaderId, chain: usize) -> LoaderDescription {
    if loader == LoaderId::BOOT {
        return LoaderDescription::Boot;
    }
    match (vm.loader_facts(loader), chain.checked_sub(1)) {
        (Some((class, name)), Some(chain)) => {
            LoaderDescription::Object(Rc::new(describe(vm, class, chain)), name)
        }
        _ => LoaderDescription::Unknown,
    }
}

/// The code of methods, as far as they have any.
fn codes<'a>(vm: &'a Vm, methods: &[MethodInfo]) -> Vec<Option<CodeRef<'a>>> {
    let mut codes = vec![None; methods.len()];
    let known: HashMap<Identity<'_>, usize> =
        methods.iter().map(MethodInfo::identity).zip(0..).collect();
    for method in vm.all_methods() {
        if let Some(code) = method.code()
            && let Some(&index) = known.get(&vm.method_identity(method.id).identity())
            && codes[index].is_none()
        {
            codes[index] = Some(code);
        }
    }
    codes
}

/// `None` if the code cannot be decoded.
pub fn layout(code: &CodeAttribute) -> Option<xml::Code> {
    let instructions = insns(&code.code).map(|insn| Some(insn.ok()?.pc as u16));
    let blocks = blocks(code, Bba::Default).ok()?;
    Some(xml::Code {
        instructions: instructions.collect::<Option<_>>()?,
        blocks: blocks.iter().map(|block| block.start).collect(),
    })
}
