//! The table of questions: the fields of each, and the expression that answers it.
//!
//! A question is encoded as its number in this table (1 byte) and then its fields in their
//! order: see [`Shape`]. The fields have the names of the core's options, so that a field which
//! is missing on either side is a compile error.

use super::field::{choices, malformed, Encoded, Field, MaybeNames, Reader, Shape, Text, Types};
use crate::objects::{self, Objects};
use crate::session::Session;
use crate::task::{LongAnswer, Task};
use packlens::{
    alternates_in, follows_rules, is_branch_name, normalize_refname, Append, AvailabilityOptions,
    BatchCursor, BatchMode, CheckAvailable, Collisions, ContentStream, CountObjects, Fields,
    Filter, Fsck, FsckOptions, HashKind, IndexPack, IndexWishes, Layout, LinkRows, MergeBase,
    MergeBaseKind, ObjectId, ObjectList, RefList, RefListOptions, RefLog, RefReachOptions,
    RefTable, RefnameRules, Result, RevList, RevListOptions, RevOrder, Severities, Share,
    ShowIndex, Strict, Thin, TreeWalk, Verify, WalkOptions,
};

type Bytes = Vec<u8>;
type Names = Vec<Vec<u8>>;

/// The hash of ids, if it is known.
#[derive(Clone, Copy)]
struct Hash(Option<HashKind>);

choices! {
    Hash {
        "any" => Hash(None),
        "sha1" => Hash(Some(HashKind::Sha1)),
        "sha256" => Hash(Some(HashKind::Sha256)),
    }
    Verify { "oid" => Verify::Oid, "crc" => Verify::Crc, "none" => Verify::None }
    RevOrder { "default" => RevOrder::Default, "date" => RevOrder::Date, "topo" => RevOrder::Topo }
    MergeBaseKind {
        "common" => MergeBaseKind::Common,
        "octopus" => MergeBaseKind::Octopus,
        "independent" => MergeBaseKind::Independent,
        "ancestor" => MergeBaseKind::Ancestor,
    }
    Collisions { "detect" => Collisions::Detect, "trust" => Collisions::Trust }
    Thin { "refuse" => Thin::Refuse, "fix" => Thin::Fix, "borrow" => Thin::Borrow }
    Share {
        "whole" => Share::Whole,
        "leads" => Share::Leads,
        "scans" => Share::Scans,
        "helps" => Share::Helps,
    }
    Strict { "no" => Strict::No, "objects" => Strict::Objects, "links" => Strict::Links }
}

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

/// Declares the questions. After the fields of each stands the expression that answers it, in
/// which the fields are variables.
macro_rules! questions {
    ($session:ident; $(
        $(#[doc = $doc:literal])+
        $answered:ident $name:ident {
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
    /// The commits that revisions stand for, the objects they lead to, or how many there are.
    pages RevList {
        /// Revisions, `^` before what is left out, `--all` and the like.
        specs: Names,
        order: RevOrder,
        reverse: bool,
        first_parent: bool,
        /// How many, instead of which.
        count: bool,
        /// Trees, blobs and tags as well.
        objects: bool,
        /// By the bitmaps of packs, where there are any.
        use_bitmaps: bool,
        skip: u64,
        limit: Option<u64>,
        min_parents: u32,
        max_parents: Option<u32>,
        /// Seconds since 1970.
        since: Option<u64>,
        until: Option<u64>,
    } => {
        let options = RevListOptions {
            order, reverse, first_parent, count, objects, use_bitmaps, skip, limit, min_parents,
            max_parents, since, until,
        };
        task(RevList::new(specs, options))
    };

    /// The merge bases of commits, or what else `git merge-base` tells.
    pages MergeBase { specs: Names, of: MergeBaseKind, } => task(MergeBase::new(specs, of)?);

    /// What the commits in packs lead to, in stretches.
    pages LinkRows {} => task(LinkRows::new(&session.repository));

    /// Refs, in the order of their names.
    pages Refs {
        /// What their names begin with.
        prefix: Option<Bytes>,
        /// A revision that they lead to.
        points_at: Option<Bytes>,
        /// As those of `git for-each-ref`.
        patterns: MaybeNames,
        /// Patterns of what is left out.
        exclude: MaybeNames,
        /// Commits, one of which is in their history.
        contains: MaybeNames,
        no_contains: MaybeNames,
        /// Commits, one of which has them in its history.
        merged: MaybeNames,
        no_merged: MaybeNames,
        /// Patterns fit letters of either case.
        ignore_case: bool,
        /// Tells what tags lead to.
        peel: bool,
        /// Takes broken names as well.
        bad_names: bool,
        /// Only those that point at it themselves.
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
        }))
    };

    /// Which refs can be created together.
    pages CheckAvailable {
        names: Names,
        /// Refs that will be gone.
        deleting: MaybeNames,
        /// Other names of the same plan.
        extra: MaybeNames,
        /// There are no refs yet: none is looked for.
        initial: bool,
    } => {
        let (deleting, extra) = (deleting.0, extra.0);
        task(CheckAvailable::new(names, AvailabilityOptions { deleting, extra, initial }))
    };

    /// The reflog of a ref, the newest entry first.
    pages Reflog { name: Bytes, } => task(RefLog::new(&name));

    /// One reftable with all refs as they would be.
    pages RefTable {
        /// Names of refs that change, each with the id it points at then, empty if it is gone.
        changes: Names,
    } => {
        let hash = session.repository.hash();
        let changes = changes.chunks(2).filter_map(|change| match change {
            [name, after] => Some((name.clone(), ObjectId::from_hex(hash, after))),
            _ => None,
        });
        task(RefTable::new(changes))
    };

    /// All objects that a filter wants.
    pages Objects {
        content: bool,
        storage: bool,
        /// As they are stored, instead of by their ids.
        stored_order: bool,
        types: Types,
        /// The types of which only those from `least` to `most` bytes are wanted.
        sized: Types,
        least: u64,
        most: Option<u64>,
    } => {
        let filter = filter(types, sized, least, most);
        let list = ObjectList::new(objects::order(stored_order, content), filter);
        task(Objects::new(list, Fields { content, storage }))
    };

    /// The entries of a tree, and of those in it.
    pages Walk { spec: Bytes, recursive: bool, only_leaves: bool, sizes: bool, } => {
        let options = WalkOptions { recursive, only_leaves, sizes };
        let depth = session.limits.tree_depth;
        task(TreeWalk::new(&mut session.repository, &spec, options, depth)?)
    };

    /// The content of an object from one byte to another.
    pages Content { spec: Bytes, start: u64, end: Option<u64>, } => {
        task(ContentStream::open(&mut session.repository, &spec, start, end.unwrap_or(u64::MAX))?)
    };

    /// The indexes of a pack, or whether the one it has is right.
    pages IndexPack {
        /// The paths of the pack and of its index.
        pack: Bytes,
        idx: Bytes,
        /// How much findings weigh, as `Severities` of the core takes it.
        rules: Text,
        index: bool,
        reverse: bool,
        /// Whether the index that is there is right.
        verify: bool,
        /// What `verify-pack` prints of each entry, and of all.
        lines: bool,
        summary: bool,
        collisions: Collisions,
        /// What is done about bases that the pack lacks.
        thin: Thin,
        /// What part of the work is done here.
        share: Share,
        /// Whether objects are checked, and that all is there which they lead to.
        strict: Strict,
    } => {
        let wishes = IndexWishes {
            collisions, index, reverse, verify, lines, summary, thin, share, strict,
        };
        let mut severities = Severities::new(true);
        severities.take_lines(session.repository.hash(), &rules.0)?;
        let task_of = IndexPack::new(&pack, &idx, wishes, session.limits);
        task(task_of.with_severities(severities))
    };

    /// The entries of the index at a path.
    pages ShowIndex { path: Bytes, } => task(ShowIndex::new(&path));

    /// What `git count-objects` tells.
    pages CountObjects {} => task(CountObjects::default());

    /// What is wrong with the repository.
    pages Fsck {
        /// How much findings weigh, as `Severities` of the core takes it.
        rules: Text,
        /// Revisions that are heads instead of refs.
        heads: MaybeNames,
        strict: bool,
        connectivity_only: bool,
        /// Packs and alternates as well.
        full: bool,
        unreachable: bool,
        dangling: bool,
        tags: bool,
        root: bool,
        reflogs: bool,
        name_objects: bool,
        /// Index files also where there are heads.
        cache: bool,
        references: bool,
    } => {
        let options = FsckOptions {
            strict, connectivity_only, full, unreachable, dangling, tags, root, reflogs,
            name_objects, cache, references,
        };
        task(Fsck::new(options).with_rules(&rules.0).with_heads(heads.0))
    };

    /// The objects that specs stand for.
    pages Batch {
        specs: Encoded,
        content: bool,
        storage: bool,
        in_pack_order: bool,
        /// Where it goes on: at which of the specs, and behind how many bytes of its content.
        index: u32,
        skip: u64,
    } => session.batch(specs, Fields { content, storage }, in_pack_order, BatchCursor { index, skip });

    /// Answers of `cat-file --batch` for all objects.
    pages BatchAll { contents: bool, delimiter: u32, stored_order: bool, } => {
        session.answers(BatchMode { contents, delimiter: delimiter as u8 }, stored_order)
    };

    /// Answers to batch requests that come from outside.
    pages BatchQueue {} => session.queue();

    /// Says how a repository is read, before anything else is asked; what it does not say
    /// itself is what git takes from its environment.
    at_once Open {
        /// The most bytes of inflated delta bases.
        base_cache: Option<u64>,
        /// The hash of its ids; none if its `config` says so.
        object_format: Hash,
        /// What is checked of what is read.
        verify: Verify,
        /// The directory of its objects, below the git directory or absolute.
        object_directory: Option<Bytes>,
        /// Directories it borrows objects from, as git lists them.
        alternates: Text,
        /// The byte between two of them, and what those that are relative are relative to.
        separator: u32,
        alternates_base: Option<Bytes>,
        /// What replace refs begin with; empty if they do not count.
        replace_base: Option<Bytes>,
        /// The files of shallow commits, of grafts, and the index that `:path` asks; empty if
        /// there is none.
        shallow_file: Option<Bytes>,
        graft_file: Option<Bytes>,
        index_file: Option<Bytes>,
        /// Objects that are promised are not told from those that are not there.
        hides_promised: bool,
        /// Objects that are nowhere are asked for.
        fetches: bool,
        /// Commit-graphs are not used.
        without_graphs: bool,
    } => {
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
        session.repository.tell_promised(!hides_promised);
        Ok(())
    };

    /// Outputs the id of the object that a revision stands for.
    at_once Resolve {
        spec: Bytes,
        /// A shortened id may also stand for objects that lead to no commit.
        committish: bool,
    } => {
        let found = match committish {
            true => session.repository.resolve_committish(&spec),
            false => session.repository.resolve(&spec),
        };
        found.and_then(|id| session.fresh_output().oid(&id))
    };

    /// Outputs the record of a ref, nothing if there is none.
    at_once Reference {
        name: Bytes,
        /// It need not be spelled out.
        short: bool,
    } => {
        session.fresh_output();
        session.repository.ref_row(&name, short, &mut session.output)
    };

    /// Outputs the name that the beginning of a revision stands for: the full name of a ref
    /// for `main@{upstream}`, a branch for `@{-1}`; itself if it is a name.
    at_once Interpret { name: Bytes, } => {
        let found = session.repository.interpret(&name)?;
        session.fresh_output().bytes(&found.unwrap_or(name))
    };

    /// Outputs what a branch builds on and is pushed to: see `Repository::tracking` of the
    /// core.
    at_once Tracking { branch: Bytes, } => {
        session.fresh_output();
        session.repository.tracking(&branch, &mut session.output)
    };

    /// Outputs whether a ref has a reflog, in one byte.
    at_once HasReflog { name: Bytes, } => {
        let has = session.repository.refs().log(&name).exists(&session.repository.files)?;
        session.fresh_output().u8(u8::from(has))
    };

    /// Outputs, in 4 bytes, how many digits of an id are enough.
    at_once Abbreviate {
        oid: Bytes,
        /// The fewest; 0 for as many as the size of the repository asks for.
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
    at_once Bundle { path: Bytes, } => session.bundle(&path);

    /// Sets how batch requests are answered. Outputs whether they are split, in one byte.
    at_once BatchFormat {
        /// The line that stands for an object.
        format: Bytes,
        types: Types,
        /// As in a list of objects.
        sized: Types,
        least: u64,
        most: Option<u64>,
    } => {
        session.filter = filter(types, sized, least, most);
        session.batch_format(&format)
    };

    /// Outputs the name if git would take it, else nothing.
    at_once CheckRefname {
        name: Bytes,
        one_level: bool,
        pattern: bool,
        /// Slashes that say nothing are left out first.
        normalize: bool,
        /// It is that of a branch.
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
