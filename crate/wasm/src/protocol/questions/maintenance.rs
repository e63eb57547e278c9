//! Questions about what is stored: indexes of packs, counts, checks, and the configuration.

use super::{questions, task, Bytes, Names};
use crate::protocol::field::{MaybeNames, Text};
use packlens::{
    Collisions, ConfigFiles, ConfigList, ConfigOptions, CountObjects, Fsck, FsckOptions, FsckRole,
    IndexPack, IndexPackOptions, IndexRole, Severities, ShowIndex, Strict, Thin,
};

questions! { session;
    /// Makes the indexes of a pack, or checks the one it has.
    rest pages IndexPack = 10 {
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
    rest pages ShowIndex = 11 { path: Bytes, } => task(ShowIndex::new(&path));

    /// Counts what is stored, as `git count-objects` does.
    rest pages CountObjects = 12 {} => task(CountObjects::default());

    /// Checks the repository, as `git fsck` does.
    rest pages Fsck = 13 {
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
        /// The role of this instance in the work.
        role: FsckRole,
    } => {
        let options = FsckOptions {
            strict, connectivity_only, full, unreachable, dangling, tags, root, reflogs,
            name_objects, cache, references, role,
        };
        task(Fsck::new(options).with_rules(&rules.0).with_heads(heads.0))
    };

    /// Lists the variables of the configuration.
    full pages Config = 38 {
        /// Which files are read.
        files: ConfigFiles,
        without_includes: bool,
        /// The absolute paths of the git directory, for conditions: the real one first.
        git_dirs: Names,
        /// The home directory of the user, and then its real path.
        homes: Names,
        /// Extended regular expressions: lists only variables in whose name and value these are
        /// found. That of values may begin with `!`.
        name_pattern: Option<Bytes>,
        value_pattern: Option<Bytes>,
    } => {
        let options = ConfigOptions {
            files, without_includes, git_dirs, homes, name_pattern, value_pattern,
        };
        task(ConfigList::new(options)?)
    };
}
