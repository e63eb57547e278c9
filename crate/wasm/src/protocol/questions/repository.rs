//! Questions that come before those to a repository: how it is opened, and what a bundle has.

use super::{questions, Bytes};
use crate::protocol::choices::Hash;
use crate::protocol::field::Text;
use packlens::{alternates_in, require_full, Layout, Verify};

questions! { session;
    /// Configures a repository before its first question. The fields stand for what git takes
    /// from its environment.
    reader at_once Open = 21 {
        /// The most bytes of inflated delta bases.
        base_cache: Option<u64>,
        /// The hash of ids; none to take it from `config`.
        object_format: Hash,
        /// How much of an object is verified.
        verify: Verify,
        /// The directory of objects: relative to the git directory, or absolute.
        object_directory: Option<Bytes>,
        /// Alternates, in the syntax of git's variable.
        alternates: Text,
        /// The byte between two alternates, and the base of relative ones.
        separator: u32,
        alternates_base: Option<Bytes>,
        /// The prefix of replace refs; empty to ignore them.
        replace_base: Option<Bytes>,
        /// The files of shallow commits, of grafts, and the index of `:path`; empty for none.
        shallow_file: Option<Bytes>,
        graft_file: Option<Bytes>,
        index_file: Option<Bytes>,
        /// Reports promised objects as missing.
        hides_promised: bool,
        /// Asks the caller for missing objects.
        fetches: bool,
        /// Ignores commit-graphs.
        without_graphs: bool,
        /// Lists each directory of loose objects once for all questions.
        lists_loose_once: bool,
    } => {
        // The reader neither fetches nor compares checksums.
        if fetches || verify == Verify::Crc {
            require_full()?;
        }
        let base = alternates_base.unwrap_or_default();
        let alternates = alternates_in(&alternates.0, separator as u8, &base);
        let layout = Layout { object_directory, alternates, fetches, lists_loose_once };
        session.configure(base_cache, (object_format.0, verify), layout, |boundaries| {
            if let Some(base) = replace_base {
                boundaries.replace_base = Some(base).filter(|base| !base.is_empty());
            }
            let files = [
                (shallow_file, &mut boundaries.shallow_file),
                (graft_file, &mut boundaries.graft_file),
                (index_file, &mut boundaries.index_file),
            ];
            for (file, place) in files {
                if let Some(file) = file {
                    *place = file;
                }
            }
            boundaries.uses_graphs = !without_graphs;
        });
        session.repository.report_promised(!hides_promised);
        Ok(())
    };

    /// Outputs the head of a bundle: see `BundleHeader::write` of the core.
    full at_once Bundle = 28 { path: Bytes, } => session.bundle(&path);
}
