//! The object database: which pack or loose file has an object.

mod ahead;
mod any_index;

mod bases;
mod bitmaps;
mod crc;
mod deltas;
mod directories;
mod entries_ahead;
mod fetched;
mod find;
mod halfway;
mod heads_ahead;
mod hint;
mod info;
mod inspect;
mod list;
mod needs;
mod newest;
mod order;
mod pack_sets;
mod packs;
mod plan;
mod read;
mod replace;
mod scratch;
mod stored;
mod thin;

pub(crate) use ahead::{Asked, InfosAhead, Known, ReadAhead};
use bases::Bases;
pub(crate) use bitmaps::Bitmaps;
use directories::Directories;
pub use directories::{alternates_in, Layout};
use entries_ahead::EntriesAhead;
use fetched::Requested;
use find::Stopped;
use halfway::Halfway;
pub use hint::ReadHint;
use hint::ReadOrder;
pub use info::{ObjectInfo, Stored};
pub use list::{CommitWorkUnits, PackEntries, MOST_BACK};
pub use list::{Filter, ObjectList, Order};
use newest::Beginning;
pub use packs::PackNumber;
use packs::Packs;
pub use plan::Plan;
pub(crate) use plan::Planned;
pub use read::Head;
pub(crate) use replace::ReplaceRefs;
pub use replace::Replacements;
use scratch::Scratch;

use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::hash::object_id;
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::module::FullOnly;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::index::Neighbours;
use packlens_format::object::ObjectType;
use packlens_format::pack::{BaseCache, Chain};

/// Bases that are kept for later deltas may take one part in this many of the memory ceiling.
const BASES_SHARE: u64 = 8;

/// Where an object is stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Location {
    /// In a packfile.
    Packed {
        /// The pack.
        pack: PackNumber,
        /// The offset of the object's entry in the pack.
        offset: u64,
    },
    /// In a loose object file.
    Loose,
    /// In no file, but part of every repository; the info is all there is to read.
    BuiltIn(ObjectInfo),
}

/// Whether an object's content is checked before it is handed over.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Verify {
    /// The hash of the content must equal the object id.
    #[default]
    Oid,
    /// The bytes of the object's pack entries must match the CRC32 values of the pack index.
    /// If there are none (loose objects, version 1 indexes) the hash is checked as for
    /// `Oid`.
    Crc,
    /// Nothing is checked beyond what inflating checks anyway.
    None,
}

/// The object database of a repository.
///
/// Holds the state to find and reconstruct objects; the bytes of the files stay in [`Files`].
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
    /// The beginnings of packs on servers.
    beginnings: Vec<Beginning>,
    /// The newest question when a listing last rescanned the packs.
    relooked: u64,
    /// The question that last rescanned the packs for a listed object that had vanished, and
    /// its id.
    sought: Option<(u64, ObjectId)>,
    replacements: Result<Replacements>,
    /// The objects that were requested from the caller, if it can fetch any.
    requested: Option<FullOnly<Requested>>,
    /// Reconstructed objects, kept as bases for later deltas.
    bases: Bases,
    entries_ahead: EntriesAhead,
    /// Partial result of a delta chain that was interrupted and will be retried.
    halfway: Option<Halfway>,
    /// An unfinished search for an entry's neighbours in a pack, to be resumed.
    neighbours: Option<(PackNumber, Neighbours)>,
    /// Bytes that other components hold under the same memory ceiling.
    reserved: u64,
    crcs: crc::Crcs,
    counts: Counts,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) lookups: u64,
    pub(crate) objects: u64,
    pub(crate) deltas_applied: u64,
    pub(crate) hashed_bytes: u64,
    pub(crate) crc_bytes: u64,
}

/// The longest entry, in bytes, whose cached ranges are concatenated before inflating.
const MOST_JOINED: usize = 2 << 20;

impl Odb {
    /// Creates the database of a repository whose object ids use `hash`.
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
            beginnings: Vec::new(),
            relooked: 0,
            sought: None,
            replacements: Ok(Replacements::default()),
            requested: layout.fetches.then(|| FullOnly::new(Requested::new).ok()).flatten(),
            bases: Bases::new(limits.memory / BASES_SHARE),
            entries_ahead: EntriesAhead::default(),
            halfway: None,
            neighbours: None,
            reserved: 0,
            crcs: crc::Crcs::default(),
            counts: Counts::default(),
        }
    }

    /// Returns the hash algorithm of the object ids.
    pub fn hash(&self) -> HashKind {
        self.hash
    }

    /// Lists all packs, including those of alternates, unless that was done before.
    pub fn list_packs(&mut self, files: &Files) -> Result<()> {
        self.directories.read_alternates(files, &self.limits)?;
        self.packs.list(files, &self.directories)
    }

    /// Returns how many of the listed packs are promisor packs.
    pub fn promisor_packs(&self) -> usize {
        self.packs.promisors().count()
    }

    /// Returns whether a file is an open promisor pack.
    pub fn is_promisor(&self, file: packlens_base::FileId) -> bool {
        self.packs.promisors().any(|pack| pack == Some(file))
    }

    /// Returns the path of an object directory: index 0 is the repository's own, then come the
    /// alternates; `None` after the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub fn directory(&mut self, files: &Files, at: usize) -> Result<Option<Vec<u8>>> {
        if at > 0 {
            self.directories.read_alternates(files, &self.limits)?;
        }
        Ok(self.directories.paths().nth(at).map(<[u8]>::to_vec))
    }

    /// Rescans the packs, at most once per question; returns whether it did.
    fn refresh_once(&mut self, files: &mut Files) -> bool {
        let refreshed = self.packs.refresh_once(files, &self.directories);
        if refreshed {
            self.stopped.clear();
        }
        refreshed
    }

    /// Rescans the packs for a listing that has read which objects are loose: once per
    /// question, even if the question has rescanned them before.
    fn look_for_listing(&mut self, files: &mut Files) {
        if !self.refresh_once(files) && self.relooked < files.question() {
            self.relooked = files.newest_question();
            self.look_again(files);
        }
    }

    /// Rescans the packs for an object that was listed and has vanished since, at most once
    /// per question and object; returns whether it did. git deletes a loose object once a pack
    /// has it.
    fn look_again_for(&mut self, files: &mut Files, id: &ObjectId) -> bool {
        let sought = Some((files.question(), *id));
        if self.sought == sought {
            return false;
        }
        self.sought = sought;
        self.look_again(files);
        true
    }

    /// Rescans the packs because one was deleted.
    fn look_again(&mut self, files: &mut Files) {
        self.packs.look_again(files, &self.directories);
        self.stopped.clear();
    }

    /// Forgets the deleted pack that a file belonged to.
    pub(crate) fn forget_pack(&mut self, files: &mut Files, file: packlens_base::FileId) {
        self.packs.forget(file, files, &self.directories);
        self.beginnings.retain(|beginning| beginning.pack() != file);
        self.stopped.clear();
    }

    /// Forgets the multi-pack-indexes because one was replaced while it was open.
    pub(crate) fn forget_sets(&mut self) {
        self.packs.list_anew();
        self.stopped.clear();
    }

    /// Copies kept bases whose content is in an output that is about to be overwritten.
    pub fn save_bases(&mut self, output: &packlens_base::appender::Output) {
        self.bases.save(output);
    }

    /// Drops the bases that were kept for a listing and frees their memory.
    pub(crate) fn end_listing(&mut self) {
        self.bases.end_plan();
    }

    /// Drops all kept bases and frees their memory.
    pub fn forget_bases(&mut self) {
        self.bases.clear();
    }

    /// Sets how many bytes other components hold under the same memory ceiling.
    pub(crate) fn reserve_memory(&mut self, bytes: u64) {
        self.reserved = bytes;
    }

    /// Returns the file of an open pack.
    ///
    /// # Errors
    ///
    /// [`BadInput`](packlens_base::ErrorKind::BadInput) if the pack is not open.
    pub fn pack_file(&self, pack: PackNumber) -> Result<packlens_base::FileId> {
        self.packs.file(pack)
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Adds to the count of hashed bytes.
    pub fn count_hashed(&mut self, bytes: u64) {
        self.counts.hashed_bytes = self.counts.hashed_bytes.saturating_add(bytes);
    }

    pub(crate) fn inflated_bytes(&self) -> u64 {
        self.inflater.inflated_bytes()
    }

    pub(crate) fn base_cache_hits(&self) -> u64 {
        self.cache.hits()
    }

    /// Makes room for `output` bytes of output and `more` bytes of anything else. Evicts
    /// recently made bases, free scratch buffers, the base cache and then cached ranges of
    /// files.
    pub(crate) fn make_room(&mut self, files: &mut Files, output: u64, more: u64) -> Result<()> {
        let held = output
            .saturating_add(more)
            .saturating_add(self.reserved)
            .saturating_add(self.inflater.memory())
            .saturating_add(self.packs.memory())
            .saturating_add(self.beginnings_memory())
            .saturating_add(self.neighbours.as_ref().map_or(0, |(_, kept)| kept.memory()));
        // Files need cached ranges too: an entry has to fit whole, or it can never be
        // inflated.
        let parts = files.needed_room((self.limits.memory / 8).saturating_mul(3));
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

/// Returns the longest entry whose cached ranges are concatenated: the copy has to fit into
/// memory beside everything else.
fn most_joined(limits: &Limits) -> usize {
    usize::try_from(limits.memory / 32).map_or(MOST_JOINED, |share| share.min(MOST_JOINED))
}
