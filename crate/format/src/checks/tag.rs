//! Checks annotated tags.

use super::header::Lines;
use super::{Checks, MessageId};
use crate::object::ObjectType;
use crate::refs::is_refname;

impl Checks<'_> {
    pub(super) fn tag(&mut self, content: &[u8]) {
        self.tag_lines(content);
    }

    /// Checks the lines of a tag; returns whether the check ended early.
    fn tag_lines(&mut self, content: &[u8]) -> bool {
        if !self.begins_with_headers(content) {
            return true;
        }
        let mut lines = Lines::new(content);
        if !lines.pass(b"object ") {
            return self.report(MessageId::MissingObject);
        }
        if !lines.id(self.hash) && self.report(MessageId::BadObjectSha1) {
            return true;
        }
        if !lines.pass(b"type ") {
            return self.report(MessageId::MissingTypeEntry);
        }
        let Some(object_type) = lines.line() else {
            return self.report(MessageId::MissingType);
        };
        if ObjectType::from_name(object_type).is_none() && self.report(MessageId::BadType) {
            return true;
        }
        if !lines.pass(b"tag ") {
            return self.report(MessageId::MissingTagEntry);
        }
        let Some(name) = lines.line() else {
            return self.report(MessageId::MissingTag);
        };
        if !is_refname(&[b"refs/tags/", name].concat()) {
            self.report_about(MessageId::BadTagName, name);
        }
        match lines.pass(b"tagger ") {
            true => self.identity(&mut lines),
            // The first tags had no tagger.
            false => self.report(MessageId::MissingTaggerEntry),
        };
        if self.signature(&mut lines) {
            return true;
        }
        let extra = !lines.rest().is_empty() && lines.rest().first() != Some(&b'\n');
        extra && self.report(MessageId::ExtraHeaderEntry)
    }

    /// Checks a signature among the headers; returns whether the check ends there.
    fn signature(&mut self, lines: &mut Lines<'_>) -> bool {
        if !lines.pass(b"gpgsig ") && !lines.pass(b"gpgsig-sha256 ") {
            return false;
        }
        if lines.line().is_none() {
            return self.report(MessageId::BadGpgsig);
        }
        while lines.pass(b" ") {
            if lines.line().is_none() {
                return self.report(MessageId::BadHeaderContinuation);
            }
        }
        false
    }
}
