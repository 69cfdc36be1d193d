//! A writer of small jimage files, in both byte orders and with compressed resources.

const MULTIPLIER: u32 = 0x0100_0193;

pub(super) struct ImageWriter {
    pub big_endian: bool,
    strings: Vec<u8>,
    entries: Vec<TestEntry>,
}

struct TestEntry {
    full_name: String,
    /// module, parent, base, extension
    names: [String; 4],
    stored: Vec<u8>,
    compressed: bool,
    size: usize,
}

impl ImageWriter {
    pub fn new(big_endian: bool) -> ImageWriter {
        ImageWriter {
            big_endian,
            strings: vec![0],
            entries: Vec::new(),
        }
    }

    pub fn word(&self, value: u32) -> [u8; 4] {
        match self.big_endian {
            true => value.to_be_bytes(),
            false => value.to_le_bytes(),
        }
    }

    fn double(&self, value: u64) -> [u8; 8] {
        match self.big_endian {
            true => value.to_be_bytes(),
            false => value.to_le_bytes(),
        }
    }

    /// The offset of `text` in the string table.
    pub fn string(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let at = self.strings.len();
        self.strings.extend_from_slice(text.as_bytes());
        self.strings.push(0);
        at as u32
    }

    pub fn add(&mut self, module: &str, name: &str, content: &[u8]) {
        self.add_stored(module, name, content.to_vec(), false, content.len());
    }

    /// A `/packages` entry.
    pub fn package(&mut self, package: &str, modules: &[(bool, &str)]) {
        let mut content = Vec::new();
        for (is_empty, module) in modules {
            let name = self.string(module);
            content.extend(self.word(u32::from(*is_empty)));
            content.extend(self.word(name));
        }
        self.add("packages", package, &content);
    }

    /// A resource behind one layer of compression; `body` is what the decompressor reads.
    pub fn compressed(&mut self, module: &str, name: &str, how: &str, body: &[u8], size: usize) {
        let stored = self.layer(how, body, size);
        self.add_stored(module, name, stored, true, size);
    }

    pub fn layer(&mut self, how: &str, body: &[u8], size: usize) -> Vec<u8> {
        let how = self.string(how);
        let mut out = Vec::new();
        out.extend(self.word(0xCAFE_FAFA));
        out.extend(self.double(body.len() as u64));
        out.extend(self.double(size as u64));
        out.extend(self.word(how));
        out.extend(self.word(u32::MAX));
        out.push(1);
        out.extend_from_slice(body);
        out
    }

    pub fn add_stored(
        &mut self,
        module: &str,
        name: &str,
        stored: Vec<u8>,
        compressed: bool,
        size: usize,
    ) {
        let (parent, file) = name.rsplit_once('/').unwrap_or(("", name));
        let (base, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        self.entries.push(TestEntry {
            full_name: format!("/{module}/{name}"),
            names: [module, parent, base, extension].map(str::to_string),
            stored,
            compressed,
            size,
        });
    }

    pub fn finish(mut self) -> Vec<u8> {
        let entries = std::mem::take(&mut self.entries);
        let mut locations = vec![0];
        let mut offsets = Vec::new();
        let mut content = Vec::new();
        for entry in &entries {
            offsets.push(locations.len() as u32);
            let mut attribute = |kind: u8, value: u64| {
                if value != 0 {
                    let bytes = value.to_be_bytes();
                    let skip = value.leading_zeros() as usize / 8;
                    locations.push(kind << 3 | (7 - skip) as u8);
                    locations.extend_from_slice(&bytes[skip..]);
                }
            };
            for (kind, name) in entry.names.iter().enumerate() {
                attribute(kind as u8 + 1, self.string(name) as u64);
            }
            attribute(5, content.len() as u64);
            if entry.compressed {
                attribute(6, entry.stored.len() as u64);
            }
            attribute(7, entry.size as u64);
            locations.push(0);
            content.extend_from_slice(&entry.stored);
        }
        let (redirect, order) = perfect_hash(&entries);
        let mut out = Vec::new();
        let table = entries.len() as u32;
        let sizes = [locations.len() as u32, self.strings.len() as u32];
        let header = [0xCAFE_DADA, 1 << 16, 0, table, table, sizes[0], sizes[1]];
        let slots = order.iter().map(|&entry| offsets[entry]);
        for word in header.into_iter().chain(redirect).chain(slots) {
            out.extend(self.word(word));
        }
        out.extend(locations);
        out.extend(&self.strings);
        out.extend(content);
        out
    }
}

fn hash(name: &str, seed: u32) -> u32 {
    let hash = name
        .bytes()
        .fold(seed, |h, b| h.wrapping_mul(MULTIPLIER) ^ u32::from(b));
    hash & 0x7fff_ffff
}

/// The redirect table, and which entry each slot holds.
fn perfect_hash(entries: &[TestEntry]) -> (Vec<u32>, Vec<usize>) {
    let n = entries.len();
    let mut chains: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, entry) in entries.iter().enumerate() {
        chains[hash(&entry.full_name, MULTIPLIER) as usize % n].push(i);
    }
    let mut buckets: Vec<usize> = (0..n).collect();
    buckets.sort_by_key(|&b| std::cmp::Reverse(chains[b].len()));
    let mut redirect = vec![0u32; n];
    let mut slots: Vec<Option<usize>> = vec![None; n];
    for bucket in buckets {
        match chains[bucket].as_slice() {
            [] => {}
            [only] => {
                let free = slots.iter().position(Option::is_none).unwrap();
                slots[free] = Some(*only);
                redirect[bucket] = (-1 - free as i32) as u32;
            }
            chain => {
                let fits = |seed: &u32| {
                    let mut taken: Vec<usize> = Vec::new();
                    chain.iter().all(|&i| {
                        let slot = hash(&entries[i].full_name, *seed) as usize % n;
                        let free = slots[slot].is_none() && !taken.contains(&slot);
                        taken.push(slot);
                        free
                    })
                };
                let seed = (1..).find(fits).unwrap();
                for &i in chain {
                    slots[hash(&entries[i].full_name, seed) as usize % n] = Some(i);
                }
                redirect[bucket] = seed;
            }
        }
    }
    (redirect, slots.into_iter().map(Option::unwrap).collect())
}
