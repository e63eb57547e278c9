//! Configured severities of messages: the variables `fsck.<msg-id>` and `fsck.skipList`,
//! <https://git-scm.com/docs/git-config#Documentation/git-config.txt-fsckmsg-id>.

use super::{MessageId, Severity};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use std::collections::BTreeSet;

/// The longest name of a tree's entry that is not reported, unless configured.
const MOST_NAME_LEN: u64 = 4096;

/// Message ids of git that are accepted but never reported here; most are about refs.
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

/// The severities of messages, and the objects that are skipped.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Severities {
    is_strict: bool,
    /// The configured severities, at most one for each message.
    set: Vec<(MessageId, Severity)>,
    most_name_len: u64,
    skipped: BTreeSet<ObjectId>,
}

/// The severities where nothing is configured.
pub(super) static PLAIN: Severities = Severities::new(false);
pub(super) static STRICT: Severities = Severities::new(true);

impl Severities {
    /// Creates the default severities; with `strict`, warnings are errors.
    pub const fn new(strict: bool) -> Severities {
        Severities {
            is_strict: strict,
            set: Vec::new(),
            most_name_len: MOST_NAME_LEN,
            skipped: BTreeSet::new(),
        }
    }

    /// Parses lines of the form `name=severity`, where the severity is `error`, `warn` or
    /// `ignore`; for `largePathname` a colon and the longest allowed name may follow. Other
    /// lines are ids of objects to skip. Text after a `#` is ignored.
    ///
    /// ```
    /// use packlens_base::HashKind;
    /// use packlens_format::checks::{MessageId, Severities, Severity};
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
    /// [`ErrorKind::BadInput`] for an unknown name, severity or id, in git's words.
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

    /// Sets the severity of a message. Both are git's names; case does not matter in `name`.
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
        let mut requested = severity;
        if id == Some(MessageId::LargePathname) {
            if let Some(at) = severity.iter().position(|byte| *byte == b':') {
                let (before, length) = severity.split_at(at);
                let length = length.get(1..).unwrap_or_default();
                let number = std::str::from_utf8(length).ok().and_then(|text| text.parse().ok());
                let what = "unable to parse max tree entry len";
                self.most_name_len = number.ok_or_else(|| bad(what, length))?;
                requested = before;
            }
        }
        let level = match requested {
            b"error" => Severity::Error,
            b"warn" => Severity::Warn,
            b"ignore" => Severity::Ignore,
            _ => return Err(bad("Unknown fsck message type", requested)),
        };
        let Some(id) = id else {
            return Ok(());
        };
        if level != Severity::Error && id.severity() == Severity::Fatal {
            let what = [name.to_ascii_lowercase().as_slice(), b" to ", requested].concat();
            return Err(bad("Cannot demote", &what));
        }
        self.set.retain(|(of, _)| *of != id);
        self.set.push((id, level));
        Ok(())
    }

    /// Returns the severity of a message.
    pub fn of(&self, id: MessageId) -> Severity {
        match self.set.iter().find(|(of, _)| *of == id) {
            Some((_, severity)) => *severity,
            None => match id.severity() {
                Severity::Warn if self.is_strict => Severity::Error,
                severity => severity,
            },
        }
    }

    /// Returns whether a message is an error, for git's exit code.
    pub fn is_error(&self, id: MessageId) -> bool {
        matches!(self.of(id), Severity::Error | Severity::Fatal)
    }

    /// Returns whether findings about an object are not reported.
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
