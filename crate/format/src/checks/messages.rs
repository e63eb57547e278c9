//! The messages of checks, by git's ids: <https://git-scm.com/docs/git-fsck#_fsck_messages>.

/// The severity of a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub enum Severity {
    /// Not reported, unless its severity is configured.
    Ignore,
    /// Reported as a warning, and never an error.
    Info,
    /// Reported as a warning; an error in strict mode.
    Warn,
    /// An error.
    Error,
    /// An error after which nothing more of the object is read.
    Fatal,
}

macro_rules! messages {
    ($($id:ident, $name:literal, $severity:ident, $text:literal;)*) => {
        /// A message about an object.
        #[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd)]
        #[repr(u8)]
        pub enum MessageId {
            $(#[doc = $text] $id,)*
        }

        impl MessageId {
            /// All messages, each at the index of its number.
            pub const ALL: &'static [MessageId] = &[$(MessageId::$id,)*];

            /// Returns git's id of the message.
            pub const fn name(self) -> &'static str {
                match self { $(MessageId::$id => $name,)* }
            }

            /// Returns git's id of the message and its text.
            pub const fn line(self) -> &'static str {
                match self { $(MessageId::$id => concat!($name, ": ", $text),)* }
            }

            /// Returns the severity of the message unless checks are strict.
            pub const fn severity(self) -> Severity {
                match self { $(MessageId::$id => Severity::$severity,)* }
            }

            /// Returns git's text of the message; details may follow it.
            pub const fn text(self) -> &'static str {
                match self { $(MessageId::$id => $text,)* }
            }
        }
    };
}

messages! {
    NulInHeader, "nulInHeader", Fatal, "unterminated header: NUL at offset ";
    UnterminatedHeader, "unterminatedHeader", Fatal, "unterminated header";
    BadHeaderContinuation, "badHeaderContinuation", Error,
        "invalid format - unexpected end in 'gpgsig' or 'gpgsig-sha256' continuation line";
    BadDate, "badDate", Error, "invalid author/committer line - bad date";
    BadDateOverflow, "badDateOverflow", Error,
        "invalid author/committer line - date causes integer overflow";
    BadEmail, "badEmail", Error, "invalid author/committer line - bad email";
    BadGpgsig, "badGpgsig", Error,
        "invalid format - unexpected end after 'gpgsig' or 'gpgsig-sha256' line";
    BadName, "badName", Error, "invalid author/committer line - bad name";
    BadObjectSha1, "badObjectSha1", Error, "invalid 'object' line format - bad sha1";
    BadParentSha1, "badParentSha1", Error, "invalid 'parent' line format - bad sha1";
    BadTimezone, "badTimezone", Error, "invalid author/committer line - bad time zone";
    BadTree, "badTree", Error, "cannot be parsed as a tree";
    BadTreeSha1, "badTreeSha1", Error, "invalid 'tree' line format - bad sha1";
    BadType, "badType", Error, "invalid 'type' value";
    DuplicateEntries, "duplicateEntries", Error, "contains duplicate file entries";
    GitattributesBlob, "gitattributesBlob", Error, "non-blob found at .gitattributes";
    GitattributesLarge, "gitattributesLarge", Error, ".gitattributes too large to parse";
    GitattributesLineLength, "gitattributesLineLength", Error,
        ".gitattributes has too long lines to parse";
    GitattributesMissing, "gitattributesMissing", Error, "unable to read .gitattributes blob";
    GitmodulesBlob, "gitmodulesBlob", Error, "non-blob found at .gitmodules";
    GitmodulesLarge, "gitmodulesLarge", Error, ".gitmodules too large to parse";
    GitmodulesMissing, "gitmodulesMissing", Error, "unable to read .gitmodules blob";
    GitmodulesName, "gitmodulesName", Error, "disallowed submodule name: ";
    GitmodulesPath, "gitmodulesPath", Error, "disallowed submodule path: ";
    GitmodulesSymlink, "gitmodulesSymlink", Error, ".gitmodules is a symbolic link";
    GitmodulesUpdate, "gitmodulesUpdate", Error, "disallowed submodule update setting: ";
    GitmodulesUrl, "gitmodulesUrl", Error, "disallowed submodule url: ";
    MissingAuthor, "missingAuthor", Error, "invalid format - expected 'author' line";
    MissingCommitter, "missingCommitter", Error, "invalid format - expected 'committer' line";
    MissingEmail, "missingEmail", Error, "invalid author/committer line - missing email";
    MissingNameBeforeEmail, "missingNameBeforeEmail", Error,
        "invalid author/committer line - missing space before email";
    MissingObject, "missingObject", Error, "invalid format - expected 'object' line";
    MissingSpaceBeforeDate, "missingSpaceBeforeDate", Error,
        "invalid author/committer line - missing space before date";
    MissingSpaceBeforeEmail, "missingSpaceBeforeEmail", Error,
        "invalid author/committer line - missing space before email";
    MissingTag, "missingTag", Error, "invalid format - unexpected end after 'type' line";
    MissingTagEntry, "missingTagEntry", Error, "invalid format - expected 'tag' line";
    MissingTree, "missingTree", Error, "invalid format - expected 'tree' line";
    MissingType, "missingType", Error, "invalid format - unexpected end after 'type' line";
    MissingTypeEntry, "missingTypeEntry", Error, "invalid format - expected 'type' line";
    MultipleAuthors, "multipleAuthors", Error, "invalid format - multiple 'author' lines";
    TreeNotSorted, "treeNotSorted", Error, "not properly sorted";
    ZeroPaddedDate, "zeroPaddedDate", Error, "invalid author/committer line - zero-padded date";
    FullPathname, "fullPathname", Warn, "contains full pathnames";
    HasDot, "hasDot", Warn, "contains '.'";
    HasDotdot, "hasDotdot", Warn, "contains '..'";
    HasDotgit, "hasDotgit", Warn, "contains '.git'";
    LargePathname, "largePathname", Warn, "contains excessively large pathname";
    NullSha1, "nullSha1", Warn, "contains entries pointing to null sha1";
    NulInCommit, "nulInCommit", Warn, "NUL byte in the commit object body";
    ZeroPaddedFilemode, "zeroPaddedFilemode", Warn, "contains zero-padded file modes";
    BadFilemode, "badFilemode", Info, "contains bad file modes";
    BadTagName, "badTagName", Info, "invalid 'tag' name: ";
    GitattributesSymlink, "gitattributesSymlink", Info, ".gitattributes is a symlink";
    GitignoreSymlink, "gitignoreSymlink", Info, ".gitignore is a symlink";
    GitmodulesParse, "gitmodulesParse", Info, "could not parse gitmodules blob";
    MailmapSymlink, "mailmapSymlink", Info, ".mailmap is a symlink";
    MissingTaggerEntry, "missingTaggerEntry", Info, "invalid format - expected 'tagger' line";
    ExtraHeaderEntry, "extraHeaderEntry", Ignore,
        "invalid format - extra header(s) after 'tagger'";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_those_of_the_list() {
        for (number, id) in MessageId::ALL.iter().enumerate() {
            assert_eq!(*id as usize, number);
            let mut name = format!("{id:?}");
            name.get_mut(..1).unwrap().make_ascii_lowercase();
            assert_eq!(name, id.name());
        }
    }
}
