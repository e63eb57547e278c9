//! The file `index` of a worktree: <https://git-scm.com/docs/gitformat-index>. Only the parts
//! that name objects are parsed.

mod entries;
mod extensions;
mod staged;

use entries::visit_entries;
use extensions::{cached_trees, extensions_in, undone};
use packlens_base::block::{BlockSource, Files};
use packlens_base::error::{Error, ErrorKind, Result as OrError};
use packlens_base::hash::Hasher;
use packlens_base::limits::Limits;
use packlens_base::oid::{HashKind, ObjectId};
pub use staged::{find_staged, Staged};

/// The share of the memory ceiling that an index file may take.
const SHARE: u64 = 4;

/// The bits of a mode that hold the file type.
const KIND: u32 = 0o170_000;

/// An object that an index file names.
#[derive(Debug, Eq, PartialEq)]
pub enum Named<'a> {
    /// The blob of a path.
    Blob {
        /// The path from the root of the worktree.
        name: &'a [u8],
    },
    /// A directory of a sparse index, whose entries are not in the index.
    Directory {
        /// The path from the root of the worktree.
        name: &'a [u8],
    },
    /// A tree of the cache-tree.
    CachedTree {
        /// How many of the next trees are below it.
        below: usize,
    },
    /// The blob of a path at a stage, before the conflict was resolved.
    Undone {
        /// 1 for the common ancestor, 2 for ours, 3 for theirs.
        stage: u8,
        /// The path from the root of the worktree.
        name: &'a [u8],
    },
}

/// The reason why an index file cannot be read, in git's words if it has some.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Damage {
    /// The file is too short to be an index.
    Short,
    /// The signature, version, hash or an extension is wrong.
    Frame(String),
    /// An entry is wrong.
    Entries(String),
    /// The index is split, which is not supported.
    Split,
}

/// Faults that name no object.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Remarks {
    /// The resolve-undo extension cannot be parsed, and is ignored.
    pub bad_resolve_undo: bool,
}

/// Returns the bytes of an index file; `None` if the file does not exist.
///
/// # Errors
///
/// Missing files and bytes. [`ErrorKind::Limit`] if the file takes too much memory.
pub fn bytes_of(files: &Files, limits: &Limits, path: &[u8]) -> OrError<Option<Vec<u8>>> {
    let Some(file) = files.find(path)? else {
        return Ok(None);
    };
    let source = files.source(file);
    let size = source.size();
    if size > limits.memory / SHARE {
        let what = "the index file is larger than a quarter of `memory`";
        return Err(Error::new(ErrorKind::Limit, what).about(path));
    }
    let mut bytes = limits.buffer(size)?;
    source.read_at(0, &mut bytes)?;
    Ok(Some(bytes))
}

/// Returns the error for a split index.
pub fn is_split(path: &[u8]) -> Error {
    Error::new(ErrorKind::Unsupported, "a split index is not supported").about(path)
}

/// Calls `take` for all objects that the index file in `bytes` names, until `take` fails: for
/// entries in their order, then for cached trees, then for resolve-undo. Submodules are
/// skipped.
///
/// # Errors
///
/// Errors of `take`. The inner result is an error if the file is damaged; `take` is not called
/// then.
pub fn visit_named<E>(
    bytes: &[u8],
    hash: HashKind,
    mut take: impl FnMut(&ObjectId, Named<'_>) -> Result<(), E>,
) -> Result<Result<Remarks, Damage>, E> {
    let mut nothing = |_: &ObjectId, _: Named<'_>| Ok::<(), ()>(());
    let extensions = match check_frame(bytes, hash) {
        Ok((body, version, count)) => {
            match visit_entries(body, hash, (version, count), &mut nothing) {
                Ok(Ok(rest)) => {
                    extensions_in(rest).map(|extensions| (body, version, count, extensions))
                }
                Ok(Err(damage)) => Err(damage),
                Err(()) => return Ok(Ok(Remarks::default())),
            }
        }
        Err(damage) => Err(damage),
    };
    let (body, version, count, extensions) = match extensions {
        Ok(all) => all,
        Err(damage) => return Ok(Err(damage)),
    };
    let _checked = visit_entries(body, hash, (version, count), &mut take)?;
    let mut remarks = Remarks::default();
    for (name, content) in extensions {
        match &name {
            b"TREE" => {
                for (id, below) in cached_trees(content, hash).unwrap_or_default() {
                    take(&id, Named::CachedTree { below })?;
                }
            }
            b"REUC" => match undone(content, hash) {
                Some(all) => {
                    for (id, stage, name) in all {
                        take(&id, Named::Undone { stage, name })?;
                    }
                }
                None => remarks.bad_resolve_undo = true,
            },
            _ => {}
        }
    }
    Ok(Ok(remarks))
}

/// Returns the bytes between header and hash, the version, and the number of entries.
fn check_frame(bytes: &[u8], hash: HashKind) -> Result<(&[u8], u32, u32), Damage> {
    let (start, trailer) =
        bytes.split_at_checked(bytes.len().saturating_sub(hash.len())).ok_or(Damage::Short)?;
    let mut rest = start;
    let mut number = || take_u32(&mut rest).ok_or(Damage::Short);
    let (signature, version, count) = (number()?, number()?, number()?);
    if &signature.to_be_bytes() != b"DIRC" {
        // git prints the number in the byte order of its machine.
        let signature = signature.swap_bytes();
        return Err(Damage::Frame(format!("bad signature 0x{signature:08x}")));
    }
    if !(2..=4).contains(&version) {
        let version = version.cast_signed();
        return Err(Damage::Frame(format!("bad index version {version}")));
    }
    // `index.skipHash` writes zeros instead of a hash.
    if trailer.iter().any(|byte| *byte != 0) {
        let mut hasher = Hasher::new(hash);
        hasher.update(start);
        if hasher.finish().as_bytes() != trailer {
            return Err(Damage::Frame("bad index file sha1 signature".to_owned()));
        }
    }
    Ok((rest, version, count))
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

fn take_until<'a>(rest: &mut &'a [u8], end: u8) -> Option<&'a [u8]> {
    let length = rest.iter().position(|byte| *byte == end)?;
    let taken = take(rest, length);
    take(rest, 1)?;
    taken
}

fn take_u8(rest: &mut &[u8]) -> Option<u8> {
    take(rest, 1)?.first().copied()
}

fn take_u16(rest: &mut &[u8]) -> Option<u16> {
    take(rest, 2)?.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))
}

fn take_u32(rest: &mut &[u8]) -> Option<u32> {
    take(rest, 4)?.first_chunk().map(|bytes| u32::from_be_bytes(*bytes))
}

fn take_id(rest: &mut &[u8], hash: HashKind) -> Option<ObjectId> {
    ObjectId::from_bytes(hash, take(rest, hash.len())?)
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may panic"
)]
mod tests {
    use super::*;

    struct Writer {
        hash: HashKind,
        version: u32,
        count: u32,
        body: Vec<u8>,
        before: Vec<u8>,
    }

    impl Writer {
        fn new(hash: HashKind, version: u32) -> Writer {
            Writer { hash, version, count: 0, body: Vec::new(), before: Vec::new() }
        }

        fn entry(mut self, name: &str, mode: u32, byte: u8, flags: u16) -> Writer {
            let start = self.body.len();
            let name = name.as_bytes();
            self.body.extend([0; 24]);
            self.body.extend(mode.to_be_bytes());
            self.body.extend([0; 12]);
            self.body.extend(vec![byte; self.hash.len()]);
            let length = (name.len() as u16).min(NAME_MASK);
            self.body.extend((flags | length).to_be_bytes());
            if flags & EXTENDED != 0 {
                self.body.extend(0x2000u16.to_be_bytes());
            }
            if self.version == 4 {
                let kept = name.iter().zip(&self.before).take_while(|(a, b)| a == b).count();
                let stripped = self.before.len() - kept;
                if stripped > 127 {
                    self.body.push(0x80 | ((stripped >> 7) - 1) as u8);
                }
                self.body.push((stripped & 127) as u8);
                self.body.extend(&name[kept..]);
                self.body.push(0);
            } else {
                self.body.extend(name);
                let length = self.body.len() - start;
                self.body.extend(vec![0; 8 - length % 8]);
            }
            self.before = name.to_vec();
            self.count += 1;
            self
        }

        fn extension(mut self, name: &[u8; 4], content: &[u8]) -> Writer {
            self.body.extend(name);
            self.body.extend((content.len() as u32).to_be_bytes());
            self.body.extend(content);
            self
        }

        fn finish(self) -> Vec<u8> {
            let numbers = [self.version, self.count].map(u32::to_be_bytes).concat();
            let mut bytes = [&b"DIRC"[..], &numbers, &self.body].concat();
            let mut hasher = Hasher::new(self.hash);
            hasher.update(&bytes);
            bytes.extend(hasher.finish().as_bytes());
            bytes
        }
    }

    const NAME_MASK: u16 = 0x0fff;
    const EXTENDED: u16 = 0x4000;
    const FILE: u32 = 0o100_644;

    fn read(bytes: &[u8], hash: HashKind) -> Result<(Vec<(u8, String)>, Remarks), Damage> {
        let mut all = Vec::new();
        let read = visit_named(bytes, hash, |id, named| {
            let name = match named {
                Named::Blob { name } => String::from_utf8_lossy(name).into_owned(),
                Named::Directory { name } => format!("{}/", String::from_utf8_lossy(name)),
                Named::CachedTree { below } => format!("tree {below}"),
                Named::Undone { stage, name } => {
                    format!("{stage} {}", String::from_utf8_lossy(name))
                }
            };
            all.push((id.first_byte(), name));
            Ok::<(), ()>(())
        });
        read.unwrap().map(|remarks| (all, remarks))
    }

    fn writer(hash: HashKind, version: u32) -> Writer {
        let long = format!("folder/{}", "x".repeat(5000));
        let id = |byte| vec![byte; hash.len()];
        let trees =
            [&b"\x002 2\n"[..], &id(8), b"a\x00-1 1\nb\x001 0\n", &id(9), b"c\x001 0\n", &id(10)];
        let undone = [&b"f\x00100644\x000\x00120000\x00"[..], &id(11), &id(12)].concat();
        let writer = Writer::new(hash, version)
            .entry("a.txt", FILE, 1, 0)
            .entry("b", 0o040_000, 2, if version > 2 { EXTENDED } else { 0 })
            .entry("dir/", 0o040_000, 13, 0)
            .entry("folder/a", FILE, 3, 0)
            .entry(&long, FILE, 4, 0)
            .entry("open", FILE, 5, 1 << 12)
            .entry("open", 0o120_000, 6, 2 << 12)
            .entry("sub", 0o160_000, 7, 0);
        writer
            .extension(b"TREE", &trees.concat())
            .extension(b"REUC", &undone)
            .extension(b"XXXX", b"whatever")
    }

    #[test]
    fn every_named_object_is_listed() {
        for hash in [HashKind::Sha1, HashKind::Sha256] {
            for version in 2..=4 {
                let (all, remarks) = read(&writer(hash, version).finish(), hash).unwrap();
                let long = format!("folder/{}", "x".repeat(5000));
                let expected = [
                    (1, "a.txt"),
                    (2, "b/"),
                    (13, "dir//"),
                    (3, "folder/a"),
                    (4, &long),
                    (5, "open"),
                    (6, "open"),
                    (8, "tree 2"),
                    (9, "tree 0"),
                    (10, "tree 0"),
                    (11, "0 f"),
                ];
                assert_eq!(all, expected.map(|(byte, name)| (byte, name.to_owned())));
                assert_eq!(remarks, Remarks::default());
            }
        }
    }

    #[test]
    fn a_path_is_found_at_its_stage() {
        for hash in [HashKind::Sha1, HashKind::Sha256] {
            for version in 2..=4 {
                let bytes = writer(hash, version).finish();
                let find = |path: &'static str, stage| {
                    let found = find_staged(&bytes, hash, path.as_bytes(), stage).unwrap();
                    found.map(|found| match found {
                        Staged::Is(id) => (id.first_byte(), ""),
                        Staged::Below(id, rest) => {
                            (id.first_byte(), std::str::from_utf8(rest).unwrap())
                        }
                    })
                };
                assert_eq!(find("a.txt", 0), Some((1, "")));
                assert_eq!(find("a.txt", 1), None);
                assert_eq!(find("open", 0), None);
                assert_eq!(find("open", 1), Some((5, "")));
                assert_eq!(find("open", 2), Some((6, "")));
                assert_eq!(find("sub", 0), Some((7, "")));
                assert_eq!(find("folder", 0), None);
                assert_eq!(find("folder/", 0), None);
                assert_eq!(find("dir/x/y", 0), Some((13, "x/y")));
                assert_eq!(find("dir/x/y", 1), None);
                assert_eq!(find("dir/", 0), None);
                assert_eq!(find("dir", 0), None);
                assert_eq!(find("a.txt/b", 0), None);
                assert_eq!(find("", 0), None);
            }
        }
    }

    /// A cut or a flipped byte is found by the hash.
    #[test]
    fn all_damage_is_reported() {
        let step = if cfg!(target_arch = "wasm32") { 97 } else { 13 };
        for version in 2..=4 {
            let bytes = writer(HashKind::Sha1, version).finish();
            for at in (0..bytes.len()).step_by(step) {
                let mut flipped = bytes.clone();
                flipped[at] ^= 0x10;
                for bytes in [&bytes[..at], &flipped] {
                    let damage = read(bytes, HashKind::Sha1).unwrap_err();
                    assert_eq!(find_staged(bytes, HashKind::Sha1, b"open", 1), Err(damage));
                }
            }
        }
    }

    /// Without a hash, damaged entries and extensions must still end in a result.
    #[test]
    fn any_bytes_without_a_hash_end_in_a_result() {
        let step = if cfg!(target_arch = "wasm32") { 53 } else { 3 };
        let (mut good, mut bad) = (0, 0);
        for version in 2..=4 {
            let mut bytes = writer(HashKind::Sha1, version).finish();
            bytes.truncate(bytes.len() - 20);
            for at in (12..bytes.len()).step_by(step) {
                let cut = [&bytes[..at], &[0; 20]].concat();
                let mut flipped = [&bytes[..], &[0; 20]].concat();
                flipped[at] ^= 0x41;
                for bytes in [cut, flipped] {
                    let all = read(&bytes, HashKind::Sha1);
                    let found = find_staged(&bytes, HashKind::Sha1, b"sub", 0);
                    match all {
                        Ok(_) => good += 1,
                        Err(_) => bad += 1,
                    }
                    assert_eq!(found.err(), all.err());
                }
            }
        }
        assert!(good > 50 && bad > 50, "{good} are good, {bad} are not");
    }

    #[test]
    fn fatal_errors_have_the_words_of_git() {
        let hash = HashKind::Sha1;
        let entries = |writer: Writer| match read(&writer.finish(), hash) {
            Err(Damage::Entries(what)) => what,
            other => panic!("{other:?}"),
        };
        let start = || Writer::new(hash, 2).entry("b", FILE, 1, 0);
        assert_eq!(entries(start().entry("a", FILE, 1, 0)), "unordered stage entries in index");
        let twice = "multiple stage entries for merged file 'b'";
        assert_eq!(entries(start().entry("b", FILE, 1, 0)), twice);
        let stages = Writer::new(hash, 2).entry("b", FILE, 1, 2 << 12).entry("b", FILE, 1, 1 << 12);
        assert_eq!(entries(stages), "unordered stage entries for 'b'");
        let split = start().extension(b"link", &[0; 20]).finish();
        assert_eq!(read(&split, hash), Err(Damage::Split));
        let unknown = start().extension(b"abcd", b"").finish();
        let what = "index uses abcd extension, which we do not understand";
        assert_eq!(read(&unknown, hash), Err(Damage::Frame(what.to_owned())));
        let (_, remarks) = read(&start().extension(b"REUC", b"f\x00x").finish(), hash).unwrap();
        assert!(remarks.bad_resolve_undo);
        let (all, _) = read(&start().extension(b"TREE", b"\x001 9\n").finish(), hash).unwrap();
        assert_eq!(all.len(), 1);
    }
}
