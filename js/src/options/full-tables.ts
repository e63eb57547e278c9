/** The rules of every option of the calls that only the full module answers. */

import { objectTypes } from '../objects/filter.js'
import type { CheckPackFilesOptions, CheckPackOptions } from '../packs/check-pack.js'
import type { IndexPackOptions } from '../packs/index-pack.js'
import type { ArchiveOptions } from '../questions/archive.js'
import type { BlameOptions } from '../questions/blame.js'
import type { CombinedPatchesOptions } from '../questions/combined-patches.js'
import type { ConfigOptions } from '../questions/config.js'
import type { DescribeOptions } from '../questions/describe.js'
import type { DiffOptions, RelativeOption, RenameOptions } from '../questions/diff.js'
import type { FsckOptions } from '../questions/fsck.js'
import type { GrepOptions } from '../questions/grep.js'
import type { RevListGraphOptions } from '../questions/history.js'
import type { IndexOptions } from '../questions/index-file.js'
import type { LastModifiedOptions } from '../questions/last-modified.js'
import type { MergeBasesOptions } from '../questions/merge-bases.js'
import type { NameRevOptions } from '../questions/name-rev.js'
import type { NotesOptions } from '../questions/notes.js'
import type { ObjectsOptions } from '../questions/object-list.js'
import type { RevListObjectsOptions } from '../questions/object-walk.js'
import type { PatchesOptions } from '../questions/patches.js'
import type { CheckAttrOptions, CheckIgnoreOptions } from '../questions/path-facts.js'
import type { Pickaxe, PickaxeOption } from '../questions/pickaxe.js'
import type { PathOptions } from '../questions/reading.js'
import type { AvailableOptions } from '../questions/ref-checks.js'
import type { PlanOptions } from '../questions/ref-plan.js'
import type { StatusOptions } from '../questions/status.js'
import type { DiffTextOptions } from '../questions/text-diff.js'
import type { Rule, Rules } from './rules.js'
import {
  callback,
  date,
  either,
  flag,
  list,
  oneOf,
  path,
  record,
  signal,
  size,
  text,
  texts,
  treePaths,
  whole,
} from './rules.js'
import { memory, objectFormat, REV_LIST, textList, workers } from './tables.js'

const fields = oneOf('info', 'content', 'both')
const collisions = oneOf('detect', 'trust')

const type: Rule = {
  what: `${objectTypes.map((name) => `'${name}'`).join(', ')}, or an array of these`,
  fits(value) {
    const types: readonly unknown[] = Array.isArray(value) ? value : [value]
    return types.every((one) => (objectTypes as readonly unknown[]).includes(one))
  },
}

/** The core checks the message ids and their severities. */
const severities: Rule = {
  what: "an object of 'error', 'warn' and 'ignore' by git's message ids",
  fits: (value) => record.fits(value) && Object.values(value as object).every(text.fits),
}

const sink: Rule = {
  what: 'an object with the functions `write` and `read`',
  fits(value) {
    const { write, read } = (value ?? {}) as { readonly write?: unknown; readonly read?: unknown }
    return typeof write === 'function' && typeof read === 'function'
  },
}

const repository: Rule = {
  what: 'a source that a repository can be opened from',
  fits: (value) => ['string', 'object'].includes(typeof value) && value !== null,
}

const percent: Rule = {
  what: 'a number from 1 to 100',
  fits: (value) => typeof value === 'number' && value >= 1 && value <= 100,
}

/** A number of lines, as the core takes it. */
const lines = whole(0, 0x7fff_ffff)

const RENAMES: Rules<RenameOptions> = {
  renames: either(flag, oneOf('copies', 'copies-of-any')),
  similarity: percent,
  renameLimit: whole(0, 0xffff_ffff),
  onRenameLimit: callback,
  rewrites: flag,
}

const PATHS: Rules<PathOptions> = { path: treePaths, pathspec: treePaths }

/** The rule for a text. */
export const textOrBytes: Rule = {
  what: 'a string or a Uint8Array',
  fits: (value) => text.fits(value) || value instanceof Uint8Array,
}

const wanted: Rule = {
  what: `${textOrBytes.what} that is not empty`,
  fits: (value) => textOrBytes.fits(value) && (value as string | Uint8Array).length > 0,
}

const PICKAXE_RULES: Rules<Pickaxe> = {
  string: wanted,
  regex: flag,
  pattern: wanted,
  ignoreCase: flag,
  all: flag,
}

const PICKAXE: Rules<PickaxeOption> = {
  pickaxe: {
    what:
      'an object with either `string` and maybe `regex`, or `pattern`, which are not empty, and ' +
      'maybe `ignoreCase` and `all`',
    fits(value) {
      if (typeof value !== 'object' || value === null) return false
      const { string, regex, pattern } = value as Pickaxe
      if ((string === undefined) === (pattern === undefined)) return false
      if (regex && pattern !== undefined) return false
      return Object.entries(value).every(([name, given]) => {
        const rule = Object.hasOwn(PICKAXE_RULES, name) && PICKAXE_RULES[name as keyof Pickaxe]
        return rule && (given === undefined || rule.fits(given))
      })
    },
  },
}

const RELATIVE: Rules<RelativeOption> = { relative: textOrBytes }

export const DIFF: Rules<DiffOptions> = {
  signal,
  recursive: flag,
  trees: flag,
  ...RENAMES,
  ...PATHS,
  ...PICKAXE,
  ...RELATIVE,
  attributes: text,
}

export const REV_LIST_GRAPH: Rules<RevListGraphOptions> = {
  ...REV_LIST,
  children: flag,
  boundary: flag,
  leftRight: flag,
  cherryMark: flag,
  source: flag,
}

/** The rule for a path, or its bytes. */
export const pathOrBytes: Rule = {
  what: `${path.what}, or its bytes`,
  fits: (value) => path.fits(value) || (value instanceof Uint8Array && value.length > 0),
}

export const LAST_MODIFIED: Rules<LastModifiedOptions> = {
  signal,
  path: pathOrBytes,
  recursive: flag,
  trees: flag,
  exclude: texts,
}

/** The rule for one pattern or several. */
export const patterns: Rule = {
  what: 'a string or a Uint8Array, or an array of these that is not empty',
  fits(value) {
    const all: readonly unknown[] = Array.isArray(value) ? value : [value]
    return all.length > 0 && all.every(textOrBytes.fits)
  },
}

export const DIFF_TEXT: Rules<DiffTextOptions> = {
  signal,
  algorithm: oneOf('myers', 'minimal', 'patience', 'histogram'),
  ignoreSpace: oneOf('cr-at-eol', 'at-eol', 'amount', 'all'),
  ignoreBlankLines: flag,
  ignoreLines: patterns,
  wordDiff: either(flag, textOrBytes),
  functionContext: flag,
  indentHeuristic: flag,
  context: lines,
  interHunkContext: lines,
}

export const ARCHIVE: Rules<ArchiveOptions> = {
  signal,
  format: oneOf('tar', 'tar.gz', 'zip'),
  prefix: textOrBytes,
  paths: treePaths,
  pathspec: treePaths,
  level: whole(0, 9),
  mtime: date,
}

export const GREP: Rules<GrepOptions> = {
  signal,
  syntax: oneOf('basic', 'extended', 'fixed'),
  ignoreCase: flag,
  word: flag,
  invert: flag,
  allMatch: flag,
  answer: oneOf('lines', 'counts', 'files', 'files-without'),
  binary: oneOf('mention', 'text', 'skip'),
  columns: flag,
  before: lines,
  after: lines,
  function: flag,
  functionContext: flag,
  maxCount: lines,
  ...PATHS,
  maxDepth: lines,
  attributes: flag,
}

export const INDEX: Rules<IndexOptions> = { signal, ...PATHS, sparse: flag }

export const STATUS: Rules<StatusOptions> = {
  untracked: oneOf('normal', 'all', 'no'),
  ignored: oneOf('no', 'traditional', 'matching'),
  complete: flag,
  renames: either(flag, oneOf('copies')),
  similarity: percent,
  ignoreSubmodules: oneOf('none', 'untracked', 'dirty', 'all'),
  signal,
  ...PATHS,
}

const lineRanges: Rule = {
  what: 'an array of pairs of line numbers from 1',
  fits(value) {
    const isNumber = (line: unknown) => whole(1, 0x7fff_ffff).fits(line)
    const isPair = (pair: unknown) => {
      if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(isNumber)) return false
      const [first, last] = pair as [number, number]
      return first <= last
    }
    return Array.isArray(value) && value.every(isPair)
  },
}

export const BLAME: Rules<BlameOptions> = {
  signal,
  algorithm: DIFF_TEXT.algorithm,
  ignoreSpace: DIFF_TEXT.ignoreSpace,
  indentHeuristic: flag,
  firstParent: flag,
  exclude: texts,
  since: date,
  reverse: flag,
  ignore: texts,
  lines: lineRanges,
  moves: flag,
  copies: oneOf('changed', 'created', 'any'),
  moveScore: lines,
  copyScore: lines,
}

export const DESCRIBE: Rules<DescribeOptions> = {
  signal,
  tags: flag,
  all: flag,
  long: flag,
  abbrev: whole(0, 64),
  match: texts,
  exclude: texts,
  candidates: whole(0, 0xffff_ffff),
  exactMatch: flag,
  firstParent: flag,
  always: flag,
}

export const NAME_REV: Rules<NameRevOptions> = { signal, tags: flag, refs: texts, exclude: texts }

const absolute: Rule = {
  what: 'an absolute path: a string that begins with a slash and has no NUL',
  fits: (value) => path.fits(value) && (value as string).startsWith('/'),
}

export const CHECK_IGNORE: Rules<CheckIgnoreOptions> = { signal, index: flag }

export const CHECK_ATTR: Rules<CheckAttrOptions> = {
  signal,
  attributes: texts,
  source: text,
  cached: flag,
}

export const NOTES: Rules<NotesOptions> = { signal, ref: text }

export const CONFIG: Rules<ConfigOptions> = {
  signal,
  scope: oneOf('local', 'worktree'),
  includes: flag,
  gitDir: absolute,
  home: absolute,
}

export const PATCHES: Rules<PatchesOptions> = {
  ...DIFF_TEXT,
  ...RENAMES,
  ...PATHS,
  ...PICKAXE,
  ...RELATIVE,
  reverse: flag,
  irreversibleDelete: flag,
  binary: flag,
  attributes: text,
  abbrev: either(oneOf('auto'), whole(4, 64)),
}

export const COMBINED_PATCHES: Rules<CombinedPatchesOptions> = {
  signal,
  algorithm: DIFF_TEXT.algorithm,
  ignoreSpace: DIFF_TEXT.ignoreSpace,
  indentHeuristic: flag,
  context: lines,
  abbrev: PATCHES.abbrev,
  dense: flag,
  ...PATHS,
  ...PICKAXE,
  attributes: text,
}

export const REV_LIST_OBJECTS: Rules<RevListObjectsOptions> = {
  ...REV_LIST,
  filter: either(text, textList),
  filterProvidedObjects: flag,
  missing: oneOf('error', 'allow-any', 'allow-promisor'),
}

export const OBJECTS: Rules<ObjectsOptions> = {
  signal,
  unordered: flag,
  fields,
  lend: flag,
  type,
  minSize: size,
  maxSize: size,
}

export const MERGE_BASES: Rules<MergeBasesOptions> = { signal, octopus: flag }

export const CHECK_PACK: Rules<CheckPackOptions> = { signal, collisions, onProgress: callback }

export const FSCK: Rules<FsckOptions> = {
  signal,
  strict: flag,
  connectivityOnly: flag,
  dangling: flag,
  unreachable: flag,
  reflogs: flag,
  heads: textList,
  cache: flag,
  onProgress: callback,
  severities,
  skipList: textList,
}

export const AVAILABLE: Rules<AvailableOptions> = {
  signal,
  deleting: list,
  extra: list,
  initial: flag,
}

export const PLAN: Rules<PlanOptions> = { signal, deleteFirst: flag }

export const CHECK_PACK_FILES: Rules<CheckPackFilesOptions> = {
  signal,
  memory,
  objectFormat,
  worker: flag,
  workers,
  onProgress: callback,
  collisions,
  onListing: callback,
  statOnly: flag,
}

export const INDEX_PACK: Rules<IndexPackOptions> = {
  signal,
  memory,
  objectFormat,
  worker: flag,
  workers,
  onProgress: callback,
  collisions,
  sink,
  maxInputSize: whole(1),
  repository,
  missing: callback,
  strict: either(flag, oneOf('objects')),
  onFinding: callback,
  severities,
  skipList: textList,
}
