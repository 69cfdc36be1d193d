//! `META-INF/MANIFEST.MF` of a jar (the JAR File Specification's "JAR Manifest").

use std::path::{Path, PathBuf};

/// The main section of a manifest.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Manifest {
    attributes: Vec<(String, String)>,
}

/// A line that a manifest cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// Its first line continues an earlier line.
    #[error("line {0}: a continuation of nothing")]
    NothingContinued(usize),
    /// No name, or no value.
    #[error("line {0} is not of the form \"Name: value\"")]
    NoAttribute(usize),
}

impl Manifest {
    /// Reads the main section: `Name: value` lines up to the first empty line, where a line that
    /// starts with a space continues the one before.
    ///
    /// # Errors
    /// The line that is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, ManifestError> {
        let mut manifest = Manifest::default();
        // Lines are joined as bytes: a continuation may split a UTF-8 sequence.
        let mut logical: Option<(usize, Vec<u8>)> = None;
        for (number, line) in lines(bytes).enumerate() {
            match (line.strip_prefix(b" "), &mut logical) {
                (Some(rest), Some((_, whole))) => whole.extend_from_slice(rest),
                (Some(_), None) => {
                    return Err(ManifestError::NothingContinued(number + 1));
                }
                (None, _) => {
                    if let Some((number, whole)) = logical.take() {
                        manifest.add(number, &whole)?;
                    }
                    if line.is_empty() {
                        return Ok(manifest);
                    }
                    logical = Some((number + 1, line.to_vec()));
                }
            }
        }
        if let Some((number, whole)) = logical {
            manifest.add(number, &whole)?;
        }
        Ok(manifest)
    }

    fn add(&mut self, number: usize, line: &[u8]) -> Result<(), ManifestError> {
        let colon = line.windows(2).position(|pair| pair == b": ");
        let name = colon.map(|at| &line[..at]).filter(|name| is_name(name));
        let (Some(at), Some(name)) = (colon, name) else {
            return Err(ManifestError::NoAttribute(number));
        };
        let name = String::from_utf8_lossy(name).into_owned();
        let value = String::from_utf8_lossy(&line[at + 2..]).into_owned();
        // The last of several wins.
        match self.position(&name) {
            Some(i) => self.attributes[i].1 = value,
            None => self.attributes.push((name, value)),
        }
        Ok(())
    }

    fn position(&self, name: &str) -> Option<usize> {
        let same = |(n, _): &(String, String)| n.eq_ignore_ascii_case(name);
        self.attributes.iter().position(same)
    }

    /// The value of a main attribute; names don't distinguish case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.position(name).map(|i| self.attributes[i].1.as_str())
    }

    /// All main attributes in the order of the file.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
    }

    /// `Main-Class`, the class that `-jar` runs.
    pub fn main_class(&self) -> Option<&str> {
        self.get("Main-Class").map(str::trim)
    }

    /// Whether `META-INF/versions/N` counts.
    pub fn is_multi_release(&self) -> bool {
        self.get("Multi-Release")
            .is_some_and(|v| v.eq_ignore_ascii_case("true"))
    }

    /// The `module/package` pairs of `Add-Exports`.
    pub fn add_exports(&self) -> impl Iterator<Item = &str> {
        self.get("Add-Exports")
            .unwrap_or("")
            .split_ascii_whitespace()
    }

    /// The `module/package` pairs of `Add-Opens`.
    pub fn add_opens(&self) -> impl Iterator<Item = &str> {
        self.get("Add-Opens").unwrap_or("").split_ascii_whitespace()
    }

    /// The places that `Class-Path` of the jar at `jar` names: URLs relative to the jar. A place
    /// is a directory if its URL ends in `/`. URLs of other than local files are left out.
    pub fn class_path(&self, jar: &Path) -> Vec<ClassPathUrl> {
        let base = jar.parent().unwrap_or(Path::new(""));
        let urls = self
            .get("Class-Path")
            .unwrap_or("")
            .split_ascii_whitespace();
        urls.filter_map(|url| ClassPathUrl::resolve(base, url))
            .collect()
    }
}

/// One resolved element of a manifest's `Class-Path`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassPathUrl {
    /// The directory or jar.
    pub path: PathBuf,
    /// Whether the URL names a directory.
    pub is_directory: bool,
}

impl ClassPathUrl {
    fn resolve(base: &Path, url: &str) -> Option<ClassPathUrl> {
        let path = match url.split_once(':') {
            // A scheme has no slash in it; "a/b:c" is a relative path.
            Some((scheme, rest)) if !scheme.contains('/') => {
                if !scheme.eq_ignore_ascii_case("file") {
                    return None;
                }
                // file:///x, file:/x and file:x all occur; file://host/x is not local.
                match rest.strip_prefix("//") {
                    Some(absolute) => absolute.starts_with('/').then_some(absolute)?,
                    None => rest,
                }
            }
            _ => url,
        };
        let path = path.split(['?', '#']).next().filter(|p| !p.is_empty())?;
        let decoded = percent_decode(path)?;
        Some(ClassPathUrl {
            is_directory: decoded.ends_with('/'),
            path: base.join(decoded),
        })
    }
}

/// The text of a URL without its escapes; `None` if they are malformed or not of UTF-8.
pub fn percent_decode(url: &str) -> Option<String> {
    let mut bytes = url.bytes();
    let mut out = Vec::with_capacity(url.len());
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'%' => {
                let high = (bytes.next()? as char).to_digit(16)?;
                let low = (bytes.next()? as char).to_digit(16)?;
                (high * 16 + low) as u8
            }
            other => other,
        });
    }
    String::from_utf8(out).ok().filter(|s| !s.contains('\0'))
}

/// A header name: letters, digits, `-` and `_`, at most 70 of them.
fn is_name(name: &[u8]) -> bool {
    let legal = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    (1..=70).contains(&name.len()) && name.iter().all(legal)
}

/// Splits at CR LF, LF or CR.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|&b| b == b'\n' || b == b'\r');
        let (line, tail) = rest.split_at(end.unwrap_or(rest.len()));
        rest = match tail {
            [b'\r', b'\n', after @ ..] | [b'\r' | b'\n', after @ ..] => after,
            _ => &[],
        };
        Some(line)
    })
}
