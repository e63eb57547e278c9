//! Lists a pack index entry by entry: git's `show-index`.

use packlens_base::appender::{Append, Output};
use packlens_base::block::FileId;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::index::PackIndex;
use packlens_query::repository::Repository;

/// The length of a row without the id, in bytes.
const ROW_LEN: usize = 16;

/// A listing of an index, in its order.
pub struct ShowIndex {
    path: Vec<u8>,
    open: Option<(FileId, PackIndex)>,
    next: u32,
}

impl ShowIndex {
    /// Starts with the path of an index; nothing is read yet.
    pub fn new(path: &[u8]) -> ShowIndex {
        ShowIndex { path: path.to_vec(), open: None, next: 0 }
    }

    /// Appends rows until `out` is about `capacity` bytes long; returns whether the listing is
    /// complete. A row has the offset of the entry (8 bytes, low bytes first), its CRC32 (4),
    /// whether the index has one (1), 0 (3), and the id.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. [`ErrorKind::NotFound`] if there
    /// is no such file; the errors of [`PackIndex::decode`]; [`ErrorKind::Corrupt`] for ids that
    /// are not in order.
    pub fn fill(
        &mut self,
        repository: &Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        let hash = repository.hash();
        if self.open.is_none() {
            let none = || Error::new(ErrorKind::NotFound, "there is no such file");
            let file = repository.files.find(&self.path)?.ok_or_else(none)?;
            self.open = Some((file, PackIndex::decode(&repository.files.source(file), hash)?));
        }
        let Some((file, layout)) = &self.open else {
            return Ok(true);
        };
        let source = repository.files.source(*file);
        let each = ROW_LEN.saturating_add(hash.len());
        let most = capacity.checked_div(each).unwrap_or(0).max(1);
        for _ in 0..most {
            if self.next >= layout.count() {
                return Ok(true);
            }
            let row = layout.id_at(&source, self.next).and_then(|id| {
                let offset = layout.offset_at(&source, self.next)?;
                Ok((id, offset, layout.crc_at(&source, self.next)?))
            });
            let (id, offset, crc) = match row {
                Err(error) if error.is_missing() && !out.as_slice().is_empty() => return Ok(false),
                row => row?,
            };
            let mut out = out.appender();
            out.u64(offset)?;
            out.u32(crc.unwrap_or(0))?;
            out.u32(u32::from(crc.is_some()))?;
            out.oid(&id)?;
            self.next = self.next.saturating_add(1);
        }
        Ok(self.next >= layout.count())
    }
}
