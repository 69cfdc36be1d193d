//! Dumping the heap when it is full.

use crate::vm::Vm;

impl Vm {
    /// `-XX:+HeapDumpOnOutOfMemoryError`: dumps the heap when it is found full for the first time.
    pub(crate) fn dump_full_heap(&mut self, message: &str) {
        let of_heap = matches!(
            message,
            "Java heap space"
                | "GC overhead limit exceeded"
                | "Requested array size exceeds VM limit"
        );
        if !of_heap
            || !self.options.heap_dump_on_oom
            || std::mem::replace(&mut self.memory.heap_dumped, true)
        {
            return;
        }
        let pid = self.host().processes().own_id();
        let gzip = Some(self.options.heap_dump_gzip).filter(|&level| level > 0);
        let packed = if gzip.is_some() { ".gz" } else { "" };
        let name = format!("java_pid{pid}.hprof{packed}");
        let path = match self.options.heap_dump_path.clone() {
            None => name,
            Some(p) => {
                let stat = self.host().files().stat(libc::AT_FDCWD, p.as_bytes(), true);
                match stat.is_ok_and(|s| s.is_dir()) {
                    true => format!("{}/{name}", p.trim_end_matches('/')),
                    false => p,
                }
            }
        };
        self.print_out(&format!(
            "java.lang.OutOfMemoryError: {message}\nDumping heap to {path} ...\n"
        ));
        let start = self.clock_ns();
        let line = match self.dump_heap_as(path.as_bytes(), gzip) {
            Ok(d) => {
                let seconds = (self.clock_ns() - start) as f64 / 1e9;
                format!(
                    "Heap dump file created [{} bytes in {seconds:.3} secs]\n",
                    d.bytes
                )
            }
            Err(e) => format!(
                "Unable to create {path}: {}\n",
                std::io::Error::from_raw_os_error(e.0)
                    .to_string()
                    .split(" (os error")
                    .next()
                    .unwrap_or_default()
            ),
        };
        self.print_out(&line);
    }
    /// A line of the VM's own on standard output.
    fn print_out(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.host().descriptors().write(1, rest) {
                Ok(n) if n > 0 => rest = &rest[n.min(rest.len())..],
                // nobody to report
                _ => return,
            }
        }
    }
}
