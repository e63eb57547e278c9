//! Checks the content of objects, as `git fsck` does:
//! <https://git-scm.com/docs/git-fsck#_fsck_messages>.
//!
//! Objects are read as a whole, from the first byte to the last. A broken rule is reported
//! under git's message id, and the check continues or ends where git's does.

mod blob;
mod commit;
mod dot_names;
mod gitmodules;
mod header;
pub mod links;
mod messages;
mod object_findings;
mod order;
mod severities;
mod submodule_url;
mod tag;
mod tree;

pub use messages::{MessageId, Severity};
pub use object_findings::ObjectFindings;
pub use severities::Severities;
pub use tree::begins_as_tree;

use crate::object::ObjectType;
use packlens_base::oid::{HashKind, ObjectId};

/// A file that git reads its own settings from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SpecialFile {
    /// `.gitmodules`.
    Modules,
    /// `.gitattributes`.
    Attributes,
}

/// Receives the findings of checks.
pub trait Findings {
    /// Receives a message; `about` has the details that follow its text, and may be empty.
    fn report(&mut self, id: MessageId, about: &[u8]);

    /// Receives the id of an object that a tree has as a special file.
    fn special(&mut self, file: SpecialFile, id: &ObjectId);
}

/// Checks objects one after the other.
pub struct Checks<'f> {
    hash: HashKind,
    severities: &'f Severities,
    findings: &'f mut dyn Findings,
}

impl<'f> Checks<'f> {
    /// Creates checks of objects whose ids are of kind `hash`; with `strict`, warnings are
    /// errors.
    pub fn new(hash: HashKind, strict: bool, findings: &'f mut dyn Findings) -> Checks<'f> {
        let severities = if strict { &severities::STRICT } else { &severities::PLAIN };
        Checks { hash, severities, findings }
    }

    /// Sets the severities. After an error a check may end; ignored messages are not reported.
    #[must_use]
    pub fn with_severities(mut self, severities: &'f Severities) -> Checks<'f> {
        self.severities = severities;
        self
    }

    /// Checks a commit, tree or tag. Blobs are checked only if they are special files: see
    /// [`Checks::special_file`].
    ///
    /// ```
    /// use packlens_base::{object_type::ObjectType, HashKind, ObjectId};
    /// use packlens_format::checks::{Checks, Findings, MessageId, SpecialFile};
    ///
    /// #[derive(Default)]
    /// struct Names(Vec<&'static str>);
    /// impl Findings for Names {
    ///     fn report(&mut self, id: MessageId, _about: &[u8]) {
    ///         self.0.push(id.name());
    ///     }
    ///     fn special(&mut self, _file: SpecialFile, _id: &ObjectId) {}
    /// }
    ///
    /// let mut names = Names::default();
    /// let mut checks = Checks::new(HashKind::Sha1, false, &mut names);
    /// checks.object(ObjectType::Tag, b"type commit\n");
    /// assert_eq!(names.0, ["missingObject"]);
    /// ```
    pub fn object(&mut self, object_type: ObjectType, content: &[u8]) {
        match object_type {
            ObjectType::Commit => self.commit(content),
            ObjectType::Tree => self.tree(content),
            ObjectType::Tag => self.tag(content),
            ObjectType::Blob => {}
        }
    }

    /// Reports a message; returns whether the check ends there.
    fn report(&mut self, id: MessageId) -> bool {
        self.report_about(id, b"")
    }

    fn report_about(&mut self, id: MessageId, about: &[u8]) -> bool {
        if self.severities.of(id) != Severity::Ignore {
            self.findings.report(id, about);
        }
        self.severities.is_error(id)
    }
}
