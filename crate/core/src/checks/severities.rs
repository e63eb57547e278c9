//! How much each message weighs, where that was set: the variables `fsck.<msg-id>` and
//! `fsck.skipList`, <https://git-scm.com/docs/git-config#Documentation/git-config.txt-fsckmsg-id>.

use super::{MessageId, Severity};
use crate::error::{Error, ErrorKind, Result};
use crate::oid::{HashKind, ObjectId};
use std::collections::BTreeSet;

/// The longest name of an entry of a tree that nothing is said of.
const MOST_NAME_LEN: u64 = 4096;

/// What git knows besides, and nothing is said of here: of refs, mostly.
const OTHERS: [&str; 18] = [
    "badHeadTarget",
    "badPackedRefEntry",
    "badPackedRefHeader",
    "badReferentName",
    "badRefContent",
    "badRefFiletype",
    "badRefName",
    "badRefOid",
    "badReftableTableName",
    "emptyName",
    "emptyPackedRefsFile",
    "packedRefEntryNotTerminated",
    "packedRefUnsorted",
    "refMissingNewline",
    "symlinkRef",
    "symrefTargetIsNotARef",
    "trailingRefContent",
    "unknownType",
];

/// How much messages weigh, and which objects nothing is said of.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Severities {
    is_strict: bool,
    /// What was set, each by its number; later ones go before.
    set: Vec<(MessageId, Severity)>,
    most_name_len: u64,
    skipped: BTreeSet<ObjectId>,
}

/// What they weigh unless something is set.
pub(super) static PLAIN: Severities = Severities::new(false);
pub(super) static STRICT: Severities = Severities::new(true);

impl Severities {
    /// Begins with those that messages have by themselves; where it is `strict` warnings
    /// are errors.
    pub const fn new(strict: bool) -> Severities {
        Severities {
            is_strict: strict,
            set: Vec::new(),
            most_name_len: MOST_NAME_LEN,
            skipped: BTreeSet::new(),
        }
    }

    /// Takes lines: `name=severity`, where the severity is `error`, `warn` or `ignore`, that
    /// of `largePathname` with the longest name behind a colon; or the id of an object that
    /// nothing is to be said of. What stands behind a `#` is left out.
    ///
    /// ```
    /// use packlens::{HashKind, MessageId, Severities, Severity};
    ///
    /// let mut severities = Severities::new(true);
    /// severities.take_lines(HashKind::Sha1, b"missingEmail=ignore\nbadDate=warn\n").unwrap();
    /// assert_eq!(severities.of(MessageId::MissingEmail), Severity::Ignore);
    /// assert!(!severities.is_error(MessageId::BadDate));
    /// let error = severities.take_lines(HashKind::Sha1, b"nulInHeader=warn").unwrap_err();
    /// assert_eq!(error.what(), "Cannot demote");
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for what is not known, in git's words.
    pub fn take_lines(&mut self, hash: HashKind, text: &[u8]) -> Result<()> {
        for line in text.split(|byte| *byte == b'\n') {
            let line = line.split(|byte| *byte == b'#').next().unwrap_or_default();
            match line.trim_ascii_end() {
                [] => {}
                line => match line.iter().position(|byte| *byte == b'=') {
                    Some(at) => {
                        let (name, severity) = line.split_at(at);
                        self.set(name, severity.get(1..).unwrap_or_default())?;
                    }
                    None => {
                        let id = ObjectId::from_hex(hash, line)
                            .ok_or_else(|| bad("invalid object name", line))?;
                        self.skipped.insert(id);
                    }
                },
            }
        }
        Ok(())
    }

    /// Sets how much a message weighs, both by git's names, of either case the first.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] as [`Severities::take_lines`].
    pub fn set(&mut self, name: &[u8], severity: &[u8]) -> Result<()> {
        let is_one = |of: &str| of.as_bytes().eq_ignore_ascii_case(name);
        let id = MessageId::ALL.iter().find(|id| is_one(id.name())).copied();
        if id.is_none() && !OTHERS.into_iter().any(is_one) {
            return Err(bad("Unhandled message id", name));
        }
        let mut wanted = severity;
        if id == Some(MessageId::LargePathname) {
            if let Some(at) = severity.iter().position(|byte| *byte == b':') {
                let (before, length) = severity.split_at(at);
                let length = length.get(1..).unwrap_or_default();
                let number = std::str::from_utf8(length).ok().and_then(|text| text.parse().ok());
                let what = "unable to parse max tree entry len";
                self.most_name_len = number.ok_or_else(|| bad(what, length))?;
                wanted = before;
            }
        }
        let level = match wanted {
            b"error" => Severity::Error,
            b"warn" => Severity::Warn,
            b"ignore" => Severity::Ignore,
            _ => return Err(bad("Unknown fsck message type", wanted)),
        };
        let Some(id) = id else {
            return Ok(());
        };
        if level != Severity::Error && id.severity() == Severity::Fatal {
            let what = [name.to_ascii_lowercase().as_slice(), b" to ", wanted].concat();
            return Err(bad("Cannot demote", &what));
        }
        self.set.retain(|(of, _)| *of != id);
        self.set.push((id, level));
        Ok(())
    }

    /// Returns how much a message weighs: nothing, a warning, or an error.
    pub fn of(&self, id: MessageId) -> Severity {
        match self.set.iter().find(|(of, _)| *of == id) {
            Some((_, severity)) => *severity,
            None => match id.severity() {
                Severity::Warn if self.is_strict => Severity::Error,
                severity => severity,
            },
        }
    }

    /// Tells whether a message is an error, for git's exit code.
    pub fn is_error(&self, id: MessageId) -> bool {
        matches!(self.of(id), Severity::Error | Severity::Fatal)
    }

    /// Tells whether nothing is to be said of an object.
    pub fn skips(&self, id: &ObjectId) -> bool {
        self.skipped.contains(id)
    }

    pub(super) fn is_strict(&self) -> bool {
        self.is_strict
    }

    pub(super) fn most_name_len(&self) -> u64 {
        self.most_name_len
    }
}

fn bad(what: &'static str, subject: &[u8]) -> Error {
    Error::new(ErrorKind::BadInput, what).about(subject)
}
