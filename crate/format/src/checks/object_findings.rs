//! Collects the findings of one object, to be used when its check is complete.

use super::{Findings, MessageId, SpecialFile};
use packlens_base::oid::ObjectId;

/// The findings of one object.
#[derive(Default)]
pub struct ObjectFindings {
    /// The messages, each with the text that it is about.
    pub messages: Vec<(MessageId, Vec<u8>)>,
    /// The special files of a tree, such as `.gitmodules`, and their blobs.
    pub specials: Vec<(SpecialFile, ObjectId)>,
}

impl Findings for ObjectFindings {
    fn report(&mut self, id: MessageId, about: &[u8]) {
        self.messages.push((id, about.to_vec()));
    }

    fn special(&mut self, file: SpecialFile, id: &ObjectId) {
        self.specials.push((file, *id));
    }
}
