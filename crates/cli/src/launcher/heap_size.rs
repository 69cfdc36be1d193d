//! The limit of the heap where no option gives it in bytes.

use super::config::Config;
use super::values::HEAP;
use std::fs::read_to_string;
use std::path::Path;

/// Percent of the machine's memory, as in HotSpot.
const SHARE: f64 = 25.0;

/// The limit is a multiple of this.
const UNIT: u64 = 2 << 20;

/// Chooses the limit of the heap: a quarter of the memory (`-XX:MaxRAMPercentage`), at least the VM's own default. A deterministic run
/// has that default, so that its results do not depend on the machine.
pub fn choose(config: &mut Config) {
    if config.max_heap_given {
        return;
    }
    let own = config.vm.max_heap as u64;
    let initial = config.initial_heap.unwrap_or(0);
    let deterministic = config.deterministic.is_some() || config.explorable;
    if deterministic && config.heap_share.is_some() {
        let note = "-XX:MaxRAMPercentage has no effect on a deterministic run";
        config.notes.push(note.into());
    }
    let share = match (deterministic, config.heap_share) {
        (true, _) => None,
        (false, Some(percent)) => share(percent),
        (false, None) => share(SHARE).map(|bytes| bytes.max(own)),
    };
    let heap = share.unwrap_or(own).max(initial) / UNIT * UNIT;
    config.vm.max_heap = heap.clamp(*HEAP.start(), *HEAP.end()) as usize;
}

/// So many percent of the memory. None: it is not known, or the system counts reserved memory as used.
fn share(percent: f64) -> Option<u64> {
    let strict = read_to_string("/proc/sys/vm/overcommit_memory").is_ok_and(|n| n.trim() == "2");
    let memory = memory(Path::new("/proc"), Path::new("/sys/fs/cgroup")).filter(|_| !strict)?;
    // a limit of the address space must leave room for all else
    Some(((memory as f64 * percent / 100.0) as u64).min(address_space() / 4))
}

/// Bytes of address space that the process may have.
fn address_space() -> u64 {
    rustix::process::getrlimit(rustix::process::Resource::As)
        .current
        .unwrap_or(u64::MAX)
}

/// Bytes of memory that the process may use: those of the machine, or of the smallest of its control groups.
fn memory(proc: &Path, groups: &Path) -> Option<u64> {
    let info = read_to_string(proc.join("meminfo")).ok()?;
    let total = info.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = total.split_whitespace().next()?.parse().ok()?;
    let own = read_to_string(proc.join("self/cgroup")).unwrap_or_default();
    let limits = own.lines().filter_map(|line| limit(line, groups));
    limits.chain([kilobytes << 10]).min()
}

/// The smallest limit of the groups that a line of `/proc/self/cgroup` names: `number:controllers:path`.
fn limit(line: &str, groups: &Path) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?);
    let (root, file) = match controllers {
        "" => (groups.to_path_buf(), "memory.max"),
        c if c.split(',').any(|c| c == "memory") => {
            (groups.join("memory"), "memory.limit_in_bytes")
        }
        _ => return None,
    };
    // in a container the path may be that of the host: then the root has the limit
    let inner = root.join(path.trim_start_matches('/'));
    let known = inner.ancestors().take_while(|a| a.starts_with(&root));
    known
        .filter_map(|group| read_to_string(group.join(file)).ok())
        .filter_map(|text| text.trim().parse().ok())
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};

    /// Memory as a machine of 8 GB reports it, with these files of groups.
    fn memory_of(own: &str, files: &[(&str, &str)]) -> Option<u64> {
        let dir = std::env::temp_dir().join(format!("rjvm-memory-{}", std::process::id()));
        let (proc, groups) = (dir.join("proc"), dir.join("groups"));
        create_dir_all(proc.join("self")).unwrap();
        write(proc.join("meminfo"), "MemTotal:        8388608 kB\n").unwrap();
        write(proc.join("self/cgroup"), own).unwrap();
        for (file, text) in files {
            let file = groups.join(file);
            create_dir_all(file.parent().unwrap()).unwrap();
            write(file, text).unwrap();
        }
        let found = memory(&proc, &groups);
        std::fs::remove_dir_all(dir).unwrap();
        found
    }

    #[test]
    fn a_deterministic_run_has_the_same_heap_everywhere() {
        let heap = |set: fn(&mut Config)| {
            let mut config = Config::default();
            set(&mut config);
            choose(&mut config);
            config.vm.max_heap
        };
        assert_eq!(heap(|c| c.deterministic = Some(1)), 1 << 30);
        let both = |c: &mut Config| (c.deterministic, c.heap_share) = (Some(1), Some(0.1));
        assert_eq!(heap(both), 1 << 30);
        assert!(heap(|_| ()) >= 1 << 30);
        // not where the system counts reserved memory as used
        let least = share(0.1).map_or(1 << 30, |bytes| bytes.max(*HEAP.start()));
        let chosen = heap(|c| c.heap_share = Some(0.1)) as u64;
        assert_eq!(chosen, (least / UNIT * UNIT).min(*HEAP.end()));
        let initial = |c: &mut Config| (c.deterministic, c.initial_heap) = (Some(1), Some(3 << 30));
        assert_eq!(heap(initial), 3 << 30);
        let given = |c: &mut Config| (c.max_heap_given, c.vm.max_heap) = (true, 5 << 20);
        assert_eq!(heap(given), 5 << 20);
    }

    #[test]
    fn the_smallest_group_limits_the_memory() {
        assert_eq!(memory_of("", &[]), Some(8 << 30));
        let unlimited = ("a/b/memory.max", "max\n");
        assert_eq!(memory_of("0::/a/b\n", &[unlimited]), Some(8 << 30));
        let outer = ("a/memory.max", "1073741824\n");
        assert_eq!(memory_of("0::/a/b\n", &[unlimited, outer]), Some(1 << 30));
        let root = ("memory.max", "2147483648\n");
        assert_eq!(memory_of("0::/of/the/host\n", &[root]), Some(2 << 30));
        let old = ("memory/x/memory.limit_in_bytes", "536870912\n");
        let own = "3:cpu,memory:/x\n2:pids:/y\n";
        assert_eq!(memory_of(own, &[old]), Some(512 << 20));
        assert_eq!(memory_of("3:cpu:/x\n", &[old]), Some(8 << 30));
    }
}
