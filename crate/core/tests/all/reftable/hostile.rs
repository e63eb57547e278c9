//! Tables that no writer makes: several bytes changed at once, pieces moved, with a right
//! checksum. They give an error or an answer, the same in parts of any size, and look-ups
//! agree with the listing.

use super::stacks::{self, Stack};
use crate::common::random::Random;
use packlens::{Error, ErrorKind, Result};

/// How many tables are tried; more with `PACKLENS_TABLES`.
const TABLES: u64 = 1500;

const FOOTER_FIELDS: usize = 40;

/// Makes the footer's checksum right, and its beginning the same as the header.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let head = if bytes.get(4) == Some(&1) { 24 } else { 28 };
    let footer = bytes.len().saturating_sub(head + FOOTER_FIELDS + 4);
    if footer >= head {
        let header = bytes[..head].to_vec();
        bytes[footer..footer + head].copy_from_slice(&header);
        let end = bytes.len() - 4;
        let sum = crc32fast::hash(&bytes[footer..end]);
        bytes[end..].copy_from_slice(&sum.to_be_bytes());
    }
    bytes
}

fn changed(random: &mut Random, original: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..1 + random.below(6) {
        let length = bytes.len() as u64;
        let at = random.below(length) as usize;
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            // A number of the footer, which says where sections begin.
            2 => {
                let field = 4 + random.below(5) * 8;
                let place = length.saturating_sub(field + 4 + random.below(2));
                bytes[place as usize] = random.below(256) as u8;
            }
            // The size of blocks.
            3 => bytes[5 + random.below(3) as usize] = random.below(256) as u8,
            // A piece that is somewhere else.
            4 => {
                let size = random.below(600.min(length - at as u64)) as usize;
                let from = random.below(length - size as u64) as usize;
                bytes.copy_within(from..from + size, at);
            }
            _ => {
                let size = random.below(64.min(length - at as u64)) as usize;
                bytes.drain(at..at + size);
            }
        }
    }
    match random.below(4) {
        0 => bytes,
        _ => sealed(bytes),
    }
}

fn assert_typed(error: &Error, what: &str) {
    let kinds = [ErrorKind::Corrupt, ErrorKind::Unsupported, ErrorKind::Limit];
    assert!(kinds.contains(&error.kind()), "{what}: {error:?}");
}

/// Asks the same in parts of two sizes.
fn answer<T: PartialEq + std::fmt::Debug>(
    stack: &Stack,
    what: &str,
    ask: impl Fn(&mut crate::common::Host) -> Result<T>,
) -> Result<T> {
    let whole = ask(&mut stack.host(1 << 30));
    assert_eq!(ask(&mut stack.host(101)), whole, "{what} in parts");
    if let Err(error) = &whole {
        assert_typed(error, what);
    }
    whole
}

#[test]
fn hostile_tables() {
    let mut random = Random::from_env("hostile_tables");
    let tables = std::env::var("PACKLENS_TABLES").ok().and_then(|count| count.parse().ok());
    let names = [
        "git-stack-sha1",
        "git-stack-sha256",
        "jgit-unaligned",
        "jgit-one-level",
        "jgit-logs",
        "dulwich-stack",
    ];
    let stacks: Vec<Stack> = names.map(stacks::named).into();
    let (mut listed, mut refused) = (0, 0);
    for round in 0..tables.unwrap_or(TABLES) {
        let stack = &stacks[round as usize % stacks.len()];
        let at = stack.largest();
        let mut hostile = stack.clone();
        hostile.files[at].1 = changed(&mut random, &stack.files[at].1);
        let what = format!("{} in round {round}", stack.name);
        let list = answer(&hostile, &what, |host| hostile.list(host));
        answer(&hostile, &what, |host| hostile.list_logs(host)).ok();
        match &list {
            Ok(list) => {
                assert!(list.is_sorted_by(|one, next| one.name < next.name), "{what}");
                listed += 1;
            }
            Err(_) => refused += 1,
        }
        for line in stack.refs.iter().step_by(17) {
            let name = line.split(' ').next().unwrap().as_bytes();
            for name in [name.to_vec(), [name, b"!"].concat()] {
                let found =
                    answer(&hostile, &what, |host| hostile.ask(host, |stack| stack.get(&name)));
                if let (Ok(list), Ok(found)) = (&list, found) {
                    let right = list.iter().find(|record| record.name == name);
                    assert_eq!(found.as_ref(), right, "{what}");
                }
            }
        }
    }
    assert!(listed > 100 && refused > 100, "{listed} listed, {refused} refused");
}
