//! Lines of the final file, and the lines of an older one that they may come from.

use packlens_diff::Change;
use std::collections::VecDeque;

/// Lines that are next to each other in both files.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Lines {
    /// The first line in the final file, from 0.
    pub(super) at: u32,
    /// The first line in the file of their origin.
    pub(super) origin_at: u32,
    pub(super) count: u32,
    /// What ignored commits did to them.
    pub(super) ignored: Ignored,
}

/// What commits that are ignored did to lines: bits of records.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Ignored(pub(super) u32);

impl Ignored {
    /// One of them changed the lines, and they were guessed to come from similar ones.
    pub(super) const CHANGED: Ignored = Ignored(2);
    /// One of them has lines that are like no older ones.
    pub(super) const UNLIKE: Ignored = Ignored(4);

    pub(super) fn with(self, other: Ignored) -> Ignored {
        Ignored(self.0 | other.0)
    }
}

/// The lines of a file that its parent has, too, and the others.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Parted {
    pub(super) passed: Vec<Lines>,
    pub(super) kept: Vec<Lines>,
}

impl Lines {
    /// Splits off the lines before a line of the origin; `None` if there are none after them.
    fn split_at(self, line: u32) -> (Lines, Option<Lines>) {
        let before = line.saturating_sub(self.origin_at);
        if before >= self.count {
            return (self, None);
        }
        let after = Lines {
            at: self.at.saturating_add(before),
            origin_at: line,
            count: self.count.saturating_sub(before),
            ignored: self.ignored,
        };
        (Lines { count: before, ..self }, Some(after))
    }
}

/// Parts lines, in the order of their origin, by what has changed since the parent. Lines may
/// overlap there: merges can bring the same line to several places.
pub(super) fn part(lines: &[Lines], changes: &[Change]) -> Parted {
    let mut parted = Parted::default();
    let mut rest: VecDeque<Lines> = lines.iter().copied().collect();
    // Where lines of the child are in the parent: the ends of the last change.
    let mut ends = [0, 0];
    for change in changes {
        let unchanged = take_before(&mut rest, change.after.start as u32);
        parted.passed.extend(unchanged.into_iter().map(|lines| moved(lines, ends)));
        parted.kept.extend(take_before(&mut rest, change.after.end as u32));
        ends = [change.before.end as u32, change.after.end as u32];
    }
    parted.passed.extend(rest.into_iter().map(|lines| moved(lines, ends)));
    parted
}

/// Parts the lines of one change that an ignored commit made; the lines before it have been
/// passed. `old` are the lines of the parent that its lines are like.
pub(super) fn part_ignored(lines: Lines, first: u32, old: &[Option<u32>]) -> Parted {
    let mut parted = Parted::default();
    let place = |at: u32| at.saturating_sub(first) as usize;
    let mut rest = Some(lines);
    while let Some(lines) = rest.filter(|lines| lines.count > 0) {
        let start = lines.origin_at;
        let line = old.get(place(start)).copied().flatten();
        let run = (1..lines.count).take_while(|count| {
            let next = old.get(place(start.saturating_add(*count))).copied().flatten();
            next == line.map(|line| line.saturating_add(*count))
        });
        let end = start.saturating_add(run.count() as u32).saturating_add(1);
        let (run, after) = lines.split_at(end);
        rest = after;
        match line {
            Some(line) => {
                let ignored = run.ignored.with(Ignored::CHANGED);
                parted.passed.push(Lines { origin_at: line, ignored, ..run });
            }
            None => {
                let ignored = run.ignored.with(Ignored::UNLIKE);
                parted.kept.push(Lines { ignored, ..run });
            }
        }
    }
    parted
}

/// Takes the lines that are before a line of the origin, which splits those around it.
pub(super) fn take_before(rest: &mut VecDeque<Lines>, line: u32) -> Vec<Lines> {
    let (mut taken, mut halves) = (Vec::new(), Vec::new());
    while rest.front().is_some_and(|lines| lines.origin_at < line) {
        let Some(lines) = rest.pop_front() else { break };
        let (before, after) = lines.split_at(line);
        taken.push(before);
        halves.extend(after);
    }
    halves.into_iter().rev().for_each(|half| rest.push_front(half));
    taken
}

/// Returns lines after a change as lines of the parent.
pub(super) fn moved(lines: Lines, [old, new]: [u32; 2]) -> Lines {
    Lines { origin_at: lines.origin_at.saturating_sub(new).saturating_add(old), ..lines }
}

/// Adds lines to others, in the order of their origin; of the same line, those that are there
/// come first.
pub(super) fn merge(into: &mut Vec<Lines>, added: Vec<Lines>) {
    if into.is_empty() {
        *into = added;
        return;
    }
    let mut old = std::mem::take(into).into_iter().peekable();
    for lines in added {
        while let Some(first) = old.next_if(|first| first.origin_at <= lines.origin_at) {
            into.push(first);
        }
        into.push(lines);
    }
    into.extend(old);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(at: u32, origin_at: u32, count: u32) -> Lines {
        Lines { at, origin_at, count, ignored: Ignored::default() }
    }

    #[test]
    fn changed_lines_are_kept_and_the_others_move() {
        // Lines 2 and 3 of the child replace line 2 of the parent; line 5 of the parent is gone.
        let changes = [Change { before: 2..3, after: 2..4 }, Change { before: 5..6, after: 6..6 }];
        let parted = part(&[lines(10, 0, 3), lines(13, 3, 5)], &changes);
        assert_eq!(parted.passed, [lines(10, 0, 2), lines(14, 3, 2), lines(16, 6, 2)]);
        assert_eq!(parted.kept, [lines(12, 2, 1), lines(13, 3, 1)]);
    }

    #[test]
    fn lines_that_overlap_are_split_alike() {
        let changes = [Change { before: 2..2, after: 2..3 }];
        let parted = part(&[lines(0, 0, 4), lines(9, 1, 2)], &changes);
        assert_eq!(parted.passed, [lines(0, 0, 2), lines(9, 1, 1), lines(3, 2, 1)]);
        assert_eq!(parted.kept, [lines(2, 2, 1), lines(10, 2, 1)]);
    }

    #[test]
    fn ignored_changes_are_passed_in_runs() {
        let old = [Some(4), Some(5), None, None, Some(5)];
        let parted = part_ignored(lines(20, 11, 4), 10, &old);
        let changed =
            |at, origin_at| Lines { ignored: Ignored::CHANGED, ..lines(at, origin_at, 1) };
        assert_eq!(parted.passed, [changed(20, 5), changed(23, 5)]);
        assert_eq!(parted.kept, [Lines { ignored: Ignored::UNLIKE, ..lines(21, 12, 2) }]);
    }

    #[test]
    fn lines_without_changes_are_passed_as_they_are() {
        let all = [lines(4, 1, 2), lines(8, 5, 1)];
        assert_eq!(part(&all, &[]), Parted { passed: all.to_vec(), kept: Vec::new() });
    }

    #[test]
    fn lines_are_merged_in_the_order_of_their_origin() {
        let mut into = vec![lines(0, 1, 1), lines(1, 5, 1)];
        merge(&mut into, vec![lines(7, 0, 1), lines(8, 5, 1), lines(9, 9, 1)]);
        let order: Vec<_> = into.iter().map(|lines| lines.at).collect();
        assert_eq!(order, [7, 0, 1, 8, 9]);
    }
}
