//! Files of attributes: two files about the same directory say what one with all lines says.

use super::input::Input;
use packlens::{attribute, attributes, Attributes, AttributesOrigin, PlacedAttributes};

pub fn attributes_of_paths(data: &[u8]) {
    let mut input = Input(data);
    let origin = match input.flag() {
        true => AttributesOrigin::Top,
        false => AttributesOrigin::Subtree,
    };
    let (path, is_directory) = (input.sized(), input.flag());
    let (first, second) = input.0.split_at(input.0.len() / 2);
    let parse = |text: &[u8]| Attributes::parse(text, origin);
    // A NUL ends a file.
    let whole = match first.contains(&0) {
        true => parse(first),
        false => parse(&[first, b"\n", second].concat()),
    };
    let halves = match first.contains(&0) {
        true => [parse(first), Attributes::default()],
        false => [parse(first), parse(second)],
    };
    let base = b"";
    let found = |files: &[&Attributes]| {
        let placed: Vec<_> = files.iter().map(|file| PlacedAttributes { base, file }).collect();
        let all = attributes(&placed, path, is_directory);
        for (name, state) in &all {
            assert_eq!(attribute(&placed, name, path, is_directory), *state);
        }
        all
    };
    assert_eq!(found(&[&whole]), found(&[&halves[0], &halves[1]]));
    assert_eq!(whole.memory(), halves[0].memory() + halves[1].memory());
}
