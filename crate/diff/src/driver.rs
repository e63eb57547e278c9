//! The languages of the attribute `diff`, each with what looks like the start of a function:
//! <https://git-scm.com/docs/gitattributes>.

mod languages;
mod words;

use languages::{Language, LANGUAGES};
use packlens_base::regex::{LinePart, Regex, Syntax};

/// The most steps of a search in one line, so that a hostile line cannot take forever.
const MOST_STEPS: u64 = 1 << 32;

/// A language that git knows by the value of the attribute `diff`.
#[derive(Clone, Copy, Debug)]
pub struct Driver(&'static Language);

impl Driver {
    /// Returns the language of a name; `None` for one that is unknown here, whose files are
    /// treated as any others.
    pub fn named(name: &[u8]) -> Option<Driver> {
        LANGUAGES.iter().find(|language| language.name.as_bytes() == name).map(Driver)
    }
}

impl Driver {
    /// Returns the expression of the language's words; any other character that is no white space
    /// is a word, too.
    pub(crate) fn words(self) -> Option<String> {
        words::pattern_of(self.0.name)
    }
}

/// Finds the headings of a language.
pub(crate) struct HeadingRule {
    heading: Option<Regex>,
    /// What is no heading, although it looks like one.
    other: Option<Regex>,
    keeps_indent: bool,
    printed: fn(&[u8]) -> &[u8],
}

impl HeadingRule {
    pub(crate) fn of(Driver(language): Driver) -> HeadingRule {
        let Language { heading, other, ignores_case, keeps_indent, printed, .. } = *language;
        let compiled = |pattern: &str| {
            Regex::for_bytes(pattern.as_bytes(), Syntax::Extended, ignores_case).ok()
        };
        let other = Some(other).filter(|other| !other.is_empty());
        HeadingRule {
            heading: compiled(heading),
            other: other.and_then(compiled),
            keeps_indent,
            printed,
        }
    }

    /// Returns what is printed of a line, if it is a heading.
    pub(crate) fn heading<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let part = LinePart { text, is_start: true };
        let found = self.heading.as_ref()?.search(MOST_STEPS).find(part).ok()??;
        let found = text.get(found)?;
        if self.other.as_ref().is_some_and(|other| other.is_in(text)) {
            return None;
        }
        let blanks = found.iter().position(|byte| !b" \t".contains(byte)).unwrap_or(0);
        found.get(if self.keeps_indent { 0 } else { blanks }..).map(self.printed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_patterns_compile() {
        for language in LANGUAGES {
            let rule = HeadingRule::of(Driver(language));
            assert!(rule.heading.is_some(), "{}", language.name);
            assert_eq!(rule.other.is_some(), !language.other.is_empty(), "{}", language.name);
        }
    }
}
