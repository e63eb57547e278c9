//! JGit's histogram diff: the longest run of matching lines whose rarest line is rarest is
//! matched first. Before and after it the search begins anew. Where all common lines occur too
//! often, Myers' algorithm takes over.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places of lines, fewer than 2^30; a run starts above the region where it grows up"
)]

use crate::myers::Myers;
use crate::region::{at, set, Marks, Region};
use crate::steps::Steps;
use crate::tokens::Tokens;
use packlens_base::Result;

/// Lines that occur more often in the old region are no start of a run.
const MOST_OFTEN: u32 = 64;
/// No line.
const NONE: u32 = u32::MAX;

/// Marks the lines that have changed.
pub(crate) fn compare(
    tokens: &Tokens,
    whole: Region,
    marks: &mut Marks,
    steps: &mut Steps,
) -> Result<()> {
    let mut myers = Myers::new(tokens.classes, false);
    let mut occurrences = Occurrences::new(tokens);
    let mut pending = vec![whole];
    while let Some(region) = pending.pop() {
        if region.is_one_sided() {
            marks.mark(&region);
            continue;
        }
        steps.take(region.before.len() + region.after.len())?;
        occurrences.note(tokens, &region);
        let found = Search { tokens, region: &region, occurrences: &occurrences }.run(steps);
        occurrences.forget(tokens, &region);
        match found? {
            Found::Run(run) => {
                pending.push(Region {
                    before: run.before.end..region.before.end,
                    after: run.after.end..region.after.end,
                });
                pending.push(Region {
                    before: region.before.start..run.before.start,
                    after: region.after.start..run.after.start,
                });
            }
            Found::Nothing => marks.mark(&region),
            Found::OnlyFrequent => myers.compare(tokens.sides(), &region, marks.sides(), steps)?,
        }
    }
    Ok(())
}

/// Where the lines of the old region occur.
#[derive(Debug)]
struct Occurrences {
    /// By the number of a line: where it occurs first, and how often.
    first: Vec<u32>,
    count: Vec<u32>,
    /// By place: where the same line occurs next.
    next: Vec<u32>,
}

impl Occurrences {
    fn new(tokens: &Tokens) -> Occurrences {
        Occurrences {
            first: vec![NONE; tokens.classes],
            count: vec![0; tokens.classes],
            next: vec![NONE; tokens.before.len()],
        }
    }

    fn note(&mut self, tokens: &Tokens, region: &Region) {
        for place in region.before.clone().rev() {
            let token = at(&tokens.before, place) as usize;
            set(&mut self.next, place, at(&self.first, token));
            set(&mut self.first, token, place as u32);
            let count = at(&self.count, token);
            set(&mut self.count, token, count.saturating_add(1));
        }
    }

    fn forget(&mut self, tokens: &Tokens, region: &Region) {
        for place in region.before.clone() {
            let token = at(&tokens.before, place) as usize;
            set(&mut self.first, token, NONE);
            set(&mut self.count, token, 0);
        }
    }
}

/// What a search finds in a region.
enum Found {
    Run(Region),
    /// The sides have no line in common.
    Nothing,
    /// The sides have lines in common, but only such as occur often.
    OnlyFrequent,
}

struct Search<'a> {
    tokens: &'a Tokens,
    region: &'a Region,
    occurrences: &'a Occurrences,
}

impl Search<'_> {
    fn run(&self, steps: &mut Steps) -> Result<Found> {
        let mut best: Option<Region> = None;
        let mut rarest = MOST_OFTEN + 1;
        let mut has_common = false;
        let mut new = self.region.after.start;
        while new < self.region.after.end {
            let token = at(&self.tokens.after, new) as usize;
            let mut next_new = new + 1;
            let mut old = at(&self.occurrences.first, token);
            has_common |= old != NONE;
            if at(&self.occurrences.count, token) > rarest {
                old = NONE;
            }
            while old != NONE {
                let (run, rarity) = self.run_around(old as usize, new);
                steps.take(run.before.len())?;
                next_new = next_new.max(run.after.end);
                let longest = best.as_ref().map_or(1, |best| best.before.len());
                let end = run.before.end;
                if run.before.len() > longest || rarity < rarest {
                    best = Some(run);
                    rarest = rarity;
                }
                // Occurrences within the run are no others.
                while old != NONE && (old as usize) < end {
                    old = at(&self.occurrences.next, old as usize);
                }
            }
            new = next_new;
        }
        Ok(match best {
            Some(run) if rarest <= MOST_OFTEN => Found::Run(run),
            _ if has_common => Found::OnlyFrequent,
            _ => Found::Nothing,
        })
    }

    /// Returns the longest run of matching lines around two, and how often its rarest occurs.
    fn run_around(&self, old: usize, new: usize) -> (Region, u32) {
        let Region { before, after } = self.region;
        let is_same = |old, new| at(&self.tokens.before, old) == at(&self.tokens.after, new);
        let count = |old| at(&self.occurrences.count, at(&self.tokens.before, old) as usize);
        let mut rarity = count(old);
        let mut run = Region { before: old..old + 1, after: new..new + 1 };
        while run.before.start > before.start
            && run.after.start > after.start
            && is_same(run.before.start - 1, run.after.start - 1)
        {
            run.before.start -= 1;
            run.after.start -= 1;
            rarity = rarity.min(count(run.before.start));
        }
        while run.before.end < before.end
            && run.after.end < after.end
            && is_same(run.before.end, run.after.end)
        {
            rarity = rarity.min(count(run.before.end));
            run.before.end += 1;
            run.after.end += 1;
        }
        (run, rarity)
    }
}
