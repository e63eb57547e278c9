/**
 * What the core is asked, as it reads it. Made from `crate/wasm/src/protocol` by
 * `npm run protocol`: changes belong there.
 */

/** Lists the commits that revisions reach, or their objects, or counts them. */
export interface RevListQuestion {
  readonly kind: 'revList'
  /** Revisions, with `^` before uninteresting ones, `--all` and the like. */
  readonly specs: Uint8Array
  readonly order?: 'default' | 'date' | 'topo' | 'author-date' | 'tips' | 'given' | undefined
  readonly reverse?: boolean | undefined
  readonly firstParent?: boolean | undefined
  /** Returns the number alone. */
  readonly count?: boolean | undefined
  /** Lists trees, blobs and tags too. */
  readonly objects?: boolean | undefined
  /** Uses the reachability bitmaps of packs, where there are any. */
  readonly useBitmaps?: boolean | undefined
  readonly skip?: number | undefined
  readonly limit?: number | undefined
  readonly minParents?: number | undefined
  readonly maxParents?: number | undefined
  /** Seconds since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Lists only commits that changed what these elements of a pathspec select. */
  readonly paths?: Uint8Array | undefined
  readonly simplify?: readonly ('fullHistory' | 'sparse' | 'simplifyMerges' | 'simplifyByDecoration' | 'showPulls' | 'ancestryPath' | 'excludeFirstParentOnly' | 'cherryPick')[] | undefined
  readonly lines?: readonly ('parents' | 'children' | 'boundary' | 'leftRight' | 'leftOnly' | 'rightOnly' | 'spaced' | 'cherryMark')[] | undefined
  /** The commits that `ancestry-path` is limited to. */
  readonly ancestryPathOf?: Uint8Array | undefined
  /** As `since`, but the walk continues after an older commit. */
  readonly listedSince?: number | undefined
  /**
   * Patterns of commits, each after a letter: `a` for the author, `c` for the committer,
   * `g` for a line of the message; after `m` a row of `CommitPatterns::people`.
   */
  readonly patterns?: Uint8Array | undefined
  readonly matching?: readonly ('allMatch' | 'invertGrep' | 'ignoreCase' | 'extended' | 'fixed')[] | undefined
  /**
   * Follows the one file of `paths` through its renames: how similar it must be, in parts
   * of 60000.
   */
  readonly follow?: number | undefined
  /** Ends lines with a tab and the tip that the walk came from. */
  readonly source?: boolean | undefined
  /**
   * git's options about objects, without dashes, such as `filter=blob:none`, and two for
   * which a field would take bytes of the first page: `remove-empty`, and
   * `decorated=<id>` of each object that chosen refs decorate, or `decorated=` for none.
   */
  readonly filtered?: Uint8Array | undefined
}

/** Finds merge bases, or another answer of `git merge-base`. */
export interface MergeBaseQuestion {
  readonly kind: 'mergeBase'
  readonly specs: Uint8Array
  readonly of?: 'common' | 'octopus' | 'independent' | 'ancestor' | undefined
}

/** Lists what the commits in packs link to, a work unit at a time. */
export interface LinkRowsQuestion {
  readonly kind: 'linkRows'
}

/** Lists refs by name. */
export interface RefsQuestion {
  readonly kind: 'refs'
  /** The prefix of the names. */
  readonly prefix?: string | Uint8Array | undefined
  /** A revision that the refs point at. */
  readonly pointsAt?: string | Uint8Array | undefined
  /** Patterns of `git for-each-ref`. */
  readonly patterns?: Uint8Array | undefined
  /** Patterns of names that are excluded. */
  readonly exclude?: Uint8Array | undefined
  /** Commits: the history of a ref has one of them. */
  readonly contains?: Uint8Array | undefined
  readonly noContains?: Uint8Array | undefined
  /** Commits: one of them has the ref in its history. */
  readonly merged?: Uint8Array | undefined
  readonly noMerged?: Uint8Array | undefined
  /** Patterns ignore case. */
  readonly ignoreCase?: boolean | undefined
  /** Peels tags. */
  readonly peel?: boolean | undefined
  /** Lists refs with broken names too. */
  readonly badNames?: boolean | undefined
  /** Lists only refs that point at the object without a tag. */
  readonly direct?: boolean | undefined
}

/** Checks which refs can be created together. */
export interface CheckAvailableQuestion {
  readonly kind: 'checkAvailable'
  readonly names: Uint8Array
  /** Names of refs that are deleted in the same plan. */
  readonly deleting?: Uint8Array | undefined
  /** Other names that the same plan creates. */
  readonly extra?: Uint8Array | undefined
  /** Looks for no refs: the repository is new. */
  readonly initial?: boolean | undefined
}

/** Reads the reflog of a ref, the newest entry first. */
export interface ReflogQuestion {
  readonly kind: 'reflog'
  readonly name: string | Uint8Array
}

/** Writes one reftable with all refs after a change. */
export interface RefTableQuestion {
  readonly kind: 'refTable'
  /** Names of changed refs, each with its new id; empty for a deleted ref. */
  readonly changes: Uint8Array
}

/** Lists the objects that pass a filter. */
export interface ObjectsQuestion {
  readonly kind: 'objects'
  readonly content?: boolean | undefined
  readonly storage?: boolean | undefined
  /** Lists in the order of storage instead of by id. */
  readonly storedOrder?: boolean | undefined
  readonly types: readonly ('commit' | 'tree' | 'blob' | 'tag')[]
  /** The types that only objects from `least` to `most` bytes pass. */
  readonly sized: readonly ('commit' | 'tree' | 'blob' | 'tag')[]
  readonly least?: number | undefined
  readonly most?: number | undefined
}

/** Lists the entries of a tree, and of the trees in it. */
export interface WalkQuestion {
  readonly kind: 'walk'
  readonly spec: string | Uint8Array
  readonly recursive?: boolean | undefined
  readonly onlyLeaves?: boolean | undefined
  readonly sizes?: boolean | undefined
}

/** Reads a range of the content of an object. */
export interface ContentQuestion {
  readonly kind: 'content'
  readonly spec: string | Uint8Array
  readonly start?: number | undefined
  readonly end?: number | undefined
}

/** Makes the indexes of a pack, or checks the one it has. */
export interface IndexPackQuestion {
  readonly kind: 'indexPack'
  /** The paths of the pack and of its index. */
  readonly pack: string | Uint8Array
  readonly idx: string | Uint8Array
  /** Severities of findings, in the syntax of `Severities` of the core. */
  readonly rules?: string | Uint8Array | undefined
  readonly index?: boolean | undefined
  readonly reverse?: boolean | undefined
  /** Checks the existing index. */
  readonly verify?: boolean | undefined
  /** Returns what `verify-pack` prints. */
  readonly lines?: boolean | undefined
  readonly summary?: boolean | undefined
  readonly collisions?: 'detect' | 'trust' | undefined
  /** How to treat bases that the pack lacks. */
  readonly thin?: 'refuse' | 'fix' | 'borrow' | undefined
  /** The role of this instance in the work. */
  readonly role?: 'alone' | 'leader' | 'scanner' | 'helper' | undefined
  /** Whether to check objects, and that everything they link to exists. */
  readonly strict?: 'no' | 'objects' | 'links' | undefined
}

/** Lists the entries of the pack index at a path. */
export interface ShowIndexQuestion {
  readonly kind: 'showIndex'
  readonly path: string | Uint8Array
}

/** Counts what is stored, as `git count-objects` does. */
export interface CountObjectsQuestion {
  readonly kind: 'countObjects'
}

/** Checks the repository, as `git fsck` does. */
export interface FsckQuestion {
  readonly kind: 'fsck'
  /** Severities of findings, in the syntax of `Severities` of the core. */
  readonly rules?: string | Uint8Array | undefined
  /** Revisions that the check begins with instead of refs. */
  readonly heads?: Uint8Array | undefined
  readonly strict?: boolean | undefined
  readonly connectivityOnly?: boolean | undefined
  /** Checks packs and alternates too. */
  readonly full?: boolean | undefined
  readonly unreachable?: boolean | undefined
  readonly dangling?: boolean | undefined
  readonly tags?: boolean | undefined
  readonly root?: boolean | undefined
  readonly reflogs?: boolean | undefined
  readonly nameObjects?: boolean | undefined
  /** Checks index files although `heads` are given. */
  readonly cache?: boolean | undefined
  readonly references?: boolean | undefined
  /** The role of this instance in the work. */
  readonly role?: 'alone' | 'leader' | 'helper' | undefined
}

/** Reads the objects of specs into rows. */
export interface BatchQuestion {
  readonly kind: 'batch'
  readonly specs: Uint8Array
  readonly content?: boolean | undefined
  readonly storage?: boolean | undefined
  readonly inPackOrder?: boolean | undefined
  /** Where to resume: the index of a spec, and how many bytes of its content to skip. */
  readonly index?: number | undefined
  readonly skip?: number | undefined
}

/** Answers `cat-file --batch` for all objects. */
export interface BatchAllQuestion {
  readonly kind: 'batchAll'
  readonly contents?: boolean | undefined
  readonly delimiter?: number | undefined
  readonly storedOrder?: boolean | undefined
}

/** Answers requests of `cat-file --batch`. */
export interface BatchQueueQuestion {
  readonly kind: 'batchQueue'
}

/** Lists how two trees differ; a tree without a revision is empty. */
export interface DiffQuestion {
  readonly kind: 'diff'
  readonly old?: string | Uint8Array | undefined
  readonly new?: string | Uint8Array | undefined
  readonly recursive?: boolean | undefined
  readonly trees?: boolean | undefined
  readonly renames?: 'none' | 'renames' | 'copies' | 'copies-of-any' | undefined
  /** How similar a renamed file must be. */
  readonly renameScore?: number | undefined
  readonly renameLimit?: number | undefined
  readonly skipsEmpty?: boolean | undefined
  /** How much a file must have changed to be split; none to split no files. */
  readonly splitScore?: number | undefined
  /** How much of a file must be gone so that it is a rewritten one. */
  readonly rewrittenScore?: number | undefined
  /** The elements of a pathspec that limits the comparison. */
  readonly pathspec?: Uint8Array | undefined
  readonly pickaxe?: 'none' | 'text' | 'regex' | 'lines' | undefined
  /** The text or the expression that is looked for. */
  readonly pickaxeText?: string | Uint8Array | undefined
  readonly pickaxeIgnoresCase?: boolean | undefined
  /** Lists all changes if one is wanted. */
  readonly pickaxeAll?: boolean | undefined
  /** The revision whose `.gitattributes` count; empty for `info/attributes` alone. */
  readonly attributes?: string | Uint8Array | undefined
  /** The pathspec is one path, whose origin is looked for if it is new. */
  readonly follow?: boolean | undefined
  /** What the listed paths begin with. */
  readonly relative?: string | Uint8Array | undefined
  /** How many directories below each element of the pathspec are entered; none for all. */
  readonly maxDepth?: number | undefined
}

/** Finds the commit that last changed each entry of a directory. */
export interface LastModifiedQuestion {
  readonly kind: 'lastModified'
  readonly spec: string | Uint8Array
  readonly path: string | Uint8Array
  /** Only these entries of the directory. */
  readonly names?: Uint8Array | undefined
  /** How many levels of trees below the directory are entered. */
  readonly depth?: number | undefined
  /** Answers for trees that are entered, too. */
  readonly trees?: boolean | undefined
  /** Revisions at which the search ends. */
  readonly excluded?: Uint8Array | undefined
}

/** Compares two texts. */
export interface TextPatchQuestion {
  readonly kind: 'textPatch'
  readonly old: string | Uint8Array
  readonly new: string | Uint8Array
  readonly algorithm?: 'myers' | 'minimal' | 'patience' | 'histogram' | undefined
  readonly whitespace?: 'exact' | 'cr-at-eol' | 'at-eol' | 'amount' | 'all' | undefined
  readonly ignoreBlankLines?: boolean | undefined
  readonly withoutIndentHeuristic?: boolean | undefined
  /** How many unchanged lines are around a change; 3 by default. */
  readonly context?: number | undefined
  readonly interHunk?: number | undefined
  /** Hunks have the whole functions that they change. */
  readonly functionContext?: boolean | undefined
  /** Changes of nothing but lines in which one of these expressions is found are left out. */
  readonly ignoredLines?: Uint8Array | undefined
  /** How words of changed lines are compared and printed. */
  readonly wordDiff?: 'none' | 'porcelain' | 'plain' | 'unmarked' | undefined
  /** Words have the colors of a terminal. */
  readonly wordColors?: boolean | undefined
  /** The expression of words; none for those of a file's language. */
  readonly wordPattern?: string | Uint8Array | undefined
}

/** Lists the patches between two trees; a tree without a revision is empty. */
export interface PatchesQuestion {
  readonly kind: 'patches'
  readonly old?: string | Uint8Array | undefined
  readonly new?: string | Uint8Array | undefined
  readonly algorithm?: 'myers' | 'minimal' | 'patience' | 'histogram' | undefined
  readonly whitespace?: 'exact' | 'cr-at-eol' | 'at-eol' | 'amount' | 'all' | undefined
  readonly ignoreBlankLines?: boolean | undefined
  readonly withoutIndentHeuristic?: boolean | undefined
  /** How many unchanged lines are around a change; 3 by default. */
  readonly context?: number | undefined
  readonly interHunk?: number | undefined
  /** How many digits of ids are printed at least; none for all, 0 for git's default. */
  readonly abbrev?: number | undefined
  /** Compares a file whose type changes as one. */
  readonly joinTypes?: boolean | undefined
  readonly renames?: 'none' | 'renames' | 'copies' | 'copies-of-any' | undefined
  /** How similar a renamed file must be. */
  readonly renameScore?: number | undefined
  readonly renameLimit?: number | undefined
  readonly skipsEmpty?: boolean | undefined
  /** How much a file must have changed to be split; none to split no files. */
  readonly splitScore?: number | undefined
  /** How much of a file must be gone so that it is a rewritten one. */
  readonly rewrittenScore?: number | undefined
  /** The elements of a pathspec that limits the comparison. */
  readonly pathspec?: Uint8Array | undefined
  readonly pickaxe?: 'none' | 'text' | 'regex' | 'lines' | undefined
  /** The text or the expression that is looked for. */
  readonly pickaxeText?: string | Uint8Array | undefined
  readonly pickaxeIgnoresCase?: boolean | undefined
  /** Lists all changes if one is wanted. */
  readonly pickaxeAll?: boolean | undefined
  /** The revision whose `.gitattributes` count; empty for `info/attributes` alone. */
  readonly attributes?: string | Uint8Array | undefined
  /** As for `Diff`. */
  readonly follow?: boolean | undefined
  /** Hunks have the whole functions that they change. */
  readonly functionContext?: boolean | undefined
  /** Changes of nothing but lines in which one of these expressions is found are left out. */
  readonly ignoredLines?: Uint8Array | undefined
  /** How words of changed lines are compared and printed. */
  readonly wordDiff?: 'none' | 'porcelain' | 'plain' | 'unmarked' | undefined
  /** Words have the colors of a terminal. */
  readonly wordColors?: boolean | undefined
  /** The expression of words; none for those of a file's language. */
  readonly wordPattern?: string | Uint8Array | undefined
  /** Compares the new tree with the old one. */
  readonly reverse?: boolean | undefined
  /** Leaves out what is removed of deleted and rewritten files. */
  readonly irreversibleDelete?: boolean | undefined
  /** Binary files have their contents in the patch. */
  readonly binary?: boolean | undefined
  /** Counts bytes, not lines, and compares nothing else. */
  readonly countsBytes?: boolean | undefined
  /** What the listed paths begin with, and patches leave out. */
  readonly relative?: string | Uint8Array | undefined
  /** As for `Diff`. */
  readonly maxDepth?: number | undefined
}

/**
 * Configures a repository before its first question. The fields stand for what git takes
 * from its environment.
 */
export interface OpenQuestion {
  readonly kind: 'open'
  /** The most bytes of inflated delta bases. */
  readonly baseCache?: number | undefined
  /** The hash of ids; none to take it from `config`. */
  readonly objectFormat?: 'any' | 'sha1' | 'sha256' | undefined
  /** How much of an object is verified. */
  readonly verify?: 'oid' | 'crc' | 'none' | undefined
  /** The directory of objects: relative to the git directory, or absolute. */
  readonly objectDirectory?: string | Uint8Array | undefined
  /** Alternates, in the syntax of git's variable. */
  readonly alternates?: string | Uint8Array | undefined
  /** The byte between two alternates, and the base of relative ones. */
  readonly separator?: number | undefined
  readonly alternatesBase?: string | Uint8Array | undefined
  /** The prefix of replace refs; empty to ignore them. */
  readonly replaceBase?: string | Uint8Array | undefined
  /** The files of shallow commits, of grafts, and the index of `:path`; empty for none. */
  readonly shallowFile?: string | Uint8Array | undefined
  readonly graftFile?: string | Uint8Array | undefined
  readonly indexFile?: string | Uint8Array | undefined
  /** Reports promised objects as missing. */
  readonly hidesPromised?: boolean | undefined
  /** Asks the caller for missing objects. */
  readonly fetches?: boolean | undefined
  /** Ignores commit-graphs. */
  readonly withoutGraphs?: boolean | undefined
  /** Lists each directory of loose objects once for all questions. */
  readonly listsLooseOnce?: boolean | undefined
}

/** Outputs the id of the object that a revision stands for. */
export interface ResolveQuestion {
  readonly kind: 'resolve'
  readonly spec: string | Uint8Array
  /** Lets a shortened id stand for objects other than commits. */
  readonly committish?: boolean | undefined
}

/** Outputs the record of a ref, nothing if there is none. */
export interface ReferenceQuestion {
  readonly kind: 'reference'
  readonly name: string | Uint8Array
  /** Takes a short name too. */
  readonly short?: boolean | undefined
}

/**
 * Outputs the name that the beginning of a revision stands for: the full name of a ref
 * for `main@{upstream}`, a branch for `@{-1}`; itself if it is a name.
 */
export interface InterpretQuestion {
  readonly kind: 'interpret'
  readonly name: string | Uint8Array
}

/**
 * Outputs the upstream and the push destination of a branch: see
 * `Repository::tracking` of the core.
 */
export interface TrackingQuestion {
  readonly kind: 'tracking'
  readonly branch: string | Uint8Array
}

/** Outputs whether a ref has a reflog, in one byte. */
export interface HasReflogQuestion {
  readonly kind: 'hasReflog'
  readonly name: string | Uint8Array
}

/** Outputs, in 4 bytes, how many digits of an id are enough. */
export interface AbbreviateQuestion {
  readonly kind: 'abbreviate'
  readonly oid: string | Uint8Array
  /** The fewest digits; 0 to choose by the size of the repository. */
  readonly least?: number | undefined
}

/** Outputs the head of a bundle: see `BundleHeader::write` of the core. */
export interface BundleQuestion {
  readonly kind: 'bundle'
  readonly path: string | Uint8Array
}

/** Sets how batch requests are answered. Outputs whether they are split, in one byte. */
export interface BatchFormatQuestion {
  readonly kind: 'batchFormat'
  /** The format of the line for an object. */
  readonly format: string | Uint8Array
  readonly types: readonly ('commit' | 'tree' | 'blob' | 'tag')[]
  /** The types that only objects from `least` to `most` bytes pass. */
  readonly sized: readonly ('commit' | 'tree' | 'blob' | 'tag')[]
  readonly least?: number | undefined
  readonly most?: number | undefined
}

/** Outputs the name if git would take it, else nothing. */
export interface CheckRefnameQuestion {
  readonly kind: 'checkRefname'
  readonly name: string | Uint8Array
  readonly oneLevel?: boolean | undefined
  readonly pattern?: boolean | undefined
  /** Removes redundant slashes first. */
  readonly normalize?: boolean | undefined
  /** Checks the name of a branch. */
  readonly branch?: boolean | undefined
}

/** Finds the commit that last changed each line of a file. */
export interface BlameQuestion {
  readonly kind: 'blame'
  readonly spec: string | Uint8Array
  readonly path: string | Uint8Array
  readonly algorithm?: 'myers' | 'minimal' | 'patience' | 'histogram' | undefined
  readonly whitespace?: 'exact' | 'cr-at-eol' | 'at-eol' | 'amount' | 'all' | undefined
  readonly ignoreBlankLines?: boolean | undefined
  readonly withoutIndentHeuristic?: boolean | undefined
  /** How many unchanged lines are around a change; 3 by default. */
  readonly context?: number | undefined
  readonly interHunk?: number | undefined
  readonly firstParent?: boolean | undefined
  /** Revisions that end history, and the seconds since 1970 before which it ends. */
  readonly excluded?: Uint8Array | undefined
  readonly since?: number | undefined
  /** Follows lines from the start of the range to its end. */
  readonly reverse?: boolean | undefined
  /** Revisions whose changes are not taken for an answer. */
  readonly ignored?: Uint8Array | undefined
  /**
   * The lines that are asked for: pairs of numbers of 4 bytes, the first line, from 0, and
   * the end. Empty for all.
   */
  readonly ranges: string | Uint8Array
  /**
   * Lines with more letters and digits are sought where they were in the file before; none
   * to seek no lines.
   */
  readonly moveScore?: number | undefined
  /** Which files are searched for lines that were copied. */
  readonly copies?: 'no' | 'changed' | 'created' | 'any' | undefined
  readonly copyScore?: number | undefined
}

/** Lists the patches of a merge: of files that differ from those of all parents. */
export interface CombinedPatchesQuestion {
  readonly kind: 'combinedPatches'
  readonly spec: string | Uint8Array
  readonly algorithm?: 'myers' | 'minimal' | 'patience' | 'histogram' | undefined
  readonly whitespace?: 'exact' | 'cr-at-eol' | 'at-eol' | 'amount' | 'all' | undefined
  readonly ignoreBlankLines?: boolean | undefined
  readonly withoutIndentHeuristic?: boolean | undefined
  /** How many unchanged lines are around a change; 3 by default. */
  readonly context?: number | undefined
  readonly interHunk?: number | undefined
  /** How many digits of ids are printed at least; none for all, 0 for git's default. */
  readonly abbrev?: number | undefined
  /** Leaves out hunks in which a file is that of a parent. */
  readonly dense?: boolean | undefined
  readonly renames?: 'none' | 'renames' | 'copies' | 'copies-of-any' | undefined
  /** How similar a renamed file must be. */
  readonly renameScore?: number | undefined
  readonly renameLimit?: number | undefined
  readonly skipsEmpty?: boolean | undefined
  /** How much a file must have changed to be split; none to split no files. */
  readonly splitScore?: number | undefined
  /** How much of a file must be gone so that it is a rewritten one. */
  readonly rewrittenScore?: number | undefined
  readonly pathspec?: Uint8Array | undefined
  readonly pickaxe?: 'none' | 'text' | 'regex' | 'lines' | undefined
  /** The text or the expression that is looked for. */
  readonly pickaxeText?: string | Uint8Array | undefined
  readonly pickaxeIgnoresCase?: boolean | undefined
  /** Lists all changes if one is wanted. */
  readonly pickaxeAll?: boolean | undefined
  /** The revision whose `.gitattributes` count; empty for `info/attributes` alone. */
  readonly attributes?: string | Uint8Array | undefined
  /** Headers name the file of each parent. */
  readonly namesParents?: boolean | undefined
  /** What the listed paths begin with. */
  readonly relative?: string | Uint8Array | undefined
  /** Other parents than the commit's own. */
  readonly parents?: Uint8Array | undefined
}

/** Names a commit after the most recent tag that it reaches. */
export interface DescribeQuestion {
  readonly kind: 'describe'
  readonly spec: string | Uint8Array
  readonly tags?: boolean | undefined
  readonly all?: boolean | undefined
  readonly long?: boolean | undefined
  readonly abbrev?: number | undefined
  /** Globs of names. */
  readonly matching?: Uint8Array | undefined
  readonly exclude?: Uint8Array | undefined
  readonly candidates?: number | undefined
  readonly firstParent?: boolean | undefined
  readonly always?: boolean | undefined
}

/** Makes an archive of the files of a tree. */
export interface ArchiveQuestion {
  readonly kind: 'archive'
  readonly spec: string | Uint8Array
  readonly format?: 'tar' | 'zip' | 'tar.gz' | 'list' | undefined
  /** What precedes every path. */
  readonly prefix?: string | Uint8Array | undefined
  /** A directory that is not part of the names of entries, and that all are in. */
  readonly directory?: string | Uint8Array | undefined
  /** The elements of a pathspec that limits the archive; none for all. */
  readonly pathspec?: Uint8Array | undefined
  /** How hard to compress, from 0 to 9; none for the default. */
  readonly level?: number | undefined
  /** The date of all entries in seconds since 1970; none for that of the commit. */
  readonly mtime?: number | undefined
  /** The current time. */
  readonly now?: number | undefined
}

/** Names commits after refs that reach them. */
export interface NameRevQuestion {
  readonly kind: 'nameRev'
  readonly specs: Uint8Array
  /** Only tags count. */
  readonly tags?: boolean | undefined
  /** Globs of refs. */
  readonly refs?: Uint8Array | undefined
  readonly exclude?: Uint8Array | undefined
  /** Names commits that are older than all that are asked for, too. */
  readonly whole?: boolean | undefined
}

/** Searches the files of a tree. */
export interface GrepQuestion {
  readonly kind: 'grep'
  readonly spec: string | Uint8Array
  /**
   * An expression: patterns after the letter `p`, `a` for "and", `o` for "or", `n` for
   * "not", and parentheses.
   */
  readonly expression?: Uint8Array | undefined
  readonly syntax?: 'basic' | 'extended' | 'fixed' | undefined
  readonly ignoreCase?: boolean | undefined
  readonly word?: boolean | undefined
  readonly invert?: boolean | undefined
  readonly allMatch?: boolean | undefined
  readonly answer?: 'lines' | 'counts' | 'files' | 'files-without' | undefined
  readonly binary?: 'mention' | 'text' | 'skip' | undefined
  readonly columns?: boolean | undefined
  readonly before?: number | undefined
  readonly after?: number | undefined
  readonly function?: boolean | undefined
  readonly functionContext?: boolean | undefined
  readonly maxCount?: number | undefined
  /** The elements of a pathspec that limits the search. */
  readonly pathspec?: Uint8Array | undefined
  readonly maxDepth?: number | undefined
  readonly withoutAttributes?: boolean | undefined
}

/** Counts the commits that only one of two commits reaches, for many pairs. */
export interface AheadBehindQuestion {
  readonly kind: 'aheadBehind'
  /** The two revisions of the first pair, of the second one, and so on. */
  readonly specs: Uint8Array
}

/** Lists the variables of the configuration. */
export interface ConfigQuestion {
  readonly kind: 'config'
  /** Which files are read. */
  readonly files?: 'both' | 'local' | 'worktree' | undefined
  readonly withoutIncludes?: boolean | undefined
  /** The absolute paths of the git directory, for conditions: the real one first. */
  readonly gitDirs: Uint8Array
  /** The home directory of the user, and then its real path. */
  readonly homes: Uint8Array
  /**
   * Extended regular expressions: lists only variables in whose name and value these are
   * found. That of values may begin with `!`.
   */
  readonly namePattern?: string | Uint8Array | undefined
  readonly valuePattern?: string | Uint8Array | undefined
}

/** Lists the entries of the index of a worktree. */
export interface IndexQuestion {
  readonly kind: 'index'
  /** The elements of a pathspec that limits the listing. */
  readonly pathspec?: Uint8Array | undefined
  /** Directories of a sparse index are listed themselves. */
  readonly sparse?: boolean | undefined
}

/** Finds the lines that ignore paths. */
export interface IgnoredQuestion {
  readonly kind: 'ignored'
  /** The paths; those of directories may end with a slash. */
  readonly paths?: Uint8Array | undefined
  /** Paths that the index has are not ignored. */
  readonly skipsTracked?: boolean | undefined
}

/** Lists the submodules of a tree. */
export interface SubmodulesQuestion {
  readonly kind: 'submodules'
  readonly spec: string | Uint8Array
}

/** Compares `HEAD`, the index and the files of the work tree. */
export interface StatusQuestion {
  readonly kind: 'status'
  readonly untracked?: 'configured' | 'normal' | 'all' | 'no' | undefined
  readonly ignored?: 'no' | 'traditional' | 'matching' | undefined
  /** Whether tracked files that did not change are listed, too, and changed ones read. */
  readonly complete?: boolean | undefined
  /** Which renames are looked for; none for what the configuration says. */
  readonly renames?: 'configured' | 'none' | 'renames' | 'copies' | undefined
  /** How similar a renamed file must be. */
  readonly renameScore?: number | undefined
  /** The elements of a pathspec that limits the comparison. */
  readonly pathspec?: Uint8Array | undefined
  /** Which changes of submodules do not count; none for what is said of each. */
  readonly ignoreSubmodules?: 'configured' | 'none' | 'untracked' | 'dirty' | 'all' | undefined
}

/** Finds the attributes of paths. */
export interface AttributesQuestion {
  readonly kind: 'attributes'
  /** The revision of the tree whose files count; none for those of the work tree. */
  readonly spec?: string | Uint8Array | undefined
  /** Only files of the index count. */
  readonly cached?: boolean | undefined
  /** The paths; those of directories end with a slash. */
  readonly paths?: Uint8Array | undefined
  /** The attributes; none for all. */
  readonly names?: Uint8Array | undefined
}

/** Outputs where patterns match in the lines of a text: see `match_spans` of the core. */
export interface MatchSpansQuestion {
  readonly kind: 'matchSpans'
  /** An expression, as for `Grep`. */
  readonly expression?: Uint8Array | undefined
  readonly syntax?: 'basic' | 'extended' | 'fixed' | undefined
  readonly ignoreCase?: boolean | undefined
  readonly text: string | Uint8Array
}

/** A question that is answered in pages. */
export type LongQuestion =
  | RevListQuestion
  | MergeBaseQuestion
  | LinkRowsQuestion
  | RefsQuestion
  | CheckAvailableQuestion
  | ReflogQuestion
  | RefTableQuestion
  | ObjectsQuestion
  | WalkQuestion
  | ContentQuestion
  | IndexPackQuestion
  | ShowIndexQuestion
  | CountObjectsQuestion
  | FsckQuestion
  | BatchQuestion
  | BatchAllQuestion
  | BatchQueueQuestion
  | DiffQuestion
  | LastModifiedQuestion
  | TextPatchQuestion
  | PatchesQuestion
  | BlameQuestion
  | CombinedPatchesQuestion
  | DescribeQuestion
  | ArchiveQuestion
  | NameRevQuestion
  | GrepQuestion
  | AheadBehindQuestion
  | ConfigQuestion
  | IndexQuestion
  | IgnoredQuestion
  | SubmodulesQuestion
  | StatusQuestion
  | AttributesQuestion

/** A question that is answered at once. */
export type ShortQuestion =
  | OpenQuestion
  | ResolveQuestion
  | ReferenceQuestion
  | InterpretQuestion
  | TrackingQuestion
  | HasReflogQuestion
  | AbbreviateQuestion
  | BundleQuestion
  | BatchFormatQuestion
  | CheckRefnameQuestion
  | MatchSpansQuestion

/** The number of each question that the reader answers, and its fields. */
export const QUESTIONS = {
  revList: [
    0,
    ['specs', 'names'],
    ['order', 'choice', 'default', 'date', 'topo', 'author-date', 'tips', 'given'],
    ['reverse', 'flag'],
    ['firstParent', 'flag'],
    ['count', 'flag'],
    ['objects', 'flag'],
    ['useBitmaps', 'flag'],
    ['skip', 'number', '0'],
    ['limit', 'number'],
    ['minParents', 'number', '0'],
    ['maxParents', 'number'],
    ['since', 'number'],
    ['until', 'number'],
    ['paths', 'names'],
    ['simplify', 'set', 'fullHistory', 'sparse', 'simplifyMerges', 'simplifyByDecoration', 'showPulls', 'ancestryPath', 'excludeFirstParentOnly', 'cherryPick'],
    ['lines', 'set', 'parents', 'children', 'boundary', 'leftRight', 'leftOnly', 'rightOnly', 'spaced', 'cherryMark'],
    ['ancestryPathOf', 'names'],
    ['listedSince', 'number'],
    ['patterns', 'names'],
    ['matching', 'set', 'allMatch', 'invertGrep', 'ignoreCase', 'extended', 'fixed'],
    ['follow', 'number'],
    ['source', 'flag'],
    ['filtered', 'names'],
  ],
  refs: [
    3,
    ['prefix', 'bytes'],
    ['pointsAt', 'bytes'],
    ['patterns', 'names'],
    ['exclude', 'names'],
    ['contains', 'names'],
    ['noContains', 'names'],
    ['merged', 'names'],
    ['noMerged', 'names'],
    ['ignoreCase', 'flag'],
    ['peel', 'flag'],
    ['badNames', 'flag'],
    ['direct', 'flag'],
  ],
  walk: [
    8,
    ['spec', 'bytes'],
    ['recursive', 'flag'],
    ['onlyLeaves', 'flag'],
    ['sizes', 'flag'],
  ],
  content: [
    9,
    ['spec', 'bytes'],
    ['start', 'number', '0'],
    ['end', 'number'],
  ],
  batch: [
    14,
    ['specs', 'names'],
    ['content', 'flag'],
    ['storage', 'flag'],
    ['inPackOrder', 'flag'],
    ['index', 'number', '0'],
    ['skip', 'number', '0'],
  ],
  open: [
    21,
    ['baseCache', 'number'],
    ['objectFormat', 'choice', 'any', 'sha1', 'sha256'],
    ['verify', 'choice', 'oid', 'crc', 'none'],
    ['objectDirectory', 'bytes'],
    ['alternates', 'text'],
    ['separator', 'number', '0'],
    ['alternatesBase', 'bytes'],
    ['replaceBase', 'bytes'],
    ['shallowFile', 'bytes'],
    ['graftFile', 'bytes'],
    ['indexFile', 'bytes'],
    ['hidesPromised', 'flag'],
    ['fetches', 'flag'],
    ['withoutGraphs', 'flag'],
    ['listsLooseOnce', 'flag'],
  ],
  resolve: [
    22,
    ['spec', 'bytes'],
    ['committish', 'flag'],
  ],
  reference: [
    23,
    ['name', 'bytes'],
    ['short', 'flag'],
  ],
  interpret: [
    24,
    ['name', 'bytes'],
  ],
} as const

/** How a question ended. */
export const Status = {
  done: 0,
  missing: 1,
  failed: 2,
  more: 3,
  advanced: 4,
  closed: 16,
} as const

/** The fields that `read` can output, by their bits. */
export const ReadField = {
  content: 1,
  storage: 2,
} as const

/** The flags of `answer`, by their bits. */
export const AnswerFlag = {
  contents: 1,
  queued: 2,
} as const

/** The flags of a row, by their bits. */
export const RowFlag = {
  storageKnown: 1,
  moreFollows: 2,
} as const

/** The files beside a pack, by their bits. */
export const PackFile = {
  keep: 1,
  promisor: 2,
  cruft: 4,
  rev: 8,
  bitmap: 16,
} as const

/** The bytes of a row's header. */
export const ROW_HEADER_SIZE = 120

/** What errors are, by their numbers. */
export const ERROR_CODES = [
  'INTERNAL',
  'NOT_FOUND',
  'AMBIGUOUS',
  'WRONG_TYPE',
  'CORRUPT',
  'UNSUPPORTED',
  'LIMIT',
  'BAD_INPUT',
  'PROMISED',
  'CHANGED',
] as const

/** What is needed, by its number. */
export const NEEDS = [
  'bytes',
  'file',
  'directory',
  'objects',
  'turn',
  'module',
  'range',
] as const

/** The counters, in their order. */
export const COUNTERS = [
  'lookups',
  'objects',
  'blocksRead',
  'bytesRead',
  'blocksEvicted',
  'filesOpened',
  'inflatedBytes',
  'deltasApplied',
  'baseCacheHits',
  'hashedBytes',
  'crcBytes',
  'prefixChecks',
  'refSeeks',
  'tablesOpened',
  'commitsWalked',
  'bytesOut',
  'flushes',
  'memoryHighWater',
] as const

/** The records of an index that is made. */
export const INDEX_RECORDS = [
  'progress',
  'index',
  'reverse',
  'facts',
  'text',
  'ids',
  'tail',
  'finding',
  'section',
  'rows',
] as const

/** The records of a check. */
export const FSCK_RECORDS = [
  'progress',
  'finding',
] as const

/** What a check is at. */
export const FSCK_PHASES = [
  'packs',
  'objects',
  'connectivity',
] as const

/** How much findings weigh. */
export const FINDING_LEVELS = [
  'error',
  'warn',
  'info',
] as const

/** Types of objects; their numbers begin with 1. */
export const OBJECT_TYPES = [
  'commit',
  'tree',
  'blob',
  'tag',
] as const

/** What rows are, by their numbers. */
export const ROW_KINDS = [
  'missing',
  'commit',
  'tree',
  'blob',
  'tag',
  'ambiguous',
  'failed',
] as const

/** Whether a ref can be created, by number. */
export const AVAILABILITIES = [
  'available',
  'exists',
  'is-prefix-of',
  'planned-together',
  'bad-name',
] as const

/** What a patch has of a file, by number. */
export const PATCH_KINDS = [
  'text',
  'binary',
  'too-large',
] as const

/** What a record of a change is, by number. */
export const CHANGE_RECORDS = [
  'plain',
  'renamed',
  'copied',
  'rewritten',
  'limited',
  'partly-limited',
] as const
