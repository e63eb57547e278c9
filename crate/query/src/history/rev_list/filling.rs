//! Takes the steps of a list. What runs for each commit is in small functions, and what few lists
//! need in functions of its own, because engines compile a whole function again once it is hot.

use super::reached::reached_step;
use super::{RevList, MOST_STEPS};
use crate::history::bitmap_walk::{Asked, BitmapWalk};
use crate::history::commits::{Commits, Number};
use crate::history::objects::StartObject;
use crate::history::stage::Stage;
use crate::history::step::{selected, Step};
use crate::history::write_id;
use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_base::module::{require_full, FullOnly, IS_FULL};

impl RevList {
    pub(super) fn fill_some(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if !self.options.is_for_reader() {
            require_full()?;
        }
        if let Some(filtering) = &mut self.filtering {
            filtering.open(repository)?;
        }
        if self.commits.is_none() {
            let mut commits = Commits::new(repository, self.trust, self.goes_by_generations())?;
            if self.options.objects || self.modes.is_some() {
                commits.keep_trees()?;
            }
            commits.may_miss(self.missing_rule())?;
            self.commits = Some(commits);
        }
        let Some(mut commits) = self.commits.take() else {
            return Ok(true);
        };
        let filled = self.fill_from(&mut commits, repository, capacity, out);
        self.commits = Some(commits);
        filled
    }

    /// Takes many steps.
    #[inline(never)]
    fn fill_from(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        let mut steps = 0u32;
        while out.len() < capacity {
            if steps == MOST_STEPS {
                return Ok(false);
            }
            steps = steps.saturating_add(1);
            repository.files.step()?;
            if IS_FULL && (self.tips.is_some() || self.reached.is_some()) {
                if let Some(is_over) = self.bitmap_step(commits, repository, capacity, out)? {
                    return Ok(is_over);
                }
                continue;
            }
            let number = match self.found {
                Some(number) => number,
                None => {
                    let step =
                        self.stage.step(commits, repository, &self.options, &mut self.modes)?;
                    repository.files.advance();
                    match step {
                        Step::Found(number) => number,
                        Step::Working => continue,
                        step => match self.other_step(step, commits, repository, out)? {
                            true => return Ok(true),
                            false => continue,
                        },
                    }
                }
            };
            self.found = Some(number);
            self.take(commits, repository, number, out)?;
        }
        Ok(false)
    }

    /// Goes on after a step that found no commit; returns whether the list is complete.
    #[inline(never)]
    fn other_step(
        &mut self,
        step: Step,
        commits: &mut Commits,
        repository: &mut Repository,
        out: &mut Output,
    ) -> Result<bool> {
        match step {
            Step::Found(_) | Step::Working => {}
            Step::Begun(given, tips) => {
                self.given = given;
                self.keep_given(&tips);
                if IS_FULL {
                    self.tips = self.options.may_use_bitmaps().then_some(tips);
                    let is_plain = self.modes.is_none() && self.filtering.is_none();
                    if is_plain && self.options.only_counts() {
                        self.stage.only_count(commits)?;
                    }
                }
            }
            Step::Limited(edges) => self.edges = edges,
            Step::Counted(count) => {
                (self.taken, self.listed) = (count, count);
                self.stage = Stage::Over;
            }
            Step::Over
                if self.options.objects && !self.objects_step(commits, repository, out)? => {}
            Step::Over
                if self.filtering.is_some() && !self.tail_step(commits, repository, out)? => {}
            Step::Over => {
                if IS_FULL && self.options.count {
                    self.write_count(out)?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn write_count(&self, out: &mut Output) -> Result<()> {
        let objects = self.objects.as_ref().map_or(0, |objects| objects.listed());
        let count = self.listed.saturating_add(objects);
        let line = match &self.modes {
            Some(modes) => modes.count_line(count),
            None => format!("{count}\n"),
        };
        out.appender().bytes(line.as_bytes())
    }

    /// Skips or lists a commit that was found.
    fn take(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
        out: &mut Output,
    ) -> Result<()> {
        // A reversed list has applied `skip` and `limit` before.
        let (skip, most) = match self.options.reverse {
            true => (0, None),
            false => selected(&self.options, &self.modes),
        };
        if self.taken >= skip {
            if self.modes.is_some() && !self.follows(commits, repository, number)? {
                self.found = None;
                return Ok(());
            }
            if self.taken >= self.known {
                self.list(commits, repository, number, out)?;
            }
        }
        self.found = None;
        self.taken = self.taken.saturating_add(1);
        if most.is_some_and(|most| self.taken >= most) {
            self.stage = Stage::Over;
        }
        Ok(())
    }

    #[inline(never)]
    fn follows(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
    ) -> Result<bool> {
        match &mut self.modes {
            Some(modes) => modes.is_followed(commits, repository, number),
            None => Ok(true),
        }
    }

    fn list(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
        out: &mut Output,
    ) -> Result<()> {
        if self.options.objects {
            let id = commits.tree(repository, number)?;
            self.trees.push(StartObject::tree(id, false));
        }
        let is_listed = self.lists_commit(number);
        if is_listed && !(IS_FULL && self.options.count) {
            match self.modes {
                Some(_) => self.write_in_mode(commits, repository, number, out)?,
                None => write_id(&commits.id(repository, number)?, &mut out.appender())?,
            }
        }
        self.listed = self.listed.saturating_add(is_listed.into());
        if let Some(modes) = &mut self.modes {
            modes.listed(commits, number);
        }
        Ok(())
    }

    #[inline(never)]
    fn write_in_mode(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
        out: &mut Output,
    ) -> Result<()> {
        match &self.modes {
            Some(modes) => modes.write_line(commits, repository, number, &mut out.appender()),
            None => Ok(()),
        }
    }

    /// Takes a step by bitmaps; returns whether the list is complete, or pauses, if that is known.
    #[inline(never)]
    fn bitmap_step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<Option<bool>> {
        if self.tips.is_some() {
            require_full()?;
            self.open_bitmaps(commits, repository)?;
        }
        if let Some(reached) = &mut self.reached {
            if reached.is_listed() {
                return reached.list(repository, capacity, out).map(Some);
            }
            match reached_step(reached, commits, repository, self.options.count, out) {
                Ok(true) => return Ok(Some(true)),
                Ok(false) => {}
                Err(error) if error.is_missing() => return Err(error),
                // If the bitmaps are not at fault, the walk reports the error.
                Err(_) => self.reached = None,
            }
        }
        Ok(None)
    }

    /// Opens the bitmaps, and begins a walk by them if they can answer.
    #[cold]
    #[inline(never)]
    fn open_bitmaps(&mut self, commits: &mut Commits, repository: &mut Repository) -> Result<()> {
        if let Some(bitmaps) = repository.odb.open_bitmaps(&mut repository.files)? {
            let asked = Asked {
                tips: self.tips.as_deref().unwrap_or_default(),
                given: &self.given,
                only_commits: !self.options.objects,
                reverse: self.options.reverse,
            };
            let walk = BitmapWalk::new(bitmaps, commits, repository, &asked)?;
            self.reached = walk.map(|walk| FullOnly::new(|| walk)).transpose()?;
        }
        self.tips = None;
        Ok(())
    }
}
