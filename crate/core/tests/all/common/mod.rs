//! Shared by the tests: fixtures, git's answers about them, and a host that answers needs
//! from the file system, in parts of a given size.

#![allow(
    dead_code,
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "each test uses some of it, and tests may panic"
)]

pub mod random;
pub mod sweep;

use packlens::{
    Error, Fields, FileId, HashKind, Hasher, Need, ObjectId, ObjectType, Options, Output,
    Repository, Result, RevList, ROW_HEADER_LEN,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns the folder of the unpacked fixtures.
pub fn fixtures() -> PathBuf {
    // Crates in other folders include this file as well.
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut folders = folders.map(|folder| folder.join("target/fixtures"));
    let found = folders.find(|folder| folder.join("list.json").exists());
    found.expect("run `node tests/fixtures/unpack.mjs` first")
}

/// Replaces the hash at the end of a file with the right one.
pub fn sealed(bytes: &[u8], hash: HashKind) -> Vec<u8> {
    let mut bytes = bytes[..bytes.len().saturating_sub(hash.len())].to_vec();
    let mut hasher = Hasher::new(hash);
    hasher.update(&bytes);
    bytes.extend(hasher.finish().as_bytes());
    bytes
}

/// Returns the SHA-256 of some bytes, in the form of the recorded answers.
pub fn sha256(bytes: &[u8]) -> String {
    let mut hasher = Hasher::new(HashKind::Sha256);
    hasher.update(bytes);
    hasher.finish().to_hex()
}

/// Returns git's answers about every fixture: the contents of `expected/`.
pub fn expected() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/expected");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &PathBuf| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let all: Vec<Value> = paths.iter().map(read).collect();
    assert!(all.len() >= 16, "all fixtures are there");
    all
}

/// Returns git's answers about one fixture.
pub fn expected_of(name: &str) -> Value {
    expected().into_iter().find(|answers| answers["name"] == name).unwrap()
}

/// A repository whose files are read from a folder, `part` bytes at a time.
pub struct Host {
    pub repository: Repository,
    git_dir: PathBuf,
    common_dir: PathBuf,
    part: u64,
    /// The fewest bytes that are read at once.
    pub ahead: u64,
    /// Files of the folder that were read before: they do not change.
    read: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Files in memory, which replace files of the folder.
    memory: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Files that were removed.
    removed: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The stamp of files in memory: another after each change.
    stamp: u64,
    /// Needs answered so far.
    pub answered: u64,
    /// How many ranges were read exactly.
    pub ranges: u64,
    /// Whether files are marked as immediate, and exactly the ranges are read that are needed.
    pub immediate: bool,
}

impl Host {
    /// Opens the repository in `folder`: bare, with a `.git` folder or file.
    pub fn open(folder: &Path, part: u64, options: Options) -> Result<Host> {
        let mut git_dir = folder.to_path_buf();
        let dot_git = folder.join(".git");
        if dot_git.is_dir() {
            git_dir = dot_git;
        } else if dot_git.is_file() {
            git_dir = folder.join(text(&dot_git).strip_prefix("gitdir: ").unwrap());
        }
        let common = git_dir.join("commondir");
        let common_dir =
            if common.is_file() { git_dir.join(text(&common)) } else { git_dir.clone() };
        Host::of(Repository::new(options), [git_dir, common_dir], BTreeMap::new(), part)
    }

    /// Opens a repository that is all in memory. Replace refs are ignored, so that it can be
    /// opened even if refs are damaged.
    pub fn of_files(files: &[(&str, &[u8])], part: u64, options: Options) -> Result<Host> {
        let own = |(path, bytes): &(&str, &[u8])| (path.as_bytes().to_vec(), bytes.to_vec());
        let memory = files.iter().map(own).collect();
        let missing = PathBuf::from("/nowhere");
        let mut repository = Repository::new(options);
        repository.boundaries().replace_base = None;
        Host::of(repository, [missing.clone(), missing], memory, part)
    }

    fn of(
        repository: Repository,
        [git_dir, common_dir]: [PathBuf; 2],
        memory: BTreeMap<Vec<u8>, Vec<u8>>,
        part: u64,
    ) -> Result<Host> {
        let (read, removed) = (BTreeMap::new(), BTreeMap::new());
        let mut host = Host {
            repository,
            git_dir,
            common_dir,
            part,
            ahead: 4096,
            read,
            memory,
            removed,
            stamp: 1,
            answered: 0,
            ranges: 0,
            immediate: false,
        };
        while host.ask(Repository::prepare)?.is_some() {}
        Ok(host)
    }

    /// Opens a fixture by its path below the folder of fixtures.
    pub fn fixture(path: &str, part: u64) -> Host {
        Host::open(&fixtures().join(path), part, Options::default()).unwrap()
    }

    /// Opens a fixture with some files replaced.
    pub fn fixture_with(
        path: &str,
        files: BTreeMap<Vec<u8>, Vec<u8>>,
        part: u64,
        options: Options,
    ) -> Host {
        let folder = fixtures().join(path);
        Host::of(Repository::new(options), [folder.clone(), folder], files, part).unwrap()
    }

    /// Opens a bare fixture with options.
    pub fn fixture_of(repository: Repository, path: &str) -> Host {
        let folder = fixtures().join(path);
        Host::of(repository, [folder.clone(), folder], BTreeMap::new(), 512).unwrap()
    }

    /// Changes a file in memory, or removes it.
    pub fn change(&mut self, path: &str, bytes: Option<Vec<u8>>) {
        self.stamp += 1;
        match bytes {
            Some(bytes) => self.memory.insert(path.into(), bytes),
            None => {
                let removed = self.memory.remove(path.as_bytes());
                removed.and_then(|bytes| self.removed.insert(path.into(), bytes))
            }
        };
    }

    /// Asks a question, provides what is missing, and asks again.
    pub fn ask<T>(&mut self, question: impl FnMut(&mut Repository) -> Result<T>) -> Result<T> {
        self.ask_watched(question, |_, _| {})
    }

    /// Like [`Host::ask`]; calls `watch` before a need is met.
    pub fn ask_watched<T>(
        &mut self,
        mut question: impl FnMut(&mut Repository) -> Result<T>,
        mut watch: impl FnMut(&mut Host, &Need),
    ) -> Result<T> {
        let number = self.repository.files.new_question(None);
        loop {
            self.repository.files.resume_question(number);
            match question(&mut self.repository) {
                Err(error) if error.is_missing() => {
                    watch(self, error.need().unwrap());
                    self.provide(&error)?;
                }
                answer => return answer,
            }
        }
    }

    /// Asks a question once; provides what is missing, and returns `None` then.
    pub fn ask_once<T>(
        &mut self,
        question: u64,
        ask: impl FnOnce(&mut Repository) -> Result<T>,
    ) -> Result<Option<T>> {
        self.repository.files.resume_question(question);
        match ask(&mut self.repository) {
            Err(error) if error.is_missing() => self.provide(&error).map(|()| None),
            answer => answer.map(Some),
        }
    }

    /// Reads the row of an object.
    pub fn row(&mut self, id: &ObjectId, fields: Fields) -> Result<Vec<u8>> {
        self.ask(|repository| {
            let mut out = Output::default();
            repository.read_row(id.to_hex().as_bytes(), None, fields, &mut out)?;
            Ok(out.as_slice().to_vec())
        })
    }

    /// Reads an object: its type and its content.
    pub fn object(&mut self, id: &ObjectId, fields: Fields) -> Result<(ObjectType, Vec<u8>)> {
        let row = self.row(id, fields)?;
        let size = u64::from_le_bytes(row[8..16].try_into().unwrap()) as usize;
        Ok((ObjectType::ALL[usize::from(row[0]) - 1], row[ROW_HEADER_LEN..][..size].to_vec()))
    }

    /// Returns the whole output of a walk, filled about 500 bytes at a time.
    pub fn all_of(&mut self, list: &mut RevList) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            let mut out = Output::default();
            let done = self.ask(|repository| list.fill(repository, 500, &mut out))?;
            text.extend(out.as_slice());
            if done {
                return Ok(text);
            }
        }
    }

    fn provide(&mut self, error: &Error) -> Result<()> {
        self.answered += u64::from(error.need() != Some(&Need::Turn));
        match error.need().unwrap() {
            Need::File { path, .. } => {
                if let Some(bytes) = self.memory.get(path) {
                    let file = self.repository.files.found(path, bytes.len() as u64, self.stamp);
                    if self.immediate {
                        self.repository.files.set_immediate(file);
                    }
                    return Ok(());
                }
                let found = std::fs::metadata(self.locate(path)).ok().filter(|file| file.is_file());
                match found {
                    Some(file) => {
                        let file = self.repository.files.found(path, file.len(), 1);
                        if self.immediate {
                            self.repository.files.set_immediate(file);
                        }
                    }
                    None => self.repository.files.absent(path),
                }
            }
            Need::Directory(path) => {
                let names = |folder: &Path| {
                    std::fs::read_dir(folder).map_or(Vec::new(), |entries| {
                        entries.map(|entry| name_of(&entry.unwrap())).collect()
                    })
                };
                let mut names = names(&self.locate(path));
                if path == b"refs" {
                    let own = [&b"bisect/"[..], b"worktree/"].into_iter().filter(|name| {
                        self.git_dir
                            .join("refs")
                            .join(String::from_utf8_lossy(name).as_ref())
                            .is_dir()
                    });
                    names.extend(own.map(<[u8]>::to_vec));
                    names.sort();
                    names.dedup();
                }
                let inside = [path, &b"/"[..]].concat();
                for rest in self.memory.keys().filter_map(|file| file.strip_prefix(&*inside)) {
                    let end = rest.iter().position(|byte| *byte == b'/');
                    names.push(end.map_or(rest, |end| &rest[..=end]).to_vec());
                }
                names.sort();
                names.dedup();
                self.repository.files.listed(path, names);
            }
            // No source has them.
            Need::Objects(ids) => self.repository.fetched(ids),
            Need::Turn => {}
            Need::Module { .. } => panic!("this is built with all modules"),
            Need::Range { .. } if self.immediate => {
                for need in error.need().into_iter().chain(error.guesses()) {
                    let Need::Range { file, offset, length } = need else { continue };
                    self.ranges += 1;
                    let range = *offset as usize..(offset + length) as usize;
                    let bytes = self.bytes_of(*file)[range].to_vec();
                    self.repository.files.add(*file, *offset, bytes)?;
                }
            }
            Need::Bytes { file, offset, .. } | Need::Range { file, offset, .. } => {
                let (part, ahead) = (self.part, self.ahead);
                let bytes = self.bytes_of(*file);
                // The file is cut into parts, so that reads cross the cuts.
                let mut start = offset / part * part;
                let mut end = (start + part.max(ahead)).min(bytes.len() as u64);
                end = end.max(offset + 1);
                let mut parts = Vec::new();
                while start < end {
                    let stop = (start + part).min(end);
                    parts.push((start, bytes[start as usize..stop as usize].to_vec()));
                    start = stop;
                }
                for (start, part) in parts {
                    self.repository.files.add(*file, start, part)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the bytes of an open file, which can be read until it is closed.
    fn bytes_of(&mut self, file: FileId) -> &[u8] {
        let path = self.repository.files.path(file).unwrap().to_vec();
        let place = self.locate(&path);
        match self.memory.get(&path).or_else(|| self.removed.get(&path)) {
            Some(bytes) => bytes,
            None => self.read.entry(path).or_insert_with(|| std::fs::read(place).unwrap()),
        }
    }

    fn locate(&self, path: &[u8]) -> PathBuf {
        let path = String::from_utf8_lossy(path).into_owned();
        if let Some(own) = path.strip_prefix("main-worktree/") {
            return self.common_dir.join(own);
        }
        // Only a linked worktree has such files.
        if let Some(own) = path.strip_prefix(".worktree/") {
            let linked = self.git_dir != self.common_dir;
            return if linked { self.git_dir.join(own) } else { self.git_dir.join(path) };
        }
        let named = path.strip_prefix("logs/").unwrap_or(&path);
        let pseudo_ref = named.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        let own =
            pseudo_ref || named.starts_with("refs/bisect") || named.starts_with("refs/worktree");
        if own {
            self.git_dir.join(path)
        } else {
            self.common_dir.join(path)
        }
    }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap().trim_end().to_string()
}

fn name_of(entry: &std::fs::DirEntry) -> Vec<u8> {
    let mut name = entry.file_name().to_string_lossy().into_owned().into_bytes();
    if entry.path().is_dir() {
        name.push(b'/');
    }
    name
}

/// Decodes base64.
pub fn base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b'=').map(value).collect();
    let mut out = Vec::new();
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0u32, |bits, digit| bits << 6 | u32::from(*digit));
        let bits = bits << (6 * (4 - group.len()));
        out.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    out
}
