//! What an instance does to make an index, by its role.

use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::work_units::WorkUnits;
use packlens_format::index::{
    Build, IndexHelper, IndexLeader, IndexRole, Progress, SectionScanner,
};

pub(super) enum Builder {
    Alone(Build),
    Leader(IndexLeader),
    Scanner(SectionScanner),
    Helper(IndexHelper),
}

/// Records for other instances; each is empty if there are none.
pub(super) struct Shared {
    pub(super) ids: Vec<u8>,
    pub(super) section: Vec<u8>,
    pub(super) rows: Vec<u8>,
}

impl Builder {
    /// Creates a builder. `new` returns another build of the same pack.
    pub(super) fn new(
        role: IndexRole,
        build: Build,
        new: impl Fn() -> Result<Build>,
        work_unit_entries: u32,
    ) -> Result<Builder> {
        Ok(match role {
            IndexRole::Alone => Builder::Alone(build),
            IndexRole::Leader => {
                Builder::Leader(IndexLeader::new(build, new()?, work_unit_entries))
            }
            IndexRole::Scanner => Builder::Scanner(SectionScanner::new(build, work_unit_entries)),
            IndexRole::Helper => Builder::Helper(IndexHelper::new(build, work_unit_entries)),
        })
    }

    /// Returns the work units that are to be claimed next.
    pub(super) fn work_units<S: BlockSource>(&self, pack: &S) -> Result<WorkUnits> {
        match self {
            Builder::Alone(_) => Ok(WorkUnits { count: 0, state: Vec::new() }),
            Builder::Leader(leader) => leader.work_units(pack),
            Builder::Scanner(scanner) => scanner.work_units(pack),
            Builder::Helper(helper) => helper.work_units(pack),
        }
    }

    pub(super) fn claim(&mut self, work_unit: Option<u32>) {
        match (self, work_unit) {
            (Builder::Leader(leader), _) => leader.claim(work_unit),
            (Builder::Scanner(scanner), Some(section)) => scanner.claim(section),
            (Builder::Helper(helper), Some(work_unit)) => helper.claim(work_unit),
            (Builder::Alone(_) | Builder::Scanner(_) | Builder::Helper(_), _) => {}
        }
    }

    /// Takes records of another instance.
    pub(super) fn put(&mut self, records: &[u8], limits: &Limits) {
        match self {
            Builder::Leader(leader) => leader.put(records),
            // A helper that lacks entries takes no work unit.
            Builder::Helper(helper) => drop(helper.put_rows(records, limits)),
            Builder::Alone(_) | Builder::Scanner(_) => {}
        }
    }

    pub(super) fn step<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Progress> {
        match self {
            Builder::Alone(build) => build.step(pack, inflater, limits),
            Builder::Leader(leader) => leader.step(pack, inflater, limits),
            Builder::Helper(helper) => helper.step(pack, inflater, limits),
            Builder::Scanner(scanner) => {
                scanner.step(pack, inflater, limits)?;
                Ok(scanner.build().progress())
            }
        }
    }

    /// Returns records for other instances, in about `most` bytes of each kind.
    pub(super) fn take_shared(&mut self, most: usize) -> Shared {
        let mut shared = Shared { ids: Vec::new(), section: Vec::new(), rows: Vec::new() };
        match self {
            Builder::Alone(_) => {}
            Builder::Leader(leader) => shared.rows = leader.take_rows(most),
            Builder::Scanner(scanner) => {
                shared.section = scanner.take_section().unwrap_or_default()
            }
            Builder::Helper(helper) => shared.ids = helper.take_ids(most),
        }
        shared
    }

    /// Returns whether there is nothing to do until the next claim.
    pub(super) fn is_idle(&self) -> bool {
        match self {
            Builder::Alone(_) => false,
            Builder::Leader(leader) => leader.is_idle(),
            Builder::Scanner(scanner) => scanner.is_idle(),
            Builder::Helper(helper) => helper.is_idle(),
        }
    }

    /// Returns whether this instance makes the index, and all work units are claimed.
    pub(super) fn is_last(&self) -> bool {
        match self {
            Builder::Alone(_) => true,
            Builder::Leader(leader) => leader.is_last(),
            Builder::Scanner(_) | Builder::Helper(_) => false,
        }
    }

    /// Returns the build that is given bases which the pack lacks, and that has the findings.
    pub(super) fn build_mut(&mut self) -> Option<&mut Build> {
        match self {
            Builder::Alone(build) => Some(build),
            Builder::Leader(leader) => Some(leader.build_mut()),
            Builder::Scanner(_) | Builder::Helper(_) => None,
        }
    }

    /// Returns the build of an instance that makes the index.
    pub(super) fn into_build(self) -> Option<Build> {
        match self {
            Builder::Alone(build) => Some(build),
            Builder::Leader(leader) => Some(leader.into_build()),
            Builder::Scanner(_) | Builder::Helper(_) => None,
        }
    }

    pub(super) fn memory(&self) -> u64 {
        match self {
            Builder::Alone(build) => build.memory(),
            Builder::Leader(leader) => leader.memory(),
            Builder::Scanner(scanner) => scanner.memory(),
            Builder::Helper(helper) => helper.build().memory(),
        }
    }
}
