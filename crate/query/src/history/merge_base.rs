//! Merge bases: <https://git-scm.com/docs/git-merge-base>.

use super::answer::{answer, Restart, Trust};
use super::commits::{Commits, Number};
use super::paint::{sort_by_date, PaintQuestion, Paintings};
use super::tips::named_commit;
use super::write_id;
use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};

/// The question that is asked about some commits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MergeBaseKind {
    /// The merge bases of the first commit with a merge of all others.
    Common,
    /// The merge bases of all, as for a merge of them all.
    Octopus,
    /// The commits that no other of them reaches.
    Independent,
    /// Whether the second of two commits reaches the first, or is the same.
    Ancestor,
}

/// A question about merge bases. It stops where bytes are missing, and resumes with the next
/// call.
pub struct MergeBase {
    kind: MergeBaseKind,
    specs: Vec<Vec<u8>>,
    commits: Option<Commits>,
    /// The commits that the first specs name; the others are not resolved yet.
    tips: Vec<Number>,
    paintings: Paintings,
    trust: Trust,
}

impl MergeBase {
    /// Creates the question; nothing is read yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the number of commits does not fit `kind`.
    pub fn new(specs: Vec<Vec<u8>>, kind: MergeBaseKind) -> Result<MergeBase> {
        let fits = match kind {
            MergeBaseKind::Common => specs.len() >= 2,
            MergeBaseKind::Octopus | MergeBaseKind::Independent => !specs.is_empty(),
            MergeBaseKind::Ancestor => specs.len() == 2,
        };
        if !fits {
            let what = "the question needs another number of commits";
            return Err(Error::new(ErrorKind::BadInput, what));
        }
        Ok(MergeBase {
            kind,
            specs,
            commits: None,
            tips: Vec::new(),
            paintings: Paintings::default(),
            trust: Trust::default(),
        })
    }

    /// Appends the ids of the commits found, in git's order, as hex digits and one a line. For
    /// [`MergeBaseKind::Ancestor`] appends `1` or `0` instead.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving;
    /// [`ErrorKind::WrongType`] for a spec that names no commit; errors of reading.
    pub fn answer(&mut self, repository: &mut Repository, out: &mut Output) -> Result<()> {
        let found = answer(self, repository, MergeBase::found)?;
        if let Some(reached) = found.reached {
            return out.appender().u8(if reached { b'1' } else { b'0' });
        }
        let Some(known) = &self.commits else {
            return Ok(());
        };
        let ids = found.commits.into_iter().map(|commit| known.id(repository, commit));
        let ids = ids.collect::<Result<Vec<_>>>()?;
        let mut appender = out.appender();
        ids.iter().try_for_each(|id| write_id(id, &mut appender))
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let commits = self.commits.as_ref().map_or(0, Commits::memory);
        commits.saturating_add(self.paintings.memory())
    }

    fn found(&mut self, repository: &mut Repository) -> Result<BaseAnswer> {
        let commits = match &mut self.commits {
            Some(commits) => commits,
            None => self.commits.insert(Commits::new(repository, self.trust, true)?),
        };
        while let Some(spec) = self.specs.get(self.tips.len()) {
            let tip = named_commit(commits, repository, spec)?;
            self.tips.push(tip);
        }
        self.paintings.begin();
        let mut asking = Asking { commits, repository, paintings: &mut self.paintings };
        match (self.kind, self.tips.as_slice()) {
            (MergeBaseKind::Common, [one, others @ ..]) => {
                asking.merge_bases(*one, others).map(BaseAnswer::all)
            }
            (MergeBaseKind::Octopus, tips) => asking.octopus(tips).map(BaseAnswer::all),
            (MergeBaseKind::Independent, tips) => asking.reduce_heads(tips).map(BaseAnswer::all),
            (MergeBaseKind::Ancestor, [one, other]) => {
                let reached = asking.is_ancestor(*one, *other)?;
                Ok(BaseAnswer { commits: Vec::new(), reached: Some(reached) })
            }
            _ => Ok(BaseAnswer::all(Vec::new())),
        }
    }
}

impl Restart for MergeBase {
    fn commits(&mut self) -> Option<&mut Commits> {
        self.commits.as_mut()
    }

    fn restart(&mut self, trust: Trust) {
        self.commits = None;
        self.tips.clear();
        self.paintings = Paintings::default();
        self.trust = trust;
    }
}

struct BaseAnswer {
    commits: Vec<Number>,
    reached: Option<bool>,
}

impl BaseAnswer {
    fn all(commits: Vec<Number>) -> BaseAnswer {
        BaseAnswer { commits, reached: None }
    }
}

/// A sequence of questions about parsed commits.
pub(super) struct Asking<'a> {
    pub(super) commits: &'a mut Commits,
    pub(super) repository: &'a mut Repository,
    pub(super) paintings: &'a mut Paintings,
}

impl Asking<'_> {
    /// Returns the merge bases of one commit with a merge of the others.
    pub(super) fn merge_bases(&mut self, one: Number, others: &[Number]) -> Result<Vec<Number>> {
        if others.contains(&one) {
            return Ok(vec![one]);
        }
        let question =
            PaintQuestion { one, others: others.to_vec(), min_generation: 0, until_reached: false };
        let bases = self.paint(question)?.bases;
        let mut bases = self.without_ancestors(&bases)?;
        sort_by_date(self.commits, &mut bases);
        Ok(bases)
    }

    /// Returns the merge bases of all commits, as git computes them for an octopus merge.
    fn octopus(&mut self, tips: &[Number]) -> Result<Vec<Number>> {
        let mut tips = tips.iter();
        let mut bases: Vec<Number> = tips.next().copied().into_iter().collect();
        for tip in tips {
            let mut next = Vec::new();
            for base in &bases {
                next.extend(self.merge_bases(*tip, &[*base])?);
            }
            bases = next;
        }
        self.reduce_heads(&bases)
    }

    /// Returns the commits that no other of them reaches, each once.
    pub(super) fn reduce_heads(&mut self, list: &[Number]) -> Result<Vec<Number>> {
        let mut unique: Vec<Number> = Vec::new();
        for number in list {
            if !unique.contains(number) {
                unique.push(*number);
            }
        }
        self.without_ancestors(&unique)
    }

    /// Returns whether `other` reaches `one`, or is the same commit.
    fn is_ancestor(&mut self, one: Number, other: Number) -> Result<bool> {
        if one == other {
            return Ok(true);
        }
        let generation = self.commits.generation(one);
        // Both may be outside of the graph, where all generation numbers are equal.
        if generation > self.commits.generation(other) {
            return Ok(false);
        }
        let question = PaintQuestion {
            one,
            others: vec![other],
            min_generation: generation,
            until_reached: true,
        };
        Ok(self.paint(question)?.one_reached)
    }

    /// Removes the commits that another one of the list reaches.
    fn without_ancestors(&mut self, list: &[Number]) -> Result<Vec<Number>> {
        if list.len() < 2 {
            return Ok(list.to_vec());
        }
        let mut left: Vec<(Number, bool)> = list.iter().map(|number| (*number, false)).collect();
        for at in 0..left.len() {
            let Some((one, false)) = left.get(at).copied() else {
                continue;
            };
            let rest = left.iter().enumerate();
            let rest = rest.filter(|(place, (_, gone))| *place != at && !gone);
            let (places, others): (Vec<usize>, Vec<Number>) =
                rest.map(|(place, (number, _))| (place, *number)).unzip();
            let generations =
                others.iter().chain([&one]).map(|number| self.commits.generation(*number));
            let min_generation = generations.min().unwrap_or(0);
            let question = PaintQuestion { one, others, min_generation, until_reached: false };
            let painted = self.paint(question)?;
            if let Some((_, gone)) = left.get_mut(at) {
                *gone = painted.one_reached;
            }
            for (place, reached) in places.into_iter().zip(painted.others_reached) {
                if let Some((_, gone)) = left.get_mut(place).filter(|_| reached) {
                    *gone = true;
                }
            }
        }
        Ok(left.into_iter().filter(|(_, gone)| !gone).map(|(number, _)| number).collect())
    }

    fn paint(&mut self, question: PaintQuestion) -> Result<super::paint::Painted> {
        self.paintings.ask(self.commits, self.repository, question)
    }
}
