//! Counters of what was read, inflated, hashed and cached. Tests check these instead of times.

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Counters since the repository was opened.
        #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
        pub struct Stats {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Stats {
            /// The names of the counters, in the order of [`Stats::values`].
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// Returns the counters, in the order of [`Stats::NAMES`].
            pub fn values(&self) -> Vec<u64> {
                vec![$(self.$name,)*]
            }
        }
    };
}

counters! {
    /// Objects that were looked up by id.
    lookups,
    /// Objects whose content was delivered.
    objects,
    /// Ranges of files that were loaded into memory.
    blocks_read,
    /// Bytes that were loaded into memory, each copied once.
    bytes_read,
    /// Ranges that were evicted to stay under the ceiling.
    blocks_evicted,
    /// Files opened.
    files_opened,
    /// Bytes that were inflated.
    inflated_bytes,
    /// Deltas applied.
    deltas_applied,
    /// Pack entries taken from the base cache.
    base_cache_hits,
    /// Bytes of objects that were hashed to check their ids.
    hashed_bytes,
    /// Bytes of pack entries that were checked against the CRC32 of the index.
    crc_bytes,
    /// Directories of new refs that were looked up as refs.
    prefix_checks,
    /// Times that a cursor over refs was moved to a name.
    ref_seeks,
    /// Reftables that were opened; each counts once as long as it is listed.
    tables_opened,
    /// Commits whose parents a walk read, from objects or a commit-graph.
    commits_walked,
    /// Bytes that were handed over: frames, records and streams.
    bytes_out,
    /// Times that output was handed over.
    flushes,
    /// The most bytes that cached ranges, the base cache and output took together.
    memory_high_water,
}
