//! The counters of a repository.

use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::stats::Stats;
use packlens_format::refs::RefCounts;

/// Counts of what neither the files nor the objects count.
#[derive(Default)]
pub(crate) struct Counts {
    /// How many bytes of output were handed over, and how many times.
    bytes_out: u64,
    flushes: u64,
    pub(crate) commits_walked: u64,
    pub(crate) refs: RefCounts,
}

impl Repository {
    /// Counts an output as handed over and empties it. Objects in it that are needed as bases
    /// are copied.
    pub fn hand_over(&mut self, output: &mut Output) {
        self.odb.save_bases(output);
        self.count_output(output.len());
        output.truncate(0);
    }

    /// Counts output as handed over.
    pub fn count_output(&mut self, bytes: usize) {
        let counts = &mut self.counts;
        counts.bytes_out = counts.bytes_out.saturating_add(bytes as u64);
        counts.flushes = counts.flushes.saturating_add(1);
    }

    /// Returns the counters.
    pub fn stats(&self) -> Stats {
        let files = self.files.counts();
        let odb = self.odb.counts();
        Stats {
            lookups: odb.lookups,
            objects: odb.objects,
            blocks_read: files.blocks,
            bytes_read: files.bytes,
            blocks_evicted: files.evicted,
            files_opened: files.opened,
            inflated_bytes: self.odb.inflated_bytes(),
            deltas_applied: odb.deltas_applied,
            base_cache_hits: self.odb.base_cache_hits(),
            hashed_bytes: odb.hashed_bytes,
            crc_bytes: odb.crc_bytes,
            prefix_checks: self.counts.refs.prefix_checks,
            ref_seeks: self.counts.refs.seeks,
            tables_opened: self.refs.tables_opened(),
            commits_walked: self.counts.commits_walked,
            bytes_out: self.counts.bytes_out,
            flushes: self.counts.flushes,
            memory_high_water: self.files.high_water(),
        }
    }
}
