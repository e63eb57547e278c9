//! Questions about the files of a tree, all together.

use super::{questions, task, Bytes};
use crate::protocol::field::FullNames;
use packlens::{Archive, ArchiveFormat, ArchiveOptions};

questions! { session;
    /// Makes an archive of the files of a tree.
    full pages Archive = 34 {
        spec: Bytes,
        format: ArchiveFormat,
        /// What precedes every path.
        prefix: Option<Bytes>,
        /// The paths that are archived; none for all.
        paths: FullNames,
        /// The date of all entries in seconds since 1970; none for that of the commit.
        mtime: Option<u64>,
        /// The current time.
        now: u64,
    } => {
        let (prefix, paths) = (prefix.unwrap_or_default(), paths.into_names());
        task(Archive::new(&spec, ArchiveOptions { format, prefix, paths, mtime, now }))
    };
}
