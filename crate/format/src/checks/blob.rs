//! Checks blobs that git reads settings from.

use super::gitmodules::{problems_of_modules, Problem};
use super::{Checks, MessageId, SpecialFile};

/// The longest `.gitattributes` that git reads.
const MOST_ATTRIBUTES: usize = 100 << 20;

/// git does not read a line of `.gitattributes` that has this many bytes or more.
const LONG_LINE: usize = 2048;

impl Checks<'_> {
    /// Checks a blob that a tree has as a special file. `content` is `None` if the blob is too
    /// large to be read.
    pub fn special_file(&mut self, file: SpecialFile, content: Option<&[u8]>) {
        match file {
            SpecialFile::Modules => self.modules(content),
            SpecialFile::Attributes => self.attributes(content),
        }
    }

    /// Reports that a special file is missing, or with `is_there` that it is no blob.
    pub fn no_special_file(&mut self, file: SpecialFile, is_there: bool) {
        self.report(match (file, is_there) {
            (SpecialFile::Modules, false) => MessageId::GitmodulesMissing,
            (SpecialFile::Modules, true) => MessageId::GitmodulesBlob,
            (SpecialFile::Attributes, false) => MessageId::GitattributesMissing,
            (SpecialFile::Attributes, true) => MessageId::GitattributesBlob,
        });
    }

    fn modules(&mut self, content: Option<&[u8]>) {
        let Some(content) = content else {
            self.report(MessageId::GitmodulesLarge);
            return;
        };
        let parsed = problems_of_modules(content, &mut |Problem { id, about }| {
            self.report_about(id, about);
        });
        if !parsed {
            self.report(MessageId::GitmodulesParse);
        }
    }

    fn attributes(&mut self, content: Option<&[u8]>) {
        let Some(content) = content.filter(|content| content.len() <= MOST_ATTRIBUTES) else {
            self.report(MessageId::GitattributesLarge);
            return;
        };
        // git reads the file as a string that ends at the first NUL.
        let end = content.iter().position(|byte| *byte == 0).unwrap_or(content.len());
        let text = content.get(..end).unwrap_or_default();
        if text.split(|byte| *byte == b'\n').any(|line| line.len() >= LONG_LINE) {
            self.report(MessageId::GitattributesLineLength);
        }
    }
}
