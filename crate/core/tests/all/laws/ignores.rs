//! Files of ignored paths: the rule of a path is that of the last line which, alone in a file,
//! decides about it; and what is in an ignored directory has the rule of that.

use super::input::Input;
use packlens::{ignore_rule, Ignores, PlacedIgnores};

pub fn ignored_paths(data: &[u8]) {
    let mut input = Input(data);
    let (path, is_directory) = (input.sized(), input.flag());
    let text = input.0;
    let file = Ignores::parse(text);
    let rule = |path: &[u8], is_directory| {
        let placed = [PlacedIgnores { base: b"", file: &file }];
        ignore_rule(&placed, path, is_directory).map(|(_, rule)| (rule.line, rule.is_negative))
    };
    let alone = |path: &[u8], is_directory| {
        let lines = text.split(|byte| *byte == b'\n').enumerate();
        let last = lines.filter_map(|(at, line)| {
            let one = Ignores::parse(line);
            let placed = [PlacedIgnores { base: b"", file: &one }];
            let found = ignore_rule(&placed, path, is_directory)?.1.is_negative;
            Some((at as u32 + 1, found))
        });
        last.last()
    };
    let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    let above = ends
        .map(|end| rule(&path[..end], true))
        .find(|found| found.is_some_and(|(_, is_negative)| !is_negative));
    match above {
        Some(ignored) => assert_eq!(rule(path, is_directory), ignored),
        // A line alone may ignore a directory, and each may begin with a mark.
        None if path.contains(&b'/') || text.contains(&0xef) => {}
        None => assert_eq!(rule(path, is_directory), alone(path, is_directory)),
    }
    assert!(file.memory() >= rule(path, is_directory).map_or(0, |_| 1));
}
