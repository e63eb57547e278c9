//! Thin packs: bases that a pack lacks are read from the repository.

use super::{Odb, ReadHint, Verify};
use packlens_base::block::{FileId, Files};
use packlens_base::error::{ErrorKind, Need, Result};
use packlens_base::oid::ObjectId;
use packlens_format::index::{Build, Progress};
use packlens_format::object::ObjectType;

impl Odb {
    /// Continues to build the index of a pack that has none. Returns `None` once all packs
    /// have an index.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if a pack without an
    /// index is damaged, or if the base of a delta is missing.
    pub fn build_indexes(&mut self, files: &mut Files) -> Result<Option<Progress>> {
        self.make_room(files, 0, 0)?;
        self.packs.list(files, &self.directories)?;
        let progress = self.packs.build(files, &mut self.inflater, &self.limits)?;
        if progress.is_some() {
            return Ok(progress);
        }
        let Some((number, file, mut build)) = self.packs.lend_stuck(files, &self.limits)? else {
            return Ok(None);
        };
        let given = self.give_base(files, file, &mut build);
        let progress = build.progress();
        self.packs.take_back(number, build);
        given.map(|()| Some(progress))
    }

    /// Gives a thin pack its next missing base, in stored form. A base that is not found is
    /// skipped: it may turn out to be made from another one.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a need for all missing bases, if they can be fetched;
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) if no base is left to give.
    #[inline(never)]
    pub fn give_base(&mut self, files: &mut Files, pack: FileId, build: &mut Build) -> Result<()> {
        let Some(id) = build.needed_base(&self.limits)? else {
            return Err(build.unresolved(&files.source(pack)));
        };
        match self.read_stored(files, &id) {
            Ok((object_type, content)) => {
                build.give_base(&files.source(pack), object_type, &content, &self.limits)
            }
            Err(error) if matches!(error.need(), Some(Need::Objects(_))) => {
                Err(self.fetching_ahead(files, error, build.needed_bases()))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                build.skip_base();
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Reads an object in its stored form: replace refs are ignored.
    ///
    /// # Errors
    ///
    /// As [`Odb::read`].
    pub fn read_stored(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
    ) -> Result<(ObjectType, Vec<u8>)> {
        self.read_content(files, (id, &ReadHint::STORED_FORM), Verify::Oid)
    }

    /// Returns the type of an object in its stored form: replace refs are ignored.
    ///
    /// # Errors
    ///
    /// As [`Odb::info`].
    pub fn stored_type(&mut self, files: &mut Files, id: &ObjectId) -> Result<ObjectType> {
        let info = self.info_hinted(files, (id, &ReadHint::STORED_FORM))?;
        Ok(info.object_type)
    }
}
