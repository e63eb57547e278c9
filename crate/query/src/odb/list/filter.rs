//! Filters objects by type and size.

use crate::odb::{Location, Odb, ReadHint};
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;
use std::ops::RangeInclusive;

/// A filter by object type and size, like that of `git cat-file --filter`.
///
/// ```
/// use packlens_base::object_type::ObjectType;
/// use packlens_query::odb::Filter;
/// let small_blobs = Filter::of_types([ObjectType::Blob]).with_sizes(ObjectType::ALL, 0..=1000);
/// assert!(small_blobs.wants(ObjectType::Blob, 1000));
/// assert!(!small_blobs.wants(ObjectType::Blob, 1001));
/// assert!(!small_blobs.wants(ObjectType::Tree, 1000));
/// assert!(Filter::default().wants(ObjectType::Tree, u64::MAX));
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Filter {
    /// A bit for each type that passes.
    types: u8,
    /// A bit for each type that is filtered by size as well.
    sized: u8,
    least: u64,
    most: u64,
}

impl Default for Filter {
    /// Lets all objects pass.
    fn default() -> Filter {
        Filter::of_types(ObjectType::ALL)
    }
}

impl Filter {
    /// Creates a filter for the objects of these types.
    pub fn of_types(types: impl IntoIterator<Item = ObjectType>) -> Filter {
        Filter { types: bits(types), sized: 0, least: 0, most: u64::MAX }
    }

    /// Limits these types to objects whose content size in bytes is in a range.
    #[must_use]
    pub fn with_sizes(
        self,
        types: impl IntoIterator<Item = ObjectType>,
        sizes: RangeInclusive<u64>,
    ) -> Filter {
        let (least, most) = (*sizes.start(), *sizes.end());
        let sized = if (least, most) == (0, u64::MAX) { 0 } else { bits(types) };
        Filter { sized, least, most, ..self }
    }

    /// Returns whether an object of this type and size passes.
    pub fn wants(&self, object_type: ObjectType, size: u64) -> bool {
        self.wants_some(object_type)
            && (self.wants_any_size(object_type) || (self.least..=self.most).contains(&size))
    }

    /// Returns whether any objects of this type pass.
    pub(super) fn wants_some(&self, object_type: ObjectType) -> bool {
        self.types & bits([object_type]) != 0
    }

    /// Returns whether the size of objects of this type does not matter.
    pub(super) fn wants_any_size(&self, object_type: ObjectType) -> bool {
        self.sized & bits([object_type]) == 0
    }

    /// Returns whether all objects pass.
    pub fn wants_all(&self) -> bool {
        ObjectType::ALL.into_iter().all(|of| self.wants_some(of) && self.wants_any_size(of))
    }
}

fn bits(types: impl IntoIterator<Item = ObjectType>) -> u8 {
    types.into_iter().fold(0, |bits, object_type| bits | 1 << (object_type as u8 & 7))
}

impl Odb {
    /// Returns whether the object that is read for an id passes a filter, from what its entry
    /// says. No content is
    /// inflated except the first bytes of a delta, and those only if the size matters. A
    /// damaged object passes: reading it will report the damage.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    #[inline(never)]
    pub(crate) fn is_selected(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        hint: &ReadHint<'_>,
        filter: &Filter,
    ) -> Result<bool> {
        let selected = self.hinted(id, hint).and_then(|(id, hint)| {
            self.at_any_location(files, &id, &hint, |odb, files, location, order| match location {
                Location::Packed { pack, offset } => {
                    let file = odb.packs.file(pack)?;
                    let object_type =
                        odb.walk_chain(files, (file, offset), None, order)?.object_type();
                    if !filter.wants_some(object_type) || filter.wants_any_size(object_type) {
                        return Ok(filter.wants_some(object_type));
                    }
                    Ok(filter.wants(object_type, odb.size_packed(files, file, offset)?))
                }
                Location::Loose => {
                    let info = odb.info_loose(files, &id)?;
                    Ok(filter.wants(info.object_type, info.size))
                }
                Location::BuiltIn(info) => Ok(filter.wants(info.object_type, info.size)),
            })
        });
        match selected {
            Err(error) if !error.is_missing() => Ok(true),
            selected => selected,
        }
    }
}
