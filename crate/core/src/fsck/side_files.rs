//! Files that only make it faster: reverse indexes, bitmaps, commit-graphs and
//! multi-pack-indexes. Nothing is read from them here; they must be what they say.

use super::finding::{exit, Finding};
use super::shared::Shared;
use crate::block::FileId;
use crate::checksum::Checksums;
use crate::commit_graph::GraphFile;
use crate::error::Result;
use crate::repository::Repository;
use crate::sort;

/// What a file is for.
#[derive(Clone, Copy)]
enum Kind {
    Reverse,
    Bitmap,
    MultiPackIndex,
    CommitGraph,
}

/// The files of all directories of objects, one after the other.
#[derive(Default)]
pub(super) struct SideFiles {
    directory: usize,
    at: usize,
    paths: Option<Vec<(Kind, Vec<u8>)>>,
}

impl SideFiles {
    /// Goes on; tells whether that was the last step.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and go on.
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
        let next = self.paths.as_ref().and_then(|paths| paths.get(self.at));
        match next {
            Some((kind, path)) => {
                if let Some(file) = repository.files.find(path)? {
                    check(shared, checksums, repository, (*kind, path), file)?;
                }
                self.at = self.at.saturating_add(1);
            }
            None => {
                (self.directory, self.at, self.paths) = (self.directory.saturating_add(1), 0, None)
            }
        }
        Ok(false)
    }
}

/// Returns the files of a directory of objects that are looked at.
fn paths_in(repository: &Repository, directory: &[u8]) -> Result<Vec<(Kind, Vec<u8>)>> {
    let mut paths = Vec::new();
    let mut add = |folder: &[u8], kind_of: fn(&[u8]) -> Option<Kind>| -> Result<()> {
        let folder = [directory, folder].concat();
        for name in repository.files.list(&folder)? {
            if let Some(kind) = kind_of(name) {
                paths.push((kind, [folder.as_slice(), b"/", name].concat()));
            }
        }
        Ok(())
    };
    let in_pack: fn(&[u8]) -> Option<Kind> = |name| match name {
        b"multi-pack-index" => Some(Kind::MultiPackIndex),
        _ if name.ends_with(b".midx") => Some(Kind::MultiPackIndex),
        _ if name.ends_with(b".rev") => Some(Kind::Reverse),
        _ if name.ends_with(b".bitmap") => Some(Kind::Bitmap),
        _ => None,
    };
    let graphs: fn(&[u8]) -> Option<Kind> = |name| match name {
        b"commit-graph" => Some(Kind::CommitGraph),
        _ if name.ends_with(b".graph") => Some(Kind::CommitGraph),
        _ => None,
    };
    add(b"/pack", in_pack)?;
    add(b"/pack/multi-pack-index.d", in_pack)?;
    add(b"/info", graphs)?;
    add(b"/info/commit-graphs", graphs)?;
    sort::by(&mut paths, |(_, one), (_, other)| one.cmp(other));
    Ok(paths)
}

fn check(
    shared: &mut Shared,
    checksums: &mut Checksums,
    repository: &Repository,
    (kind, path): (Kind, &[u8]),
    file: FileId,
) -> Result<()> {
    let hash = repository.hash();
    let (id, exit, what) = match kind {
        Kind::Reverse => ("badReverseIndex", exit::REVERSE_INDEX, "invalid rev-index"),
        Kind::Bitmap => ("badBitmap", exit::BITMAP, "invalid checksum"),
        Kind::MultiPackIndex => ("badMultiPackIndex", exit::MULTI_PACK_INDEX, "incorrect checksum"),
        Kind::CommitGraph => (
            "badCommitGraph",
            exit::COMMIT_GRAPH,
            "the commit-graph file has incorrect checksum and is likely corrupt",
        ),
    };
    let whole = checksums.check(&repository.files, file, hash)?;
    let decoded = match kind {
        Kind::CommitGraph => GraphFile::decode(&repository.files.source(file), hash).map(|_| ()),
        _ => Ok(()),
    };
    match decoded {
        Err(error) if error.is_missing() => return Err(error),
        Err(error) => shared.tell(Finding::error(id, exit, error.what()).at(path)),
        Ok(()) if !whole => shared.tell(Finding::error(id, exit, what).at(path)),
        Ok(()) => {}
    }
    Ok(())
}
