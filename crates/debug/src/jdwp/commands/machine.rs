//! VirtualMachine.

use super::super::codes::Code;
use super::super::world::{Context, Done, is_shown, signature, status_of};
use super::{objects, redefine};
use hashbrown::{HashMap, HashSet};
use rjvm_vm::{ClassId, Ref};

/// What the agent can do, in the order of the protocol: the first seven are those of the old command.
const CAPABILITIES: [bool; 32] = [
    true,  // canWatchFieldModification
    true,  // canWatchFieldAccess
    true,  // canGetBytecodes
    true,  // canGetSyntheticAttribute
    true,  // canGetOwnedMonitorInfo
    true,  // canGetCurrentContendedMonitor
    true,  // canGetMonitorInfo
    true,  // canRedefineClasses
    false, // canAddMethod
    false, // canUnrestrictedlyRedefineClasses
    true,  // canPopFrames
    true,  // canUseInstanceFilters
    true,  // canGetSourceDebugExtension
    true,  // canRequestVMDeathEvent
    true,  // canSetDefaultStratum
    true,  // canGetInstanceInfo
    true,  // canRequestMonitorEvents
    true,  // canGetMonitorFrameInfo
    true,  // canUseSourceNameFilters
    true,  // canGetConstantPool
    true,  // canForceEarlyReturn
    false, false, false, false, false, false, false, false, false, false, false,
];

pub(super) fn carry_out(c: &mut Context<'_, '_>, number: u8) -> Done {
    match number {
        1 => version(c),
        2 => classes_by_signature(c)?,
        3 => all_classes(c, false),
        20 => all_classes(c, true),
        4 => all_threads(c),
        5 => {
            let group = objects::top_group(c);
            c.out.u32(1);
            c.put_object(group);
        }
        7 => _ = c.out.u32(8).u32(8).u32(8).u32(8).u32(8),
        8 => c.w.suspend_all(),
        9 => c.w.resume_all(),
        11 => {
            let text = c.r.text()?;
            let r = c.w.vm.debug_string(text).ok_or(Code::OUT_OF_MEMORY)?;
            c.put_object(r);
        }
        12 => CAPABILITIES[..7].iter().for_each(|&is| _ = c.out.flag(is)),
        17 => CAPABILITIES.iter().for_each(|&is| _ = c.out.flag(is)),
        13 => {
            let property = |c: &mut Context<'_, '_>, name: &str| {
                let all = &c.vm().options().properties;
                all.iter()
                    .rfind(|p| p.0 == name)
                    .map(|p| p.1.clone())
                    .unwrap_or_default()
            };
            let dir = std::env::current_dir().map(|d| d.to_string_lossy().into_owned());
            let path = property(c, "java.class.path");
            c.out.text(&dir.unwrap_or_default());
            let parts: Vec<&str> = path.split(':').filter(|p| !p.is_empty()).collect();
            c.out.counted(parts, |out, p| _ = out.text(p));
            c.out.u32(0);
        }
        14 => {
            for _ in 0..c.r.count(12)? {
                let id = c.r.u64()?;
                let _times = c.r.u32()?;
                c.w.engine.objects.dispose(c.w.vm, id);
            }
        }
        15 => c.w.engine.held = true,
        16 => c.w.engine.held = false,
        18 => redefine::redefine(c)?,
        19 => {
            let name = c.r.text()?;
            c.w.go_by_stratum(name);
        }
        21 => instance_counts(c)?,
        22 => {
            let modules = objects::all_modules(c);
            c.out.u32(modules.len() as u32);
            modules.into_iter().for_each(|m| c.put_object(m));
        }
        _ => return Err(Code::NOT_IMPLEMENTED),
    }
    Ok(())
}

fn version(c: &mut Context<'_, '_>) {
    let feature = c.vm().feature();
    let properties = &c.vm().options().properties;
    let given = properties
        .iter()
        .rfind(|p| p.0 == "java.version")
        .map(|p| p.1.clone());
    let version = given.unwrap_or_else(|| c.vm().java_version());
    let name = "rjvm";
    let described = format!(
        "Java Debug Wire Protocol (Reference Implementation) version {feature}.0\nJVM Debug Interface version {feature}.0\nJVM version {version} ({name}, interpreted mode)"
    );
    c.out
        .text(&described)
        .u32(feature)
        .u32(0)
        .text(&version)
        .text(name);
}

fn shown_classes(c: &mut Context<'_, '_>) -> Vec<ClassId> {
    let all = c.vm().debug_classes();
    all.into_iter().filter(|&k| is_shown(c.w.vm, k)).collect()
}

fn classes_by_signature(c: &mut Context<'_, '_>) -> Done {
    let wanted = c.r.text()?;
    let all = shown_classes(c);
    let found: Vec<ClassId> = all
        .into_iter()
        .filter(|&k| signature(c.w.vm, k) == wanted)
        .collect();
    c.out.u32(found.len() as u32);
    for k in found {
        c.put_typed_class(k);
        let status = status_of(c.w.vm, k);
        c.out.u32(status);
    }
    Ok(())
}

fn all_classes(c: &mut Context<'_, '_>, generic: bool) {
    let all = shown_classes(c);
    c.out.u32(all.len() as u32);
    for k in all {
        c.put_typed_class(k);
        let (text, status) = (signature(c.w.vm, k), status_of(c.w.vm, k));
        c.out.text(&text);
        if generic {
            let generic = super::types::generic_of_class(c.w.vm, k);
            c.out.text(&generic);
        }
        c.out.u32(status);
    }
}

fn all_threads(c: &mut Context<'_, '_>) {
    let platform = c.vm().env().platform_threads();
    let mut all = c.w.shown_threads();
    if !c.virtual_threads {
        all.retain(|t| platform.contains(t));
    }
    c.out.u32(all.len() as u32);
    for t in all {
        let object = c.vm().a_thread(t).object;
        c.put_object(object);
    }
}

fn instance_counts(c: &mut Context<'_, '_>) -> Done {
    let n = c.r.u32()? as i32;
    if n < 0 {
        return Err(Code::ILLEGAL_ARGUMENT);
    }
    let mut classes = Vec::new();
    for _ in 0..n {
        classes.push(c.class()?);
    }
    let reached: HashSet<Ref> = c.vm().reachable_objects();
    let mut counts: HashMap<ClassId, u64> = HashMap::new();
    for &r in &reached {
        *counts.entry(c.w.vm.class_of(r)).or_default() += 1;
    }
    let counts: Vec<u64> = classes
        .iter()
        .map(|k| counts.get(k).copied().unwrap_or(0))
        .collect();
    c.out.counted(counts, |out, n| _ = out.u64(n));
    Ok(())
}
