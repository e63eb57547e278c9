//! Repositories of many packs: each pack is searched once, however many files are missing.

use crate::common::Host;
use crate::loose_files::LooseFiles;
use crate::packs::PackWriter;
use packlens::{
    object_id, CountObjects, HashKind, Need, ObjectId, ObjectType, Options, Output, Prefix,
    Repository, Result, RevList, RevListOptions,
};

const PACKS: usize = 250;

/// How many units of work come between two turns, and what it takes to meet a need: see
/// `block/pace.rs`.
const WORK: u64 = 4096;
const NEED: u64 = 8;

fn content(at: usize) -> Vec<u8> {
    format!("{at}\n").into_bytes()
}

fn blob_id(at: usize) -> ObjectId {
    object_id(HashKind::Sha1, ObjectType::Blob, &content(at))
}

/// Opens a repository in which each pack has one blob.
fn opened() -> Host {
    let mut files = Vec::new();
    for at in 0..PACKS {
        let mut writer = PackWriter::new();
        let offset = writer.blob(&content(at));
        let stem = format!("objects/pack/pack-{at:040x}");
        let index = packs_index(&[(blob_id(at), offset)]);
        files.push((format!("{stem}.pack"), writer.finish()));
        files.push((format!("{stem}.idx"), index));
    }
    let files: Vec<_> = files.iter().map(|(path, bytes)| (path.as_str(), &bytes[..])).collect();
    let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
    Host::of_files(&files, 1 << 30, options).unwrap()
}

fn packs_index(entries: &[(ObjectId, u64)]) -> Vec<u8> {
    crate::packs::index(HashKind::Sha1, entries)
}

/// Asks a question; returns the answer, how many needs that took and how many turns.
fn cost<T>(
    host: &mut Host,
    question: impl FnMut(&mut Repository) -> Result<T>,
) -> (Result<T>, u64, u64) {
    let before = host.answered;
    let mut turns = 0;
    let answer = host.ask_watched(question, |_, need| turns += u64::from(*need == Need::Turn));
    (answer, host.answered - before, turns)
}

/// Each pack takes a step and some needs. If the search began again for each of these, there
/// would be a hundred times as many steps.
fn most_turns(needs: u64) -> u64 {
    (needs * NEED + 3 * PACKS as u64) / WORK + 1
}

#[test]
fn opening_looks_for_each_index_once() {
    let most = PACKS as u64 + 20;
    assert!(opened().answered < most, "{} needs", opened().answered);
}

#[test]
fn an_object_is_looked_for_once_in_each_pack() {
    let last = blob_id(PACKS - 1);
    let (found, needs, turns) =
        cost(&mut opened(), |repository| repository.read_of_type(&last, ObjectType::Blob));
    assert_eq!(found.unwrap(), content(PACKS - 1));
    assert!(needs < 3 * PACKS as u64, "{needs} needs");
    assert!(turns <= most_turns(needs), "{turns} turns");

    let absent = blob_id(PACKS);
    let (found, needs, turns) = cost(&mut opened(), |repository| repository.object_type(&absent));
    assert_eq!(found.unwrap_err().kind(), packlens::ErrorKind::NotFound);
    assert!(needs < 4 * PACKS as u64, "{needs} needs");
    assert!(turns <= most_turns(needs), "{turns} turns");
}

#[test]
fn a_shortened_id_is_looked_for_once_in_each_pack() {
    let hex = blob_id(PACKS / 2).to_hex();
    assert!(Prefix::from_hex(HashKind::Sha1, &hex.as_bytes()[..12]).is_some());
    let (found, needs, turns) =
        cost(&mut opened(), |repository| repository.resolve(&hex.as_bytes()[..12]));
    assert_eq!(found.unwrap(), blob_id(PACKS / 2));
    assert!(needs < 4 * PACKS as u64, "{needs} needs");
    assert!(turns <= most_turns(needs), "{turns} turns");
}

#[test]
fn stored_objects_are_counted_pack_by_pack() {
    let mut host = opened();
    let mut task = CountObjects::default();
    let mut out = Output::default();
    let (done, needs, turns) = cost(&mut host, |repository| {
        while !task.fill(repository, &mut out)? {}
        Ok(())
    });
    done.unwrap();
    let packs = u32::from_le_bytes(out.as_slice()[24..28].try_into().unwrap());
    assert_eq!(packs as usize, PACKS);
    // And 256 directories of loose objects.
    assert!(needs < 4 * PACKS as u64 + 300, "{needs} needs");
    assert!(turns <= most_turns(needs), "{turns} turns");
}

/// Of two concurrent searches each resumes its own.
#[test]
fn concurrent_searches_make_progress() {
    let mut host = opened();
    let expected = [blob_id(PACKS - 1), blob_id(PACKS - 2)];
    let mut asked = expected.map(|id| (host.repository.files.new_question(None), id, false));
    let before = host.answered;
    while asked.iter().any(|(.., done)| !done) {
        for (question, id, done) in asked.iter_mut().filter(|(.., done)| !done) {
            let found = host.ask_once(*question, |repository| repository.object_type(id));
            *done = found.unwrap().is_some();
        }
    }
    assert!(host.answered - before < 4 * PACKS as u64, "{} needs", host.answered - before);
}

/// A step of a walk looks an object up several times, each time in all packs: that is more
/// work than allowed between two turns, but must finish all the same.
#[test]
fn a_step_longer_than_a_turn_finishes() {
    let mut files = LooseFiles::default();
    let first = files.commit(1, &[]);
    let second = files.commit(2, &[first]);
    files.reference("refs/heads/main", &second);
    let mut writer = PackWriter::new();
    let offset = writer.blob(&content(0));
    let (pack, index) = (writer.finish(), packs_index(&[(blob_id(0), offset)]));
    for at in 0..WORK * 3 / 5 {
        files.bytes(&format!("objects/pack/pack-{at:040x}.pack"), &pack);
        files.bytes(&format!("objects/pack/pack-{at:040x}.idx"), &index);
    }
    let mut host = files.open();
    let mut turns = 0;
    let watch = |_: &mut Host, need: &Need| {
        turns += u64::from(*need == Need::Turn);
        assert!(turns < 40, "it gets no further");
    };
    let options = RevListOptions { count: true, ..Default::default() };
    let mut list = RevList::new(vec![b"main".to_vec()], options);
    let mut out = Output::default();
    let done = host.ask_watched(|repository| list.fill(repository, 1 << 20, &mut out), watch);
    assert!(done.unwrap());
    assert_eq!(out.as_slice(), b"2\n");
    assert!(turns > 1, "{turns} turns");
}
