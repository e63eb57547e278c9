//! Questions about changes: of trees, of texts, and of both as patches.

use super::groups::{HunkFields, PickaxeFields, RenameFields, TextFields};
use super::{questions, task, Bytes};
use crate::protocol::field::{MaybeNames, Text};
use packlens::{
    ChangeOptions, Changes, CombinedPatches, PatchOptions, Patches, Pathspec, TextPatch,
    TreeDiffOptions,
};

questions! { session;
    /// Lists how two trees differ; a tree without a revision is empty.
    rest pages Diff = 17 {
        old: Option<Bytes>,
        new: Option<Bytes>,
        recursive: bool,
        trees: bool,
        renames: RenameFields,
        /// The elements of a pathspec that limits the comparison.
        pathspec: MaybeNames,
        pickaxe: PickaxeFields,
        /// The revision whose `.gitattributes` count; empty for `info/attributes` alone.
        attributes: Option<Bytes>,
        /// The pathspec is one path, whose origin is looked for if it is new.
        follow: bool,
        /// What the listed paths begin with.
        relative: Text,
        /// How many directories below each element of the pathspec are entered; none for all.
        max_depth: Option<u32>,
    } => {
        let (specs, depth) = ([old.as_deref(), new.as_deref()], session.limits.tree_depth);
        let (pathspec, renames) = (Pathspec::parse(&pathspec.0)?, renames.options());
        let (repository, tree) = (&mut session.repository, TreeDiffOptions { recursive, trees });
        let changes = match follow {
            true => Changes::following(repository, specs, (pathspec, renames), depth)?,
            false => {
                let options = ChangeOptions { tree, renames };
                Changes::new(repository, specs, options, depth)?.limited_to(pathspec)
            }
        };
        let changes = changes.within_depth(max_depth)?;
        let changes = changes.relative_to(relative.0).with_attributes(attributes);
        task(changes.picking(&pickaxe.options())?)
    };

    /// Compares two texts.
    rest pages TextPatch = 19 {
        old: Bytes,
        new: Bytes,
        text: TextFields,
        hunks: HunkFields,
    } => {
        let (text, ignored, words) = hunks.options(text);
        task(TextPatch::new(old, new, text).with_rules(&ignored, words.as_ref())?)
    };

    /// Lists the patches between two trees; a tree without a revision is empty.
    rest pages Patches = 20 {
        old: Option<Bytes>,
        new: Option<Bytes>,
        text: TextFields,
        /// How many digits of ids are printed at least; none for all, 0 for git's default.
        abbrev: Option<u32>,
        /// Compares a file whose type changes as one.
        join_types: bool,
        renames: RenameFields,
        /// The elements of a pathspec that limits the comparison.
        pathspec: MaybeNames,
        pickaxe: PickaxeFields,
        /// The revision whose `.gitattributes` count; empty for `info/attributes` alone.
        attributes: Option<Bytes>,
        /// As for `Diff`.
        follow: bool,
        hunks: HunkFields,
        /// Compares the new tree with the old one.
        reverse: bool,
        /// Leaves out what is removed of deleted and rewritten files.
        irreversible_delete: bool,
        /// Binary files have their contents in the patch.
        binary: bool,
        /// Counts bytes, not lines, and compares nothing else.
        counts_bytes: bool,
        /// What the listed paths begin with, and patches leave out.
        relative: Text,
        /// As for `Diff`.
        max_depth: Option<u32>,
    } => {
        let (pathspec, renames) = (Pathspec::parse(&pathspec.0)?, renames.options());
        let (text, ignored, words) = hunks.options(text);
        let options = PatchOptions {
            text,
            abbrev,
            join_types,
            renames,
            reverse,
            irreversible_delete,
            binary,
            counts_bytes,
        };
        let mut specs = [old.as_deref(), new.as_deref()];
        if reverse {
            specs.reverse();
        }
        let depth = session.limits.tree_depth;
        let repository = &mut session.repository;
        let patches = match follow {
            true => {
                let asked = (pathspec, renames);
                Patches::of(Changes::following(repository, specs, asked, depth)?, options)
            }
            false => Patches::new(repository, specs, options, depth)?.limited_to(pathspec),
        };
        let patches = patches.with_rules(&ignored, words.as_ref())?.with_attributes(attributes);
        let patches = patches.within_depth(max_depth)?.relative_to(relative.0);
        task(patches.picking(&pickaxe.options())?)
    };

    /// Lists the patches of a merge: of files that differ from those of all parents.
    rest pages CombinedPatches = 32 {
        spec: Bytes,
        text: TextFields,
        /// How many digits of ids are printed at least; none for all, 0 for git's default.
        abbrev: Option<u32>,
        /// Leaves out hunks in which a file is that of a parent.
        dense: bool,
        /// Of a renamed file the parents have the content of the old path.
        renames: RenameFields,
        pathspec: MaybeNames,
        pickaxe: PickaxeFields,
        /// The revision whose `.gitattributes` count; empty for `info/attributes` alone.
        attributes: Option<Bytes>,
        /// Headers name the file of each parent.
        names_parents: bool,
        /// What the listed paths begin with.
        relative: Text,
        /// Other parents than the commit's own.
        parents: MaybeNames,
    } => {
        let renames = renames.options();
        let options =
            PatchOptions { text: text.options(), abbrev, renames, ..PatchOptions::default() };
        let patches = CombinedPatches::new(&spec, options, dense, Pathspec::parse(&pathspec.0)?);
        let patches = patches.naming_parents(names_parents).with_attributes(attributes);
        let patches = patches.with_parents(parents.0);
        task(patches.relative_to(relative.0).picking(pickaxe.options()))
    };
}
