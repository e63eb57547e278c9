//! What files of attributes say about a path together.

use super::{Assignment, AttributeState, Attributes, Rule};

/// A file of attributes, and the directory that it is about: empty, or with a slash at its end.
#[derive(Clone, Copy, Debug)]
pub struct PlacedAttributes<'a> {
    /// The directory.
    pub base: &'a [u8],
    /// The lines.
    pub file: &'a Attributes,
}

/// What git itself says of `binary`.
const BINARY: [&[u8]; 3] = [b"diff", b"merge", b"text"];

/// Returns what is said about an attribute of a path. The files with the least weight come first:
/// the one at the top, those in the directories above the path, then `info/attributes`.
pub fn attribute(
    files: &[PlacedAttributes<'_>],
    name: &[u8],
    path: &[u8],
    is_directory: bool,
) -> AttributeState {
    let all = attributes(files, path, is_directory);
    let found = all.into_iter().find(|(other, _)| other == name);
    found.map_or(AttributeState::Unspecified, |(_, state)| state)
}

/// Returns what is said about all attributes of a path, in no particular order: see [`attribute`].
pub fn attributes(
    files: &[PlacedAttributes<'_>],
    path: &[u8],
    is_directory: bool,
) -> Vec<Assignment> {
    let mut all = Vec::new();
    for PlacedAttributes { base, file } in files.iter().rev() {
        for rule in file.rules.iter().rev() {
            match rule {
                Rule::Path(pattern, own) if pattern.matches(base, path, is_directory) => {
                    assign(files, own, &mut all);
                }
                _ => {}
            }
        }
    }
    all
}

/// Adds assignments that do not contradict earlier ones, and those of macros among them.
fn assign(files: &[PlacedAttributes<'_>], own: &[Assignment], all: &mut Vec<Assignment>) {
    // The next ones are at the end: a macro is expanded before the rest of its line.
    let mut pending: Vec<&Assignment> = own.iter().collect();
    let unset: Vec<Assignment> =
        BINARY.iter().map(|name| (name.to_vec(), AttributeState::Unset)).collect();
    while let Some((name, state)) = pending.pop() {
        if all.iter().any(|(other, _)| other == name) {
            continue;
        }
        all.push((name.clone(), state.clone()));
        if *state == AttributeState::Set {
            match definition(files, name) {
                Some(own) => pending.extend(own),
                None if name == b"binary" => pending.extend(&unset),
                None => {}
            }
        }
    }
}

/// Returns the last definition of a macro, in the file with the most weight.
fn definition<'a>(files: &[PlacedAttributes<'a>], name: &[u8]) -> Option<&'a [Assignment]> {
    files.iter().rev().find_map(|placed| {
        placed.file.rules.iter().rev().find_map(|rule| match rule {
            Rule::Macro(other, own) if other == name => Some(own.as_slice()),
            _ => None,
        })
    })
}
