//! Parquet, for engines that ask thousands of profiles at once: one flat table, a row for each context, each method
//! and the whole run, each with the columns of the run's manifest. `docs/parquet.md` describes the columns.

use super::JsonString;
use crate::method::MethodInfo;
use crate::profile::{About, Kind, Profile};
use crate::tree::Allocation;
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::io::{self, Write};
use std::sync::Arc;

/// The columns, in their order. `REQUIRED` ones are in every row.
const SCHEMA: &str = "message profile {
    REQUIRED BINARY record (STRING);
    OPTIONAL BINARY program (STRING);
    OPTIONAL BINARY jdk (STRING);
    OPTIONAL BINARY commit (STRING);
    REQUIRED BINARY kind (STRING);
    REQUIRED BINARY unit (STRING);
    REQUIRED BINARY manifest (STRING);
    OPTIONAL INT64 thread_id;
    OPTIONAL BINARY thread (STRING);
    OPTIONAL INT64 context;
    OPTIONAL INT64 parent;
    OPTIONAL INT64 path;
    OPTIONAL INT32 depth;
    OPTIONAL BINARY class (STRING);
    OPTIONAL BINARY method (STRING);
    OPTIONAL BINARY descriptor (STRING);
    OPTIONAL BOOLEAN native;
    OPTIONAL BOOLEAN application;
    OPTIONAL BINARY file (STRING);
    OPTIONAL INT32 line;
    OPTIONAL INT32 site;
    OPTIONAL INT32 site_line;
    REQUIRED INT64 calls;
    REQUIRED INT64 self;
    REQUIRED INT64 inclusive;
    REQUIRED INT64 contexts;
    OPTIONAL INT64 objects;
    OPTIONAL INT64 bytes;
    OPTIONAL INT64 live_objects;
    OPTIONAL INT64 live_bytes;
    OPTIONAL BINARY allocated (STRING);
    OPTIONAL BINARY stack (STRING);
}";

/// Rows of a group: engines read groups at a time, and no more of them are in memory here.
const GROUP: usize = 1 << 17;

/// A row without what its method and the manifest report.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    record: u8,
    thread: Option<u32>,
    context: Option<i64>,
    parent: Option<i64>,
    path: Option<i64>,
    depth: Option<i32>,
    method: Option<u32>,
    site: Option<i32>,
    site_line: Option<i32>,
    calls: u64,
    own: u64,
    inclusive: u64,
    contexts: u64,
    allocated: Allocation,
    heap: Option<u32>,
}

/// The kinds of rows.
const RECORDS: [&str; 4] = ["run", "method", "context", "heap"];

/// What a stack has allocated of a class, and how much of that is there in a heap dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapSite {
    /// The class of the objects.
    pub class: String,
    /// The method that allocated them, with its line if that is known; none: the dump does not report.
    pub method: Option<(MethodInfo, Option<u32>)>,
    /// The stack as text, a line for each frame, that method's first.
    pub stack: String,
    /// Those in the dump.
    pub live: Allocation,
    /// Those that were ever allocated, if the dump reports.
    pub allocated: Option<Allocation>,
}

/// Writes the sites of a heap dump as rows of the same table. `about` are names and texts that report the run.
pub fn write_heap(about: About, sites: &[HeapSite], out: &mut dyn Write) -> io::Result<()> {
    let methods = sites.iter().filter_map(|site| site.method.as_ref());
    let mut profile = Profile {
        methods: methods.map(|(method, _)| method.clone()).collect(),
        about,
        ..Profile::default()
    };
    profile.set_unit("bytes");
    let mut table = ParquetTable::new(&profile)?;
    table.sites = sites;
    let mut methods = 0u32..;
    for (index, site) in (0u32..).zip(sites) {
        let method = site.method.as_ref();
        table.row(Row {
            record: 3,
            path: Some(path(FNV_START, None, &site.stack) as i64),
            method: method.and_then(|_| methods.next()),
            contexts: 1,
            heap: Some(index),
            ..Row::default()
        })?;
    }
    out.write_all(&table.finish()?)
}

/// Writes the table.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    // Samples have estimates, as all texts for people do.
    let profile = &*profile.estimated();
    let mut table = ParquetTable::new(profile)?;
    let totals = profile.totals();
    table.row(Row {
        calls: totals.invocations,
        own: totals.bytecodes,
        inclusive: totals.bytecodes,
        contexts: totals.nodes,
        allocated: totals.allocated,
        ..Row::default()
    })?;
    for row in profile.flat() {
        table.row(Row {
            record: 1,
            method: Some(row.method),
            calls: row.calls,
            own: row.bytecodes,
            inclusive: row.inclusive,
            contexts: row.contexts,
            allocated: row.allocated,
            ..Row::default()
        })?;
    }
    let labels: Vec<String> = profile.methods.iter().map(|m| m.label()).collect();
    let mut first = 0i64;
    for (index, thread) in (0u32..).zip(&profile.threads) {
        let tree = &thread.tree;
        let sums = tree.inclusive();
        let mut paths: Vec<u64> = Vec::with_capacity(tree.len());
        for (at, (depth, node)) in (0u32..).zip(tree.preorder()) {
            let parent = node.parent();
            let above = parent.map_or(FNV_START, |parent| paths[parent as usize]);
            paths.push(path(above, node.site(), &labels[node.method as usize]));
            let caller = parent.map(|parent| tree.nodes()[parent as usize].method);
            let caller = caller.map(|method| &profile.methods[method as usize]);
            let site_line = caller.and_then(|caller| caller.line(node.site()));
            table.row(Row {
                record: 2,
                thread: Some(index),
                context: Some(first + i64::from(at)),
                parent: parent.map(|parent| first + i64::from(parent)),
                path: Some(paths[at as usize] as i64),
                depth: Some(depth as i32),
                method: Some(node.method),
                site: node.site().map(|site| site as i32),
                site_line: site_line.map(|line| line as i32),
                calls: node.invocations,
                own: node.bytecodes,
                inclusive: sums[at as usize],
                contexts: 1,
                allocated: tree.allocation(at),
                heap: None,
            })?;
        }
        first += tree.len() as i64;
    }
    out.write_all(&table.finish()?)
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// What names a context whatever file it is in: FNV-1a of the caller's, the call site and the method's label.
fn path(above: u64, site: Option<u32>, label: &str) -> u64 {
    let site = site.map_or(String::new(), |site| format!("@{site}"));
    let bytes = above.to_le_bytes().into_iter();
    let bytes = bytes.chain(site.bytes()).chain([b':']).chain(label.bytes());
    bytes.fold(FNV_START, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

struct ParquetTable<'a> {
    profile: &'a Profile,
    writer: SerializedFileWriter<Vec<u8>>,
    rows: Vec<Row>,
    sites: &'a [HeapSite],
    allocations: bool,
    methods: Vec<MethodTexts>,
    threads: Vec<Option<ByteArray>>,
    records: [ByteArray; 4],
    program: Option<ByteArray>,
    jdk: Option<ByteArray>,
    commit: Option<ByteArray>,
    kind: ByteArray,
    unit: ByteArray,
    manifest: ByteArray,
}

struct MethodTexts {
    class: ByteArray,
    name: ByteArray,
    descriptor: ByteArray,
    file: Option<ByteArray>,
    line: Option<i32>,
    native: bool,
    application: bool,
}

fn text(text: &str) -> ByteArray {
    text.as_bytes().to_vec().into()
}

fn reported(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

impl<'a> ParquetTable<'a> {
    fn new(profile: &'a Profile) -> io::Result<Self> {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(reported)?);
        // The version of the library would make files differ for no reason of the profile's.
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by("rjvm".into());
        // Hashes are as long as they look.
        let path = ColumnPath::from("path");
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_compression(path, Compression::UNCOMPRESSED);
        // Numbers that rise from row to row.
        for column in ["context", "parent"].map(ColumnPath::from) {
            properties = properties
                .set_column_dictionary_enabled(column.clone(), false)
                .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
        }
        let properties = properties.build();
        let writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties));
        let about = |name: &str| {
            let found = profile.about.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| text(value))
        };
        let entries: Vec<String> = profile
            .about
            .iter()
            .map(|(name, value)| format!("{}:{}", JsonString(name), JsonString(value)))
            .collect();
        let methods = profile.methods.iter().map(|m| MethodTexts {
            class: text(&m.class),
            name: text(&m.name),
            descriptor: text(&m.descriptor),
            file: m.source.as_ref().map(|source| text(source.file())),
            line: m.first_line().map(|line| line as i32),
            native: m.native,
            application: m.app,
        });
        let threads = profile.threads.iter();
        Ok(ParquetTable {
            profile,
            writer: writer.map_err(reported)?,
            rows: Vec::new(),
            sites: &[],
            allocations: profile.has_allocations(),
            methods: methods.collect(),
            threads: threads.map(|t| t.name.as_deref().map(text)).collect(),
            records: RECORDS.map(text),
            program: about("Program"),
            jdk: about("JDK"),
            commit: about("commit"),
            kind: text(match profile.kind {
                Kind::Exact => "exact",
                Kind::Samples => "samples",
            }),
            unit: text(profile.unit()),
            manifest: text(&format!("{{{}}}", entries.join(","))),
        })
    }

    fn row(&mut self, row: Row) -> io::Result<()> {
        self.rows.push(row);
        match self.rows.len() < GROUP {
            true => Ok(()),
            false => self.group(),
        }
    }

    fn finish(mut self) -> io::Result<Vec<u8>> {
        self.group()?;
        self.writer.into_inner().map_err(reported)
    }

    /// Writes the rows there are.
    fn group(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return Ok(());
        }
        let group = self.writer.next_row_group().map_err(reported)?;
        let mut columns = ParquetColumns { group, rows: &rows };
        let (profile, methods) = (self.profile, &self.methods);
        let of = |row: &Row| row.method.map(|method| &methods[method as usize]);
        columns.all::<ByteArrayType>(|r| self.records[usize::from(r.record)].clone())?;
        columns.some::<ByteArrayType>(|_| self.program.clone())?;
        columns.some::<ByteArrayType>(|_| self.jdk.clone())?;
        columns.some::<ByteArrayType>(|_| self.commit.clone())?;
        columns.all::<ByteArrayType>(|_| self.kind.clone())?;
        columns.all::<ByteArrayType>(|_| self.unit.clone())?;
        columns.all::<ByteArrayType>(|_| self.manifest.clone())?;
        columns.some::<Int64Type>(|r| Some(profile.threads[r.thread? as usize].id as i64))?;
        columns.some::<ByteArrayType>(|r| self.threads[r.thread? as usize].clone())?;
        columns.some::<Int64Type>(|r| r.context)?;
        columns.some::<Int64Type>(|r| r.parent)?;
        columns.some::<Int64Type>(|r| r.path)?;
        columns.some::<Int32Type>(|r| r.depth)?;
        columns.some::<ByteArrayType>(|r| Some(of(r)?.class.clone()))?;
        columns.some::<ByteArrayType>(|r| Some(of(r)?.name.clone()))?;
        columns.some::<ByteArrayType>(|r| Some(of(r)?.descriptor.clone()))?;
        columns.some::<BoolType>(|r| Some(of(r)?.native))?;
        columns.some::<BoolType>(|r| Some(of(r)?.application))?;
        columns.some::<ByteArrayType>(|r| of(r)?.file.clone())?;
        let heap = |row: &Row| Some(&self.sites[row.heap? as usize]);
        columns.some::<Int32Type>(|r| match heap(r) {
            Some(site) => site.method.as_ref()?.1.map(|line| line as i32),
            None => of(r)?.line,
        })?;
        columns.some::<Int32Type>(|r| r.site)?;
        columns.some::<Int32Type>(|r| r.site_line)?;
        columns.all::<Int64Type>(|r| number(r.calls))?;
        columns.all::<Int64Type>(|r| number(r.own))?;
        columns.all::<Int64Type>(|r| number(r.inclusive))?;
        columns.all::<Int64Type>(|r| number(r.contexts))?;
        let allocated = |row: &Row| match heap(row) {
            Some(site) => site.allocated,
            None => self.allocations.then_some(row.allocated),
        };
        columns.some::<Int64Type>(|r| Some(number(allocated(r)?.objects)))?;
        columns.some::<Int64Type>(|r| Some(number(allocated(r)?.bytes)))?;
        columns.some::<Int64Type>(|r| Some(number(heap(r)?.live.objects)))?;
        columns.some::<Int64Type>(|r| Some(number(heap(r)?.live.bytes)))?;
        columns.some::<ByteArrayType>(|r| Some(text(&heap(r)?.class)))?;
        columns.some::<ByteArrayType>(|r| {
            let stack = &heap(r)?.stack;
            (!stack.is_empty()).then(|| text(stack))
        })?;
        columns.group.close().map_err(reported)?;
        Ok(())
    }
}

/// Parquet's numbers have signs; no run counts that far.
fn number(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

struct ParquetColumns<'a, 'w> {
    group: SerializedRowGroupWriter<'w, Vec<u8>>,
    rows: &'a [Row],
}

impl ParquetColumns<'_, '_> {
    /// Writes the next column, which every row has.
    fn all<T: DataType>(&mut self, of: impl Fn(&Row) -> T::T) -> io::Result<()> {
        let values: Vec<T::T> = self.rows.iter().map(of).collect();
        self.column::<T>(&values, None)
    }

    /// Writes the next column, which rows may lack.
    fn some<T: DataType>(&mut self, of: impl Fn(&Row) -> Option<T::T>) -> io::Result<()> {
        let mut levels = Vec::with_capacity(self.rows.len());
        let mut values = Vec::new();
        for row in self.rows {
            let value = of(row);
            levels.push(i16::from(value.is_some()));
            values.extend(value);
        }
        self.column::<T>(&values, Some(&levels))
    }

    fn column<T: DataType>(&mut self, values: &[T::T], levels: Option<&[i16]>) -> io::Result<()> {
        let column = self.group.next_column().map_err(reported)?;
        let mut column =
            column.ok_or_else(|| io::Error::other("more columns than the schema has"))?;
        let typed = column.typed::<T>();
        typed.write_batch(values, levels, None).map_err(reported)?;
        column.close().map_err(reported)
    }
}
