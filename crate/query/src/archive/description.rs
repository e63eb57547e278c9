//! `%(describe)` of `export-subst`, which git expands once in an archive: a description takes long.

use crate::history::{Describe, DescribeOptions};
use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::error::{ErrorKind, Result};
use packlens_base::oid::ObjectId;

/// Where the lengths of a record's texts begin.
const TEXTS: usize = 8;
const DEFAULT_CANDIDATES: u32 = 10;

/// The description of an archive's commit.
#[derive(Default)]
pub(super) struct Description {
    describe: Option<Describe>,
    text: Option<Vec<u8>>,
    /// A file has it.
    pub(super) is_spent: bool,
}

impl Description {
    /// Returns the description of a commit; nothing, if no tag describes it.
    pub(super) fn text(
        &mut self,
        repository: &mut Repository,
        id: &ObjectId,
        options: DescribeOptions,
    ) -> Result<&[u8]> {
        if self.text.is_none() {
            let describe =
                self.describe.get_or_insert_with(|| Describe::new(id.to_hex().as_bytes(), options));
            let mut record = Output::default();
            self.text = Some(match describe.fill(repository, &mut record) {
                Ok(()) => last_text(record.as_slice()).to_vec(),
                Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
                Err(error) => return Err(error),
            });
            self.describe = None;
        }
        Ok(self.text.as_deref().unwrap_or_default())
    }

    pub(super) fn memory(&self) -> u64 {
        self.describe.as_ref().map_or(0, Describe::memory)
    }
}

/// Returns the text that git prints: the last one of a record.
fn last_text(record: &[u8]) -> &[u8] {
    let mut rest = record.get(TEXTS..).unwrap_or_default();
    let mut last = rest;
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length) as usize;
        (last, rest) = after.split_at_checked(length).unwrap_or_default();
    }
    last
}

/// Returns what a placeholder asks for, which `format` begins with, and its length; `None` if it
/// is another placeholder, or has an option that is not known.
pub(super) fn asked(format: &[u8]) -> Option<(DescribeOptions, usize)> {
    let end = format.iter().position(|byte| *byte == b')')?;
    let words = format.get(..end)?.strip_prefix(b"(describe")?;
    let mut options =
        DescribeOptions { candidates: DEFAULT_CANDIDATES, ..DescribeOptions::default() };
    if !words.is_empty() {
        let words = words.strip_prefix(b":")?;
        words.split(|byte| *byte == b',').try_for_each(|word| take(word, &mut options))?;
    }
    Some((options, end.saturating_add(1)))
}

fn take(word: &[u8], options: &mut DescribeOptions) -> Option<()> {
    let mut parts = word.splitn(2, |byte| *byte == b'=');
    match (parts.next()?, parts.next()) {
        (b"tags", value) => {
            options.tags = match value {
                None | Some(b"true" | b"yes" | b"on" | b"1") => true,
                Some(b"false" | b"no" | b"off" | b"0" | b"") => false,
                Some(_) => return None,
            }
        }
        (b"abbrev", Some(value)) => {
            options.abbrev = Some(std::str::from_utf8(value).ok()?.parse().ok()?);
        }
        (b"match", Some(value)) => options.matching.push(value.to_vec()),
        (b"exclude", Some(value)) => options.exclude.push(value.to_vec()),
        _ => return None,
    }
    Some(())
}
