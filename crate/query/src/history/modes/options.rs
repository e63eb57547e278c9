//! The options of a history that are not needed for the newest commits.

/// Which commits of a history are listed, and what is listed of them: "History Simplification"
/// of <https://git-scm.com/docs/git-log>. Each is git's option of the same name.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct HistoryOptions {
    /// Follows all parents of a merge, also where one of them has the same paths.
    pub full_history: bool,
    /// Lists all commits that the walk visits, also those that changed none of the paths.
    pub sparse: bool,
    /// As `full_history` with rewritten parents, without merges that then join nothing.
    pub simplify_merges: bool,
    /// Lists commits that a ref points to, and those that changed the paths, if there are any.
    pub simplify_by_decoration: bool,
    /// Also lists merges that brought the change of another parent to their first one.
    pub show_pulls: bool,
    /// Lists only commits between the excluded ones and the tips.
    pub ancestry_path: bool,
    /// Excludes only the first parents of excluded commits.
    pub exclude_first_parent_only: bool,
    /// Lists the parents of each commit after it; parents that are not listed are replaced by
    /// their nearest ancestors that are.
    pub parents: bool,
    /// Lists the children of each commit after it.
    pub children: bool,
    /// Lists the commits where the list ends too, with `-` before them.
    pub boundary: bool,
    /// Marks commits of `a...b` with `<` or `>`: the side that reaches them.
    pub left_right: bool,
    /// Lists only commits that the left side of `a...b` reaches.
    pub left_only: bool,
    /// Lists only commits that the left side of `a...b` does not reach.
    pub right_only: bool,
    /// Puts a second space between the parents and the children of a line, which git does
    /// not: so a program can distinguish them.
    pub spaced: bool,
    /// Leaves out commits of `a...b` that make the same change as one of the other side.
    pub cherry_pick: bool,
    /// Marks such commits with `=`, and others with `+` or their side.
    pub cherry_mark: bool,
    /// Takes a parent that has none of the paths, where a commit has some, for the first commit.
    pub remove_empty: bool,
    /// Ends each line with a tab and the id of the tip from which the walk came to the commit:
    /// `git log --source` shows its name.
    pub source: bool,
}

impl HistoryOptions {
    /// Returns whether all commits are visited before the first one is listed.
    pub(super) fn is_limited(&self) -> bool {
        let after_the_walk = self.ancestry_path || self.children || self.left_only;
        let compares = self.compares_patches();
        self.merges_are_simplified() || after_the_walk || self.right_only || compares
    }

    pub(in crate::history) fn merges_are_simplified(&self) -> bool {
        self.simplify_merges || self.simplify_by_decoration
    }

    /// Returns whether the patches of commits are compared.
    pub(in crate::history) fn compares_patches(&self) -> bool {
        self.cherry_pick || self.cherry_mark
    }

    /// Returns whether a merge is followed only to a parent that has the same paths.
    pub(super) fn prunes_merges(&self) -> bool {
        !(self.full_history || self.ancestry_path || self.merges_are_simplified())
    }

    /// Returns whether merges are listed that tie the listed commits together.
    pub(super) fn keeps_topology(&self) -> bool {
        self.parents || self.children || self.merges_are_simplified()
    }
}
