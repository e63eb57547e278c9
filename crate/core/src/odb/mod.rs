//! The object database: which pack or loose file has an object.

mod any_index;
mod bases;
mod bitmaps;
mod crc;
mod deltas;
mod directories;
mod fetched;
mod find;
mod halfway;
mod info;
mod inspect;
mod list;
mod order;
mod pack_sets;
mod packs;
mod plan;
mod read;
mod replace;
mod scratch;
mod stored;
mod thin;

use bases::{BaseUses, Bases};
pub(crate) use bitmaps::Bitmaps;
use directories::Directories;
pub use directories::{alternates_in, Layout};
use fetched::Fetches;
use find::Stopped;
use halfway::Halfway;
pub use info::{ObjectInfo, Stored};
pub(crate) use list::{CommitStretches, PackEntries, MOST_BACK};
pub use list::{Filter, ObjectList, Order};
pub use packs::PackNumber;
use packs::Packs;
pub use plan::Plan;
pub(crate) use plan::Planned;
pub use read::Head;
pub(crate) use replace::ReplaceRefs;
pub use replace::Replacements;
use scratch::Scratch;

use crate::block::Files;
use crate::error::Result;
use crate::hash::object_id;
use crate::index::Neighbours;
use crate::inflate::Inflater;
use crate::limits::Limits;
use crate::object::ObjectType;
use crate::oid::{HashKind, ObjectId};
use crate::pack::{BaseCache, Chain};

/// The share of the ceiling that bases may take that are kept for what builds on
/// them.
const BASES_SHARE: u64 = 8;

/// Where an object lies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Location {
    /// In a pack.
    Packed {
        /// Which.
        pack: PackNumber,
        /// Where its entry begins.
        offset: u64,
    },
    /// In a file of its own.
    Loose,
    /// Nowhere, and yet it is there: all that is known of it.
    BuiltIn(ObjectInfo),
}

/// Whether an object's content is checked before it is handed over.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Verify {
    /// Its hash must be its id.
    #[default]
    Oid,
    /// The bytes of its entries in packs must have the checksums that their index has; its
    /// hash must be its id where there are none: of loose objects, in indexes of version 1.
    Crc,
    /// Nothing beyond what inflating checks.
    None,
}

/// All objects of a repository.
///
/// It keeps what it needs to find and make them; the bytes stay in [`Files`].
pub struct Odb {
    hash: HashKind,
    limits: Limits,
    directories: Directories,
    packs: Packs,
    /// The id of the tree without entries, which every repository has.
    empty_tree: ObjectId,
    cache: BaseCache,
    inflater: Inflater,
    chain: Chain,
    scratch: Scratch,
    stopped: Stopped,
    /// The object that was listed last: it was there.
    seen: Option<ObjectId>,
    /// The newest question when a listing last looked at the packs again.
    relooked: u64,
    /// The question that last looked at the packs again for such an object, and which.
    sought: Option<(u64, ObjectId)>,
    replacements: Result<Replacements>,
    fetches: Fetches,
    /// An object that is read as it is stored, and in which question.
    as_stored: Option<(ObjectId, u64)>,
    /// Where an object lies that will be asked for next.
    expected: Option<Expected>,
    /// The one that was expected last.
    taken: Option<Expected>,
    /// Objects that were made, and are kept for those that build on them.
    bases: Bases,
    /// The entries to be kept of the object that is expected.
    base_uses: BaseUses,
    /// What a chain came to, whose object is asked for again.
    halfway: Option<Halfway>,
    /// A search through the order of a pack, to go on with.
    neighbours: Option<(PackNumber, Neighbours)>,
    /// Memory that others hold under the same ceiling.
    reserved: u64,
    crcs: crc::Crcs,
    counts: Counts,
}

/// In which order objects are read: it decides what is kept of one for the next.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum ReadOrder {
    /// Any: inflated entries stay in the base cache.
    #[default]
    Any,
    /// Each object resembles an earlier one, as trees of one commit after the other do: the
    /// objects stay, and the next is made of them.
    Similar,
    /// A planned one, bases before what is built on them: a base stays as long as it is
    /// needed, and each entry is inflated once, so nothing goes into the base cache.
    Planned,
}

/// An object that is asked for next.
#[derive(Clone, Copy)]
struct Expected {
    id: ObjectId,
    place: Location,
    /// It is read in an order that was planned, its bases before it.
    planned: bool,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) lookups: u64,
    pub(crate) objects: u64,
    pub(crate) deltas_applied: u64,
    pub(crate) hashed_bytes: u64,
    pub(crate) crc_bytes: u64,
}

/// The longest entry whose parts are put together to be inflated.
const MOST_JOINED: usize = 2 << 20;

impl Odb {
    /// Makes the database of a repository whose ids are of `hash`.
    pub fn new(hash: HashKind, limits: Limits, layout: &Layout) -> Odb {
        Odb {
            hash,
            limits,
            directories: Directories::new(layout),
            packs: Packs::new(hash, limits),
            empty_tree: object_id(hash, ObjectType::Tree, b""),
            cache: BaseCache::new(limits.base_cache),
            inflater: Inflater::joining(most_joined(&limits)),
            chain: Chain::default(),
            scratch: Scratch::default(),
            stopped: Stopped::default(),
            seen: None,
            relooked: 0,
            sought: None,
            replacements: Ok(Replacements::default()),
            fetches: Fetches::new(layout.fetches),
            as_stored: None,
            expected: None,
            taken: None,
            bases: Bases::new(limits.memory / BASES_SHARE),
            base_uses: BaseUses::new(),
            halfway: None,
            neighbours: None,
            reserved: 0,
            crcs: crc::Crcs::default(),
            counts: Counts::default(),
        }
    }

    /// Returns the hash that names the objects.
    pub fn hash(&self) -> HashKind {
        self.hash
    }

    /// Makes sure that all packs are known, those of alternates included.
    pub(crate) fn list_packs(&mut self, files: &Files) -> Result<()> {
        self.directories.read_alternates(files, &self.limits)?;
        self.packs.list(files, &self.directories)
    }

    /// Returns how many packs of those that were listed promise what they refer to.
    pub(crate) fn promisor_packs(&self) -> usize {
        self.packs.promisors().count()
    }

    /// Tells whether a file is a pack that promises what it refers to.
    pub(crate) fn is_promisor(&self, file: crate::FileId) -> bool {
        self.packs.promisors().any(|pack| pack == Some(file))
    }

    /// Returns the path of a directory of objects, one's own first; `None` behind
    /// the last alternate.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(crate) fn directory(&mut self, files: &Files, at: usize) -> Result<Option<Vec<u8>>> {
        if at > 0 {
            self.directories.read_alternates(files, &self.limits)?;
        }
        Ok(self.directories.paths().nth(at).map(<[u8]>::to_vec))
    }

    /// Looks at the packs again, once a question; tells whether it does.
    fn refresh_once(&mut self, files: &mut Files) -> bool {
        let refreshed = self.packs.refresh_once(files, &self.directories);
        if refreshed {
            self.stopped.clear();
        }
        refreshed
    }

    /// Looks at the packs again for a listing that knows which objects are loose: once a
    /// question, whether it had looked before or not.
    fn look_for_listing(&mut self, files: &mut Files) {
        if !self.refresh_once(files) && self.relooked < files.question() {
            self.relooked = files.newest_question();
            self.look_again(files);
        }
    }

    /// Looks at the packs again for an object that was listed and is not there any more,
    /// once a question; tells whether it does. git deletes a loose object when a pack has it.
    fn look_again_for(&mut self, files: &mut Files, id: &ObjectId) -> bool {
        let sought = Some((files.question(), *id));
        if self.seen != Some(*id) || self.sought == sought {
            return false;
        }
        self.sought = sought;
        self.look_again(files);
        true
    }

    /// Looks at the packs again, of which one was deleted.
    fn look_again(&mut self, files: &mut Files) {
        self.packs.look_again(files, &self.directories);
        self.stopped.clear();
    }

    /// Forgets the pack that a file belongs to, which was deleted.
    pub(crate) fn forget_pack(&mut self, files: &mut Files, file: crate::FileId) {
        self.packs.forget(file, files, &self.directories);
        self.stopped.clear();
    }

    /// Forgets multi-pack-indexes, of which one was replaced while it was open.
    pub(crate) fn forget_sets(&mut self) {
        self.packs.list_anew();
        self.stopped.clear();
    }

    /// Tells where the object lies that will be asked for next: it is found
    /// without another look-up.
    fn expect(&mut self, id: ObjectId, place: Location) {
        self.expected = Some(Expected { id, place, planned: false });
    }

    /// As `expect`, of one of many objects that are read bases first: `wanted`
    /// names the entries it is made of that others build on.
    fn expect_planned(
        &mut self,
        id: ObjectId,
        place: Location,
        wanted: impl IntoIterator<Item = (u64, u32)>,
    ) {
        self.expected = Some(Expected { id, place, planned: true });
        self.base_uses.clear();
        self.base_uses.extend(wanted);
    }

    /// Expects the object again that was expected last.
    pub(crate) fn expect_again(&mut self) {
        self.expected = self.taken;
    }

    /// Copies what is kept and lies in an output that will be overwritten.
    pub(crate) fn save_bases(&mut self, output: &crate::appender::Output) {
        self.bases.save(output);
    }

    /// Forgets what was kept.
    pub(crate) fn forget_bases(&mut self) {
        self.bases.clear();
    }

    /// Takes the place that an object is expected at.
    fn take_expected(&mut self, id: &ObjectId) -> Option<Expected> {
        let expected = self.expected.take()?;
        self.taken = Some(expected);
        let open = match expected.place {
            Location::Packed { pack, .. } => self.packs.is_open(pack),
            _ => true,
        };
        (expected.id == *id && open).then_some(expected)
    }

    /// Sets how many bytes others hold under the same ceiling.
    pub(crate) fn reserve_memory(&mut self, bytes: u64) {
        self.reserved = bytes;
    }

    /// Returns the file of a pack that is open.
    ///
    /// # Errors
    ///
    /// [`BadInput`](crate::ErrorKind::BadInput) if it is not.
    pub fn pack_file(&self, pack: PackNumber) -> Result<crate::FileId> {
        self.packs.file(pack)
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Counts bytes as hashed.
    pub(crate) fn count_hashed(&mut self, bytes: u64) {
        self.counts.hashed_bytes = self.counts.hashed_bytes.saturating_add(bytes);
    }

    pub(crate) fn inflated_bytes(&self) -> u64 {
        self.inflater.inflated_bytes()
    }

    pub(crate) fn base_cache_hits(&self) -> u64 {
        self.cache.hits()
    }

    /// Makes room for `more` bytes beside all that is held, and `output` bytes
    /// of output: the base cache gives way first, then parts of files.
    pub(crate) fn make_room(&mut self, files: &mut Files, output: u64, more: u64) -> Result<()> {
        let held = output
            .saturating_add(more)
            .saturating_add(self.reserved)
            .saturating_add(self.inflater.memory())
            .saturating_add(self.packs.memory());
        // Parts need room too: all of a large entry, or it is never inflated.
        let parts = (self.limits.memory / 8).saturating_mul(3);
        let held = held.saturating_add(self.halfway_memory());
        let mut fixed = held.saturating_add(self.bases.size());
        if fixed.saturating_add(parts) > self.limits.memory {
            self.bases.forget_recent();
            fixed = held.saturating_add(self.bases.size());
        }
        let room = self.limits.memory.saturating_sub(fixed.saturating_add(parts));
        let mut scratch = self.scratch.memory();
        if scratch > room {
            self.scratch = Scratch::default();
            scratch = 0;
        }
        self.cache.shrink_to(room.saturating_sub(scratch));
        let fixed = fixed.saturating_add(scratch);
        files.hold(fixed.saturating_add(self.cache.size()))
    }
}

/// Returns how long an entry may be for its parts to be put together: what that takes has
/// to fit beside all else.
fn most_joined(limits: &Limits) -> usize {
    usize::try_from(limits.memory / 32).map_or(MOST_JOINED, |share| share.min(MOST_JOINED))
}
