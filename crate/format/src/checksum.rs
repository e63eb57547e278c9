//! Checks files against the hash in their trailer, once for each file.

use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::Result;
use packlens_base::hash::Hasher;
use packlens_base::oid::HashKind;

/// The files that were checked against the hash in their trailer.
#[derive(Default)]
pub struct Checksums(Vec<(FileId, Check)>);

enum Check {
    Going { hasher: Hasher, offset: u64 },
    Done { good: bool },
}

impl Checksums {
    /// Like [`Checksums::check`]; returns `false` for a file that cannot be read.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn is_whole(&mut self, files: &Files, file: FileId, hash: HashKind) -> Result<bool> {
        match self.check(files, file, hash) {
            Err(error) if !error.is_missing() => Ok(false),
            checked => checked,
        }
    }

    /// Returns whether a file matches the hash in its trailer; `false` if it is too short to
    /// have one. Each file is hashed once; a retry after missing bytes resumes.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the file cannot be read.
    pub fn check(&mut self, files: &Files, file: FileId, hash: HashKind) -> Result<bool> {
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
