//! Questions about the files of a tree or of an index, all together.

use super::{questions, task, Bytes};
use crate::protocol::field::FullNames;
use packlens::{
    match_spans, Archive, ArchiveFormat, ArchiveOptions, AttributesIn, Grep, GrepAnswer,
    GrepBinary, GrepOptions, IgnoredFiles, IgnoredPaths, IgnoredSubmodules, IndexEntries, Matching,
    PathsAttributes, Pathspec, RenameKind, Status, StatusOptions, Submodules, Syntax,
    UntrackedFiles,
};

questions! { session;
    /// Lists the entries of the index of a worktree.
    rest pages Index = 39 {
        /// The elements of a pathspec that limits the listing.
        pathspec: FullNames,
        /// Directories of a sparse index are listed themselves.
        sparse: bool,
    } => task(IndexEntries::new(Pathspec::parse(&pathspec.into_names())?, sparse));

    /// Finds the lines that ignore paths.
    rest pages Ignored = 40 {
        /// The paths; those of directories may end with a slash.
        paths: FullNames,
        /// Paths that the index has are not ignored.
        skips_tracked: bool,
    } => task(IgnoredPaths::new(paths.into_names(), skips_tracked)?);

    /// Finds the attributes of paths.
    rest pages Attributes = 43 {
        /// The revision of the tree whose files count; none for those of the work tree.
        spec: Option<Bytes>,
        /// Only files of the index count.
        cached: bool,
        /// The paths; those of directories end with a slash.
        paths: FullNames,
        /// The attributes; none for all.
        names: FullNames,
    } => {
        let source = match spec {
            Some(spec) => AttributesIn::Tree(spec.to_vec()),
            None if cached => AttributesIn::Index,
            None => AttributesIn::Worktree,
        };
        task(PathsAttributes::new(source, paths.into_names(), names.into_names())?)
    };

    /// Lists the submodules of a tree.
    rest pages Submodules = 41 {
        spec: Bytes,
    } => task(Submodules::new(spec.to_vec()));

    /// Compares `HEAD`, the index and the files of the work tree.
    rest pages Status = 42 {
        untracked: Option<UntrackedFiles>,
        ignored: IgnoredFiles,
        /// Whether tracked files that did not change are listed, too, and changed ones read.
        complete: bool,
        /// Which renames are looked for; none for what the configuration says.
        renames: Option<RenameKind>,
        /// How similar a renamed file must be.
        rename_score: Option<u32>,
        /// The elements of a pathspec that limits the comparison.
        pathspec: FullNames,
        /// Which changes of submodules do not count; none for what is said of each.
        ignore_submodules: Option<IgnoredSubmodules>,
    } => {
        let choices = StatusOptions { untracked, ignored, ignore_submodules, ..StatusOptions::default() };
        let options = StatusOptions { complete, renames, rename_score, ..choices };
        task(Status::new(options, Pathspec::parse(&pathspec.into_names())?))
    };

    /// Makes an archive of the files of a tree.
    rest pages Archive = 34 {
        spec: Bytes,
        format: ArchiveFormat,
        /// What precedes every path.
        prefix: Option<Bytes>,
        /// A directory that is not part of the names of entries, and that all are in.
        directory: Option<Bytes>,
        /// The elements of a pathspec that limits the archive; none for all.
        pathspec: FullNames,
        /// How hard to compress, from 0 to 9; none for the default.
        level: Option<u32>,
        /// The date of all entries in seconds since 1970; none for that of the commit.
        mtime: Option<u64>,
        /// The current time.
        now: u64,
    } => {
        let (prefix, directory) = (prefix.unwrap_or_default(), directory.unwrap_or_default());
        let pathspec = pathspec.into_names();
        let options =
            ArchiveOptions { format, prefix, directory, pathspec, level, mtime, now };
        task(Archive::new(&spec, options))
    };

    /// Searches the files of a tree.
    rest pages Grep = 36 {
        spec: Bytes,
        /// An expression: patterns after the letter `p`, `a` for "and", `o` for "or", `n` for
        /// "not", and parentheses.
        expression: FullNames,
        syntax: Syntax,
        ignore_case: bool,
        word: bool,
        invert: bool,
        all_match: bool,
        answer: GrepAnswer,
        binary: GrepBinary,
        columns: bool,
        before: u32,
        after: u32,
        function: bool,
        function_context: bool,
        max_count: Option<u32>,
        /// The elements of a pathspec that limits the search.
        pathspec: FullNames,
        max_depth: Option<u32>,
        without_attributes: bool,
    } => {
        let matching = Matching { syntax, ignore_case, word };
        let pathspec = Pathspec::parse(&pathspec.into_names())?;
        let options = GrepOptions {
            matching, invert, all_match, answer, binary, columns, before, after, function,
            function_context, max_count, pathspec, max_depth, without_attributes,
        };
        task(Grep::new(&spec, &expression.into_names(), options)?)
    };

    /// Outputs where patterns match in the lines of a text: see `match_spans` of the core.
    rest at_once MatchSpans = 44 {
        /// An expression, as for `Grep`.
        expression: FullNames,
        syntax: Syntax,
        ignore_case: bool,
        text: Bytes,
    } => {
        let matching = Matching { syntax, ignore_case, word: false };
        match_spans(&expression.into_names(), matching, &text, &mut session.fresh_output())
    };
}
