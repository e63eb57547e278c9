//! Lists commits, and the objects that they reach: <https://git-scm.com/docs/git-rev-list>.

mod filling;
mod listed_objects;
mod options;
mod reached;

use super::answer::{answer, Restart, Trust};
use super::bitmap_walk::BitmapWalk;
use super::commits::{Commits, Number};
use super::modes::{CommitPatterns, Counted, Follow, HistoryOptions, Modes};
use super::object_filter::Filtering;
use super::objects::{Objects, StartObject};
use super::path_limit::PathLimit;
use super::stage::Stage;
use super::step::MaybeModes;
use super::tree_cache::TreeCache;
use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::{require_full, require_rest, FullOnly};
use packlens_format::pathspec::Pathspec;

pub use options::{RevListOptions, RevOrder};

/// How many commits are visited before control returns to the caller, who may cancel.
pub(crate) const MOST_STEPS: u32 = 1 << 11;

/// A list of commits that can stop after any step, and resume later.
pub struct RevList {
    options: RevListOptions,
    specs: Vec<Vec<u8>>,
    modes: MaybeModes,
    commits: Option<Commits>,
    stage: Stage,
    trust: Trust,
    /// How many commits were skipped or listed.
    taken: u64,
    /// The next commit, until it is listed.
    found: Option<Number>,
    /// How many commits were skipped or listed before the walk restarted.
    known: u64,
    listed: u64,
    /// The counts when this page began: commits of earlier pages are not listed again.
    before: Before,
    /// How many commits were walked when the list last returned to the caller.
    paused: u64,
    /// The requested objects that are not commits.
    given: Vec<StartObject>,
    /// The trees of the commits that were listed.
    trees: Vec<StartObject>,
    /// Uninteresting commits at the edge: the objects in their trees are not listed.
    edges: Vec<Number>,
    /// The filters of objects, until the list of objects begins; and the requested commits.
    filtering: Option<FullOnly<Box<Filtering>>>,
    given_commits: Vec<Number>,
    /// The list of objects, which begins once all commits were listed.
    objects: Option<FullOnly<Objects>>,
    /// The first commits of the walk, until bitmaps were looked for.
    tips: Option<Vec<Number>>,
    /// The walk by bitmaps, if they can answer.
    reached: Option<FullOnly<BitmapWalk>>,
}

impl RevList {
    /// Creates the list for `specs`: revisions, `^` before a revision to exclude, `a..b`,
    /// `a...b`, `--not`, `--all`, `--branches`, `--tags`, `--remotes`.
    pub fn new(specs: Vec<Vec<u8>>, options: RevListOptions) -> RevList {
        let stage = Stage::first(&specs, &options);
        RevList {
            options,
            specs,
            modes: None,
            commits: None,
            stage,
            trust: Trust::default(),
            taken: 0,
            found: None,
            known: 0,
            listed: 0,
            before: Before::default(),
            paused: 0,
            given: Vec::new(),
            trees: Vec::new(),
            edges: Vec::new(),
            filtering: None,
            given_commits: Vec::new(),
            objects: None,
            tips: None,
            reached: None,
        }
    }

    /// Lists only commits that changed what a pathspec selects, as `git log -- <pathspec>` does:
    /// see [`Pathspec::parse`] for its elements. None means no limit. Trees nested deeper than
    /// `depth_limit` are not compared.
    ///
    /// # Errors
    ///
    /// [`Need::Module`](packlens_base::error::Need::Module) in the reader; those of the elements;
    /// [`ErrorKind::BadInput`] for a list of objects.
    pub fn limited_to(mut self, elements: &[Vec<u8>], depth_limit: usize) -> Result<RevList> {
        if elements.is_empty() {
            return Ok(self);
        }
        if self.options.objects {
            let what = "objects cannot be limited to paths";
            return Err(Error::new(ErrorKind::BadInput, what));
        }
        require_full()?;
        // Bitmaps do not know what a commit changed.
        self.options.use_bitmaps = false;
        let limit = PathLimit::new(Pathspec::parse(elements)?, depth_limit);
        self.set_modes(|modes| modes.paths = Some(limit))?;
        Ok(self)
    }

    /// Lists only commits that changed one file, through its renames, as `git log --follow` does.
    /// `elements` are one element of a pathspec; `score` says how similar the file of another path
    /// must be, in parts of [`MAX_SCORE`](crate::changes::MAX_SCORE). Where the list is not reversed,
    /// `limit` counts such commits only.
    ///
    /// # Errors
    ///
    /// As [`RevList::limited_to`]; [`ErrorKind::BadInput`] if there is not one element.
    pub fn following(
        mut self,
        elements: &[Vec<u8>],
        score: u32,
        depth_limit: usize,
    ) -> Result<RevList> {
        require_rest()?;
        if self.options.objects {
            let what = "objects cannot be limited to paths";
            return Err(Error::new(ErrorKind::BadInput, what));
        }
        self.options.use_bitmaps = false;
        let follow = Follow::new(elements, score, depth_limit)?;
        self.set_modes(|modes| modes.follow = Some(follow))?;
        Ok(self)
    }

    /// Lists another history than the plain one. An ancestry path has the ancestors and the
    /// descendants of `ancestry_path_of`; if that is empty, the descendants of excluded commits.
    ///
    /// # Errors
    ///
    /// [`Need::Module`](packlens_base::error::Need::Module) in the reader, and where patches are
    /// compared without the rest of the module.
    pub fn simplified(
        mut self,
        options: HistoryOptions,
        ancestry_path_of: Vec<Vec<u8>>,
    ) -> Result<RevList> {
        if options.compares_patches() {
            require_rest()?;
        }
        if options != HistoryOptions::default() {
            // Bitmaps list commits without their neighbours.
            self.options.use_bitmaps = false;
            if options.merges_are_simplified() && self.options.order == RevOrder::Default {
                self.options.order = RevOrder::Topo;
            }
            self.set_modes(|modes| {
                modes.options = options;
                modes.on_ancestry_path_of(ancestry_path_of);
            })?;
        }
        Ok(self)
    }

    /// Compares the patches of the commits of `a...b`, for [`HistoryOptions::cherry_pick`] and
    /// [`HistoryOptions::cherry_mark`]: what `elements` of a pathspec select of them, all for none.
    ///
    /// # Errors
    ///
    /// Those of the elements; [`ErrorKind::BadInput`] for both options.
    pub fn comparing_patches(
        mut self,
        elements: &[Vec<u8>],
        depth_limit: usize,
    ) -> Result<RevList> {
        let paths = match elements {
            [] => None,
            elements => Some(Pathspec::parse(elements)?),
        };
        let mut has_both = false;
        self.set_modes(|modes| {
            has_both = modes.options.cherry_pick && modes.options.cherry_mark;
            modes.patch_paths = (paths, depth_limit);
        })?;
        if has_both {
            let what = "commits of the same change are either left out or marked";
            return Err(Error::new(ErrorKind::BadInput, what));
        }
        Ok(self)
    }

    /// Lists only commits that match patterns.
    ///
    /// # Errors
    ///
    /// [`Need::Module`](packlens_base::error::Need::Module) in the reader; those of expressions
    /// that are malformed, not supported, or too large.
    pub fn matching(mut self, patterns: &CommitPatterns) -> Result<RevList> {
        require_full()?;
        self.options.use_bitmaps = false;
        let mut filtered = Ok(());
        self.set_modes(|modes| filtered = modes.filter(patterns))?;
        filtered.map(|()| self)
    }

    fn set_modes(&mut self, set: impl FnOnce(&mut Modes)) -> Result<()> {
        if self.modes.is_none() {
            let first_parent = self.options.first_parent;
            self.modes = Some(FullOnly::new(|| Box::new(Modes::new(first_parent)))?);
        }
        if let Some(modes) = &mut self.modes {
            set(modes);
        }
        Ok(())
    }

    /// Appends the ids of commits, as hex digits and one a line, until `out` is about
    /// `capacity` bytes long or many commits were visited; returns whether the list is
    /// complete. With [`RevListOptions::count`] the number is the only line.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and of
    /// reading.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        loop {
            let start = out.len();
            self.before = Before {
                taken: self.taken,
                listed: self.listed,
                counted: self.modes.as_ref().map(|modes| modes.counted).unwrap_or_default(),
                trees: self.trees.len(),
            };
            let filled = answer(self, repository, |list, repository| {
                out.truncate(start);
                list.fill_some(repository, capacity, out)
            });
            if filled.as_ref().is_err_and(Error::is_missing) {
                return if self.pauses(repository) { Ok(false) } else { filled };
            }
            let lines = (!self.options.count).then_some(&mut *out);
            let objects = self.objects.as_mut();
            if objects.is_none_or(|objects| objects.check(repository, lines)) {
                return filled;
            }
        }
    }

    /// Returns whether to stop for the caller although bytes are missing: each read may bring
    /// fewer commits than [`MOST_STEPS`], so the count of steps would never stop the walk.
    fn pauses(&mut self, repository: &Repository) -> bool {
        let walked = repository.counts.commits_walked;
        let pauses = walked.saturating_sub(self.paused) >= MOST_STEPS.into();
        if pauses {
            self.paused = walked;
        }
        pauses && self.objects.is_none()
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let commits = self.commits.as_ref().map_or(0, Commits::memory);
        let modes = self.modes.as_ref().map_or(0, |modes| modes.memory());
        commits
            .saturating_add(modes)
            .saturating_add(self.stage.memory())
            .saturating_add(self.objects_memory())
    }

    fn objects_memory(&self) -> u64 {
        let trees = self.trees.capacity().saturating_mul(size_of::<StartObject>()) as u64;
        trees
            .saturating_add(self.objects.as_ref().map_or(0, |objects| objects.memory()))
            .saturating_add(self.reached.as_ref().map_or(0, |reached| reached.memory()))
    }

    /// Returns whether generation numbers may decide which commits are listed.
    fn goes_by_generations(&self) -> bool {
        let symmetric = |spec: &Vec<u8>| spec.windows(3).any(|dots| dots == b"...");
        self.options.order != RevOrder::Default || self.specs.iter().any(symmetric)
    }
}

impl Restart for RevList {
    /// Returns `None` once objects are listed: all commits were checked before, and the list
    /// cannot be restarted any more.
    fn commits(&mut self) -> Option<&mut Commits> {
        let listed = self.reached.as_ref().is_some_and(|reached| reached.is_listed());
        self.commits.as_mut().filter(|_| !listed && self.objects.is_none())
    }

    fn trees(&mut self) -> Option<&mut TreeCache> {
        self.modes.as_mut()?.trees()
    }

    fn restart(&mut self, trust: Trust) {
        let Before { taken, listed, counted, trees } = self.before;
        self.trust = trust;
        self.commits = None;
        self.stage = Stage::first(&self.specs, &self.options);
        self.edges.clear();
        self.found = None;
        if let Some(modes) = &mut self.modes {
            modes.restart(counted, trust);
        }
        (self.tips, self.reached) = (None, None);
        self.known = self.known.max(taken);
        self.taken = 0;
        self.listed = listed;
        self.trees.truncate(trees);
    }
}

/// The counts at the beginning of a page, which a restart goes back to.
#[derive(Clone, Copy, Default)]
struct Before {
    taken: u64,
    listed: u64,
    counted: Counted,
    trees: usize,
}
