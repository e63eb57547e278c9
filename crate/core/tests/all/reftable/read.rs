//! Whole tables give git's answers, in parts of any size.

use super::stacks::{self, line, list_from, log_line};
use packlens::{ErrorKind, ObjectId, RefValue};
use std::collections::BTreeMap;

const PARTS: [u64; 5] = [1, 7, 512, 65536, 1 << 30];

#[test]
fn refs_are_those_that_git_lists() {
    for stack in stacks::all() {
        for part in PARTS {
            let list = stack.list(&mut stack.host(part)).unwrap();
            assert!(list.is_sorted_by(|one, next| one.name < next.name));
            // git does not list a symbolic ref to nothing.
            let mut lines: Vec<String> =
                list.iter().filter_map(|record| line(record, &list)).collect();
            lines.sort();
            assert_eq!(lines, stack.refs, "{} in parts of {part}", stack.name);
        }
    }
}

#[test]
fn logs_are_those_that_git_lists() {
    for stack in stacks::all() {
        for part in PARTS {
            let list = stack.list_logs(&mut stack.host(part)).unwrap();
            let key = |at: usize| (&list[at].name, !list[at].update_index);
            assert!((1..list.len()).all(|at| key(at - 1) < key(at)), "{}", stack.name);
            // A log that is empty is kept by an entry that changes nothing.
            let changes = list.iter().filter(|log| !(log.old.is_null() && log.new.is_null()));
            let mut lines: Vec<String> = changes.map(log_line).collect();
            lines.sort();
            assert_eq!(lines, stack.logs, "{} in parts of {part}", stack.name);
        }
    }
}

/// Dulwich takes the second ref for a restart point, also where its name shares its
/// beginning with the first one. git reads no ref there.
#[test]
fn a_restart_point_that_is_not_whole_is_refused_as_git_refuses_it() {
    let stack = stacks::refused();
    for part in PARTS {
        let mut host = stack.host(part);
        assert_eq!(stack.list(&mut host).unwrap_err().kind(), ErrorKind::Corrupt);
        for at in 0..5 {
            let name = format!("refs/heads/b{at:03}").into_bytes();
            let found = stack.ask(&mut host, |stack| stack.get(&name));
            assert_eq!(found.unwrap_err().kind(), ErrorKind::Corrupt, "in parts of {part}");
        }
    }
}

#[test]
fn every_ref_is_found_and_no_missing_one() {
    for stack in stacks::all() {
        for part in [7, 512, 1 << 30] {
            let mut host = stack.host(part);
            let list = stack.list(&mut host).unwrap();
            for record in &list {
                let name = &record.name;
                let found = stack.ask(&mut host, |stack| stack.get(name)).unwrap();
                assert_eq!(found.as_ref(), Some(record), "{}", stack.name);
                for other in [&name[..name.len() - 1], &[name, &b"x"[..]].concat()] {
                    if list.iter().all(|record| record.name != other) {
                        let found = stack.ask(&mut host, |stack| stack.get(other)).unwrap();
                        assert_eq!(found, None, "{}", stack.name);
                    }
                }
            }
        }
    }
}

#[test]
fn a_list_begins_where_it_is_asked_to() {
    for stack in stacks::all() {
        let mut host = stack.host(512);
        let list = stack.list(&mut host).unwrap();
        let names = list.iter().map(|record| record.name.clone());
        let between = names.clone().map(|name| [&name[..], b"!"].concat());
        for name in names.chain(between).chain([b"A".to_vec(), b"z".to_vec()]).step_by(7) {
            let found = stack.ask(&mut host, |stack| list_from(stack, &name)).unwrap();
            let after = list.iter().skip_while(|record| record.name < name);
            assert!(after.eq(&found), "{} from {name:?}", stack.name);
        }
    }
}

#[test]
fn refs_that_point_at_an_object() {
    for stack in stacks::all() {
        let mut host = stack.host(1 << 30);
        let list = stack.list(&mut host).unwrap();
        let mut by_id: BTreeMap<ObjectId, Vec<_>> = BTreeMap::new();
        for record in &list {
            if let RefValue::Id(id) = record.value {
                by_id.entry(id).or_default().push(record.clone());
            }
            if let Some(peeled) = record.peeled.flatten() {
                by_id.entry(peeled).or_default().push(record.clone());
            }
        }
        for (id, records) in by_id {
            let found = stack.ask(&mut host, |stack| stack.pointing_at(&id)).unwrap();
            assert_eq!(found, records, "{}", stack.name);
        }
        let none = ObjectId::from_bytes(stack.hash, &[7; 32]).unwrap();
        assert_eq!(stack.ask(&mut host, |stack| stack.pointing_at(&none)).unwrap(), []);
    }
}
