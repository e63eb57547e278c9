//! Pathspecs: patterns that limit a command to some of the paths of a tree.
//! <https://git-scm.com/docs/gitglossary#Documentation/gitglossary.txt-pathspec>

mod element;
mod parse;

use crate::object::Mode;
use element::Element;
use packlens_base::error::Result;
use packlens_base::sort;

/// The elements of a pathspec. A path is selected if an element includes it, or there are only
/// elements that exclude, and none excludes it.
#[derive(Clone, Debug, Default)]
pub struct Pathspec {
    includes: Vec<Element>,
    excludes: Vec<Element>,
}

/// What a pathspec says of an entry of a tree.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Selection {
    /// The entry is selected. Of a tree whose entries are compared too, git also says so if it
    /// cannot exclude by the directories above that one of them is.
    pub is_selected: bool,
    /// Entries of the tree may be selected.
    pub descends: bool,
}

impl Pathspec {
    /// Parses elements: paths from the root of the tree, with wildcards, and magic before them,
    /// such as `:(icase,exclude)*.md`. Elements are the arguments of git, except that `prefix:<n>`
    /// says how many bytes of the path are the current directory, which no wildcard is in.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](packlens_base::error::ErrorKind::BadInput) for an empty element, a
    /// path outside of the tree, and unknown magic;
    /// [`ErrorKind::Unsupported`](packlens_base::error::ErrorKind::Unsupported) for `attr`;
    /// [`ErrorKind::Limit`](packlens_base::error::ErrorKind::Limit) for an element that is too
    /// long.
    pub fn parse<E: AsRef<[u8]>>(elements: &[E]) -> Result<Pathspec> {
        let mut pathspec = Pathspec::default();
        for element in elements {
            let parsed = parse::element(element.as_ref())?;
            let list = match parsed.is_exclude {
                true => &mut pathspec.excludes,
                false => &mut pathspec.includes,
            };
            list.push(Element::new(&parsed));
        }
        Ok(pathspec)
    }

    /// Returns whether every path is selected.
    pub fn is_all(&self) -> bool {
        let all = self.includes.is_empty() || self.includes.iter().any(Element::is_all);
        all && self.excludes.is_empty()
    }

    /// Returns whether any element excludes what it selects.
    pub fn excludes_any(&self) -> bool {
        !self.excludes.is_empty()
    }

    /// Returns the paths, if all elements are such and none excludes. A slash at the end of a
    /// path says that only a directory or a submodule is meant; the empty path is the root.
    pub fn plain_paths(&self) -> Option<Vec<Vec<u8>>> {
        match self.excludes.is_empty() {
            true => self.includes.iter().map(Element::plain_path).collect(),
            false => None,
        }
    }

    /// Returns a path or directory for each element, so that every selected path is one of these
    /// or below one; `None` if some may be anywhere.
    pub fn leading_paths(&self) -> Option<Vec<&[u8]>> {
        let leading =
            |element| Some(Element::leading_path(element)).filter(|path| !path.is_empty());
        match self.includes.is_empty() {
            true => None,
            false => self.includes.iter().map(leading).collect(),
        }
    }

    /// Returns what is selected of an entry. `recursive` says whether trees stand for their
    /// entries, or for themselves: git never excludes those. `directory` is how many bytes of the
    /// path are the directory, with its slash.
    pub fn select(&self, path: &[u8], directory: usize, mode: Mode, recursive: bool) -> Selection {
        if !mode.is_tree() {
            let matches = |element: &Element| element.matches(path, mode.is_gitlink());
            let included = self.includes.is_empty() || self.includes.iter().any(matches);
            let is_selected = included && !self.excludes.iter().any(matches);
            return Selection { is_selected, descends: false };
        }
        if self.excludes.iter().any(Element::is_all) {
            return Selection::default();
        }
        let within = |element: &Element| element.covers(path, true) || element.leads_from(path);
        let base = path.get(..directory).unwrap_or_default();
        let is_selected = |element: &Element| {
            within(element)
                || match recursive {
                    true => element.may_match_in(base),
                    false => element.matches_wildly(path),
                }
        };
        let below = [path, b"/"].concat();
        let may_have = |element: &Element| within(element) || element.may_match_in(&below);
        let all = self.includes.is_empty();
        Selection {
            is_selected: all || self.includes.iter().any(is_selected),
            descends: (all || self.includes.iter().any(may_have))
                && !self.excludes.iter().any(|element| element.covers(path, true)),
        }
    }

    /// Returns whether an element has wildcards.
    pub fn has_wildcards(&self) -> bool {
        self.includes.iter().chain(&self.excludes).any(Element::has_wildcards)
    }

    /// Returns whether a comparison enters a tree, of a path and what is below it at most so many
    /// directories: of 0, trees that elements name are listed themselves. Without elements every
    /// entry of the root is one.
    pub fn enters_within(&self, path: &[u8], most: u32) -> bool {
        let slashes = |path: &[u8]| path.iter().filter(|byte| **byte == b'/').count() as u64;
        if self.includes.is_empty() {
            return slashes(path) < u64::from(most);
        }
        self.includes.iter().any(|element| match element.rest_of(path) {
            Some(rest) => slashes(&rest) < u64::from(most),
            None => element.leads_from(path),
        })
    }

    /// Returns whether a selected entry is in a directory that is at most so many directories below
    /// a path of the pathspec; of a tree, whether it is entered. As in git, the elements are
    /// asked in the reverse order of their texts: a path that the entry is below decides by the
    /// depth, and wildcards select without a limit.
    pub fn is_within_depth(&self, path: &[u8], mode: Mode, most: u32) -> bool {
        let slashes = |path: &[u8]| path.iter().filter(|byte| **byte == b'/').count() as u64;
        let is_near = |rest: &[u8]| slashes(rest) <= u64::from(most);
        let is_tree = mode.is_tree();
        if self.includes.is_empty() {
            return !is_tree || is_near(&[b"/", path].concat());
        }
        let end = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        let directory = if is_tree { path } else { path.get(..end).unwrap_or_default() };
        let below = [path, b"/"].concat();
        let mut elements: Vec<&Element> = self.includes.iter().collect();
        sort::by(&mut elements, |one, other| other.text().cmp(one.text()));
        for element in elements {
            match element.rest_of(directory) {
                Some(_) if directory.is_empty() => return true,
                Some(rest) => return is_near(&rest),
                None => {}
            }
            let is_selected = match is_tree {
                true => element.leads_from(path) || element.may_match_in(&below),
                false => element.matches(path, mode.is_gitlink()),
            };
            if is_selected {
                return true;
            }
        }
        false
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let all = self.includes.iter().chain(&self.excludes);
        all.map(Element::memory).fold(0, u64::saturating_add)
    }
}

#[cfg(test)]
mod tests;
