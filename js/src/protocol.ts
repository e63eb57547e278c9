/**
 * What the core is asked, as it reads it. Made from `crate/wasm/src/protocol` by
 * `npm run protocol`: changes belong there.
 */

/** The commits that revisions stand for, the objects they lead to, or how many there are. */
export interface RevListQuestion {
  readonly kind: 'revList'
  /** Revisions, `^` before what is left out, `--all` and the like. */
  readonly specs: Uint8Array
  readonly order?: 'default' | 'date' | 'topo' | undefined
  readonly reverse?: boolean | undefined
  readonly firstParent?: boolean | undefined
  /** How many, instead of which. */
  readonly count?: boolean | undefined
  /** Trees, blobs and tags as well. */
  readonly objects?: boolean | undefined
  /** By the bitmaps of packs, where there are any. */
  readonly useBitmaps?: boolean | undefined
  readonly skip?: number | undefined
  readonly limit?: number | undefined
  readonly minParents?: number | undefined
  readonly maxParents?: number | undefined
  /** Seconds since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** The merge bases of commits, or what else `git merge-base` tells. */
export interface MergeBaseQuestion {
  readonly kind: 'mergeBase'
  readonly specs: Uint8Array
  readonly of?: 'common' | 'octopus' | 'independent' | 'ancestor' | undefined
}

/** What the commits in packs lead to, in stretches. */
export interface LinkRowsQuestion {
  readonly kind: 'linkRows'
}

/** Refs, in the order of their names. */
export interface RefsQuestion {
  readonly kind: 'refs'
  /** What their names begin with. */
  readonly prefix?: string | Uint8Array | undefined
  /** A revision that they lead to. */
  readonly pointsAt?: string | Uint8Array | undefined
  /** As those of `git for-each-ref`. */
  readonly patterns?: Uint8Array | undefined
  /** Patterns of what is left out. */
  readonly exclude?: Uint8Array | undefined
  /** Commits, one of which is in their history. */
  readonly contains?: Uint8Array | undefined
  readonly noContains?: Uint8Array | undefined
  /** Commits, one of which has them in its history. */
  readonly merged?: Uint8Array | undefined
  readonly noMerged?: Uint8Array | undefined
  /** Patterns fit letters of either case. */
  readonly ignoreCase?: boolean | undefined
  /** Tells what tags lead to. */
  readonly peel?: boolean | undefined
  /** Takes broken names as well. */
  readonly badNames?: boolean | undefined
  /** Only those that point at it themselves. */
  readonly direct?: boolean | undefined
}

/** Which refs can be created together. */
export interface CheckAvailableQuestion {
  readonly kind: 'checkAvailable'
  readonly names: Uint8Array
  /** Refs that will be gone. */
  readonly deleting?: Uint8Array | undefined
  /** Other names of the same plan. */
  readonly extra?: Uint8Array | undefined
  /** There are no refs yet: none is looked for. */
  readonly initial?: boolean | undefined
}

/** The reflog of a ref, the newest entry first. */
export interface ReflogQuestion {
  readonly kind: 'reflog'
  readonly name: string | Uint8Array
}

/** One reftable with all refs as they would be. */
export interface RefTableQuestion {
  readonly kind: 'refTable'
  /** Names of refs that change, each with the id it points at then, empty if it is gone. */
  readonly changes: Uint8Array
}

/** All objects that a filter wants. */
export interface ObjectsQuestion {
  readonly kind: 'objects'
  readonly content?: boolean | undefined
  readonly storage?: boolean | undefined
  /** As they are stored, instead of by their ids. */
  readonly storedOrder?: boolean | undefined
  readonly types: readonly ('commit' | 'tree' | 'blob' | 'tag')[]
  /** The types of which only those from `least` to `most` bytes are wanted. */
  readonly sized: readonly ('commit' | 'tree' | 'blob' | 'tag')[]
  readonly least?: number | undefined
  readonly most?: number | undefined
}

/** The entries of a tree, and of those in it. */
export interface WalkQuestion {
  readonly kind: 'walk'
  readonly spec: string | Uint8Array
  readonly recursive?: boolean | undefined
  readonly onlyLeaves?: boolean | undefined
  readonly sizes?: boolean | undefined
}

/** The content of an object from one byte to another. */
export interface ContentQuestion {
  readonly kind: 'content'
  readonly spec: string | Uint8Array
  readonly start?: number | undefined
  readonly end?: number | undefined
}

/** The indexes of a pack, or whether the one it has is right. */
export interface IndexPackQuestion {
  readonly kind: 'indexPack'
  /** The paths of the pack and of its index. */
  readonly pack: string | Uint8Array
  readonly idx: string | Uint8Array
  /** How much findings weigh, as `Severities` of the core takes it. */
  readonly rules?: string | Uint8Array | undefined
  readonly index?: boolean | undefined
  readonly reverse?: boolean | undefined
  /** Whether the index that is there is right. */
  readonly verify?: boolean | undefined
  /** What `verify-pack` prints of each entry, and of all. */
  readonly lines?: boolean | undefined
  readonly summary?: boolean | undefined
  readonly collisions?: 'detect' | 'trust' | undefined
  /** What is done about bases that the pack lacks. */
  readonly thin?: 'refuse' | 'fix' | 'borrow' | undefined
  /** What part of the work is done here. */
  readonly share?: 'whole' | 'leads' | 'scans' | 'helps' | undefined
  /** Whether objects are checked, and that all is there which they lead to. */
  readonly strict?: 'no' | 'objects' | 'links' | undefined
}

/** The entries of the index at a path. */
export interface ShowIndexQuestion {
  readonly kind: 'showIndex'
  readonly path: string | Uint8Array
}

/** What `git count-objects` tells. */
export interface CountObjectsQuestion {
  readonly kind: 'countObjects'
}

/** What is wrong with the repository. */
export interface FsckQuestion {
  readonly kind: 'fsck'
  /** How much findings weigh, as `Severities` of the core takes it. */
  readonly rules?: string | Uint8Array | undefined
  /** Revisions that are heads instead of refs. */
  readonly heads?: Uint8Array | undefined
  readonly strict?: boolean | undefined
  readonly connectivityOnly?: boolean | undefined
  /** Packs and alternates as well. */
  readonly full?: boolean | undefined
  readonly unreachable?: boolean | undefined
  readonly dangling?: boolean | undefined
  readonly tags?: boolean | undefined
  readonly root?: boolean | undefined
  readonly reflogs?: boolean | undefined
  readonly nameObjects?: boolean | undefined
  /** Index files also where there are heads. */
  readonly cache?: boolean | undefined
  readonly references?: boolean | undefined
}

/** The objects that specs stand for. */
export interface BatchQuestion {
  readonly kind: 'batch'
  readonly specs: Uint8Array
  readonly content?: boolean | undefined
  readonly storage?: boolean | undefined
  readonly inPackOrder?: boolean | undefined
  /** Where it goes on: at which of the specs, and behind how many bytes of its content. */
  readonly index?: number | undefined
  readonly skip?: number | undefined
}

/** Answers of `cat-file --batch` for all objects. */
export interface BatchAllQuestion {
  readonly kind: 'batchAll'
  readonly contents?: boolean | undefined
  readonly delimiter?: number | undefined
  readonly storedOrder?: boolean | undefined
}

/** Answers to batch requests that come from outside. */
export interface BatchQueueQuestion {
  readonly kind: 'batchQueue'
}

/**
 * Says how a repository is read, before anything else is asked; what it does not say
 * itself is what git takes from its environment.
 */
export interface OpenQuestion {
  readonly kind: 'open'
  /** The most bytes of inflated delta bases. */
  readonly baseCache?: number | undefined
  /** The hash of its ids; none if its `config` says so. */
  readonly objectFormat?: 'any' | 'sha1' | 'sha256' | undefined
  /** What is checked of what is read. */
  readonly verify?: 'oid' | 'crc' | 'none' | undefined
  /** The directory of its objects, below the git directory or absolute. */
  readonly objectDirectory?: string | Uint8Array | undefined
  /** Directories it borrows objects from, as git lists them. */
  readonly alternates?: string | Uint8Array | undefined
  /** The byte between two of them, and what those that are relative are relative to. */
  readonly separator?: number | undefined
  readonly alternatesBase?: string | Uint8Array | undefined
  /** What replace refs begin with; empty if they do not count. */
  readonly replaceBase?: string | Uint8Array | undefined
  /**
   * The files of shallow commits, of grafts, and the index that `:path` asks; empty if
   * there is none.
   */
  readonly shallowFile?: string | Uint8Array | undefined
  readonly graftFile?: string | Uint8Array | undefined
  readonly indexFile?: string | Uint8Array | undefined
  /** Objects that are promised are not told from those that are not there. */
  readonly hidesPromised?: boolean | undefined
  /** Objects that are nowhere are asked for. */
  readonly fetches?: boolean | undefined
  /** Commit-graphs are not used. */
  readonly withoutGraphs?: boolean | undefined
}

/** Outputs the id of the object that a revision stands for. */
export interface ResolveQuestion {
  readonly kind: 'resolve'
  readonly spec: string | Uint8Array
  /** A shortened id may also stand for objects that lead to no commit. */
  readonly committish?: boolean | undefined
}

/** Outputs the record of a ref, nothing if there is none. */
export interface ReferenceQuestion {
  readonly kind: 'reference'
  readonly name: string | Uint8Array
  /** It need not be spelled out. */
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
 * Outputs what a branch builds on and is pushed to: see `Repository::tracking` of the
 * core.
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
  /** The fewest; 0 for as many as the size of the repository asks for. */
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
  /** The line that stands for an object. */
  readonly format: string | Uint8Array
  readonly types: readonly ('commit' | 'tree' | 'blob' | 'tag')[]
  /** As in a list of objects. */
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
  /** Slashes that say nothing are left out first. */
  readonly normalize?: boolean | undefined
  /** It is that of a branch. */
  readonly branch?: boolean | undefined
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

/** The fields of each question, whose number is its place here. */
export const QUESTIONS = {
  revList: [
    ['specs', 'names'],
    ['order', 'choice', 'default', 'date', 'topo'],
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
  ],
  mergeBase: [
    ['specs', 'names'],
    ['of', 'choice', 'common', 'octopus', 'independent', 'ancestor'],
  ],
  linkRows: [],
  refs: [
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
  checkAvailable: [
    ['names', 'names'],
    ['deleting', 'names'],
    ['extra', 'names'],
    ['initial', 'flag'],
  ],
  reflog: [
    ['name', 'bytes'],
  ],
  refTable: [
    ['changes', 'names'],
  ],
  objects: [
    ['content', 'flag'],
    ['storage', 'flag'],
    ['storedOrder', 'flag'],
    ['types', 'set', 'commit', 'tree', 'blob', 'tag'],
    ['sized', 'set', 'commit', 'tree', 'blob', 'tag'],
    ['least', 'number', '0'],
    ['most', 'number'],
  ],
  walk: [
    ['spec', 'bytes'],
    ['recursive', 'flag'],
    ['onlyLeaves', 'flag'],
    ['sizes', 'flag'],
  ],
  content: [
    ['spec', 'bytes'],
    ['start', 'number', '0'],
    ['end', 'number'],
  ],
  indexPack: [
    ['pack', 'bytes'],
    ['idx', 'bytes'],
    ['rules', 'text'],
    ['index', 'flag'],
    ['reverse', 'flag'],
    ['verify', 'flag'],
    ['lines', 'flag'],
    ['summary', 'flag'],
    ['collisions', 'choice', 'detect', 'trust'],
    ['thin', 'choice', 'refuse', 'fix', 'borrow'],
    ['share', 'choice', 'whole', 'leads', 'scans', 'helps'],
    ['strict', 'choice', 'no', 'objects', 'links'],
  ],
  showIndex: [
    ['path', 'bytes'],
  ],
  countObjects: [],
  fsck: [
    ['rules', 'text'],
    ['heads', 'names'],
    ['strict', 'flag'],
    ['connectivityOnly', 'flag'],
    ['full', 'flag'],
    ['unreachable', 'flag'],
    ['dangling', 'flag'],
    ['tags', 'flag'],
    ['root', 'flag'],
    ['reflogs', 'flag'],
    ['nameObjects', 'flag'],
    ['cache', 'flag'],
    ['references', 'flag'],
  ],
  batch: [
    ['specs', 'names'],
    ['content', 'flag'],
    ['storage', 'flag'],
    ['inPackOrder', 'flag'],
    ['index', 'number', '0'],
    ['skip', 'number', '0'],
  ],
  batchAll: [
    ['contents', 'flag'],
    ['delimiter', 'number', '0'],
    ['storedOrder', 'flag'],
  ],
  batchQueue: [],
  open: [
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
  ],
  resolve: [
    ['spec', 'bytes'],
    ['committish', 'flag'],
  ],
  reference: [
    ['name', 'bytes'],
    ['short', 'flag'],
  ],
  interpret: [
    ['name', 'bytes'],
  ],
  tracking: [
    ['branch', 'bytes'],
  ],
  hasReflog: [
    ['name', 'bytes'],
  ],
  abbreviate: [
    ['oid', 'bytes'],
    ['least', 'number', '0'],
  ],
  bundle: [
    ['path', 'bytes'],
  ],
  batchFormat: [
    ['format', 'bytes'],
    ['types', 'set', 'commit', 'tree', 'blob', 'tag'],
    ['sized', 'set', 'commit', 'tree', 'blob', 'tag'],
    ['least', 'number', '0'],
    ['most', 'number'],
  ],
  checkRefname: [
    ['name', 'bytes'],
    ['oneLevel', 'flag'],
    ['pattern', 'flag'],
    ['normalize', 'flag'],
    ['branch', 'flag'],
  ],
} as const

/** How a question ended. */
export const Status = {
  done: 0,
  missing: 1,
  failed: 2,
  more: 3,
  closed: 16,
} as const

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
] as const

/** What is needed, by its number. */
export const NEEDS = [
  'bytes',
  'file',
  'directory',
  'objects',
  'turn',
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
