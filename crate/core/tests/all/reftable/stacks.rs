//! The stacks of the fixtures, and git's answers about them.

use crate::common::{fixtures, Host};
use packlens::{
    HashKind, Limits, LogRecord, OpenFile, Options, RefRecord, RefValue, ReftableStack, Result,
};
use serde_json::Value;
use std::path::Path;

/// The folder of a repository's stack.
pub const DIRECTORY: &[u8] = b"reftable";

/// A stack of tables in memory: files by their paths.
#[derive(Clone)]
pub struct Stack {
    pub name: String,
    pub hash: HashKind,
    pub files: Vec<(String, Vec<u8>)>,
    /// Lines of `for-each-ref`: name, id, what it peels to, symbolic target.
    pub refs: Vec<String>,
    /// Lines of logs, each after the name of its ref.
    pub logs: Vec<String>,
}

/// Returns the stacks with recorded answers.
pub fn all() -> Vec<Stack> {
    let (by_git_and_jgit, by_dulwich) = (answers("answers.json"), answers("answers-dulwich.json"));
    let both = by_git_and_jgit.as_object().unwrap().iter().chain(by_dulwich.as_object().unwrap());
    let mut stacks: Vec<Stack> = both.map(|(name, said)| of(name, said)).collect();
    // git reads nothing from this stack, which has the refs of another.
    stacks.push(of("jgit-one-level", &by_git_and_jgit["jgit-aligned"]));
    stacks.last_mut().unwrap().logs.clear();
    assert_eq!(stacks.len(), 13);
    stacks
}

fn answers(file: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/reftable");
    serde_json::from_slice(&std::fs::read(folder.join(file)).unwrap()).unwrap()
}

/// Returns the stack from which git reads nothing, since a name at a restart point is
/// incomplete.
pub fn refused() -> Stack {
    of("dulwich-shared", &serde_json::json!({ "refs": [], "logs": [] }))
}

/// Returns a stack by its name.
pub fn named(name: &str) -> Stack {
    all().into_iter().find(|stack| stack.name == name).unwrap()
}

fn of(name: &str, said: &Value) -> Stack {
    let lines = |kind: &str| -> Vec<String> {
        let lines = said[kind].as_array().unwrap().iter();
        let mut lines: Vec<String> = lines.map(|line| line.as_str().unwrap().into()).collect();
        lines.sort();
        lines
    };
    let mut files = Vec::new();
    let archive = if name.starts_with("dulwich") { "reftables-dulwich" } else { "reftables" };
    for entry in std::fs::read_dir(fixtures().join(archive).join(name)).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap();
        files.push((format!("reftable/{file}"), std::fs::read(&path).unwrap()));
    }
    files.sort();
    Stack {
        name: name.into(),
        hash: if name.ends_with("256") { HashKind::Sha256 } else { HashKind::Sha1 },
        files,
        refs: lines("refs"),
        logs: lines("logs"),
    }
}

impl Stack {
    /// Puts the stack where a host reads it, `part` bytes at a time.
    pub fn host(&self, part: u64) -> Host {
        let files: Vec<(&str, &[u8])> =
            self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
        let options = Options { hash: Some(self.hash), ..Options::default() };
        Host::of_files(&files, part, options).unwrap()
    }

    /// Asks a question of the opened stack.
    pub fn ask<T>(
        &self,
        host: &mut Host,
        question: impl Fn(&ReftableStack<OpenFile<'_>>) -> Result<T>,
    ) -> Result<T> {
        host.ask(|repository| {
            let limits = Limits::default();
            let stack =
                ReftableStack::open(&repository.files, DIRECTORY, self.hash, &limits)?.unwrap();
            question(&stack)
        })
    }

    /// Returns all refs.
    pub fn list(&self, host: &mut Host) -> Result<Vec<RefRecord>> {
        self.ask(host, |stack| list_from(stack, b""))
    }

    /// Returns all log entries.
    pub fn list_logs(&self, host: &mut Host) -> Result<Vec<LogRecord>> {
        self.ask(host, |stack| {
            let mut logs = stack.logs();
            let mut found = Vec::new();
            while let Some(record) = logs.next()? {
                found.push(record);
            }
            Ok(found)
        })
    }

    /// The table with the most bytes.
    pub fn largest(&self) -> usize {
        (0..self.files.len()).max_by_key(|at| self.files[*at].1.len()).unwrap()
    }
}

/// Returns the refs from a name on.
pub fn list_from(stack: &ReftableStack<OpenFile<'_>>, name: &[u8]) -> Result<Vec<RefRecord>> {
    let mut refs = stack.refs();
    if !name.is_empty() {
        refs.seek(name)?;
    }
    let mut found = Vec::new();
    while let Some(record) = refs.next()? {
        found.push(record);
    }
    Ok(found)
}

/// Returns a ref in git's output form. Symbolic refs are looked up in `list`; git does not
/// print dangling ones.
pub fn line(record: &RefRecord, list: &[RefRecord]) -> Option<String> {
    let name = String::from_utf8_lossy(&record.name);
    Some(match &record.value {
        RefValue::Id(id) => {
            let peeled = record.peeled.flatten().map_or(String::new(), |id| id.to_hex());
            format!("{name} {} {peeled} ", id.to_hex())
        }
        RefValue::Symbolic(target) => {
            let stands_for = list.iter().find(|other| other.name == *target)?;
            let RefValue::Id(id) = &stands_for.value else { panic!("{name} leads on") };
            format!("{name} {}  {}", id.to_hex(), String::from_utf8_lossy(target))
        }
        RefValue::Broken => format!("{name} is broken"),
    })
}

/// Returns a log entry as a line of a reflog file.
pub fn log_line(record: &LogRecord) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (sign, zone) = (if record.zone < 0 { '-' } else { '+' }, record.zone.abs());
    format!(
        "{} {} {} {} <{}> {} {sign}{zone:04}\t{}",
        text(&record.name),
        record.old.to_hex(),
        record.new.to_hex(),
        text(&record.who),
        text(&record.email),
        record.seconds,
        text(&record.message).trim_end(),
    )
}
