//! Checks commits.

use super::header::Lines;
use super::{Checks, MessageId};

impl Checks<'_> {
    pub(super) fn commit(&mut self, content: &[u8]) {
        self.commit_lines(content);
    }

    /// Checks the lines of a commit; returns whether the check ended early.
    fn commit_lines(&mut self, content: &[u8]) -> bool {
        if !self.begins_with_headers(content) {
            return true;
        }
        let mut lines = Lines::new(content);
        if !lines.pass(b"tree ") {
            return self.report(MessageId::MissingTree);
        }
        if !lines.id(self.hash) && self.report(MessageId::BadTreeSha1) {
            return true;
        }
        while lines.pass(b"parent ") {
            if !lines.id(self.hash) && self.report(MessageId::BadParentSha1) {
                return true;
            }
        }
        let mut authors = 0u32;
        while lines.pass(b"author ") {
            authors = authors.saturating_add(1);
            if self.identity(&mut lines) {
                return true;
            }
        }
        let wrong = match authors {
            0 => self.report(MessageId::MissingAuthor),
            1 => false,
            _ => self.report(MessageId::MultipleAuthors),
        };
        if wrong {
            return true;
        }
        if !lines.pass(b"committer ") {
            return self.report(MessageId::MissingCommitter);
        }
        if self.identity(&mut lines) {
            return true;
        }
        content.contains(&0) && self.report(MessageId::NulInCommit)
    }
}
