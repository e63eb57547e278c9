//! Whether a file is what the hash at its end says.

use crate::block::{BlockSource, FileId, Files};
use crate::error::Result;
use crate::hash::Hasher;
use crate::oid::HashKind;

/// Which files were found to be what the hash at their end says.
#[derive(Default)]
pub(crate) struct Checksums(Vec<(FileId, Check)>);

enum Check {
    Going { hasher: Hasher, offset: u64 },
    Done { good: bool },
}

impl Checksums {
    /// As [`Checksums::check`]; a file that cannot be read is not what it says either.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(crate) fn is_whole(&mut self, files: &Files, file: FileId, hash: HashKind) -> Result<bool> {
        match self.check(files, file, hash) {
            Err(error) if !error.is_missing() => Ok(false),
            checked => checked,
        }
    }

    /// Tells whether a file is what the hash at its end says; one that is too short
    /// for that is not. Each is hashed once. Where bytes are missing it goes on from
    /// there when asked again.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt) if they cannot be read.
    pub(crate) fn check(&mut self, files: &Files, file: FileId, hash: HashKind) -> Result<bool> {
        let source = files.source(file);
        let at = match self.0.iter().position(|(known, _)| *known == file) {
            Some(at) => at,
            None => {
                self.0.push((file, Check::Going { hasher: Hasher::new(hash), offset: 0 }));
                self.0.len().saturating_sub(1)
            }
        };
        let Some((_, check)) = self.0.get_mut(at) else {
            return Ok(false);
        };
        if let Check::Going { hasher, offset } = check {
            let good = match source.size().checked_sub(hash.len() as u64) {
                None => false,
                Some(end) => {
                    while *offset < end {
                        let left = end.saturating_sub(*offset);
                        let run = source.run_at(*offset).map_err(|error| error.widened(left))?;
                        let length = usize::try_from(left).unwrap_or(usize::MAX).min(run.len());
                        hasher.update(run.get(..length).unwrap_or_default());
                        *offset = offset.saturating_add(length as u64);
                    }
                    let mut trailer = vec![0; hash.len()];
                    source.read_at(end, &mut trailer)?;
                    hasher.clone().finish().as_bytes() == trailer
                }
            };
            *check = Check::Done { good };
        }
        Ok(matches!(check, Check::Done { good: true }))
    }
}
