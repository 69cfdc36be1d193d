//! XML in the shape of JP2: the calling-context tree as in the paper's Fig. 5, and the dynamic
//! call graph in the same vocabulary.
//!
//! ```xml
//! <callingContextTree>
//!   <method declaringClass="LDemo;" name="main" params="[Ljava/lang/String;" return="V">
//!     <executionCount>1</executionCount>
//!     <executedInstructions>30</executedInstructions>
//!     <callsite instruction="4">
//!       <method ...>...</method>
//!     </callsite>
//!     <basicBlock startInstruction="1" endInstruction="30">
//!       <executionCount>1</executionCount>
//!     </basicBlock>
//!   </method>
//! </callingContextTree>
//! ```
//!
//! * `instruction`, `startInstruction` and `endInstruction` are JP2's bytecode positions, the first
//!   instruction of a method being 1, if the methods' [`Code`] is given. If it is not, they are
//!   bytecode indices, and the root element says so: `positions="bytecodeIndex"`. -1 means that the
//!   call site is not known, or that the profile does not report call sites apart.
//! * `basicBlock` elements are written if the executions of single bytecodes were counted. With the
//!   methods' code, all blocks are, as it divides them; a block that an exception left early is
//!   divided further, so that every instruction has its exact count. Without, each executed
//!   bytecode is a block.
//! * In the call graph, a `<method>` inside a `<callsite>` names the callee; its execution count is the number of calls from
//!   there.
//! * If lines are wanted, methods have attributes `file` and `line` (of their first bytecode), and
//!   call sites have `line`.
//! * Threads that are separate are elements `<thread name="..." id="...">` around their trees;
//!   JP2 knows merged ones only.

use super::Settings;
use super::graph::CallGraph;
use super::text::Xml;
use crate::method::MethodInfo;
use crate::profile::{About, Profile};
use crate::tree::Tree;
use std::io::{self, Write};

/// Where instructions and basic blocks of a method begin: bytecode indices, ascending from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// Of each instruction.
    pub instructions: Vec<u16>,
    /// Of the first instruction of each basic block.
    pub blocks: Vec<u16>,
}

/// Levels that are shown by indentation.
const INDENTED: usize = 16;

/// Writes the calling-context tree, positions being bytecode indices, with what the settings have of the methods' code, which is to be
/// known of all of them or none, and with files and lines, if they are wanted.
pub fn write(profile: &Profile, settings: &Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut xml = XmlWriter::new(&profile.methods, settings, out);
    xml.open_root("callingContextTree", &profile.about)?;
    for thread in &profile.threads {
        if let Some(name) = &thread.name {
            xml.indent()?;
            writeln!(
                xml.out,
                "<thread name=\"{}\" id=\"{}\">",
                Xml(name),
                thread.id
            )?;
            xml.depth += 1;
        }
        let mut path: Vec<Open> = Vec::new();
        for (index, (depth, node)) in (0u32..).zip(thread.tree.preorder()) {
            while path.len() > depth {
                xml.close(&mut path, &thread.tree)?;
            }
            if let Some(caller) = path.last_mut() {
                let site = node.site().filter(|_| profile.call_sites);
                if caller.site != Some(site) {
                    if caller.site.replace(site).is_some() {
                        xml.end("callsite")?;
                    }
                    xml.callsite(caller.method, site)?;
                }
            }
            xml.method(node.method, node.invocations, Some(node.bytecodes))?;
            path.push(Open {
                node: index,
                method: node.method,
                site: None,
            });
        }
        while !path.is_empty() {
            xml.close(&mut path, &thread.tree)?;
        }
        if thread.name.is_some() {
            xml.end("thread")?;
        }
    }
    xml.end("callingContextTree")
}

/// Writes the dynamic call graph, positions being bytecode indices; see [`write()`].
pub fn write_graph(
    graph: &CallGraph<'_>,
    settings: &Settings<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut xml = XmlWriter::new(&graph.methods, settings, out);
    let mut edges = graph.edges.iter().peekable();
    xml.open_root("dynamicCallGraph", &graph.about)?;
    for (method, own) in graph.executed() {
        xml.method(method, own.calls, Some(own.bytecodes))?;
        let mut open = None;
        while let Some(edge) = edges.next_if(|e| e.caller == method) {
            if open != Some(edge.site) {
                if open.replace(edge.site).is_some() {
                    xml.end("callsite")?;
                }
                xml.callsite(edge.caller, edge.site)?;
            }
            xml.method(edge.callee, edge.calls, None)?;
            xml.end("method")?;
        }
        if open.is_some() {
            xml.end("callsite")?;
        }
        if graph.counts {
            xml.blocks(method, own.counts.iter().map(|(&i, &n)| (i, n)))?;
        }
        xml.end("method")?;
    }
    xml.end("dynamicCallGraph")
}

struct XmlWriter<'a> {
    starts: Vec<String>,
    methods: &'a [MethodInfo],
    settings: &'a Settings<'a>,
    known: bool,
    depth: usize,
    out: &'a mut dyn Write,
}

impl<'a> XmlWriter<'a> {
    fn new(methods: &'a [MethodInfo], settings: &'a Settings<'a>, out: &'a mut dyn Write) -> Self {
        let tag = |method| start_tag(method, settings.lines);
        XmlWriter {
            starts: methods.iter().map(tag).collect(),
            methods,
            settings,
            known: settings.code.iter().any(Option::is_some),
            depth: 0,
            out,
        }
    }

    fn indent(&mut self) -> io::Result<()> {
        const BLANKS: [u8; 2 * INDENTED] = [b' '; 2 * INDENTED];
        self.out.write_all(&BLANKS[..2 * self.depth.min(INDENTED)])
    }

    fn open_root(&mut self, name: &str, about: &About) -> io::Result<()> {
        let positions = match self.known {
            true => "",
            false => " positions=\"bytecodeIndex\"",
        };
        self.depth = 1;
        writeln!(
            self.out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{name}{positions}>"
        )?;
        for text in crate::prune::about(about) {
            writeln!(self.out, "  <!-- {text} -->")?;
        }
        Ok(())
    }

    fn end(&mut self, name: &str) -> io::Result<()> {
        self.depth -= 1;
        self.indent()?;
        writeln!(self.out, "</{name}>")
    }

    fn callsite(&mut self, caller: u32, site: Option<u32>) -> io::Result<()> {
        self.indent()?;
        match site {
            Some(site) => {
                let position = self.position(caller, site);
                write!(self.out, "<callsite instruction=\"{position}\"")?;
                let line = self.methods[caller as usize].line(Some(site));
                if let Some(line) = line.filter(|_| self.settings.lines) {
                    write!(self.out, " line=\"{line}\"")?;
                }
                self.out.write_all(b">\n")?;
            }
            None => writeln!(self.out, "<callsite instruction=\"-1\">")?,
        }
        self.depth += 1;
        Ok(())
    }

    /// The position of the instruction at a bytecode index.
    fn position(&self, method: u32, index: u32) -> u64 {
        match self.settings.code_of(method) {
            Some(code) => code
                .instructions
                .partition_point(|&i| u32::from(i) <= index) as u64,
            None => u64::from(index),
        }
    }

    fn method(&mut self, method: u32, calls: u64, bytecodes: Option<u64>) -> io::Result<()> {
        self.indent()?;
        writeln!(self.out, "{}", self.starts[method as usize])?;
        self.depth += 1;
        self.indent()?;
        writeln!(self.out, "<executionCount>{calls}</executionCount>")?;
        if let Some(bytecodes) = bytecodes {
            self.indent()?;
            writeln!(
                self.out,
                "<executedInstructions>{bytecodes}</executedInstructions>"
            )?;
        }
        Ok(())
    }

    /// Closes the innermost context.
    fn close(&mut self, path: &mut Vec<Open>, tree: &Tree) -> io::Result<()> {
        if let Some(open) = path.pop() {
            if open.site.is_some() {
                self.end("callsite")?;
            }
            if tree.has_counts() {
                self.blocks(open.method, tree.counts(open.node))?;
            }
            self.end("method")?;
        }
        Ok(())
    }

    fn blocks(&mut self, method: u32, counts: impl Iterator<Item = (u16, u64)>) -> io::Result<()> {
        let Some(code) = self.settings.code_of(method) else {
            for (index, count) in counts {
                self.block(index.into(), index.into(), count)?;
            }
            return Ok(());
        };
        let mut counts = counts.peekable();
        // The block being gathered: its first position and count.
        let mut block: Option<(u64, u64)> = None;
        let mut last = 0;
        for (position, index) in (1u64..).zip(&code.instructions) {
            let count = counts.next_if(|c| c.0 == *index).map_or(0, |c| c.1);
            let begins = code.blocks.binary_search(index).is_ok();
            match block {
                Some((_, n)) if n == count && !begins => {}
                Some((first, n)) => {
                    self.block(first, last, n)?;
                    block = Some((position, count));
                }
                None => block = Some((position, count)),
            }
            last = position;
        }
        match block {
            Some((first, n)) => self.block(first, last, n),
            None => Ok(()),
        }
    }

    fn block(&mut self, first: u64, last: u64, count: u64) -> io::Result<()> {
        self.indent()?;
        writeln!(
            self.out,
            "<basicBlock startInstruction=\"{first}\" endInstruction=\"{last}\">"
        )?;
        self.depth += 1;
        self.indent()?;
        writeln!(self.out, "<executionCount>{count}</executionCount>")?;
        self.end("basicBlock")
    }
}

/// A context whose element is open.
struct Open {
    node: u32,
    method: u32,
    /// The call site whose element is open.
    site: Option<Option<u32>>,
}

/// `<method declaringClass="LDemo;" name="main" params="[Ljava/lang/String;" return="V">`
fn start_tag(method: &MethodInfo, lines: bool) -> String {
    let descriptor = &method.descriptor;
    let (params, result) = match descriptor.strip_prefix('(').and_then(|d| d.split_once(')')) {
        Some(parts) => parts,
        None => (descriptor.as_str(), ""),
    };
    let mut tag = format!(
        "<method declaringClass=\"L{};\" name=\"{}\" params=\"{}\" return=\"{}\"",
        Xml(&method.class.replace('.', "/")),
        Xml(&method.name),
        Xml(params),
        Xml(result),
    );
    if let Some(source) = method.source.as_ref().filter(|_| lines) {
        tag.push_str(&format!(" file=\"{}\"", Xml(source.file())));
        if let Some(line) = source.first_line() {
            tag.push_str(&format!(" line=\"{line}\""));
        }
    }
    tag.push('>');
    tag
}
