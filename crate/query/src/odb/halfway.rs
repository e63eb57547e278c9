//! The partial result of a delta chain that was interrupted because bytes were missing.
//!
//! Under a small memory ceiling the entries of a chain are not all in memory at once. If every
//! retry began with the first entry again, it would need bytes that were evicted to make room
//! for the later ones.

use super::deltas::{Bytes, End};
use super::scratch::Buffer;
use super::{ObjectInfo, Odb};
use packlens_base::block::FileId;
use packlens_base::error::Error;
use packlens_format::object::ObjectType;
use packlens_format::pack::Chain;

/// The object of an entry in the middle of a chain.
pub(super) struct Halfway {
    place: (FileId, u64),
    object_type: ObjectType,
    depth: u32,
    content: Buffer,
}

impl Halfway {
    pub(super) fn is_of(&self, place: (FileId, u64)) -> bool {
        self.place == place
    }

    /// Ends the chain of the last walk from `asked` at this entry, if the walk passed it.
    pub(super) fn cuts(&self, chain: &mut Chain, asked: (FileId, u64)) -> bool {
        chain.cut(asked, self.place)
    }

    pub(super) fn end(&self) -> End {
        End::Halfway(self.object_type, self.depth)
    }
}

impl Odb {
    /// Keeps the base of the delta at an index of the chain if `error` says that bytes are
    /// missing: the caller will retry.
    pub(super) fn stop_halfway(
        &mut self,
        error: Error,
        at: usize,
        content: Bytes,
        info: &ObjectInfo,
    ) -> Error {
        let pack = self.chain.deltas().get(at).map(|step| step.pack);
        let base = self.chain.base_of(at);
        // With CRC32 checks, only a pass over the whole chain can say what was checked.
        if let (true, false, Bytes::Own(content), Some(place)) =
            (error.is_missing(), self.checks_crcs(), content, pack.zip(base))
        {
            let below = u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1);
            let depth = info.delta_depth.saturating_sub(below);
            let object_type = info.object_type;
            self.halfway = Some(Halfway { place, object_type, depth, content });
        }
        error
    }

    pub(super) fn halfway_at(&self, place: (FileId, u64)) -> Option<&Halfway> {
        self.halfway.as_ref().filter(|halfway| halfway.is_of(place))
    }

    pub(super) fn take_halfway(&mut self) -> Option<Buffer> {
        self.halfway.take().map(|halfway| halfway.content)
    }

    pub(super) fn halfway_memory(&self) -> u64 {
        self.halfway.as_ref().map_or(0, |halfway| halfway.content.memory())
    }
}
