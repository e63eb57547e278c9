//! Index files of all versions, and damaged ones.

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
    let index = IndexFile::parse(bytes.to_vec(), hash)?;
    let read = index.visit_named(|id, named| {
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
fn cached_trees_have_paths() {
    for hash in [HashKind::Sha1, HashKind::Sha256] {
        let trees = |bytes| {
            let trees = IndexFile::parse(bytes, hash).unwrap().cached_trees().unwrap();
            trees.into_iter().map(|(path, id)| (String::from_utf8(path).unwrap(), id.first_byte()))
        };
        // `a` is not valid.
        let found: Vec<_> = trees(writer(hash, 2).finish()).collect();
        assert_eq!(found, [("", 8), ("a/b/", 9), ("c/", 10)].map(|(path, id)| (path.into(), id)));
        let start = || Writer::new(hash, 2).entry("b", FILE, 1, 0);
        assert_eq!(trees(start().finish()).count(), 0);
        assert_eq!(trees(start().extension(b"TREE", b"\x001 9\n").finish()).count(), 0);
        // Paths of trees in trees grow with the square of their number.
        let deep = [b"\x00-1 1\n".to_vec(), b"x\x00-1 1\n".repeat(1000)].concat();
        let last = [b"y\x001 0\n".to_vec(), vec![9; hash.len()]].concat();
        let bytes = start().extension(b"TREE", &[deep, last].concat()).finish();
        assert_eq!(trees(bytes).count(), 0);
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
                    Staged::Split => panic!("the index is not split"),
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
        Err(Damage::Entries(what, 12..)) => what,
        other => panic!("{other:?}"),
    };
    let start = || Writer::new(hash, 2).entry("b", FILE, 1, 0);
    assert_eq!(entries(start().entry("a", FILE, 1, 0)), "unordered stage entries in index");
    let twice = "multiple stage entries for merged file 'b'";
    assert_eq!(entries(start().entry("b", FILE, 1, 0)), twice);
    let stages = Writer::new(hash, 2).entry("b", FILE, 1, 2 << 12).entry("b", FILE, 1, 1 << 12);
    assert_eq!(entries(stages), "unordered stage entries for 'b'");
    let unknown = start().extension(b"abcd", b"").finish();
    let what = "index uses abcd extension, which we do not understand";
    assert_eq!(read(&unknown, hash), Err(Damage::Frame(what.to_owned())));
    let (_, remarks) = read(&start().extension(b"REUC", b"f\x00x").finish(), hash).unwrap();
    assert!(remarks.bad_resolve_undo);
    let (all, _) = read(&start().extension(b"TREE", b"\x001 9\n").finish(), hash).unwrap();
    assert_eq!(all.len(), 1);
}

/// A compressed bitmap of one literal word.
fn bitmap(bits: u64) -> Vec<u8> {
    [&[0, 0, 0, 64, 0, 0, 0, 2][..], &(1u64 << 33).to_be_bytes(), &bits.to_be_bytes(), &[0; 4]]
        .concat()
}

/// Parses an index with four shared entries, of which the bitmaps delete and replace some.
fn split(own: Writer, deleted: &[u8], replaced: &[u8]) -> Result<Vec<(u8, String)>, Damage> {
    let hash = HashKind::Sha1;
    let shared = Writer::new(hash, 2)
        .entry("b", FILE, 1, 0)
        .entry("d", FILE, 2, 1 << 12)
        .entry("d", FILE, 3, 2 << 12)
        .entry("f", FILE, 4, 0)
        .finish();
    let link = [&shared[shared.len() - 20..], deleted, replaced].concat();
    let mut index = IndexFile::parse(own.extension(b"link", &link).finish(), hash)?;
    index.put_shared(Some(shared))?;
    let mut walk = index.walk()?;
    let mut all = Vec::new();
    while let Some((entry, name)) = walk.next(&index)? {
        let name = String::from_utf8_lossy(name);
        all.push((entry.id.first_byte(), format!("{name} {}", entry.stage)));
    }
    Ok(all)
}

#[test]
fn a_split_index_has_the_entries_of_both_files() {
    let own = |version| Writer::new(HashKind::Sha1, version);
    let entries = |found: Result<Vec<(u8, String)>, Damage>| {
        let found = found.unwrap();
        found.iter().map(|(byte, name)| format!("{name} {byte}")).collect::<Vec<_>>()
    };
    for version in 2..=4 {
        let all = entries(split(own(version), b"", b""));
        assert_eq!(all, ["b 0 1", "d 1 2", "d 2 3", "f 0 4"]);
        let all = entries(split(own(version), &bitmap(0b0001), &bitmap(0)));
        assert_eq!(all, ["d 1 2", "d 2 3", "f 0 4"]);
        let changed = own(version).entry("", FILE, 7, 0).entry("", FILE, 8, 2 << 12);
        let added = changed.entry("a", FILE, 9, 0).entry("e", FILE, 10, 0).entry("g", FILE, 11, 0);
        let all = entries(split(added, &bitmap(0b1000), &bitmap(0b0101)));
        assert_eq!(all, ["a 0 9", "b 0 7", "d 1 2", "d 2 8", "e 0 10", "g 0 11"]);
        // A path without a conflict replaces all its stages, and an entry the same one.
        let all = entries(split(own(version).entry("d", FILE, 7, 0), b"", b""));
        assert_eq!(all, ["b 0 1", "d 0 7", "f 0 4"]);
        let all = entries(split(own(version).entry("d", FILE, 7, 2 << 12), b"", b""));
        assert_eq!(all, ["b 0 1", "d 1 2", "d 2 7", "f 0 4"]);
    }
}

#[test]
fn what_does_not_fit_the_shared_file_is_damage() {
    let own = || Writer::new(HashKind::Sha1, 2);
    let frame = |what: &str| Err(Damage::Frame(format!("corrupt link extension: {what}")));
    let none = bitmap(0);
    let both = "an entry is both deleted and replaced";
    assert_eq!(split(own(), &bitmap(1), &bitmap(1)), frame(both));
    let beyond = "a bitmap is about entries that do not exist";
    assert_eq!(split(own(), &bitmap(0b1_0000), &none), frame(beyond));
    let too_many = "it replaces more entries than the index has for that";
    assert_eq!(split(own(), &none, &bitmap(1)), frame(too_many));
    assert_eq!(split(own().entry("a", FILE, 7, 0), &none, &bitmap(1)), frame(too_many));
    let too_few = "an entry without a path replaces none";
    assert_eq!(split(own().entry("", FILE, 7, 0), &none, &none), frame(too_few));
    let after = "it has bytes after its bitmaps";
    assert_eq!(split(own(), &none, &[none.as_slice(), b"x"].concat()), frame(after));
    let bad = "a bitmap is damaged, or about entries that do not exist";
    assert_eq!(split(own(), &none, b"x"), frame(bad));
    let stages = split(own().entry("b", FILE, 7, 1 << 12), &none, &none);
    let twice = "multiple stage entries for merged file 'b'";
    assert_eq!(stages, Err(Damage::Entries(twice.to_owned(), 0)));
}

/// Only a split index has several entries without a path.
#[test]
fn entries_without_a_path_are_damage() {
    let hash = HashKind::Sha1;
    let bytes = Writer::new(hash, 2).entry("", FILE, 1, 0).entry("", FILE, 2, 0).finish();
    let damage = Damage::Entries("multiple stage entries for merged file ''".to_owned(), 12);
    assert_eq!(read(&bytes, hash), Err(damage.clone()));
    assert_eq!(find_staged(&bytes, hash, b"a", 0), Err(damage));
}
