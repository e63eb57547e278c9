//! Counts and lists the objects that bitmaps found.

use super::{BitmapWalk, Other};
use crate::history::write_id;
use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::error::Result;
use packlens_format::object::ObjectType;

/// The types in the order in which git lists them.
const TYPES: [ObjectType; 4] =
    [ObjectType::Commit, ObjectType::Tree, ObjectType::Blob, ObjectType::Tag];

/// The part of a list that is still to be written.
pub(super) struct Listing {
    /// The bits of each type; the next type is the last element.
    types: Vec<Vec<u64>>,
    /// The index of the first word of the next type that is not written yet.
    word: usize,
    /// How many of the objects without a bit are written.
    others: u32,
}

impl BitmapWalk {
    fn types(&self) -> &'static [ObjectType] {
        let types = if self.only_commits { TYPES.get(..1) } else { None };
        types.unwrap_or(&TYPES)
    }

    /// Returns the bits of a type that are included and not uninteresting.
    fn words_of(&self, repository: &Repository, object_type: ObjectType) -> Result<Vec<u64>> {
        let mut words = self.bitmaps.of_type(&repository.files, object_type)?;
        let [uninteresting, included] = &self.sides;
        for ((word, included), uninteresting) in
            words.iter_mut().zip(&included.words).zip(&uninteresting.words)
        {
            *word &= included & !uninteresting;
        }
        Ok(words)
    }

    fn is_asked_for(&self, other: &Other) -> bool {
        other.seen == [false, true] && self.types().contains(&other.object_type)
    }

    /// Returns how many objects are included and not uninteresting.
    ///
    /// # Errors
    ///
    /// Missing bytes; damaged bitmaps.
    pub(in crate::history) fn count(&self, repository: &Repository) -> Result<u64> {
        let others = self.others.iter().filter(|other| self.is_asked_for(other));
        let mut count = others.count() as u64;
        for object_type in self.types() {
            let words = self.words_of(repository, *object_type)?;
            count =
                words.iter().fold(count, |sum, word| sum.saturating_add(word.count_ones().into()));
        }
        Ok(count)
    }

    /// Prepares the list of the objects that were found.
    ///
    /// # Errors
    ///
    /// Missing bytes; damaged bitmaps.
    pub(in crate::history) fn begin_list(&mut self, repository: &Repository) -> Result<()> {
        let types = self.types().iter().rev();
        let types = types.map(|object_type| self.words_of(repository, *object_type));
        let types = types.collect::<Result<Vec<_>>>()?;
        self.listing = Some(Listing { types, word: 0, others: 0 });
        Ok(())
    }

    /// Returns whether [`BitmapWalk::begin_list`] was called.
    pub(in crate::history) fn is_listed(&self) -> bool {
        self.listing.is_some()
    }

    /// Appends the ids of the objects that were found, one a line, until `out` is about
    /// `capacity` bytes long: by type and in bitmap order, then the objects without a bit.
    /// Returns whether the list is complete.
    ///
    /// # Errors
    ///
    /// Missing bytes: provide them and call again.
    #[inline(never)]
    pub(in crate::history) fn list(
        &mut self,
        repository: &Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        let Some(mut listing) = self.listing.take() else {
            return Ok(true);
        };
        let listed = self.resume_list(&mut listing, repository, capacity, out);
        self.listing = Some(listing);
        listed
    }

    fn resume_list(
        &self,
        listing: &mut Listing,
        repository: &Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        while out.len() < capacity {
            if let Some(words) = listing.types.last_mut() {
                match words.get_mut(listing.word) {
                    Some(0) => listing.word = listing.word.saturating_add(1),
                    Some(word) => {
                        let bit = (listing.word as u32).saturating_mul(u64::BITS);
                        let bit = bit.saturating_add(word.trailing_zeros());
                        let id = self.bitmaps.id_of(&repository.odb, &repository.files, bit)?;
                        write_id(&id, &mut out.appender())?;
                        *word &= word.wrapping_sub(1);
                    }
                    None => {
                        listing.types.pop();
                        listing.word = 0;
                    }
                }
                continue;
            }
            let Some(other) = self.others.get(listing.others as usize) else {
                return Ok(true);
            };
            if let Some(id) = self.ids.get(listing.others).filter(|_| self.is_asked_for(other)) {
                write_id(&id, &mut out.appender())?;
            }
            listing.others = listing.others.saturating_add(1);
        }
        Ok(false)
    }
}
