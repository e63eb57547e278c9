//! What several instances find in a repository together is what one finds alone, in the same order.

use crate::common::{fixtures, Host};
use crate::fsck::{check, findings_in, repositories};
use crate::packs::{index, PackWriter};
use packlens::{
    object_id, Error, Fsck, FsckOptions, FsckRole, HashKind, Limits, ObjectId, ObjectType, Options,
    Output, Result, WorkUnits,
};
use std::collections::BTreeMap;

/// Makes the steps of a claimed work unit, or of the preparation; passes each page to `take`.
fn make(host: &mut Host, fsck: &mut Fsck, mut take: impl FnMut(&[u8])) -> Result<()> {
    for _ in 0..100_000 {
        let mut out = Output::default();
        let done = host.ask(|repository| fsck.fill(repository, 1000, &mut out))?;
        take(out.as_slice());
        if done {
            return Ok(());
        }
    }
    panic!("the work unit never ends");
}

fn units(host: &mut Host, fsck: &mut Fsck) -> Result<WorkUnits> {
    host.ask(|repository| fsck.work_units(repository))
}

/// Lets a leader and helpers, which are at the indices from 1 on, check a repository; `maker` says
/// who makes a work unit. What helpers survey arrives after all work units, the last page first.
/// Returns the findings and the number of work units.
fn together(
    open: &dyn Fn() -> Host,
    options: FsckOptions,
    helpers: usize,
    maker: &dyn Fn(usize) -> usize,
) -> Result<(Vec<Vec<u8>>, usize)> {
    let role = |role| FsckOptions { role, ..options };
    let mut leader = (open(), Fsck::new(role(FsckRole::Leader)));
    let mut others: Vec<_> =
        (0..helpers).map(|_| (open(), Fsck::new(role(FsckRole::Helper)))).collect();
    let mut findings = Vec::new();
    let known = units(&mut leader.0, &mut leader.1)?;
    make(&mut leader.0, &mut leader.1, |page| findings.extend(findings_in(page)))?;
    if known.count == 0 {
        return Ok((findings, 0));
    }
    assert_eq!(units(&mut leader.0, &mut leader.1)?, known);
    let mut pages = Vec::new();
    for (host, fsck) in &mut others {
        assert_eq!(units(host, fsck)?, known, "instances that see the same have the same units");
        make(host, fsck, |page| pages.push(page.to_vec()))?;
    }
    for at in 0..known.count {
        let claimed = Some(at);
        match maker(at as usize) {
            0 => {
                leader.1.claim(claimed);
                make(&mut leader.0, &mut leader.1, |page| findings.extend(findings_in(page)))?;
            }
            helper => {
                let (host, fsck) = &mut others[helper - 1];
                fsck.claim(claimed);
                make(host, fsck, |page| pages.push(page.to_vec()))?;
            }
        }
    }
    pages.iter().rev().for_each(|page| leader.1.put(page));
    leader.1.claim(None);
    make(&mut leader.0, &mut leader.1, |page| findings.extend(findings_in(page)))?;
    Ok((findings, known.count as usize))
}

fn small_units(hash: HashKind) -> Options {
    let limits = Limits { work_unit_entries: 1, ..Limits::default() };
    Options { limits, hash: Some(hash), ..Options::default() }
}

/// Compares the findings of several instances with those of one; returns the number of those
/// that several instances made.
fn is_the_same_together(what: &str, open: &dyn Fn() -> Host, options: FsckOptions) -> usize {
    let alone = check(&mut open(), options);
    let makers: [(usize, &dyn Fn(usize) -> usize); 4] =
        [(1, &|_| 1), (1, &|at| at % 2), (2, &|at| at % 3), (3, &|at| (at / 2) % 4)];
    let mut shared = 0;
    for (helpers, maker) in makers {
        let (found, units) = together(open, options, helpers, maker).unwrap();
        assert_eq!(found, alone, "{what} with {helpers}");
        shared += if units > 0 { found.len() } else { 0 };
    }
    shared
}

#[test]
fn several_instances_find_the_same() {
    let step = if cfg!(target_arch = "wasm32") { 7 } else { 1 };
    let mut findings = 0;
    for name in repositories().iter().step_by(step) {
        let folder = fixtures().join(name);
        let hash = match name.contains("sha256") {
            true => HashKind::Sha256,
            false => HashKind::Sha1,
        };
        let open = || Host::open(&folder, 512, small_units(hash)).unwrap();
        for options in [
            FsckOptions::default(),
            FsckOptions { strict: true, root: true, tags: true, ..FsckOptions::default() },
            FsckOptions { unreachable: true, reflogs: false, ..FsckOptions::default() },
        ] {
            findings += is_the_same_together(name, &open, options);
        }
    }
    assert!(findings > 2000, "{findings}");
}

/// Bytes are flipped all over a pack, its index and the loose objects.
#[test]
fn several_instances_find_the_same_damage() {
    let name = "fsck/packed";
    let folder = fixtures().join(name);
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join("objects/pack")).unwrap() {
        let path = entry.unwrap().path();
        let place = format!("objects/pack/{}", path.file_name().unwrap().to_str().unwrap());
        files.insert(place, std::fs::read(&path).unwrap());
    }
    let step = if cfg!(target_arch = "wasm32") { 401 } else { 43 };
    let mut kinds = std::collections::BTreeSet::new();
    for (place, bytes) in files.iter().filter(|(place, _)| !place.ends_with(".rev")) {
        for at in (0..bytes.len()).step_by(step) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40;
            // A second one in the same file.
            let other = (at * 7 + 1000) % bytes.len();
            damaged[other] ^= 0x01;
            let changed = BTreeMap::from([(place.clone().into_bytes(), damaged)]);
            let options = small_units(HashKind::Sha1);
            let open = || Host::fixture_with(name, changed.clone(), 512, options);
            is_the_same_together(&format!("{place} at {at}"), &open, FsckOptions::default());
            kinds.extend(crate::fsck::names(&check(&mut open(), FsckOptions::default())));
        }
    }
    for kind in ["packChecksum", "packCrc", "cannotUnpack", "brokenLink", "missing"] {
        assert!(kinds.contains(kind), "{kind} of {kinds:?}");
    }
}

/// A pack whose objects link to each other as wrong types, and to others that are missing.
fn wrong_links() -> Host {
    let mut writer = PackWriter::new();
    let mut entries: Vec<(ObjectId, u64)> = Vec::new();
    let mut put = |object_type: ObjectType, content: &[u8]| {
        let offset = writer.entry_of_size(object_type as u8, content.len() as u64, content);
        let id = object_id(HashKind::Sha1, object_type, content);
        entries.push((id, offset));
        id
    };
    let blobs: Vec<_> = (0..8u8).map(|at| put(ObjectType::Blob, &[at; 40])).collect();
    let line = |mode: &str, name: &str, id: &ObjectId| {
        [format!("{mode} {name}\0").as_bytes(), id.as_bytes()].concat()
    };
    let missing = object_id(HashKind::Sha1, ObjectType::Blob, b"missing");
    let mut trees = Vec::new();
    for at in 0..8usize {
        let as_tree = line("40000", "folder", &blobs[(at + 3) % 8]);
        let file = line("100644", "name", trees.last().unwrap_or(&blobs[at]));
        let gone = line(if at % 2 == 0 { "40000" } else { "100644" }, "zz", &missing);
        trees.push(put(ObjectType::Tree, &[as_tree, file, gone].concat()));
    }
    for tree in &trees {
        let tagger = "A <a@example.com> 1 +0000";
        let commit = format!("tree {}\nauthor {tagger}\ncommitter {tagger}\n\nx\n", tree.to_hex());
        let id = put(ObjectType::Commit, commit.as_bytes());
        let as_commit = format!("tree {}\nauthor {tagger}\ncommitter {tagger}\n\ny\n", id.to_hex());
        put(ObjectType::Commit, as_commit.as_bytes());
    }
    let head = format!("{}\n", entries.last().unwrap().0.to_hex());
    entries.sort();
    let (pack, index) = (writer.finish(), index(HashKind::Sha1, &entries));
    let stem = "objects/pack/pack-0123456789012345678901234567890123456789";
    let (pack_path, index_path) = (format!("{stem}.pack"), format!("{stem}.idx"));
    let files: [(&str, &[u8]); 4] = [
        (&pack_path, &pack),
        (&index_path, &index),
        ("HEAD", b"ref: refs/heads/main\n"),
        ("refs/heads/main", head.as_bytes()),
    ];
    Host::of_files(&files, 512, small_units(HashKind::Sha1)).unwrap()
}

/// What is reported of them depends on the order in which they are read, which is that of the pack.
#[test]
fn several_instances_find_the_same_wrong_types() {
    let found = crate::fsck::names(&check(&mut wrong_links(), FsckOptions::default()));
    let wrong = found.iter().filter(|name| *name == "wrongType").count();
    assert!(wrong >= 8, "{found:?}");
    is_the_same_together("wrong links", &wrong_links, FsckOptions::default());
}

/// An instance that sees other objects has another fingerprint, and other bytes are refused.
#[test]
fn other_surveys_are_refused() {
    let of = |name: &str| {
        let mut host =
            Host::open(&fixtures().join(name), 512, small_units(HashKind::Sha1)).unwrap();
        let mut fsck = Fsck::new(FsckOptions { role: FsckRole::Helper, ..Default::default() });
        units(&mut host, &mut fsck).unwrap()
    };
    assert_ne!(of("fsck/packed").state, of("fsck/flipped-pack").state);
    assert_eq!(of("fsck/good"), of("fsck/good"));
    let folder = fixtures().join("fsck/packed");
    let mut host = Host::open(&folder, 512, small_units(HashKind::Sha1)).unwrap();
    let mut fsck = Fsck::new(FsckOptions { role: FsckRole::Leader, ..Default::default() });
    units(&mut host, &mut fsck).unwrap();
    make(&mut host, &mut fsck, |_| {}).unwrap();
    fsck.put(&[1, 2, 3]);
    assert!(units(&mut host, &mut fsck).unwrap().count > 8);
    let refused: Error = make(&mut host, &mut fsck, |_| {}).unwrap_err();
    assert_eq!(refused.kind(), packlens::ErrorKind::BadInput);
}
