//! Checks the hash at the end of each bitmap file, of packs and of multi-pack-indexes. git
//! checks nothing else of them.

use super::finding::{exit, Finding};
use super::shared::Shared;
use packlens_base::error::Result;
use packlens_base::sort;
use packlens_format::checksum::Checksums;
use packlens_query::repository::Repository;

/// The bitmap files of all object directories, one after the other.
#[derive(Default)]
pub(super) struct BitmapFiles {
    directory: usize,
    at: usize,
    paths: Option<Vec<Vec<u8>>>,
}

impl BitmapFiles {
    /// Checks the next file; returns whether all are checked.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        checksums: &mut Checksums,
        repository: &mut Repository,
    ) -> Result<bool> {
        let Some(directory) = repository.odb.directory(&repository.files, self.directory)? else {
            return Ok(true);
        };
        if self.paths.is_none() {
            self.paths = Some(paths_in(repository, &directory)?);
        }
        let Some(path) = self.paths.as_ref().and_then(|paths| paths.get(self.at)) else {
            (self.directory, self.at, self.paths) = (self.directory.saturating_add(1), 0, None);
            return Ok(false);
        };
        if let Some(file) = repository.files.find(path)? {
            if !checksums.check(&repository.files, file, repository.hash())? {
                let finding = Finding::error("badBitmap", exit::BITMAP, "invalid checksum");
                shared.report(finding.at(path));
            }
        }
        self.at = self.at.saturating_add(1);
        Ok(false)
    }
}

fn paths_in(repository: &Repository, directory: &[u8]) -> Result<Vec<Vec<u8>>> {
    let mut paths = Vec::new();
    for folder in [&b"/pack"[..], b"/pack/multi-pack-index.d"] {
        let folder = [directory, folder].concat();
        for name in repository.files.list(&folder)? {
            if name.ends_with(b".bitmap") {
                paths.push([folder.as_slice(), b"/", name].concat());
            }
        }
    }
    sort::names(&mut paths);
    Ok(paths)
}
