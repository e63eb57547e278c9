//! Answers in the format of `git cat-file --batch` and its relatives.

use crate::batch::Fields;
use crate::odb::{Filter, ObjectInfo, ReadHint, Verify};
use crate::repository::Repository;
use crate::revision::is_final;
use crate::stream::ContentStream;
use crate::unchecked::Unchecked;
use packlens_base::appender::{Append, Appender, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;

/// The format of an object's line: text with atoms such as `%(objectname)`.
#[derive(Clone, Debug)]
pub struct BatchFormat {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(Vec<u8>),
    Atom(Atom),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Atom {
    ObjectName,
    ObjectType,
    ObjectSize,
    DiskSize,
    DeltaBase,
    Rest,
}

/// Options for the answers.
#[derive(Clone, Copy, Debug)]
pub struct BatchMode {
    /// Whether the content follows the line.
    pub contents: bool,
    /// The byte that ends a line, and the content.
    pub delimiter: u8,
}

/// The result of answering a request.
pub enum Answer {
    /// The whole answer was appended to the output.
    Whole,
    /// Nothing was appended: the answer comes in chunks.
    Large(Box<LargeAnswer>),
}

/// An answer with too much content to make at once: the line and the start of the content,
/// then more content, and at last the delimiter.
pub struct LargeAnswer {
    line: Vec<u8>,
    content: ContentStream,
    delimiter: u8,
    made: u64,
}

impl LargeAnswer {
    /// Appends to `out` until that is `capacity` bytes long; the line and the delimiter are
    /// never cut. Returns whether the answer is complete.
    ///
    /// # Errors
    ///
    /// As [`ContentStream::fill`]. After an error other than missing bytes the answer ends;
    /// bytes that were appended before stay.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        let before = out.len();
        let filled = self.append(repository, capacity, out);
        self.made = self.made.saturating_add(out.len().saturating_sub(before) as u64);
        filled
    }

    fn append(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        out.appender().bytes(&std::mem::take(&mut self.line))?;
        let done = self.content.fill(repository, capacity, out)?;
        if done {
            out.appender().u8(self.delimiter)?;
        }
        Ok(done)
    }

    /// Returns how many bytes of memory the answer takes.
    pub fn memory(&self) -> u64 {
        self.content.memory()
    }

    /// Returns how many bytes of the answer were made so far.
    pub fn made(&self) -> u64 {
        self.made
    }
}

impl BatchFormat {
    /// git's default format: id, type and size.
    pub const DEFAULT: &'static [u8] = b"%(objectname) %(objecttype) %(objectsize)";

    /// Parses a format. `%%` is a percent sign; a single `%` that does not start an atom is
    /// kept.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for an unknown atom, about its name; or for a missing
    /// parenthesis, about the rest of the format.
    pub fn parse(format: &[u8]) -> Result<BatchFormat> {
        let mut pieces = Vec::new();
        let mut text = Vec::new();
        let mut rest = format;
        while let Some((byte, after)) = rest.split_first() {
            rest = after;
            if *byte != b'%' {
                text.push(*byte);
            } else if let Some(after) = rest.strip_prefix(b"(") {
                let end = after.iter().position(|byte| *byte == b')');
                let (name, after) = end
                    .and_then(|end| after.split_at_checked(end))
                    .ok_or_else(|| bad("format element without `)`", rest))?;
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Atom(atom(name)?));
                rest = after.get(1..).unwrap_or_default();
            } else {
                rest = rest.strip_prefix(b"%").unwrap_or(rest);
                text.push(b'%');
            }
        }
        pieces.push(Piece::Text(text));
        Ok(BatchFormat { pieces })
    }

    /// Returns whether the format splits a request into a name and the rest after it.
    pub fn uses_rest(&self) -> bool {
        self.uses(Atom::Rest)
    }

    fn uses(&self, atom: Atom) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Atom(own) if *own == atom))
    }

    /// Returns whether the line of an object depends on nothing but its id.
    pub fn is_of_names(&self) -> bool {
        let needs_object = |piece: &Piece| match piece {
            Piece::Text(_) | Piece::Atom(Atom::ObjectName | Atom::Rest) => false,
            Piece::Atom(_) => true,
        };
        !self.pieces.iter().any(needs_object)
    }

    /// Appends the line of an object without reading the object.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there is no memory for the line.
    pub(crate) fn append_name(&self, id: &ObjectId, delimiter: u8, out: &mut Output) -> Result<()> {
        let mut out = out.appender();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.bytes(text)?,
                Piece::Atom(Atom::ObjectName) => out.bytes(id.to_hex().as_bytes())?,
                Piece::Atom(_) => {}
            }
        }
        out.u8(delimiter)
    }

    fn fields(&self, contents: bool) -> Fields {
        let storage = self.uses(Atom::DiskSize) || self.uses(Atom::DeltaBase);
        Fields { content: contents, storage }
    }

    fn append(&self, info: &ObjectInfo, rest: &[u8], out: &mut Appender<'_>) -> Result<()> {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.bytes(text)?,
                Piece::Atom(Atom::ObjectName) => out.bytes(info.id.to_hex().as_bytes())?,
                Piece::Atom(Atom::ObjectType) => out.bytes(info.object_type.name().as_bytes())?,
                Piece::Atom(Atom::ObjectSize) => out.bytes(info.size.to_string().as_bytes())?,
                Piece::Atom(Atom::DiskSize) => {
                    out.bytes(info.disk_size.unwrap_or(0).to_string().as_bytes())?;
                }
                Piece::Atom(Atom::DeltaBase) => {
                    let zeros = vec![b'0'; info.id.hash().hex_len()];
                    let base = info.delta_base.map(|base| base.to_hex().into_bytes());
                    out.bytes(&base.unwrap_or(zeros))?;
                }
                Piece::Atom(Atom::Rest) => out.bytes(rest)?,
            }
        }
        Ok(())
    }
}

fn atom(name: &[u8]) -> Result<Atom> {
    Ok(match name {
        b"objectname" => Atom::ObjectName,
        b"objecttype" => Atom::ObjectType,
        b"objectsize" => Atom::ObjectSize,
        b"objectsize:disk" => Atom::DiskSize,
        b"deltabase" => Atom::DeltaBase,
        b"rest" => Atom::Rest,
        _ => return Err(bad("unknown format element", name)),
    })
}

#[cold]
fn bad(what: &'static str, about: &[u8]) -> Error {
    Error::new(ErrorKind::BadInput, what).about(about)
}

impl Repository {
    /// Answers a request with a line at the end of `out` and, if the mode says so, the content
    /// right after it, with one look-up. Large content that is not a delta is returned as a
    /// [`LargeAnswer`].
    ///
    /// A name without an object, with several, or with one that the filter excludes is
    /// answered by `<name> missing`, `<name> ambiguous` or `<name> excluded`.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; damaged objects, and objects that are too large.
    pub fn answer(
        &mut self,
        name: &[u8],
        rest: &[u8],
        format: &BatchFormat,
        mode: BatchMode,
        filter: &Filter,
        out: &mut Output,
    ) -> Result<Answer> {
        let found = match self.resolve(name) {
            Ok(id) if self.is_excluded(&id, filter)? => Ok(None),
            Ok(id) => {
                let asked = (&id, &ReadHint::default());
                self.answer_id(asked, rest, format, mode, None, out).map(Some)
            }
            Err(error) => Err(error),
        };
        let word = match found {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) => &b" excluded"[..],
            Err(error) if error.kind() == ErrorKind::NotFound && !is_final(&error) => b" missing",
            Err(error) if error.kind() == ErrorKind::Ambiguous => b" ambiguous",
            Err(error) => return Err(error),
        };
        let mut out = out.appender();
        out.bytes(name)?;
        out.bytes(word)?;
        out.u8(mode.delimiter)?;
        Ok(Answer::Whole)
    }

    fn is_excluded(&mut self, id: &ObjectId, filter: &Filter) -> Result<bool> {
        Ok(!filter.wants_all()
            && !self.odb.is_selected(&mut self.files, id, &ReadHint::default(), filter)?)
    }

    /// Answers a request for an object by its id. With `unchecked` the content is checked
    /// later; the number is the index of the request.
    ///
    /// # Errors
    ///
    /// As [`Repository::answer`], and [`ErrorKind::NotFound`].
    pub(crate) fn answer_id(
        &mut self,
        asked: (&ObjectId, &ReadHint<'_>),
        rest: &[u8],
        format: &BatchFormat,
        mode: BatchMode,
        unchecked: Option<(&mut Unchecked, u32)>,
        out: &mut Output,
    ) -> Result<Answer> {
        let verify = if unchecked.is_some() { Verify::None } else { self.verify };
        let mut out = out.appender();
        let start = out.position();
        let mut content_start = start;
        let fields = format.fields(mode.contents);
        let storage = match fields.storage && mode.contents {
            true => Some(self.append_object(
                asked,
                Fields { content: false, storage: true },
                verify,
                &mut out,
                &mut |_, _| Ok(()),
            )?),
            false => None,
        };
        let most = self.most_output() as u64;
        let appended = self
            .append_object(asked, fields, verify, &mut out, &mut |info, out| {
                if mode.contents && info.delta_depth == 0 && info.size > most {
                    return Err(Error::new(
                        ErrorKind::Limit,
                        "the object is too large to be answered in one piece",
                    ));
                }
                format.append(storage.as_ref().unwrap_or(info), rest, out)?;
                out.u8(mode.delimiter)?;
                content_start = out.position();
                Ok(())
            })
            .and_then(|info| {
                let content = content_start..out.position();
                if mode.contents {
                    out.u8(mode.delimiter)?;
                }
                Ok((info.object_type, content))
            });
        match appended {
            Ok((object_type, content)) => {
                if let Some((unchecked, at)) = unchecked {
                    unchecked.push((*asked.0, object_type), (at, start), content);
                }
                Ok(Answer::Whole)
            }
            Err(error) => {
                out.rewind(start);
                drop(out);
                match error.kind() == ErrorKind::Limit && mode.contents {
                    true => {
                        self.large_answer(asked, rest, format, mode, storage).map(Answer::Large)
                    }
                    false => Err(error),
                }
            }
        }
    }

    fn large_answer(
        &mut self,
        asked: (&ObjectId, &ReadHint<'_>),
        rest: &[u8],
        format: &BatchFormat,
        mode: BatchMode,
        storage: Option<ObjectInfo>,
    ) -> Result<Box<LargeAnswer>> {
        let content = ContentStream::open_id(self, asked, self.verify, (0, u64::MAX))?;
        let mut line = Output::default();
        let mut appender = line.appender();
        format.append(storage.as_ref().unwrap_or(content.info()), rest, &mut appender)?;
        appender.u8(mode.delimiter)?;
        drop(appender);
        let (line, delimiter) = (line.into_vec(), mode.delimiter);
        Ok(Box::new(LargeAnswer { line, content, delimiter, made: 0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_as_git_reads_them() {
        let format = BatchFormat::parse(b"a%%b%c%(rest)%").unwrap();
        assert!(format.uses_rest());
        let texts: Vec<_> = format
            .pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Text(text) => Some(String::from_utf8_lossy(text)),
                Piece::Atom(_) => None,
            })
            .collect();
        assert_eq!(texts, ["a%b%c", "%"]);
        for format in ["%(nothing)", "%(objectname", "%()"] {
            assert!(BatchFormat::parse(format.as_bytes()).is_err(), "{format}");
        }
    }
}
