//! Compares the files of two trees line by line: the patches of `git diff-tree -p`.

mod binary;
mod combined;
mod header;
mod patch_id;
mod text;

pub use combined::CombinedPatches;
pub(crate) use patch_id::PatchId;

use crate::changes::{
    content, object_of, ChangeOptions, Changes, OriginKind, PickaxeOptions, RenameOptions,
    TreeChange, TreeDiffOptions,
};
use crate::path_attributes::DiffAttribute;
use crate::repository::Repository;
use header::{append_header, Body, Side};
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{ObjectId, MAX_OID_LEN};
use packlens_diff::DiffOptions;
use packlens_format::object::Mode;
use packlens_format::pathspec::Pathspec;
use std::collections::VecDeque;
use text::{Compared, TextRules};
pub use text::{TextPatch, WordDiff};

/// How many of the next changes are known, so that their contents can be prefetched.
const MOST_AHEAD: usize = 256;

/// The bytes of the numbers of a record that follow those of its change.
const NUMBERS_LEN: usize = 5 * 4;

/// Options of patches.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatchOptions {
    /// How texts are compared.
    pub text: DiffOptions,
    /// How many digits of ids are in a patch at least: 0 for as many as git shows by default,
    /// `None` for all.
    pub abbrev: Option<u32>,
    /// Whether a file whose type changes is compared as one, as `--numstat` does.
    pub join_types: bool,
    /// How renames, copies and rewrites are found.
    pub renames: RenameOptions,
    /// Whether the names of the sides are those of a reversed comparison: `-R`.
    pub reverse: bool,
    /// Whether removed contents are left out: `-D`.
    pub irreversible_delete: bool,
    /// Whether patches of binary files have their contents: `--binary`.
    pub binary: bool,
    /// Whether bytes are counted that are added and removed, as for the similarity of renames,
    /// and not lines, and nothing else is compared.
    pub counts_bytes: bool,
}

/// What a patch has of a file.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum PatchKind {
    /// Hunks; none if there are no differences that count.
    #[default]
    Text,
    /// A line that says that the contents are binary and differ.
    Binary,
    /// Nothing: a content is larger than memory, or the comparison takes too many steps.
    TooLarge,
}

/// A resumable listing of patches, in the order of [`Changes`].
pub struct Patches {
    options: PatchOptions,
    rules: TextRules,
    changes: Changes,
    /// What the paths begin with, and patches leave out.
    prefix: Vec<u8>,
    /// The next changes. Files whose type changes are two: the old file is deleted, and the new
    /// one added.
    ahead: VecDeque<TreeChange>,
    has_all: bool,
}

/// A patch that was made.
struct Patch {
    header: Vec<u8>,
    compared: Compared,
}

impl PatchKind {
    /// The names of the kinds, by number.
    pub const WORDS: &'static [&'static str] = &["text", "binary", "too-large"];
}

impl Patches {
    /// Starts to compare the trees that two revisions lead to, as [`Changes::new`] does.
    ///
    /// # Errors
    ///
    /// Those of [`Changes::new`].
    pub fn new(
        repository: &mut Repository,
        specs: [Option<&[u8]>; 2],
        options: PatchOptions,
        depth_limit: usize,
    ) -> Result<Patches> {
        let tree = TreeDiffOptions { recursive: true, trees: false };
        let listed = ChangeOptions { tree, renames: options.renames };
        let changes = Changes::new(repository, specs, listed, depth_limit)?;
        Ok(Patches::of(changes, options))
    }

    /// Lists the patches of changes that were not listed yet.
    pub fn of(changes: Changes, options: PatchOptions) -> Patches {
        let (rules, prefix, ahead) = (TextRules::default(), Vec::new(), VecDeque::new());
        Patches { options, rules, changes, prefix, ahead, has_all: false }
    }

    /// Compares only what a pathspec selects: see [`Changes::limited_to`].
    #[must_use]
    pub fn limited_to(mut self, pathspec: Pathspec) -> Patches {
        self.changes = self.changes.limited_to(pathspec);
        self
    }

    /// Has no patches of what is deeper: see [`Changes::within_depth`].
    ///
    /// # Errors
    ///
    /// Those of [`Changes::within_depth`].
    pub fn within_depth(self, most: Option<u32>) -> Result<Patches> {
        Ok(Patches { changes: self.changes.within_depth(most)?, ..self })
    }

    /// Compares only paths that begin with `prefix`, and leaves it out of patches: see
    /// [`Changes::relative_to`].
    #[must_use]
    pub fn relative_to(self, prefix: Vec<u8>) -> Patches {
        let changes = self.changes.relative_to(prefix.clone());
        Patches { changes, prefix, ..self }
    }

    /// Lets attributes say which files are binary, and how headings are found: see
    /// [`Changes::with_attributes`].
    #[must_use]
    pub fn with_attributes(mut self, spec: Option<Vec<u8>>) -> Patches {
        self.changes = self.changes.with_attributes(spec);
        self
    }

    /// Leaves out changes of nothing but lines in which one of some extended regular expressions is
    /// found: `-I`. May compare words of changed lines, not lines: `--word-diff`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a malformed expression, [`ErrorKind::Unsupported`] and
    /// [`ErrorKind::Limit`] for others.
    pub fn with_rules(self, ignored: &[Vec<u8>], words: Option<&WordDiff>) -> Result<Patches> {
        Ok(Patches { rules: TextRules::new(ignored, words)?, ..self })
    }

    /// Lists only the patches of some changes: see [`Changes::picking`].
    ///
    /// # Errors
    ///
    /// Those of [`Changes::picking`].
    pub fn picking(mut self, options: &PickaxeOptions) -> Result<Patches> {
        self.changes = self.changes.picking(options)?;
        Ok(self)
    }

    /// Appends records to `out` until it is about `capacity` bytes long; returns whether the
    /// comparison is complete.
    ///
    /// A record has: that of the change, as [`Changes::fill`] appends it, the kind of the patch
    /// (4 bytes), how many lines it adds and removes (4 each), the length of its header (4) and of
    /// its hunks (4), the header, the hunks. A notice is a record of its own, as there.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Those of [`Changes::fill`]
    /// and of reading contents.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        while out.len() < capacity {
            repository.files.step()?;
            self.look_ahead(repository)?;
            let Some(change) = self.ahead.front() else {
                self.changes.take_notice().map_or(Ok(()), |notice| notice.append(out))?;
                return Ok(true);
            };
            let kinds = self.changes.attributes_of(change, repository)?;
            let named = change.relative_to(&self.prefix);
            match patch_of(&named, kinds, repository, &self.options, &self.rules) {
                Ok(patch) => append(change, repository.hash().len(), &patch, out)?,
                Err(error) => {
                    let ids = self.ahead.iter().flat_map(|change| change.sides);
                    let ids: Vec<_> = ids.flatten().filter_map(object_of).collect();
                    return Err(
                        repository.looking_ahead(error, None, |at| ids.get(at as usize).copied())
                    );
                }
            }
            self.ahead.pop_front();
            repository.files.advance();
        }
        Ok(false)
    }

    /// Lists the next changes.
    fn look_ahead(&mut self, repository: &mut Repository) -> Result<()> {
        while !self.has_all && self.ahead.len() < MOST_AHEAD {
            match self.changes.next(repository)? {
                Some(TreeChange { sides: [Some(old), Some(new)], path, .. })
                    if !self.options.join_types && old.0.format() != new.0.format() =>
                {
                    for sides in [[Some(old), None], [None, Some(new)]] {
                        let path = path.clone();
                        self.ahead.push_back(TreeChange { sides, path, origin: None });
                    }
                }
                // Trees have no patches; only a limited depth lists them.
                Some(change) if change.is_of_trees() => {}
                Some(change) => self.ahead.push_back(change),
                None => self.has_all = true,
            }
        }
        Ok(())
    }

    /// Returns how many bytes of memory the listing takes.
    pub fn memory(&self) -> u64 {
        self.ahead.iter().map(TreeChange::memory).fold(self.changes.memory(), u64::saturating_add)
    }
}

#[inline(never)]
fn patch_of(
    change: &TreeChange,
    kinds: [DiffAttribute; 2],
    repository: &mut Repository,
    options: &PatchOptions,
    rules: &TextRules,
) -> Result<Patch> {
    let [old, new] = change.sides;
    let head = |body, options: &PatchOptions, repository: &mut Repository| {
        let digits = digits_of(change, repository, options)?;
        let side = |side: Option<(Mode, ObjectId)>, id| side.map(|(mode, _)| Side { mode, id });
        let (old_side, new_side) = (side(old, &digits[0]), side(new, &digits[1]));
        let mut header = Vec::new();
        let sides = [old_side.as_ref(), new_side.as_ref()];
        append_header(change, sides, (&digits[2], options.reverse), body, &mut header);
        Ok::<_, Error>(header)
    };
    let id = |side: Option<(Mode, ObjectId)>| side.map(|(_, id)| id);
    if id(old) == id(new) {
        let mut compared = Compared::default();
        // A patch does not say what a file is whose content is the same; numbers of lines do.
        if options.join_types && kinds[1].is_binary(&content(new, repository)?) {
            compared = Compared::without_hunks(PatchKind::Binary);
        }
        return Ok(Patch { header: head(Body::Nothing, options, repository)?, compared });
    }
    let contents = content(old, repository).and_then(|old| Ok((old, content(new, repository)?)));
    let contents = match contents {
        Err(error) if error.kind() == ErrorKind::Limit => None,
        contents => Some(contents?),
    };
    if options.counts_bytes {
        let compared = contents.map_or(Compared::without_hunks(PatchKind::TooLarge), |contents| {
            Compared::in_bytes(&contents, [old, new].map(|side| side.is_some()))
        });
        return Ok(Patch { header: Vec::new(), compared });
    }
    let is_deletion = options.irreversible_delete && new.is_none();
    if let Some((before, after)) = &contents {
        if kinds[0].is_binary(before) || kinds[1].is_binary(after) {
            // An empty file and none have the same contents.
            let is_shown = !is_deletion && before != after;
            let body = if is_shown { Body::Binary } else { Body::Nothing };
            let compared = Compared::without_hunks(PatchKind::Binary);
            if !options.binary {
                return Ok(Patch { header: head(body, options, repository)?, compared });
            }
            let with_ids = PatchOptions { abbrev: None, ..*options };
            let mut header = head(Body::Nothing, &with_ids, repository)?;
            if is_shown {
                binary::append([before, after], &mut header)?;
            }
            return Ok(Patch { header, compared });
        }
    }
    let is_rewritten =
        change.origin.as_ref().is_some_and(|origin| origin.kind == OriginKind::Rewritten);
    let driver = kinds[0].driver.or(kinds[1].driver);
    let text = DiffOptions { driver, ..options.text };
    let compared = contents.map(|(old, new)| match is_rewritten {
        true => Compared::rewritten(&old, &new, options.irreversible_delete),
        false => Compared::of(&old, &new, &text, rules),
    });
    let mut compared = match compared {
        None => Compared::without_hunks(PatchKind::TooLarge),
        Some(Err(error)) if error.kind() == ErrorKind::Limit => {
            Compared::without_hunks(PatchKind::TooLarge)
        }
        Some(compared) => compared?,
    };
    let mode = |side: Option<(Mode, ObjectId)>| side.map(|(mode, _)| mode.canonical());
    let origin = change.origin.as_ref();
    let has_transformation = origin.is_some_and(|origin| origin.kind != OriginKind::Named);
    let body = match compared.kind {
        PatchKind::TooLarge => None,
        _ if is_deletion => Some(Body::Nothing),
        _ if !compared.hunks.is_empty() => Some(Body::Hunks),
        // git prints no header of a file whose differences do not count.
        _ if mode(old) == mode(new) && !has_transformation => None,
        _ => Some(Body::Nothing),
    };
    if is_deletion {
        compared.hunks.clear();
    }
    let header = body.map_or(Ok(Vec::new()), |body| head(body, options, repository))?;
    Ok(Patch { header, compared })
}

/// Returns the digits of the old, the new and the null id.
fn digits_of(
    change: &TreeChange,
    repository: &mut Repository,
    options: &PatchOptions,
) -> Result<[String; 3]> {
    let [old, new] = change.sides;
    let mut all = [const { String::new() }; 3];
    for (place, side) in all.iter_mut().zip([old, new, None]) {
        *place = digits(side, repository, options)?;
    }
    Ok(all)
}

/// Returns the digits of an id; of the null id where there is no file.
fn digits(
    side: Option<(Mode, ObjectId)>,
    repository: &mut Repository,
    options: &PatchOptions,
) -> Result<String> {
    let hash = repository.hash();
    let null = ObjectId::from_bytes(hash, [0; MAX_OID_LEN].get(..hash.len()).unwrap_or_default());
    let id = side.map(|(_, id)| id).or(null);
    let id = id.ok_or_else(|| Error::new(ErrorKind::BadInput, "an unknown hash"))?;
    let mut digits = id.to_hex();
    if let Some(least) = options.abbrev {
        let least = (least > 0).then_some(least as usize);
        digits.truncate(repository.abbreviate(&id, least)?);
    }
    Ok(digits)
}

fn append(change: &TreeChange, id_len: usize, patch: &Patch, out: &mut Output) -> Result<()> {
    let texts = patch.header.len().saturating_add(patch.compared.hunks.len());
    let length = change.record_len().saturating_add(NUMBERS_LEN).saturating_add(texts);
    out.appender().reserved(length, |to| {
        change.append(id_len, to)?;
        patch.compared.append_numbers(to)?;
        to.u32(patch.header.len() as u32)?;
        to.u32(patch.compared.hunks.len() as u32)?;
        to.bytes(&patch.header)?;
        to.bytes(&patch.compared.hunks)
    })
}
