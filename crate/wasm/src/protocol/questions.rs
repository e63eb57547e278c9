//! The table of questions: the fields of each, and the expression that answers it.
//!
//! A question is encoded as its number in this table (1 byte) and then its fields in their
//! order: see [`Shape`]. The fields have the names of the core's options, so that a field which
//! is missing on either side is a compile error.

use super::choices::Hash;
use super::field::{malformed, Encoded, Field, MaybeNames, Reader, Text, Types};
use crate::objects::{self, Objects};
use crate::session::Session;
use crate::task::{LongAnswer, Task};
use packlens::require_full;
use packlens::{
    alternates_in, follows_rules, is_branch_name, normalize_refname, Algorithm, Append,
    AvailabilityOptions, BatchCursor, BatchMode, CheckAvailable, Collisions, ContentStream,
    CountObjects, DiffOptions, Fields, Filter, Fsck, FsckOptions, IndexPack, IndexPackOptions,
    IndexRole, LastModified, Layout, LinkRows, MergeBase, MergeBaseKind, ObjectId, ObjectList,
    PatchOptions, Patches, RefList, RefListOptions, RefLog, RefReachOptions, RefTable,
    RefnameRules, Result, RevList, RevListOptions, RevOrder, Severities, ShowIndex, Strict,
    TextPatch, Thin, TreeDiff, TreeDiffOptions, TreeWalk, Verify, WalkOptions, Whitespace,
};

type Bytes = Vec<u8>;
type Names = Vec<Vec<u8>>;

/// The result of beginning a question.
pub(crate) enum Begun {
    /// A task, which answers in pages.
    Pages(Task),
    /// The answer is complete, and in the output.
    Output,
}

impl From<Task> for Begun {
    fn from(task: Task) -> Begun {
        Begun::Pages(task)
    }
}

impl From<()> for Begun {
    fn from((): ()) -> Begun {
        Begun::Output
    }
}

/// Asks for the full module where a question needs it.
macro_rules! require {
    (reader) => {};
    (full) => {
        require_full()?
    };
}

/// Declares the questions: the smaller of the modules that answer it, how it is answered, its
/// name and its fields. After the fields stands the expression that answers it, in which the
/// fields are variables.
macro_rules! questions {
    ($session:ident; $(
        $(#[doc = $doc:literal])+
        $module:ident $answered:ident $name:ident {
            $($(#[doc = $about:literal])* $field:ident: $type:ty,)*
        } => $answer:expr;
    )+) => {
        #[derive(Clone, Copy)]
        enum Kind { $($name),+ }

        /// Answers a question, or begins a task for it.
        ///
        /// # Errors
        ///
        /// [`ErrorKind::BadInput`](packlens::ErrorKind::BadInput) for a question that is not in
        /// the table; errors of the expression that answers it.
        pub(crate) fn begin($session: &mut Session, question: &[u8]) -> Result<Begun> {
            let (kind, rest) = question.split_first().ok_or_else(malformed)?;
            // Each answer is a function of its own, because an engine compiles only functions
            // that run.
            $(if *kind == Kind::$name as u8 {
                #[inline(never)]
                #[allow(unused_mut, unused_variables)]
                fn answer($session: &mut Session, rest: &[u8]) -> Result<Begun> {
                    require!($module);
                    const HEAD: usize = 0 $(+ <$type as Field>::SHAPE.head())*;
                    let mut from = Reader::new(rest, HEAD)?;
                    $(let $field = <$type>::read(&mut from)?;)*
                    $answer.map(Begun::from)
                }
                return answer($session, rest);
            })+
            Err(malformed())
        }

        /// The table, from which the JavaScript side is generated.
        #[cfg(test)]
        pub(super) const QUESTIONS: &[super::typescript::Question] = &[$(
            super::typescript::Question {
                name: stringify!($name),
                answered: stringify!($answered),
                docs: &[$($doc),+],
                fields: &[$((stringify!($field), <$type as Field>::SHAPE, &[$($about),*])),*],
            }
        ),+];
    };
}

questions! { session;
    /// Lists the commits that revisions reach, or their objects, or counts them.
    reader pages RevList {
        /// Revisions, with `^` before uninteresting ones, `--all` and the like.
        specs: Names,
        order: RevOrder,
        reverse: bool,
        first_parent: bool,
        /// Returns the number alone.
        count: bool,
        /// Lists trees, blobs and tags too.
        objects: bool,
        /// Uses the reachability bitmaps of packs, where there are any.
        use_bitmaps: bool,
        skip: u64,
        limit: Option<u64>,
        min_parents: u32,
        max_parents: Option<u32>,
        /// Seconds since 1970.
        since: Option<u64>,
        until: Option<u64>,
        /// Lists only commits that changed one of these paths.
        paths: MaybeNames,
    } => {
        let options = RevListOptions {
            order, reverse, first_parent, count, objects, use_bitmaps, skip, limit, min_parents,
            max_parents, since, until,
        };
        task(RevList::new(specs, options).limited_to(&paths.0)?)
    };

    /// Finds merge bases, or another answer of `git merge-base`.
    full pages MergeBase { specs: Names, of: MergeBaseKind, } => task(MergeBase::new(specs, of)?);

    /// Lists what the commits in packs link to, a work unit at a time.
    full pages LinkRows {} => task(LinkRows::new(&session.repository));

    /// Lists refs by name.
    reader pages Refs {
        /// The prefix of the names.
        prefix: Option<Bytes>,
        /// A revision that the refs point at.
        points_at: Option<Bytes>,
        /// Patterns of `git for-each-ref`.
        patterns: MaybeNames,
        /// Patterns of names that are excluded.
        exclude: MaybeNames,
        /// Commits: the history of a ref has one of them.
        contains: MaybeNames,
        no_contains: MaybeNames,
        /// Commits: one of them has the ref in its history.
        merged: MaybeNames,
        no_merged: MaybeNames,
        /// Patterns ignore case.
        ignore_case: bool,
        /// Peels tags.
        peel: bool,
        /// Lists refs with broken names too.
        bad_names: bool,
        /// Lists only refs that point at the object without a tag.
        direct: bool,
    } => {
        let reach = RefReachOptions {
            contains: contains.0,
            no_contains: no_contains.0,
            merged: merged.0,
            no_merged: no_merged.0,
        };
        let (prefix, patterns, exclude) = (prefix.unwrap_or_default(), patterns.0, exclude.0);
        task(RefList::new(RefListOptions {
            prefix, points_at, patterns, exclude, reach, ignore_case, peel, bad_names, direct,
        })?)
    };

    /// Checks which refs can be created together.
    full pages CheckAvailable {
        names: Names,
        /// Names of refs that are deleted in the same plan.
        deleting: MaybeNames,
        /// Other names that the same plan creates.
        extra: MaybeNames,
        /// Looks for no refs: the repository is new.
        initial: bool,
    } => {
        let (deleting, extra) = (deleting.0, extra.0);
        task(CheckAvailable::new(names, AvailabilityOptions { deleting, extra, initial }))
    };

    /// Reads the reflog of a ref, the newest entry first.
    full pages Reflog { name: Bytes, } => task(RefLog::new(&name));

    /// Writes one reftable with all refs after a change.
    full pages RefTable {
        /// Names of changed refs, each with its new id; empty for a deleted ref.
        changes: Names,
    } => {
        let hash = session.repository.hash();
        let changes = changes.chunks(2).filter_map(|change| match change {
            [name, after] => Some((name.clone(), ObjectId::from_hex(hash, after))),
            _ => None,
        });
        task(RefTable::new(changes))
    };

    /// Lists the objects that pass a filter.
    full pages Objects {
        content: bool,
        storage: bool,
        /// Lists in the order of storage instead of by id.
        stored_order: bool,
        types: Types,
        /// The types that only objects from `least` to `most` bytes pass.
        sized: Types,
        least: u64,
        most: Option<u64>,
    } => {
        let filter = filter(types, sized, least, most);
        let list = ObjectList::new(objects::order(stored_order, content), filter);
        task(Objects::new(list, Fields { content, storage }))
    };

    /// Lists the entries of a tree, and of the trees in it.
    reader pages Walk { spec: Bytes, recursive: bool, only_leaves: bool, sizes: bool, } => {
        let options = WalkOptions { recursive, only_leaves, sizes };
        let depth = session.limits.tree_depth;
        task(TreeWalk::new(&mut session.repository, &spec, options, depth)?)
    };

    /// Reads a range of the content of an object.
    reader pages Content { spec: Bytes, start: u64, end: Option<u64>, } => {
        task(ContentStream::open(&mut session.repository, &spec, start, end.unwrap_or(u64::MAX))?)
    };

    /// Makes the indexes of a pack, or checks the one it has.
    full pages IndexPack {
        /// The paths of the pack and of its index.
        pack: Bytes,
        idx: Bytes,
        /// Severities of findings, in the syntax of `Severities` of the core.
        rules: Text,
        index: bool,
        reverse: bool,
        /// Checks the existing index.
        verify: bool,
        /// Returns what `verify-pack` prints.
        lines: bool,
        summary: bool,
        collisions: Collisions,
        /// How to treat bases that the pack lacks.
        thin: Thin,
        /// The role of this instance in the work.
        role: IndexRole,
        /// Whether to check objects, and that everything they link to exists.
        strict: Strict,
    } => {
        let options = IndexPackOptions {
            collisions, index, reverse, verify, lines, summary, thin, role, strict,
        };
        let mut severities = Severities::new(true);
        severities.take_lines(session.repository.hash(), &rules.0)?;
        let task_of = IndexPack::new(&pack, &idx, options, session.limits);
        task(task_of.with_severities(severities))
    };

    /// Lists the entries of the pack index at a path.
    full pages ShowIndex { path: Bytes, } => task(ShowIndex::new(&path));

    /// Counts what is stored, as `git count-objects` does.
    full pages CountObjects {} => task(CountObjects::default());

    /// Checks the repository, as `git fsck` does.
    full pages Fsck {
        /// Severities of findings, in the syntax of `Severities` of the core.
        rules: Text,
        /// Revisions that the check begins with instead of refs.
        heads: MaybeNames,
        strict: bool,
        connectivity_only: bool,
        /// Checks packs and alternates too.
        full: bool,
        unreachable: bool,
        dangling: bool,
        tags: bool,
        root: bool,
        reflogs: bool,
        name_objects: bool,
        /// Checks index files although `heads` are given.
        cache: bool,
        references: bool,
    } => {
        let options = FsckOptions {
            strict, connectivity_only, full, unreachable, dangling, tags, root, reflogs,
            name_objects, cache, references,
        };
        task(Fsck::new(options).with_rules(&rules.0).with_heads(heads.0))
    };

    /// Reads the objects of specs into rows.
    reader pages Batch {
        specs: Encoded,
        content: bool,
        storage: bool,
        in_pack_order: bool,
        /// Where to resume: the index of a spec, and how many bytes of its content to skip.
        index: u32,
        skip: u64,
    } => session.batch(specs, Fields { content, storage }, in_pack_order, BatchCursor { index, skip });

    /// Answers `cat-file --batch` for all objects.
    full pages BatchAll { contents: bool, delimiter: u32, stored_order: bool, } => {
        session.answers(BatchMode { contents, delimiter: delimiter as u8 }, stored_order)
    };

    /// Answers requests of `cat-file --batch`.
    full pages BatchQueue {} => session.queue();

    /// Lists how two trees differ; a tree without a revision is empty.
    full pages Diff { old: Option<Bytes>, new: Option<Bytes>, recursive: bool, trees: bool, } => {
        let (specs, depth) = ([old.as_deref(), new.as_deref()], session.limits.tree_depth);
        let options = TreeDiffOptions { recursive, trees };
        task(TreeDiff::new(&mut session.repository, specs, options, depth)?)
    };

    /// Finds the commit that last changed each entry of a directory.
    full pages LastModified { spec: Bytes, path: Bytes, } => {
        task(LastModified::new(&spec, &path))
    };

    /// Compares two texts: see `Patches` for the options.
    full pages TextPatch {
        old: Bytes,
        new: Bytes,
        algorithm: Algorithm,
        whitespace: Whitespace,
        ignore_blank_lines: bool,
        without_indent_heuristic: bool,
        context: Option<u32>,
        inter_hunk: u32,
    } => {
        let options = DiffOptions {
            algorithm, whitespace, ignore_blank_lines, inter_hunk,
            indent_heuristic: !without_indent_heuristic,
            context: context.unwrap_or(DiffOptions::default().context),
            ..DiffOptions::default()
        };
        task(TextPatch::new(old, new, options))
    };

    /// Lists the patches between two trees; a tree without a revision is empty.
    full pages Patches {
        old: Option<Bytes>,
        new: Option<Bytes>,
        algorithm: Algorithm,
        whitespace: Whitespace,
        ignore_blank_lines: bool,
        without_indent_heuristic: bool,
        /// How many unchanged lines are around a change; 3 by default.
        context: Option<u32>,
        inter_hunk: u32,
        /// How many digits of ids are printed at least; none for all, 0 for git's default.
        abbrev: Option<u32>,
        /// Compares a file whose type changes as one.
        join_types: bool,
    } => {
        let text = DiffOptions {
            algorithm, whitespace, ignore_blank_lines, inter_hunk,
            indent_heuristic: !without_indent_heuristic,
            context: context.unwrap_or(DiffOptions::default().context),
            ..DiffOptions::default()
        };
        let options = PatchOptions { text, abbrev, join_types };
        let (specs, depth) = ([old.as_deref(), new.as_deref()], session.limits.tree_depth);
        task(Patches::new(&mut session.repository, specs, options, depth)?)
    };

    /// Configures a repository before its first question. The fields stand for what git takes
    /// from its environment.
    reader at_once Open {
        /// The most bytes of inflated delta bases.
        base_cache: Option<u64>,
        /// The hash of ids; none to take it from `config`.
        object_format: Hash,
        /// How much of an object is verified.
        verify: Verify,
        /// The directory of objects: relative to the git directory, or absolute.
        object_directory: Option<Bytes>,
        /// Alternates, in the syntax of git's variable.
        alternates: Text,
        /// The byte between two alternates, and the base of relative ones.
        separator: u32,
        alternates_base: Option<Bytes>,
        /// The prefix of replace refs; empty to ignore them.
        replace_base: Option<Bytes>,
        /// The files of shallow commits, of grafts, and the index of `:path`; empty for none.
        shallow_file: Option<Bytes>,
        graft_file: Option<Bytes>,
        index_file: Option<Bytes>,
        /// Reports promised objects as missing.
        hides_promised: bool,
        /// Asks the caller for missing objects.
        fetches: bool,
        /// Ignores commit-graphs.
        without_graphs: bool,
    } => {
        // The reader neither fetches nor compares checksums.
        if fetches || verify == Verify::Crc {
            require_full()?;
        }
        let base = alternates_base.unwrap_or_default();
        let alternates = alternates_in(&alternates.0, separator as u8, &base);
        let layout = Layout { object_directory, alternates, fetches };
        session.configure(base_cache, (object_format.0, verify), layout, |boundaries| {
            if let Some(base) = replace_base {
                boundaries.replace_base = Some(base).filter(|base| !base.is_empty());
            }
            let files = [
                (shallow_file, &mut boundaries.shallow_file),
                (graft_file, &mut boundaries.graft_file),
                (index_file, &mut boundaries.index_file),
            ];
            for (file, place) in files {
                if let Some(file) = file {
                    *place = file;
                }
            }
            boundaries.uses_graphs = !without_graphs;
        });
        session.repository.report_promised(!hides_promised);
        Ok(())
    };

    /// Outputs the id of the object that a revision stands for.
    reader at_once Resolve {
        spec: Bytes,
        /// Lets a shortened id stand for objects other than commits.
        committish: bool,
    } => {
        let found = match committish {
            true => session.repository.resolve_committish(&spec),
            false => session.repository.resolve(&spec),
        };
        found.and_then(|id| session.fresh_output().oid(&id))
    };

    /// Outputs the record of a ref, nothing if there is none.
    reader at_once Reference {
        name: Bytes,
        /// Takes a short name too.
        short: bool,
    } => {
        session.fresh_output();
        session.repository.ref_row(&name, short, &mut session.output)
    };

    /// Outputs the name that the beginning of a revision stands for: the full name of a ref
    /// for `main@{upstream}`, a branch for `@{-1}`; itself if it is a name.
    reader at_once Interpret { name: Bytes, } => {
        let found = session.repository.interpret(&name)?;
        session.fresh_output().bytes(&found.unwrap_or(name))
    };

    /// Outputs the upstream and the push destination of a branch: see
    /// `Repository::tracking` of the core.
    full at_once Tracking { branch: Bytes, } => {
        session.fresh_output();
        session.repository.tracking(&branch, &mut session.output)
    };

    /// Outputs whether a ref has a reflog, in one byte.
    full at_once HasReflog { name: Bytes, } => {
        let has = session.repository.refs().log(&name).exists(&session.repository.files)?;
        session.fresh_output().u8(u8::from(has))
    };

    /// Outputs, in 4 bytes, how many digits of an id are enough.
    full at_once Abbreviate {
        oid: Bytes,
        /// The fewest digits; 0 to choose by the size of the repository.
        least: u32,
    } => {
        let least = Some(least as usize).filter(|least| *least > 0);
        let digits = match ObjectId::from_hex(session.repository.hash(), &oid) {
            Some(id) => session.repository.abbreviate(&id, least)?,
            None => oid.len(),
        };
        session.fresh_output().u32(digits as u32)
    };

    /// Outputs the head of a bundle: see `BundleHeader::write` of the core.
    full at_once Bundle { path: Bytes, } => session.bundle(&path);

    /// Sets how batch requests are answered. Outputs whether they are split, in one byte.
    full at_once BatchFormat {
        /// The format of the line for an object.
        format: Bytes,
        types: Types,
        /// The filter, as of a list of objects.
        sized: Types,
        least: u64,
        most: Option<u64>,
    } => {
        session.filter = filter(types, sized, least, most);
        session.batch_format(&format)
    };

    /// Outputs the name if git would take it, else nothing.
    full at_once CheckRefname {
        name: Bytes,
        one_level: bool,
        pattern: bool,
        /// Removes redundant slashes first.
        normalize: bool,
        /// Checks the name of a branch.
        branch: bool,
    } => {
        let name = if normalize { normalize_refname(&name) } else { name };
        let rules = RefnameRules { one_level, pattern };
        let taken = if branch { is_branch_name(&name) } else { follows_rules(&name, rules) };
        session.fresh_output().bytes(if taken { &name } else { b"" })
    };
}

fn task(answer: impl LongAnswer + 'static) -> Result<Task> {
    Ok(Task::new(Box::new(answer)))
}

fn filter(types: Types, sized: Types, least: u64, most: Option<u64>) -> Filter {
    Filter::of_types(types.0).with_sizes(sized.0, least..=most.unwrap_or(u64::MAX))
}
