//! Earlier values of refs, by their reflogs: `HEAD@{2}`, `HEAD@{1112911993}`, `@{-1}`, dates.

use super::base::{self, assert_typed};
use super::input::Input;
use crate::common::Host;
use packlens::{ErrorKind, HashKind, Limits, ObjectId, Reflog, ReflogEntry, Result};

const NULL: u8 = 0;
const CURRENT: u8 = 0xee;

/// Numbers of this many digits are times; others are numbers of changes.
const FIRST: u64 = 1_000_000_000;

fn id(hash: HashKind, byte: u8) -> ObjectId {
    ObjectId::from_bytes(hash, &[byte; 32][..hash.len()]).unwrap()
}

fn line(hash: HashKind, [old, new]: [u8; 2], seconds: u64, message: &str) -> String {
    let [old, new] = [old, new].map(|byte| id(hash, byte).to_hex());
    format!("{old} {new} A <a> {seconds} +0000\t{message}\n")
}

/// Opens a repository with one ref and its reflog.
fn host(hash: HashKind, log: &[u8], part: u64) -> Host {
    let current = id(hash, CURRENT).to_hex();
    let main = format!("{}\n", id(hash, 0xaa).to_hex());
    let files: [(&str, &[u8]); 3] =
        [("HEAD", current.as_bytes()), ("logs/HEAD", log), ("refs/heads/main", main.as_bytes())];
    base::host(&files, hash, part)
}

fn resolve(host: &mut Host, spec: &str) -> Result<ObjectId> {
    host.ask(|repository| repository.resolve(spec.as_bytes()))
}

/// Returns the value a number of changes ago; entries begin with the newest.
fn slow_changes(entries: &[ReflogEntry], number: usize, current: ObjectId) -> Option<ObjectId> {
    match number.cmp(&entries.len()) {
        _ if number == 0 => Some(current),
        std::cmp::Ordering::Less => {
            let is_known = !entries[number - 1].old.is_null();
            Some(if is_known { entries[number].new } else { current })
        }
        // Before the oldest change the ref had the old value of that change.
        std::cmp::Ordering::Equal => Some(entries[number - 1].old).filter(|old| !old.is_null()),
        std::cmp::Ordering::Greater => None,
    }
}

/// Returns the value at a time.
fn slow_time(entries: &[ReflogEntry], time: u64, current: ObjectId) -> Option<ObjectId> {
    let Some(at) = entries.iter().position(|entry| entry.seconds() <= time) else {
        let oldest = entries.last()?;
        return Some(if oldest.old.is_null() { oldest.new } else { oldest.old });
    };
    let is_known = at > 0 && !entries[at - 1].old.is_null();
    let is_exact = entries[at].seconds() == time;
    Some(if is_known || is_exact { entries[at].new } else { current })
}

/// Returns the names of earlier checkouts, the last one first.
fn checkouts(entries: &[ReflogEntry]) -> Vec<Vec<u8>> {
    let from = |entry: &ReflogEntry| {
        let rest = entry.message.strip_prefix(b"checkout: moving from ")?;
        let end = rest.windows(4).position(|word| word == b" to ")?;
        Some(rest[..end].to_vec())
    };
    entries.iter().filter_map(from).collect()
}

/// Resolves revisions with a reflog that has some lines of any bytes: each names the right
/// entry.
pub fn logged(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part) = (input.hash(), input.part());
    if input.flag() {
        return date(input);
    }
    let mut log = Vec::new();
    let mut times = vec![FIRST, FIRST + 7];
    let mut old = NULL;
    while !input.0.is_empty() && log.len() < 4000 {
        let choice = input.byte();
        let new = input.byte();
        let seconds = FIRST + u64::from(input.byte() % 16);
        times.extend([seconds, seconds - 1]);
        let message = match choice % 4 {
            0 => format!(
                "checkout: moving from {} to x",
                ["main", "a", "main to y"][usize::from(new % 3)]
            ),
            1 => format!("checkout: moving from {} to", id(hash, new).to_hex()),
            _ => "commit: one".to_string(),
        };
        // Now and then there is a gap, or the ref was gone in between.
        let before = [old, old, old, NULL, choice][usize::from(choice >> 4) % 5];
        match choice & 0x8c {
            0x8c => log.extend([input.take(new.into()), b"\n"].concat()),
            _ => log.extend(line(hash, [before, new], seconds, &message).bytes()),
        }
        old = new;
    }
    let mut host = host(hash, &log, part);
    let mut entries = Vec::new();
    let mut reader = Reflog::new(b"HEAD", hash, Limits::for_memory(1 << 20));
    while let Some(entry) = host.ask(|repository| reader.next(&repository.files)).unwrap() {
        entries.push(entry);
    }
    let current = id(hash, CURRENT);
    let mut is = |spec: String, right: Option<ObjectId>| match (resolve(&mut host, &spec), right) {
        (Ok(found), right) => assert_eq!(Some(found), right, "{spec}"),
        (Err(error), right) => {
            assert_typed(&error);
            assert!(error.kind() == ErrorKind::NotFound && right.is_none(), "{spec}: {error}");
        }
    };
    for number in 0..=entries.len().min(20) + 1 {
        is(format!("HEAD@{{{number}}}"), slow_changes(&entries, number, current));
    }
    times.truncate(20);
    for time in times {
        is(format!("HEAD@{{{time}}}"), slow_time(&entries, time, current));
    }
    let names = checkouts(&entries);
    for number in 1..=names.len().min(5) + 1 {
        let right = match names.get(number - 1).map(Vec::as_slice) {
            Some(b"main") => Some(id(hash, 0xaa)),
            Some(b"a") | None => None,
            Some(name) => match ObjectId::from_hex(hash, name) {
                Some(id) => Some(id),
                None => continue,
            },
        };
        is(format!("@{{-{number}}}"), right);
    }
}

/// Counts the days since 1970 a month at a time.
fn slow_days(year: u64, month: u64, day: u64) -> u64 {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let years: u64 = (1970..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum();
    let months = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    years + months[..month as usize - 1].iter().sum::<u64>() + day - 1
}

/// A date selects the entry of its second: of three entries a second apart, the right one is
/// found.
fn date(mut input: Input<'_>) {
    let year = 1970 + input.below(130) as u64;
    let [month, day] = [12, 31].map(|most| 1 + input.below(most) as u64);
    let [hour, minute, second] = [24, 60, 61].map(|most| input.below(most) as u64);
    let (form, zone) = (input.byte(), input.byte());
    let separator = ["T", " ", ".", " "][usize::from(form % 4)];
    let point = ["", ".25"][usize::from(form >> 2) % 2];
    let east = [0, 60, 330, 5 * 60 + 45, 14 * 60][usize::from(zone) % 5];
    let (sign, is_west) = if zone & 0x80 > 0 { ("-", true) } else { ("+", false) };
    let (hours, minutes) = (east / 60, east % 60);
    let written = match (zone >> 3) % 4 {
        0 if east == 0 => ["", "Z", " UTC", " GMT"][usize::from(form >> 4) % 4].to_string(),
        1 if minutes == 0 => format!(" {sign}{hours:02}"),
        2 => format!("{sign}{hours:02}:{minutes:02}"),
        _ => format!(" {sign}{hours:02}{minutes:02}"),
    };
    let between = ["-", "/", "."][usize::from(form >> 6) % 3];
    let text = format!(
        "{year}{between}{month:02}{between}{day:02}{separator}{hour:02}:{minute:02}:{second:02}{point}{written}"
    );
    let local = slow_days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    let seconds = match is_west {
        true => local + east * 60,
        false => local.saturating_sub(east * 60),
    };
    if seconds < 2 {
        return;
    }
    let hash = HashKind::Sha1;
    let entry = |at: u8| line(hash, [at, at + 1], seconds - 2 + u64::from(at), "");
    let log: String = [1, 2, 3].map(entry).concat();
    let mut host = host(hash, log.as_bytes(), 1 << 30);
    assert_eq!(resolve(&mut host, &format!("HEAD@{{{text}}}")), Ok(id(hash, 3)), "{text}");
    // With a changed byte the text is another date, or none.
    let mut other = text.into_bytes();
    let at = input.below(other.len());
    other[at] = input.byte();
    let spec = [b"HEAD@{", other.as_slice(), b"}"].concat();
    let found = host.ask(|repository| repository.resolve(&spec));
    found.err().iter().for_each(assert_typed);
}
