//! An index that instances make together equals the one that each makes alone.

use crate::common::random::Random;
use crate::common::{expected, fixtures, sealed};
use crate::laws::shared::{index, Shared, Sharing};
use crate::packs::{one_byte_more, PackWriter};
use packlens::{
    object_id, Build, Error, HashKind, Header, IndexHelper, IndexLeader, IndexRole, Indexes,
    Inflater, Limits, ObjectType, Result, SectionScanner,
};

const ALONE: Sharing = Sharing {
    hash: HashKind::Sha1,
    part: 512,
    memory: 64 << 20,
    work_unit_entries: 1,
    reader: |_| None,
    on_section: |_| {},
};

fn alone(pack: &[u8], hash: HashKind) -> Result<Vec<u8>> {
    indexes(pack, hash)?.index()
}

fn indexes(pack: &[u8], hash: HashKind) -> Result<Indexes> {
    let mut build = Build::new(&pack, hash)?;
    let mut inflater = Inflater::default();
    while !build.step(&pack, &mut inflater, &Limits::default())?.is_complete() {}
    build.finish()
}

/// Returns the output of `verify-pack -v` for the pack, from an instance that makes the index
/// alone.
fn lines(pack: &[u8], hash: HashKind) -> Vec<u8> {
    let indexes = indexes(pack, hash).unwrap();
    let (mut listing, mut text) = (indexes.listing(&pack).unwrap(), Vec::new());
    while indexes.line(&mut listing, &pack, &mut text).unwrap() {}
    text.extend(listing.summary());
    text
}

/// The index is the same whichever instance reads which section and makes which work unit,
/// also if bases are named by their ids and there is a single work unit.
#[test]
fn an_index_that_several_make_is_the_same() {
    let (mut sections, mut helped) = (0, 0);
    for answers in expected() {
        let hash = match answers["objectFormat"].as_str().unwrap() {
            "sha256" => HashKind::Sha256,
            _ => HashKind::Sha1,
        };
        let folder = fixtures().join(answers["path"].as_str().unwrap()).join("objects/pack");
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let paths = entries.map(|entry| entry.unwrap().path());
        for path in paths.filter(|path| path.extension().is_some_and(|ending| ending == "pack")) {
            let pack = std::fs::read(&path).unwrap();
            let (whole, lines) = (alone(&pack, hash).unwrap(), lines(&pack, hash));
            let readers: [fn(u32) -> Option<IndexRole>; 3] = [
                |_| Some(IndexRole::Scanner),
                |at| Some(if at % 3 == 1 { IndexRole::Leader } else { IndexRole::Scanner }),
                |at| (at % 3 != 1).then_some(IndexRole::Scanner),
            ];
            for (work_unit_entries, reader) in [1, 7, 100_000].into_iter().zip(readers) {
                let made =
                    index(&pack, &Sharing { hash, work_unit_entries, reader, ..ALONE }).unwrap();
                assert!(made.index == whole, "{} by {work_unit_entries}", path.display());
                assert!(made.lines == lines, "{} by {work_unit_entries}", path.display());
                (sections, helped) = (sections + made.sections, helped + made.helped);
            }
        }
    }
    assert!(sections > 500 && helped > 500, "{sections} {helped}");
}

/// A pack of blobs of all lengths, each one longer than the one before, some as deltas.
fn pack_of(count: usize) -> PackWriter {
    let mut random = Random::new(7);
    let mut writer = PackWriter::new();
    for at in 0..count {
        let content: Vec<u8> = (0..at * 40).map(|_| random.below(256) as u8).collect();
        let base = writer.blob(&content);
        if at % 3 == 1 {
            writer.ofs_delta(base, &one_byte_more(content.len(), b'.'));
        }
    }
    writer
}

/// The scanner reads all sections.
const SCANNED: Sharing = Sharing { reader: |_| Some(IndexRole::Scanner), ..ALONE };

/// The bytes of the large entry contain whole entries, which follow each other.
#[test]
fn content_that_looks_like_entries_is_none() {
    let inner = pack_of(60).finish();
    let mut writer = pack_of(30);
    writer.stored_blob(&inner);
    writer.blob(b"what comes after");
    let pack = writer.finish();
    let Shared { index, sections, .. } = index(&pack, &SCANNED).unwrap();
    assert!(index == alone(&pack, HashKind::Sha1).unwrap());
    assert!(sections > 25, "{sections}");
}

/// Incomplete sections: the leader reads the entries that are left.
#[test]
fn incomplete_or_lost_sections_are_read_again() {
    let pack = pack_of(100).finish();
    let whole = alone(&pack, HashKind::Sha1).unwrap();
    let on_section: [fn(&mut Vec<u8>); 4] = [
        |section| section.truncate(section.len() - 1),
        |section| section.truncate(section.len() / 2),
        |section| section.truncate(7),
        // The offset of the section is wrong.
        |section| section[0] ^= 1,
    ];
    for on_section in on_section {
        let made = index(&pack, &Sharing { on_section, work_unit_entries: 3, ..SCANNED }).unwrap();
        assert!(made.index == whole);
    }
}

#[test]
fn damage_in_a_pack_gives_the_same_error_in_any_instance() {
    let pack = pack_of(40).finish();
    let mut errors = 0;
    for at in (8..pack.len()).step_by(211).chain(pack.len() - 20..pack.len()) {
        let mut damaged = pack.clone();
        damaged[at] ^= 0x24;
        for damaged in [sealed(&damaged, HashKind::Sha1), damaged] {
            let error = alone(&damaged, HashKind::Sha1).err();
            let place = |error: Error| (error.what().to_string(), error.place().map(|(_, at)| at));
            let shared = index(&damaged, &Sharing { work_unit_entries: 2, ..SCANNED }).err();
            errors += u32::from(error.is_some());
            assert_eq!(shared.map(place), error.map(place), "byte {at}");
        }
    }
    assert!(errors > 100, "{errors}");
}

/// The inflated bytes and applied deltas of all instances.
fn cost(builds: &[&Build], inflater: &Inflater) -> (u64, u64) {
    let inflated: u64 = builds.iter().map(|build| build.inflated_bytes()).sum();
    let applied = builds.iter().map(|build| build.deltas_applied()).sum();
    (inflated + inflater.inflated_bytes(), applied)
}

fn scan(scanner: &mut SectionScanner, pack: &[u8], inflater: &mut Inflater) {
    while !scanner.is_idle() {
        scanner.step(&pack, inflater, &Limits::default()).unwrap();
    }
}

fn lead(leader: &mut IndexLeader, pack: &[u8], inflater: &mut Inflater) {
    while !leader.is_idle() {
        leader.step(&pack, inflater, &Limits::default()).unwrap();
    }
}

/// Several instances do the work of one, plus the first entry of each section.
#[test]
fn nothing_is_made_twice() {
    // Sections are longer and shorter than the window that is searched at a time.
    [3, 30].into_iter().for_each(check_made_once);
}

fn check_made_once(work_unit_entries: u32) {
    let mut writer = pack_of(100);
    // The entry is larger than the window that is searched at a time.
    let content: Vec<u8> = (0..200_000u32).map(|at| (at.wrapping_mul(at) >> 9) as u8).collect();
    let base = writer.stored_blob(&content);
    writer.ofs_delta(base, &one_byte_more(content.len(), b'!'));
    writer.blob(&content[..50_000]);
    let pack = writer.finish();
    let hash = HashKind::Sha1;
    let new = || Build::new(&pack.as_slice(), hash).unwrap();
    let (mut one, mut inflater) = (new(), Inflater::default());
    while !one.step(&pack.as_slice(), &mut inflater, &Limits::default()).unwrap().is_complete() {}
    let whole = cost(&[&one], &inflater);
    inflater = Inflater::default();
    let mut scanner = SectionScanner::new(new(), work_unit_entries);
    let mut leader = IndexLeader::new(new(), new(), work_unit_entries);
    let mut helper = IndexHelper::new(new(), work_unit_entries);
    let count = Header::decode(&pack.as_slice(), hash).unwrap().count.div_ceil(work_unit_entries);
    let mut sections = 0;
    for at in 0..count {
        scanner.claim(at);
        scan(&mut scanner, &pack, &mut inflater);
        if let Some(section) = scanner.take_section() {
            leader.put(&section);
            sections += 1;
        }
    }
    let scanned = inflater.inflated_bytes();
    leader.claim(None);
    lead(&mut leader, &pack, &mut inflater);
    // No entries were left.
    assert_eq!((inflater.inflated_bytes(), leader.build().inflated_bytes()), (scanned, 0));
    helper.put_rows(&leader.take_rows(usize::MAX), &Limits::default()).unwrap();
    for at in 0..count {
        if at % 2 == 0 {
            helper.claim(at);
            while !helper.is_idle() {
                helper.step(&pack.as_slice(), &mut inflater, &Limits::default()).unwrap();
            }
        } else {
            leader.claim(Some(at));
            lead(&mut leader, &pack, &mut inflater);
        }
    }
    let builds = [scanner.build(), leader.build(), helper.build()];
    let (inflated, applied) = cost(&builds, &inflater);
    assert_eq!(applied, whole.1);
    let most = whole.0 + sections * 4096;
    assert!(sections > 3 && (whole.0..=most).contains(&inflated), "{inflated} of {most}");
}

/// An entry header may cross the end of the window that is searched at a time.
#[test]
fn an_entry_is_found_wherever_it_begins() {
    let mut inflater = Inflater::default();
    let base = object_id(HashKind::Sha1, ObjectType::Blob, b"elsewhere");
    for length in 32_500..33_000 {
        let mut writer = PackWriter::new();
        writer.stored_blob(&vec![0; length]);
        let at = match length % 2 {
            0 => writer.blob(&[1; 300]),
            _ => writer.ref_delta(&base, &one_byte_more(length, b'.')),
        };
        let pack = writer.finish();
        let build = Build::new(&pack.as_slice(), HashKind::Sha1).unwrap();
        let mut scanner = SectionScanner::new(build, 1);
        scanner.claim(1);
        scan(&mut scanner, &pack, &mut inflater);
        let section = scanner.take_section().unwrap();
        assert_eq!(section[..8], at.to_le_bytes(), "after {length} bytes");
    }
}

/// Makes bytes that look like an entry every few bytes, up to the checksum of each.
#[test]
fn places_that_look_like_entries_are_not_all_tried() {
    let mut one = PackWriter::new();
    one.blob(&[0; 2000]);
    let one = one.finish();
    let mut entry = one[12..one.len() - 20].to_vec();
    *entry.last_mut().unwrap() ^= 1;
    let content = entry.repeat(10_000);
    let mut writer = PackWriter::new();
    writer.stored_blob(&content);
    (0..9).for_each(|at| _ = writer.blob(&[at]));
    let pack = writer.finish();
    let pack = pack.as_slice();
    let mut inflater = Inflater::default();
    let build = Build::new(&pack, HashKind::Sha1).unwrap();
    let mut scanner = SectionScanner::new(build, 1);
    scanner.claim(4);
    scan(&mut scanner, pack, &mut inflater);
    assert_eq!(scanner.take_section(), None);
    let (all, windows) = (content.len() / entry.len(), content.len() / 10 / (16 << 10) + 1);
    let tried = inflater.inflated_bytes() / 2000;
    assert!(tried > 0 && tried <= windows as u64 * 64, "{tried} of {all}");
    assert!(all / 10 > windows * 64 * 2);
}
