//! Compares `HEAD`, the index and the files of a work tree: <https://git-scm.com/docs/git-status>.
//!
//! The source lists the files with what the file system says of them (`worktree/listed.rs`); a file
//! is read only if that does not decide.

mod content;
mod index_trees;
mod options;
mod renamed;
mod rows;
mod rules;
mod scan;
mod settings;
mod staged;
mod stat;
mod submodule;
mod walk;
mod within;

pub use options::{IgnoredFiles, StatusOptions, UntrackedFiles};
pub use rows::StatusRecord;
pub use rules::IgnoredSubmodules;

use crate::changes::{RenameKind, RenameOptions};
use crate::index_entries::IndexEntries;
use crate::repository::Repository;
use crate::worktree::{stat_index, IndexStat, Tracked};
use index_trees::IndexTrees;
use packlens_base::appender::Output;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::pathspec::Pathspec;
use rows::{Found, RowCursor};
use scan::Scan;
use settings::Settings;
use staged::StagedChanges;
use walk::WorktreeWalk;
use within::{Outside, Submodules};

/// A resumable status.
pub struct Status {
    options: StatusOptions,
    pathspec: Pathspec,
    tracked: Tracked,
    /// Known before the index is read.
    index_stat: IndexStat,
    settings: Option<Settings>,
    step: Step,
    /// Of how many other repositories the work tree is within.
    depth: usize,
}

/// What is done next, with what was found before.
enum Step {
    Begin,
    ReadIndex(Box<IndexEntries>),
    HashTrees(Box<IndexTrees>),
    CompareHead(Box<StagedChanges>),
    Walk(Box<StagedChanges>, Box<WorktreeWalk>),
    LookInside(Box<StagedChanges>, Box<WorktreeWalk>, Submodules),
    Rows(Box<StagedChanges>, Box<WorktreeWalk>, RowCursor),
}

impl Status {
    /// Creates the question: see [`Status::fill`] for the answers.
    pub fn new(options: StatusOptions, pathspec: Pathspec) -> Status {
        Status {
            options,
            pathspec,
            tracked: Tracked::default(),
            index_stat: IndexStat::default(),
            settings: None,
            step: Step::Begin,
            depth: 0,
        }
    }

    /// Appends records to `out` until it is about `capacity` bytes long; returns whether the
    /// status is complete. Changes, conflicts and unchanged files come first, then what is not tracked or ignored;
    /// both in the order of their paths.
    ///
    /// A record has its kind (1 byte: [`StatusRecord`]), the letters of git for how the index
    /// differs from `HEAD` and the work tree from the index (1 each, 0 for not at all), bits of a
    /// submodule (1: 1 if it is compared, 2 if it has another commit checked out, 4 if tracked files in
    /// it changed, 8 if it has others), the score of a rename (4), four modes and
    /// the length of an id (4 each), three ids, then the path that was renamed and the path, each
    /// after its length (4). Modes and ids are those of `HEAD`, the index and the content of a file
    /// that was read, of a conflict those of the three stages; the last mode is that in the work tree. What does not exist has zeros.
    /// After its kind an unchanged file has its mode (4), the length of an id (4), the id, and the
    /// path after its length (4).
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading;
    /// [`Unsupported`](packlens_base::ErrorKind::Unsupported) for sources that list no work tree,
    /// and for filters and encodings of files that are not known;
    /// [`Limit`](packlens_base::ErrorKind::Limit) if the index or the answer take too much memory.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        loop {
            if let Step::Rows(staged, walk, cursor) = &mut self.step {
                let id_len = repository.hash().len();
                let found = Found {
                    tracked: &self.tracked,
                    staged,
                    walk,
                    unchanged: self.options.complete.then_some(&self.pathspec),
                };
                return cursor.fill(&found, id_len, (capacity, out));
            }
            self.advance(repository)?;
        }
    }

    /// Returns the bits of a submodule that has this status.
    fn state(&mut self, repository: &mut Repository) -> Result<u8> {
        loop {
            if let Step::Rows(staged, walk, _) = &self.step {
                return Ok(within::state_of(staged, walk, &self.tracked));
            }
            self.advance(repository)?;
        }
    }

    /// Does what precedes the rows, up to the next kind of step. Loops are in small functions: engines
    /// compile a whole function again once a loop in it is hot, which takes longer than all of this.
    #[inline(never)]
    fn advance(&mut self, repository: &mut Repository) -> Result<()> {
        let settings = match &self.settings {
            Some(settings) => settings,
            None => self.settings.insert(Settings::read(repository)?),
        };
        let renames = rename_options(&self.options, settings);
        match &mut self.step {
            Step::Begin => {
                // An index that is replaced after this has newer entries, which seem to be racy.
                let path = repository.index_path()?;
                self.index_stat = stat_index(&mut repository.files, &path)?;
                let entries = IndexEntries::new(Pathspec::default(), false);
                self.step = Step::ReadIndex(Box::new(entries));
            }
            Step::ReadIndex(entries) => {
                read_index(entries, &mut self.tracked, repository)?;
                let trees = entries.cached_trees()?;
                // Ids are in the order of the paths; that of the top is empty.
                let has_all = trees.first().is_some_and(|(path, _)| path.is_empty());
                self.step = match has_all || !self.pathspec.is_all() {
                    true => compare_head(repository, &self.pathspec, renames, trees)?,
                    false => Step::HashTrees(Box::new(IndexTrees::new())),
                };
            }
            Step::HashTrees(trees) => {
                let trees = trees.hash(repository, &self.tracked)?;
                self.step = compare_head(repository, &self.pathspec, renames, trees)?;
            }
            Step::CompareHead(staged) => {
                staged.find(repository, &self.tracked, &self.pathspec)?;
                let walk = Box::new(WorktreeWalk::new(&self.tracked));
                if let Step::CompareHead(staged) = std::mem::replace(&mut self.step, Step::Begin) {
                    self.step = Step::Walk(staged, walk);
                }
            }
            Step::Walk(_, walk) => {
                let scan = Scan {
                    tracked: &self.tracked,
                    settings,
                    options: &self.options,
                    pathspec: &self.pathspec,
                    index_stat: self.index_stat,
                    finds_renames: renames.kind != RenameKind::Nothing,
                };
                walk.find(repository, &scan)?;
                walk.add_deleted(&scan);
                renamed::connect(&mut walk.changes, &self.tracked, renames, repository)?;
                if let Step::Walk(staged, walk) = std::mem::replace(&mut self.step, Step::Begin) {
                    self.step = Step::LookInside(staged, walk, Submodules::default());
                }
            }
            Step::LookInside(staged, walk, submodules) => {
                let (tracked, options, depth) = (&self.tracked, &self.options, self.depth);
                let outside = Outside { tracked, settings, options, depth };
                submodules.find(&outside, (staged.as_mut(), walk.as_mut()), repository)?;
                let step = std::mem::replace(&mut self.step, Step::Begin);
                if let Step::LookInside(staged, walk, _) = step {
                    self.step = Step::Rows(staged, walk, RowCursor::default());
                }
            }
            Step::Rows(..) => {}
        }
        Ok(())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let step = match &self.step {
            Step::Begin => 0,
            Step::ReadIndex(entries) => entries.memory(),
            Step::HashTrees(trees) => trees.memory(),
            Step::CompareHead(staged) => staged.memory(),
            Step::Walk(staged, walk) | Step::Rows(staged, walk, _) => {
                staged.memory().saturating_add(walk.memory())
            }
            Step::LookInside(staged, walk, submodules) => {
                staged.memory().saturating_add(walk.memory()).saturating_add(submodules.memory())
            }
        };
        self.tracked.memory().saturating_add(self.pathspec.memory()).saturating_add(step)
    }
}

/// Keeps all entries of the index.
#[inline(never)]
fn read_index(
    entries: &mut IndexEntries,
    tracked: &mut Tracked,
    repository: &mut Repository,
) -> Result<()> {
    let memory = repository.memory();
    while entries.step(repository, |entry, path| tracked.add(entry, path, memory))? {}
    Ok(())
}

fn compare_head(
    repository: &mut Repository,
    pathspec: &Pathspec,
    renames: RenameOptions,
    trees: Vec<(Vec<u8>, ObjectId)>,
) -> Result<Step> {
    let staged = StagedChanges::new(repository, pathspec.clone(), renames, trees)?;
    Ok(Step::CompareHead(Box::new(staged)))
}

fn rename_options(options: &StatusOptions, settings: &Settings) -> RenameOptions {
    let default = RenameOptions::default();
    RenameOptions {
        kind: options.renames.unwrap_or(settings.renames),
        score: options.rename_score.unwrap_or(default.score),
        limit: settings.rename_limit.unwrap_or(default.limit),
        ..default
    }
}
