//! Questions about changes: of trees, of texts, and of both as patches.

use super::groups::{PickaxeFields, RenameFields, TextFields};
use super::{questions, task, Bytes};
use crate::protocol::field::MaybeNames;
use packlens::{
    ChangeOptions, Changes, CombinedPatches, PatchOptions, Patches, Pathspec, TextPatch,
    TreeDiffOptions,
};

questions! { session;
    /// Lists how two trees differ; a tree without a revision is empty.
    full pages Diff = 17 {
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
    } => {
        let (specs, depth) = ([old.as_deref(), new.as_deref()], session.limits.tree_depth);
        let tree = TreeDiffOptions { recursive, trees };
        let options = ChangeOptions { tree, renames: renames.options() };
        let changes = Changes::new(&mut session.repository, specs, options, depth)?;
        let changes = changes.with_attributes(attributes);
        task(changes.limited_to(Pathspec::parse(&pathspec.0)?).picking(&pickaxe.options())?)
    };

    /// Compares two texts.
    full pages TextPatch = 19 {
        old: Bytes,
        new: Bytes,
        text: TextFields,
    } => task(TextPatch::new(old, new, text.options()));

    /// Lists the patches between two trees; a tree without a revision is empty.
    full pages Patches = 20 {
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
    } => {
        let renames = renames.options();
        let options = PatchOptions { text: text.options(), abbrev, join_types, renames };
        let (specs, depth) = ([old.as_deref(), new.as_deref()], session.limits.tree_depth);
        let patches = Patches::new(&mut session.repository, specs, options, depth)?;
        let patches = patches.with_attributes(attributes);
        task(patches.limited_to(Pathspec::parse(&pathspec.0)?).picking(&pickaxe.options())?)
    };

    /// Lists the patches of a merge: of files that differ from those of all parents.
    full pages CombinedPatches = 32 {
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
    } => {
        let renames = renames.options();
        let options = PatchOptions { text: text.options(), abbrev, renames, join_types: false };
        let patches = CombinedPatches::new(&spec, options, dense, Pathspec::parse(&pathspec.0)?);
        task(patches.picking(pickaxe.options()).with_attributes(attributes))
    };
}
