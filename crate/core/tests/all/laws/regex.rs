//! Expressions match where a matcher that tries every way matches, in messages and in lines of
//! files.

use super::base::{self, assert_typed, stored};
use super::input::Input;
use crate::common::Host;
use packlens::{ErrorKind, Grep, GrepOptions, HashKind, Matching, ObjectId, ObjectType, Result};
use packlens::{Output, Syntax};
use std::collections::BTreeSet;
use std::ops::Range;

/// An expression, parsed.
enum Slow {
    /// A character of a set, or of none.
    One(Vec<(char, char)>, bool),
    /// An anchor, by its letter in an expression.
    Place(char),
    All(Vec<Slow>),
    Either(Vec<Slow>),
    Repeat(Box<Slow>, usize, Option<usize>),
}

const LETTERS: &[char] = &['a', 'b', 'c', '_', ' ', '\n', 'A', '-', 'é', '.'];

/// A set: its text, its characters, and whether it is negated.
type WrittenSet = (&'static str, &'static [(char, char)], bool);

const SETS: &[WrittenSet] = &[
    (".", &[], true),
    ("[ab]", &[('a', 'b')], false),
    ("[^a-c]", &[('a', 'c')], true),
    ("[]-]", &[(']', ']'), ('-', '-')], false),
    ("[[:upper:]_]", &[('A', 'Z'), ('_', '_')], false),
    ("[[:space:]b-]", &[('\t', '\r'), (' ', ' '), ('b', 'b'), ('-', '-')], false),
    (r"\w", &[('a', 'z'), ('A', 'Z'), ('_', '_'), ('é', 'é')], false),
    (r"\W", &[('a', 'z'), ('A', 'Z'), ('_', '_'), ('é', 'é')], true),
    (r"\s", &[('\t', '\r'), (' ', ' ')], false),
    ("[^\n]", &[('\n', '\n')], true),
];

const PLACES: &[&str] = &["^", "$", r"\b", r"\B", r"\<", r"\>", r"\`", r"\'"];

const REPEATS: &[(&str, usize, Option<usize>)] = &[
    ("*", 0, None),
    ("+", 1, None),
    ("?", 0, Some(1)),
    ("{2}", 2, Some(2)),
    ("{1,3}", 1, Some(3)),
    ("{2,}", 2, None),
    ("{,2}", 0, Some(2)),
    ("{0}", 0, Some(0)),
];

/// Makes a random expression, and its text.
fn either(input: &mut Input<'_>, depth: u8, text: &mut String) -> Slow {
    let mut ways = vec![all(input, depth, text)];
    while input.byte() % 4 == 3 && ways.len() < 4 {
        text.push('|');
        ways.push(all(input, depth, text));
    }
    Slow::Either(ways)
}

fn all(input: &mut Input<'_>, depth: u8, text: &mut String) -> Slow {
    let mut nodes = Vec::new();
    for _ in 0..input.below(5) {
        let choice = input.byte();
        let node = match choice % 8 {
            0..=2 => {
                let letter = input.one_of(LETTERS);
                text.push_str(if letter == '.' { r"\" } else { "" });
                text.push(letter);
                Slow::One(vec![(letter, letter)], false)
            }
            3 | 4 => {
                let (written, ranges, negated) = input.one_of(SETS);
                text.push_str(written);
                Slow::One(ranges.to_vec(), negated)
            }
            5 => {
                let place = input.one_of(PLACES);
                text.push_str(place);
                nodes.push(Slow::Place(place.chars().last().unwrap()));
                continue;
            }
            _ if depth < 5 => {
                text.push('(');
                let node = either(input, depth + 1, text);
                text.push(')');
                node
            }
            _ => continue,
        };
        nodes.push(match REPEATS.get(usize::from(choice >> 3)) {
            Some((written, least, most)) => {
                text.push_str(written);
                Slow::Repeat(Box::new(node), *least, *most)
            }
            None => node,
        });
    }
    Slow::All(nodes)
}

type Places = BTreeSet<usize>;

/// Characters, and whether a line begins with them.
#[derive(Clone, Copy)]
struct Text<'a> {
    chars: &'a [char],
    is_start: bool,
}

impl Slow {
    /// Returns the ends of the matches for each position where one may begin.
    fn ends(&self, text: Text<'_>, from: &Places) -> Places {
        let each = |node: &Slow, from: Places| node.ends(text, &from);
        match self {
            Slow::One(ranges, negated) => {
                let fits = |at: &&usize| {
                    text.chars.get(**at).is_some_and(|one| {
                        ranges.iter().any(|(from, to)| from <= one && one <= to) != *negated
                    })
                };
                from.iter().filter(fits).map(|at| at + 1).collect()
            }
            Slow::Place(place) => {
                from.iter().copied().filter(|at| is_at(*place, text, *at)).collect()
            }
            Slow::All(nodes) => nodes.iter().fold(from.clone(), |from, node| each(node, from)),
            Slow::Either(nodes) => nodes.iter().flat_map(|node| each(node, from.clone())).collect(),
            Slow::Repeat(node, least, most) => {
                let mut ends = (0..*least).fold(from.clone(), |from, _| each(node, from));
                let mut all = ends.clone();
                for _ in *least..most.unwrap_or(usize::MAX) {
                    ends = each(node, ends);
                    let known = all.len();
                    all.extend(&ends);
                    // A repetition that reaches no new position never will.
                    if all.len() == known {
                        break;
                    }
                }
                all
            }
        }
    }

    /// Returns the first match, and of those that begin there the longest.
    fn first(&self, text: Text<'_>) -> Option<Range<usize>> {
        (0..=text.chars.len()).find_map(|start| {
            let end = self.ends(text, &Places::from([start])).last().copied()?;
            Some(start..end)
        })
    }

    /// Returns the matches of a line, each of which begins where the one before ends or later.
    fn spans(&self, line: &[char]) -> Vec<Range<usize>> {
        let (mut found, mut from) = (Vec::new(), 0);
        while from < line.len() {
            let text = Text { chars: &line[from..], is_start: from == 0 };
            let Some(span) = self.first(text).filter(|span| !span.is_empty()) else { break };
            found.push(from + span.start..from + span.end);
            from += span.end;
        }
        found
    }
}

fn is_at(place: char, Text { chars: text, is_start }: Text<'_>, at: usize) -> bool {
    let is_word = |one: Option<&char>| one.is_some_and(|one| one.is_alphabetic() || *one == '_');
    let before = at > 0 && is_word(text.get(at - 1));
    let after = is_word(text.get(at));
    match place {
        '^' | '`' => at == 0 && is_start,
        '$' | '\'' => at == text.len(),
        'b' => before != after,
        'B' => before == after,
        '<' => !before && after,
        _ => before && !after,
    }
}

/// A repository of one commit with a message, and its id.
fn of_message(message: &str) -> (Host, ObjectId) {
    let hash = HashKind::Sha1;
    let tree = "1".repeat(hash.hex_len());
    let text = format!("tree {tree}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\n{message}");
    let (id, path, file) = stored(hash, ObjectType::Commit, text.as_bytes());
    let head = id.to_hex();
    let files = [(path.as_str(), file.as_slice()), ("HEAD", head.as_bytes())];
    (base::host(&files, hash, 1 << 30), id)
}

/// Returns whether a commit's message matches; an invalid expression never does.
fn is_found((host, id): &mut (Host, ObjectId), pattern: &[u8]) -> Result<bool> {
    let spec = [b":/", pattern].concat();
    match host.ask(|repository| repository.resolve(&spec)) {
        Ok(found) => {
            assert_eq!(found, *id);
            Ok(true)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => {
            assert_typed(&error);
            Err(error)
        }
    }
}

/// Expressions of letters, sets, anchors and repetitions match where they should; any other
/// bytes are an expression or none, the same on each call.
pub fn regex(data: &[u8]) {
    let mut input = Input(data);
    if input.flag() {
        let pattern = input.sized();
        let mut host = of_message(&String::from_utf8_lossy(input.take(200)));
        // A mark at the beginning negates the search.
        if pattern.is_empty() || pattern.starts_with(b"!") {
            return;
        }
        let once = is_found(&mut host, pattern);
        if once == Ok(true) {
            let twice = is_found(&mut host, &[pattern, b"|", pattern].concat());
            assert!(twice.is_err() || twice == Ok(true), "the second search differs");
        }
        return;
    }
    let mut pattern = String::new();
    let slow = either(&mut input, 0, &mut pattern);
    let text: Vec<char> =
        input.take(24).iter().map(|byte| LETTERS[usize::from(*byte) % LETTERS.len()]).collect();
    if pattern.is_empty() {
        return;
    }
    let found = is_found(&mut of_message(&text.iter().collect::<String>()), pattern.as_bytes());
    // So many repetitions of repetitions take more steps than there may be.
    if found.as_ref().is_err_and(|error| error.kind() == ErrorKind::Limit) {
        return;
    }
    let all = Text { chars: &text, is_start: true };
    let right = !slow.ends(all, &(0..=text.len()).collect()).is_empty();
    assert_eq!(found, Ok(right), "{pattern:?} in {text:?}");
    // A line feed would separate two expressions.
    if !pattern.contains('\n') {
        let text: String = text.iter().collect();
        lines_are_found(&slow, pattern.as_bytes(), text.trim_end_matches('\n'));
    }
}

/// What a search lists of a line: its number, the first byte of the first match from 1, and the
/// bytes of all matches.
type Listed = (u32, u32, Vec<(u32, u32)>);

fn lines_are_found(slow: &Slow, pattern: &[u8], text: &str) {
    let hash = HashKind::Sha1;
    let (id, path, file) = stored(hash, ObjectType::Blob, text.as_bytes());
    let mut host = base::host(&[(path.as_str(), file.as_slice())], hash, 1 << 30);
    let matching = Matching { syntax: Syntax::Extended, ..Matching::default() };
    let options = GrepOptions { matching, columns: true, ..GrepOptions::default() };
    let tokens = [[b"p", pattern].concat()];
    let mut search = Grep::new(id.to_hex().as_bytes(), &tokens, options).unwrap();
    let mut out = Output::default();
    while !host.ask(|repository| search.fill(repository, 1 << 20, &mut out)).unwrap() {}
    let mut right = Vec::new();
    for (number, line) in (1..).zip(text.split('\n')).filter(|_| !text.is_empty()) {
        let chars: Vec<char> = line.chars().collect();
        let byte = |at: usize| chars[..at].iter().map(|one| one.len_utf8() as u32).sum::<u32>();
        if let Some(first) = slow.first(Text { chars: &chars, is_start: true }) {
            let spans = slow.spans(&chars).into_iter();
            let spans = spans.map(|span| (byte(span.start), byte(span.end))).collect();
            right.push((number, byte(first.start) + 1, spans));
        }
    }
    assert_eq!(listed(out.as_slice()), right, "{:?} in {text:?}", String::from_utf8_lossy(pattern));
}

/// Reads the records of a search.
fn listed(mut records: &[u8]) -> Vec<Listed> {
    let mut all = Vec::new();
    while !records.is_empty() {
        let mut number = || {
            let (first, rest) = records.split_first_chunk().unwrap();
            records = rest;
            u32::from_le_bytes(*first)
        };
        let [_, line, column, spans, path, text] = [(); 6].map(|()| number());
        let spans = (0..spans).map(|_| (number(), number())).collect();
        all.push((line, column, spans));
        records = &records[(path + text) as usize..];
    }
    all
}
