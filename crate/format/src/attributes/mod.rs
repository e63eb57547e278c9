//! The files `.gitattributes` and `info/attributes`: <https://git-scm.com/docs/gitattributes>.

mod line;
mod pattern;
mod resolve;

pub use line::is_attribute_name;
pub use pattern::PathPattern;
pub use resolve::{attribute, attributes, PlacedAttributes};

use line::line;

/// The size from which git ignores a file.
pub const MAX_ATTRIBUTES_LEN: u64 = 100 << 20;

/// What a line says of an attribute.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum AttributeState {
    /// `name`
    Set,
    /// `-name`
    Unset,
    /// `!name`: lines with less weight do not count either.
    Unspecified,
    /// `name=value`
    Value(Vec<u8>),
}

/// An attribute with what a line says of it.
pub type Assignment = (Vec<u8>, AttributeState);

/// A line of the file.
#[derive(Clone, Debug)]
enum Rule {
    /// `[attr]name …`: what else is assigned where this attribute is set.
    Macro(Vec<u8>, Vec<Assignment>),
    Path(PathPattern, Vec<Assignment>),
}

/// Where a file of attributes is. Macros count except in a subtree; only `info/attributes` may begin with a
/// byte order mark, and is read on after a NUL.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AttributesOrigin {
    /// `.gitattributes` at the top of a tree.
    Top,
    /// `info/attributes`, which git reads from a file.
    Info,
    /// `.gitattributes` in another directory.
    Subtree,
}

/// The lines of a file, without those that git ignores.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    rules: Vec<Rule>,
    memory: u64,
}

impl Attributes {
    /// Parses a file. Malformed lines are ignored, as git does with a warning.
    pub fn parse(text: &[u8], origin: AttributesOrigin) -> Attributes {
        Attributes::parse_with_case(text, origin, false)
    }

    /// As [`Attributes::parse`]; with `fold_case`, the case of ASCII letters in patterns does not count.
    pub fn parse_with_case(text: &[u8], origin: AttributesOrigin, fold_case: bool) -> Attributes {
        let mut found = Attributes::default();
        if text.len() as u64 >= MAX_ATTRIBUTES_LEN {
            return found;
        }
        // git reads C strings: one for each line of a file, one for the whole of a blob.
        let before_nul = |text| <[u8]>::split(text, |byte| *byte == 0).next().unwrap_or_default();
        let text = match origin {
            AttributesOrigin::Info => text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text),
            _ => before_nul(text),
        };
        let allows_macros = origin != AttributesOrigin::Subtree;
        for text in text.split(|byte| *byte == b'\n') {
            if let Some(rule) = line(before_nul(text), allows_macros, fold_case) {
                let size = size_of::<Rule>().saturating_add(rule.memory());
                found.memory = found.memory.saturating_add(size as u64);
                found.rules.push(rule);
            }
        }
        found
    }

    /// Returns whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns the names of all attributes in the order of the lines, some several times.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.rules.iter().flat_map(|rule| {
            let (head, all) = match rule {
                Rule::Macro(name, all) => (Some(name), all),
                Rule::Path(_, all) => (None, all),
            };
            head.into_iter().chain(all.iter().map(|(name, _)| name)).map(Vec::as_slice)
        })
    }

    /// Returns how many bytes of memory the lines take.
    pub fn memory(&self) -> u64 {
        self.memory
    }
}

impl Rule {
    fn memory(&self) -> usize {
        let (head, all) = match self {
            Rule::Macro(name, all) => (name.len(), all),
            Rule::Path(pattern, all) => (pattern.memory(), all),
        };
        all.iter().fold(head, |sum, (name, state)| {
            let value = match state {
                AttributeState::Value(value) => value.len(),
                _ => 0,
            };
            let own = size_of::<Assignment>().saturating_add(name.len()).saturating_add(value);
            sum.saturating_add(own)
        })
    }
}
