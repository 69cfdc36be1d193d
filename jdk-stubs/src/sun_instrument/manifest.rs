//! What the manifest of an agent's jar says.

use rjvm_vm::classes::{AgentEntry, AgentStart, Permits};
use rjvm_vm::classpath::{ClassPathEntry, Manifest, percent_decode};
use std::fmt;
use std::path::{Path, PathBuf};

/// On whose behalf an agent is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AgentRole {
    /// `-javaagent`
    Start,
    /// A client has attached.
    Attach,
    /// `java -jar`
    Launcher,
}

impl AgentRole {
    /// The attribute that names the agent's class.
    pub fn attribute(self) -> &'static str {
        match self {
            AgentRole::Start => "Premain-Class",
            AgentRole::Attach => "Agent-Class",
            AgentRole::Launcher => "Launcher-Agent-Class",
        }
    }
}

/// Why a jar has no agent; shown in HotSpot's words.
#[derive(Debug)]
pub enum NoAgent {
    /// It cannot be read, or has no manifest.
    Jar(String),
    /// The manifest does not name a class.
    Attribute(AgentRole, String),
}

impl fmt::Display for NoAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAgent::Jar(jar) => {
                write!(f, "Error opening zip file or JAR manifest missing : {jar}")
            }
            NoAgent::Attribute(wanted, jar) => {
                let name = wanted.attribute();
                write!(f, "Failed to find {name} manifest attribute in {jar}")
            }
        }
    }
}

/// Reads the agent to start from a jar.
///
/// # Errors
/// There is no agent in it.
pub fn read(jar: &str, wanted: AgentRole) -> Result<AgentStart, NoAgent> {
    let no_jar = || NoAgent::Jar(jar.to_owned());
    let path = Path::new(jar);
    if !path.is_file() {
        return Err(no_jar());
    }
    let entry = ClassPathEntry::open(path)
        .ok()
        .flatten()
        .ok_or_else(no_jar)?;
    let bytes = entry.find_base("META-INF/MANIFEST.MF").ok().flatten();
    let manifest = bytes.and_then(|b| Manifest::parse(&b).ok());
    let manifest = manifest.ok_or_else(no_jar)?;
    let text = |name: &str| manifest.get(name).map(|v| v.trim().to_owned());
    let flag = |name: &str| text(name).is_some_and(|v| v.eq_ignore_ascii_case("true"));
    let class = text(wanted.attribute()).filter(|c| !c.is_empty());
    let class = class.ok_or_else(|| NoAgent::Attribute(wanted, jar.to_owned()))?;
    let boot = text("Boot-Class-Path").unwrap_or_default();
    let beside = |p: &str| -> PathBuf {
        let own = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        // absolute paths stay what they are
        let p = percent_decode(p).unwrap_or_else(|| p.to_owned());
        own.parent().unwrap_or(Path::new("")).join(p)
    };
    let boot = boot.split(' ').filter(|p| !p.is_empty());
    let boot = boot.map(|p| beside(p).to_string_lossy().into_owned());
    Ok(AgentStart {
        jar: jar.to_owned(),
        class,
        options: None,
        permits: Permits {
            redefine: flag("Can-Redefine-Classes"),
            retransform: flag("Can-Retransform-Classes"),
            native_prefix: flag("Can-Set-Native-Method-Prefix"),
        },
        entry: match wanted {
            AgentRole::Start => AgentEntry::Premain,
            AgentRole::Attach | AgentRole::Launcher => AgentEntry::Agentmain,
        },
        join_class_path: wanted != AgentRole::Launcher,
        boot_class_path: boot.collect(),
        warns: false,
        reports: None,
    })
}
