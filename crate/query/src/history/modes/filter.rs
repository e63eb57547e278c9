//! Which commits a history lists by what is written in them: "Commit Limiting" of
//! <https://git-scm.com/docs/git-log>.

use super::people::People;
use packlens_base::error::Result;
use packlens_base::oid::HashKind;
use packlens_base::regex::{Regex, Syntax};
use packlens_format::object::Commit;

/// Patterns for commits. They are regular expressions; a line feed separates two patterns.
#[derive(Clone, Debug, Default)]
pub struct CommitPatterns {
    /// One of these matches the author: the name, and the address in angle brackets.
    pub author: Vec<Vec<u8>>,
    /// One of these matches the committer.
    pub committer: Vec<Vec<u8>>,
    /// One of these matches a line of the message.
    pub grep: Vec<Vec<u8>>,
    /// Each of `grep` matches a line of the message.
    pub all_match: bool,
    /// The message must not match; authors and committers are not affected.
    pub invert_grep: bool,
    /// Upper and lower case are the same.
    pub ignore_case: bool,
    /// How the patterns are written.
    pub syntax: Syntax,
    /// What a mailmap replaces in authors and committers before they are matched: an address, a
    /// name or nothing for any name, both with small letters for A to Z, the new name and the new
    /// address or nothing to keep them, separated by line feeds.
    pub people: Vec<Vec<u8>>,
    /// Lists no commits from before this time, in seconds since 1970; the walk continues after
    /// one.
    pub since: Option<u64>,
}

/// The compiled patterns.
pub(super) struct CommitFilter {
    author: Vec<Regex>,
    committer: Vec<Regex>,
    grep: Vec<Regex>,
    all_match: bool,
    invert_grep: bool,
    people: People,
}

impl CommitFilter {
    /// Compiles patterns; `None` if there are none.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](packlens_base::ErrorKind::BadInput), [`ErrorKind::Unsupported`](packlens_base::ErrorKind::Unsupported), [`ErrorKind::Limit`](packlens_base::ErrorKind::Limit).
    pub fn new(patterns: &CommitPatterns) -> Result<Option<CommitFilter>> {
        let filter = CommitFilter {
            author: compile(&patterns.author, patterns)?,
            committer: compile(&patterns.committer, patterns)?,
            grep: compile(&patterns.grep, patterns)?,
            all_match: patterns.all_match,
            invert_grep: patterns.invert_grep,
            people: People::new(&patterns.people),
        };
        let all = [&filter.author, &filter.committer, &filter.grep];
        Ok(all.iter().any(|list| !list.is_empty()).then_some(filter))
    }

    /// Returns whether a commit matches.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`](packlens_base::ErrorKind::Corrupt) for content that is no commit.
    pub(super) fn matches(&self, hash: HashKind, content: &[u8]) -> Result<bool> {
        let commit = Commit::decode(hash, content)?;
        let is_latin = commit.encoding().is_some_and(is_latin);
        let has = |patterns: &[Regex], raw: &[u8]| {
            if patterns.is_empty() {
                return true;
            }
            let end = raw.iter().rposition(|byte| *byte == b'>');
            let person = raw.get(..end.map_or(raw.len(), |end| end.saturating_add(1)));
            let person = self.people.known_as(utf8(person.unwrap_or_default(), is_latin));
            patterns.iter().any(|pattern| pattern.is_in(&person))
        };
        if !has(&self.author, commit.author().raw) || !has(&self.committer, commit.committer().raw)
        {
            return Ok(false);
        }
        if self.grep.is_empty() {
            return Ok(true);
        }
        let message = utf8(commit.searched_message(), is_latin);
        let message = message.strip_suffix(b"\n").unwrap_or(&message);
        let in_a_line = |pattern: &Regex| {
            // The empty line before the message counts, as in git.
            let lines = message.split(|byte| *byte == b'\n').chain([&b""[..]]);
            lines.into_iter().any(|line| pattern.is_in(line))
        };
        let found = match self.all_match {
            true => self.grep.iter().all(in_a_line),
            false => self.grep.iter().any(in_a_line),
        };
        Ok(found != self.invert_grep)
    }
}

fn compile(list: &[Vec<u8>], patterns: &CommitPatterns) -> Result<Vec<Regex>> {
    let each = list.iter().flat_map(|pattern| pattern.split(|byte| *byte == b'\n'));
    each.map(|pattern| {
        Regex::written(pattern, patterns.syntax, patterns.ignore_case)
            .map_err(|refused| refused.about(pattern))
    })
    .collect()
}

/// Returns whether an encoding is that of the first 256 characters.
fn is_latin(encoding: &[u8]) -> bool {
    let names: [&[u8]; 4] = [b"ISO-8859-1", b"ISO8859-1", b"latin1", b"latin-1"];
    names.iter().any(|name| encoding.eq_ignore_ascii_case(name))
}

/// Returns a text as UTF-8: of other encodings than Latin-1 the bytes, as git does where it does
/// not know the encoding.
fn utf8(text: &[u8], is_latin: bool) -> Vec<u8> {
    match is_latin {
        true => text.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes(),
        false => text.to_vec(),
    }
}
