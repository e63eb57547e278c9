//! Counters: what tests assert instead of clocks.

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What was done since the repository was opened.
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
    /// Objects looked for by id.
    lookups,
    /// Objects whose content was delivered.
    objects,
    /// Parts of files brought into memory.
    blocks_read,
    /// Bytes brought into memory, each a copy in.
    bytes_read,
    /// Parts that left to keep the ceiling.
    blocks_evicted,
    /// Files opened.
    files_opened,
    /// Bytes that inflating made.
    inflated_bytes,
    /// Deltas applied.
    deltas_applied,
    /// Pack entries taken from the base cache.
    base_cache_hits,
    /// Bytes of objects that were hashed to check their id.
    hashed_bytes,
    /// Bytes of pack entries that were checked by the checksums of their indexes.
    crc_bytes,
    /// Directories of new refs that were looked up, to see whether they are refs.
    prefix_checks,
    /// Times that a cursor over refs was sent to a place.
    ref_seeks,
    /// Reftables opened: each once, as long as it is listed.
    tables_opened,
    /// Commits whose parents a walk looked at, in objects or a commit-graph.
    commits_walked,
    /// Bytes handed over: frames, records and streams.
    bytes_out,
    /// Times that output was handed over.
    flushes,
    /// The most bytes that parts, base cache and output took together.
    memory_high_water,
}
