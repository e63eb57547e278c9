//! What the caller of a read knows of the object, and the order that the object is one of.

use super::{ObjectInfo, Odb, PackNumber};
use packlens_base::error::Result;
use packlens_base::module::IS_FULL;
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;

/// The entries in an object's chain, itself included, that later deltas build on: offset and
/// number of uses.
pub(super) type BaseUses<'u> = &'u [(u64, u32)];

/// The order in which objects are read, which decides what is kept in memory for the next one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum ReadOrder<'u> {
    /// No known order: inflated entries go to the base cache.
    #[default]
    Any,
    /// Each object resembles an earlier one, as the root trees of successive commits do: whole
    /// objects are kept as bases for the next.
    Similar,
    /// A planned order, bases before the deltas on them: a base is kept until its last use.
    /// Each entry is inflated once, so nothing goes into the base cache.
    Planned(BaseUses<'u>),
    /// The first object of a delta tree in a planned order of a part of a pack. Its bases are
    /// in another part, where other trees may need them: they go into the base cache.
    PlannedRoot(BaseUses<'u>),
}

impl ReadOrder<'_> {
    pub(super) fn is_similar(self) -> bool {
        matches!(self, ReadOrder::Similar)
    }

    /// Returns whether nothing goes into the base cache. The reader plans nothing, and does
    /// without the code for it.
    pub(super) fn is_planned(self) -> bool {
        IS_FULL && matches!(self, ReadOrder::Planned(_))
    }

    /// Returns whether this is the root of a part of a pack.
    pub(super) fn is_planned_root(self) -> bool {
        IS_FULL && matches!(self, ReadOrder::PlannedRoot(_))
    }

    /// Returns how many more times the plan needs an entry as a base.
    pub(super) fn uses_of(self, offset: u64) -> Option<u32> {
        let uses = match self {
            ReadOrder::Planned(uses) | ReadOrder::PlannedRoot(uses) if IS_FULL => uses,
            _ => return None,
        };
        uses.iter().find(|(base, _)| *base == offset).map(|(_, uses)| *uses)
    }

    /// Returns the order for a copy of the object that the plan does not know of.
    pub(super) fn of_other_copy(self) -> Self {
        match self {
            ReadOrder::Similar => ReadOrder::Similar,
            _ => ReadOrder::Any,
        }
    }
}

/// What the caller of a read knows of the object; by default nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadHint<'u> {
    /// Where the object is stored, which saves a look-up.
    pub(super) place: Option<(PackNumber, u64)>,
    pub(super) order: ReadOrder<'u>,
    /// Read this object even if a replace ref names a replacement.
    pub(super) stored_form: bool,
    /// The object existed when it was listed: if it is not found, git has moved it.
    pub(super) listed: bool,
    /// The type that the object has, or is likely to have.
    pub(super) object_type: Option<ObjectType>,
    /// The metadata of the object, if it was read already. The reader reads none ahead.
    pub(super) info: Option<&'u ObjectInfo>,
}

impl<'u> ReadHint<'u> {
    /// An object of a type.
    pub(crate) const fn of_type(object_type: ObjectType) -> ReadHint<'static> {
        ReadHint::of_likely_type(Some(object_type))
    }

    /// An object that is probably of a type.
    pub(crate) const fn of_likely_type(object_type: Option<ObjectType>) -> ReadHint<'static> {
        ReadHint { object_type, ..ReadHint::NOTHING }
    }

    /// One of many objects of a type that each resemble an earlier one.
    pub(crate) const fn similar(object_type: ObjectType) -> ReadHint<'static> {
        ReadHint { order: ReadOrder::Similar, ..ReadHint::of_type(object_type) }
    }

    /// The object itself, even if a replace ref names a replacement.
    pub const STORED_FORM: ReadHint<'static> = ReadHint { stored_form: true, ..ReadHint::NOTHING };

    const NOTHING: ReadHint<'static> = ReadHint {
        place: None,
        order: ReadOrder::Any,
        stored_form: false,
        listed: false,
        object_type: None,
        info: None,
    };

    /// An object at an offset of a pack.
    pub(super) fn at(place: (PackNumber, u64)) -> ReadHint<'static> {
        ReadHint { place: Some(place), ..ReadHint::default() }
    }

    /// An object at an offset of a pack, which is read in a planned order.
    pub(super) fn planned(place: (PackNumber, u64), order: ReadOrder<'u>) -> ReadHint<'u> {
        ReadHint { place: Some(place), order, ..ReadHint::default() }
    }

    /// An object whose metadata was read ahead.
    pub(crate) fn with_info(info: &ObjectInfo) -> ReadHint<'_> {
        ReadHint { info: Some(info), ..ReadHint::default() }
    }

    /// Returns the place in a pack, if it is known.
    pub(crate) fn place(&self) -> Option<(PackNumber, u64)> {
        self.place
    }

    /// Returns the metadata, if it was read already.
    pub(super) fn info(&self) -> Option<&'u ObjectInfo> {
        self.info.filter(|_| IS_FULL)
    }

    /// What still holds when the object is read again later, from wherever it is then.
    pub(crate) fn lasting(self) -> ReadHint<'static> {
        let ReadHint { stored_form, listed, .. } = self;
        ReadHint { stored_form, listed, ..ReadHint::default() }
    }
}

impl Odb {
    /// Returns the object that is read for an id, replacements applied, and what the hint says
    /// of it: nothing of a replacement except the order.
    pub(crate) fn hinted<'u>(
        &self,
        id: &ObjectId,
        hint: &ReadHint<'u>,
    ) -> Result<(ObjectId, ReadHint<'u>)> {
        if hint.stored_form {
            return Ok((*id, *hint));
        }
        let real = self.real(id)?;
        if real == *id {
            return Ok((real, *hint));
        }
        Ok((real, ReadHint { order: hint.order.of_other_copy(), ..ReadHint::default() }))
    }
}
