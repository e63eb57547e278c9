//! Indexes that are made and told, what is stored, and whether it is right.

use crate::session::Session;
use crate::task::{Filling, LongAnswer, Task};
use packlens::{
    Collisions, CountObjects, Fsck, FsckOptions, IndexPack, IndexWishes, Repository, Result,
    Severities, Share, ShowIndex, Stretches, Strict, Thin,
};

impl LongAnswer for IndexPack {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }

    fn stretches(&mut self, repository: &mut Repository) -> Result<Option<Stretches>> {
        self.stretches(repository).map(Some)
    }

    fn claim(&mut self, stretch: Option<u32>) {
        self.claim(stretch);
    }

    fn put(&mut self, told: &[u8]) {
        self.put(told);
    }
}

impl LongAnswer for ShowIndex {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        0
    }
}

impl LongAnswer for CountObjects {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl LongAnswer for Fsck {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl Session {
    pub(crate) fn index_pack(&mut self, bits: u32) -> Result<()> {
        let wishes = IndexWishes {
            collisions: match bits & 32 {
                0 => Collisions::Detect,
                _ => Collisions::Trust,
            },
            index: bits & 1 != 0,
            reverse: bits & 2 != 0,
            verify: bits & 4 != 0,
            lines: bits & 8 != 0,
            summary: bits & 16 != 0,
            thin: match bits & (256 | 512) {
                0 => Thin::Refuse,
                256 => Thin::Fix,
                _ => Thin::Borrow,
            },
            share: match bits & (64 | 128 | 4096) {
                0 => Share::Whole,
                64 => Share::Leads,
                4096 => Share::Scans,
                _ => Share::Helps,
            },
            strict: match bits & (1024 | 2048) {
                0 => Strict::No,
                1024 => Strict::Objects,
                _ => Strict::Links,
            },
        };
        let mut fields = self.input.splitn(3, |byte| *byte == 0);
        let mut next = || fields.next().unwrap_or_default();
        let (pack, index, rules) = (next(), next(), next());
        let mut severities = Severities::new(true);
        severities.take_lines(self.repository.hash(), rules)?;
        let task = IndexPack::new(pack, index, wishes, self.limits).with_severities(severities);
        self.start(Task::new(Box::new(task)))
    }

    pub(crate) fn show_index(&mut self) -> Result<()> {
        let entries = ShowIndex::new(&self.input);
        self.start(Task::new(Box::new(entries)))
    }

    pub(crate) fn count_objects(&mut self) -> Result<()> {
        self.start(Task::new(Box::<CountObjects>::default()))
    }

    pub(crate) fn fsck(&mut self, bits: u32) -> Result<()> {
        let is = |bit: u32| bits & bit != 0;
        let options = FsckOptions {
            strict: is(1),
            connectivity_only: is(2),
            full: !is(4),
            unreachable: is(8),
            dangling: !is(16),
            tags: is(32),
            root: is(64),
            reflogs: !is(128),
            name_objects: is(256),
            references: !is(1024),
            cache: is(512),
        };
        let mut fields = self.input.split(|byte| *byte == 0);
        let rules = fields.next().unwrap_or_default();
        let heads = fields.map(<[u8]>::to_vec).collect();
        let fsck = Fsck::new(options).with_rules(rules).with_heads(heads);
        self.start(Task::new(Box::new(fsck)))
    }
}
