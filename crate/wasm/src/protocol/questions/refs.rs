//! Questions about refs, their reflogs and their names.

use super::{questions, task, Bytes, Names};
use crate::protocol::field::MaybeNames;
use packlens::{
    follows_rules, is_branch_name, normalize_refname, Append, AvailabilityOptions, CheckAvailable,
    ObjectId, RefList, RefListOptions, RefLog, RefReachOptions, RefTable, RefnameRules,
};

questions! { session;
    /// Lists refs by name.
    reader pages Refs = 3 {
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
    full pages CheckAvailable = 4 {
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
    full pages Reflog = 5 { name: Bytes, } => task(RefLog::new(&name));

    /// Writes one reftable with all refs after a change.
    full pages RefTable = 6 {
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

    /// Outputs the record of a ref, nothing if there is none.
    reader at_once Reference = 23 {
        name: Bytes,
        /// Takes a short name too.
        short: bool,
    } => {
        session.fresh_output();
        session.repository.ref_row(&name, short, &mut session.output)
    };

    /// Outputs the upstream and the push destination of a branch: see
    /// `Repository::tracking` of the core.
    full at_once Tracking = 25 { branch: Bytes, } => {
        session.fresh_output();
        session.repository.tracking(&branch, &mut session.output)
    };

    /// Outputs whether a ref has a reflog, in one byte.
    full at_once HasReflog = 26 { name: Bytes, } => {
        let has = session.repository.refs().log(&name).exists(&session.repository.files)?;
        session.fresh_output().u8(u8::from(has))
    };

    /// Outputs the name if git would take it, else nothing.
    full at_once CheckRefname = 30 {
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
