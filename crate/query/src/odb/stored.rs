//! Finds the zlib stream that an object's content is stored in.

use super::deltas::End;
use super::{Location, ObjectInfo, Odb, ReadHint, ReadOrder, Stored};
use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::loose::Loose;
use packlens_format::object::ObjectType;
use packlens_format::pack::{Entry, EntryKind};

/// A zlib stream that holds the content of an object.
#[derive(Clone, Copy, Debug)]
pub struct StoredContent {
    /// The file with the stream.
    pub file: FileId,
    /// The offset of the stream in the file.
    pub data_offset: u64,
    /// How many inflated bytes precede the content: the header of a loose object.
    pub header_len: u64,
}

impl Odb {
    /// Returns the metadata of an object and where its content is stored; `None` instead of
    /// the latter if the object has to be made from deltas.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]; missing files and bytes; a damaged entry.
    pub(crate) fn open_stored(
        &mut self,
        files: &mut Files,
        (asked, hint): (&ObjectId, &ReadHint<'_>),
    ) -> Result<(ObjectInfo, Option<StoredContent>)> {
        let (id, hint) = &self.hinted(asked, hint)?;
        let found =
            self.at_any_location(files, id, hint, |odb, files, location, order| match location {
                Location::BuiltIn(info) => Ok((info, None)),
                Location::Loose => {
                    odb.stored_loose(files, id).map(|(info, stored)| (info, Some(stored)))
                }
                Location::Packed { pack, offset } => {
                    let file = odb.pack_file(pack)?;
                    odb.stored_packed(files, id, (file, offset), order)
                }
            });
        found.map(|(info, stored)| (info.reported_as(asked), stored))
    }

    /// Fills `out` with the first bytes of an object that is stored whole in a pack; returns
    /// its type and the number of bytes. Returns `None` if the object has to be read in
    /// another way. The content is not verified.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]; missing files and bytes; a damaged entry.
    pub(crate) fn read_beginning(
        &mut self,
        files: &mut Files,
        asked: (&ObjectId, &ReadHint<'_>),
        out: &mut [u8],
    ) -> Result<Option<(ObjectType, usize)>> {
        let (id, hint) = &self.hinted(asked.0, asked.1)?;
        let begun = self.at_any_location(files, id, hint, |odb, files, location, _| {
            let Location::Packed { pack, offset } = location else {
                return Ok(None);
            };
            let source = files.source(odb.packs.file(pack)?);
            let entry = Entry::decode(&source, odb.hash, offset)?;
            let EntryKind::Whole(object_type) = entry.kind else {
                return Ok(None);
            };
            let length = usize::try_from(entry.size).unwrap_or(usize::MAX).min(out.len());
            let space = out.get_mut(..length).unwrap_or_default();
            let made = odb.inflater.beginning(&source, entry.data_offset, space)?;
            if made < length {
                return Err(source.corrupt("inflates to fewer bytes than announced", offset));
            }
            Ok(Some((object_type, made)))
        })?;
        if begun.is_some() {
            self.counts.objects = self.counts.objects.saturating_add(1);
        }
        Ok(begun)
    }

    fn stored_packed(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        (pack, offset): (FileId, u64),
        order: ReadOrder<'_>,
    ) -> Result<(ObjectInfo, Option<StoredContent>)> {
        let info = self.info_packed(files, id, (pack, offset), order)?;
        if info.delta_depth > 0 {
            return Ok((info, None));
        }
        let stored = match self.walk_chain(files, (pack, offset), None, order)? {
            End::Whole(_, step) => {
                self.check_possible(files, &step)?;
                Some(StoredContent { file: pack, data_offset: step.data_offset, header_len: 0 })
            }
            End::Elsewhere(..) | End::Kept(_) | End::Halfway(..) => None,
        };
        Ok((info, stored))
    }

    /// Opens a loose object; [`ErrorKind::NotFound`] if there is none.
    pub(super) fn stored_loose(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
    ) -> Result<(ObjectInfo, StoredContent)> {
        let Some(file) = self.find_loose(files, id)? else {
            return Err(Error::new(ErrorKind::NotFound, "there is no such object"));
        };
        let source = files.source(file);
        let loose = Loose::open(&mut self.inflater, &source)?;
        let info = ObjectInfo {
            id: *id,
            object_type: loose.object_type,
            size: loose.size,
            delta_depth: 0,
            disk_size: Some(source.size()),
            delta_base: None,
            stored: Stored::Loose { file },
        };
        let header_len = loose.header_len();
        Ok((info, StoredContent { file, data_offset: 0, header_len }))
    }
}
