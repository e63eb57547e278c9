//! Parses an element of a pathspec into its magic and its path.

use packlens_base::error::{Error, ErrorKind, Result};

/// The most bytes of an element.
const MOST_BYTES: usize = 64 << 10;

/// The characters that are reserved for magic after a colon; only some have a meaning.
const MAGIC_CHARACTERS: &[u8] = b"!\"#%&',-/;<=>@_`~^";

/// An element and its magic.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Parsed<'a> {
    /// The path from the root: without empty names, `.` and `..`; a slash at its end is kept.
    pub(super) path: Vec<u8>,
    /// How many bytes of the path are the current directory.
    pub(super) exact: usize,
    pub(super) is_literal: bool,
    pub(super) is_glob: bool,
    pub(super) is_icase: bool,
    pub(super) is_exclude: bool,
    element: &'a [u8],
}

/// Parses an element.
pub(super) fn element(element: &[u8]) -> Result<Parsed<'_>> {
    let mut parsed = Parsed { element, ..Parsed::default() };
    if element.len() > MOST_BYTES {
        return Err(Error::new(ErrorKind::Limit, "a pathspec is too long").about(element));
    }
    let path = match element {
        [] => {
            let what = "an empty string is no pathspec, '.' matches all paths";
            return Err(Error::new(ErrorKind::BadInput, what).about("''"));
        }
        [b':', b'(', magic @ ..] => {
            let end = magic.iter().position(|byte| *byte == b')');
            let end = end.ok_or_else(|| parsed.error("the magic of a pathspec has no ')'"))?;
            let (words, path) = magic.split_at_checked(end).unwrap_or_default();
            words.split(|byte| *byte == b',').try_for_each(|word| parsed.take_word(word))?;
            path.get(1..).unwrap_or_default()
        }
        [b':', rest @ ..] => {
            let is_magic = |byte: &u8| MAGIC_CHARACTERS.contains(byte);
            let count = rest.iter().take_while(|byte| is_magic(byte)).count();
            let (signs, path) = rest.split_at_checked(count).unwrap_or_default();
            for sign in signs {
                match sign {
                    b'/' => {}
                    b'!' | b'^' => parsed.is_exclude = true,
                    _ => return Err(parsed.error("a pathspec has an unknown magic character")),
                }
            }
            path.strip_prefix(b":").unwrap_or(path)
        }
        path => path,
    };
    if parsed.is_literal && parsed.is_glob {
        return Err(parsed.error("the magic 'literal' and 'glob' of a pathspec are incompatible"));
    }
    parsed.path = parsed.normalized(path)?;
    parsed.exact = parsed.exact.min(parsed.path.len());
    Ok(parsed)
}

impl Parsed<'_> {
    fn take_word(&mut self, word: &[u8]) -> Result<()> {
        match word {
            b"" | b"top" => {}
            b"literal" => self.is_literal = true,
            b"glob" => self.is_glob = true,
            b"icase" => self.is_icase = true,
            b"exclude" => self.is_exclude = true,
            _ if word.starts_with(b"attr:") => {
                let what = "pathspecs with the magic 'attr' are not supported";
                return Err(Error::new(ErrorKind::Unsupported, what).about(self.element));
            }
            _ => {
                let digits = word.strip_prefix(b"prefix:");
                let number = digits.and_then(|digits| std::str::from_utf8(digits).ok());
                let number = number.and_then(|number| number.parse::<u32>().ok());
                let unknown = || self.error("a pathspec has unknown magic");
                self.exact = number.ok_or_else(unknown)? as usize;
            }
        }
        Ok(())
    }

    fn normalized(&self, path: &[u8]) -> Result<Vec<u8>> {
        let mut names: Vec<&[u8]> = Vec::new();
        let mut ends_in_directory = false;
        for name in path.split(|byte| *byte == b'/') {
            ends_in_directory = matches!(name, b"" | b"." | b"..");
            match name {
                b"" | b"." => {}
                b".." => {
                    let outside = || self.error("a pathspec is outside of the tree");
                    names.pop().ok_or_else(outside)?;
                }
                _ => names.push(name),
            }
        }
        let mut normalized = names.join(&b'/');
        if ends_in_directory && !normalized.is_empty() {
            normalized.push(b'/');
        }
        Ok(normalized)
    }

    #[cold]
    fn error(&self, what: &'static str) -> Error {
        Error::new(ErrorKind::BadInput, what).about(self.element)
    }
}
