/** Compares the files of a worktree with the index and a commit. */
import type { ChangedFile, Repository, StatusEntry } from '../index.js'
import { called } from './calls.js'
import { promising } from './client.js'
import type { Place, RepositoryParameters } from './parameters.js'
import { worktreeOf } from './parameters.js'
import { inRepository } from './repositories.js'
import { resolveOrUnborn } from './resolve.js'
import { comparePaths } from './text.js'

/** The parameters of {@link status}. */
export interface StatusParameters extends RepositoryParameters {
  readonly dir: string
  /** The path of the file. */
  readonly filepath: string
  /** Taken for the sake of isomorphic-git: packlens never writes the index. */
  readonly refresh?: boolean | undefined
}

/** The parameters of {@link statusMatrix}. */
export interface StatusMatrixParameters extends RepositoryParameters {
  readonly dir: string
  /** The revision to compare with. Default: `HEAD`. */
  readonly ref?: string | undefined
  /** Lists only these files and what is below these directories. Default: all. */
  readonly filepaths?: readonly string[] | undefined
  /** Lists only files for whose paths this returns true. */
  readonly filter?: ((filepath: string) => boolean) | undefined
  /** Lists ignored files, too. Default: false. */
  readonly ignored?: boolean | undefined
  /** Taken for the sake of isomorphic-git: packlens never writes the index. */
  readonly refresh?: boolean | undefined
}

/** The path, and whether the file is in the commit, in the worktree and in the index. */
export type StatusRow = [filepath: string, head: 0 | 1, workdir: 0 | 1 | 2, stage: 0 | 1 | 2 | 3]

/** A file: the ids in the commit and in the index, and what is in the worktree. */
interface Compared {
  head?: string
  stage?: string
  /** The content of the index, of the commit, or another one; nothing if there is no file. */
  workdir?: 'stage' | 'head' | 'other'
  isIgnored?: true
}

/**
 * Lists all files with numbers: 1 for the content of the commit, 2 and 3 for others, 0 for none.
 * Without any `filepaths` there is no list, as in isomorphic-git, whose types do not say so.
 */
export function statusMatrix(parameters: StatusMatrixParameters): Promise<StatusRow[]> {
  const { ref = 'HEAD', filepaths = ['.'], filter = () => true, ignored = false } = parameters
  return called('statusMatrix', () => {
    const place = worktreeOf(parameters, [])
    return inRepository(place, async (repo) => {
      const files = await compared(repo, place, { ref, ignored })
      const isNear = (path: string) => filepaths.some((base) => leadsTo(path, base))
      if (filepaths.length === 0) return undefined as unknown as StatusRow[]
      const paths = [...files.keys()].filter((path) => isNear(path) && filter(path))
      return paths.sort(comparePaths).map((path) => rowOf(path, files.get(path) ?? {}))
    })
  })
}

/** Says in a word or two how a file differs. */
export function status(parameters: StatusParameters): Promise<string> {
  const { filepath } = parameters
  return called('status', () => {
    const place = worktreeOf(parameters, ['filepath'])
    return inRepository(place, async (repo) => {
      const asked = { ref: 'HEAD', ignored: true, path: filepath }
      const files = await compared(repo, place, asked)
      const word = wordOf(files.get(filepath) ?? {})
      if (word !== 'absent') return word
      const [rule] = await repo.checkIgnore(filepath)
      return rule?.isIgnored ? 'ignored' : word
    })
  })
}

/** Returns whether a file is at a path or below it; or, as in isomorphic-git, in its way. */
function leadsTo(path: string, base: string): boolean {
  const to = base.replace(/\/$/, '')
  if (to === '.' || to === '') return true
  return to === path || to.startsWith(`${path}/`) || path.startsWith(`${to}/`)
}

function rowOf(path: string, { head, stage, workdir }: Compared): StatusRow {
  const inHead = head === undefined ? 0 : 1
  const own = workdir === 'stage' && stage === head ? 'head' : workdir
  const inWorkdir = own === undefined ? 0 : own === 'head' ? 1 : 2
  if (stage === undefined) return [path, inHead, inWorkdir, 0]
  if (stage === head) return [path, inHead, inWorkdir, 1]
  return [path, inHead, inWorkdir, own === 'stage' ? 2 : 3]
}

function wordOf({ head, stage, workdir, isIgnored }: Compared): string {
  if (isIgnored) return 'ignored'
  if (head === undefined) {
    if (stage === undefined) return workdir === undefined ? 'absent' : '*added'
    if (workdir === undefined) return '*absent'
    return workdir === 'stage' ? 'added' : '*added'
  }
  if (stage === undefined) {
    if (workdir === undefined) return 'deleted'
    return workdir === 'head' ? '*undeleted' : '*undeletemodified'
  }
  if (workdir === undefined) return '*deleted'
  const own = workdir === 'stage' && stage === head ? 'head' : workdir
  if (own === 'head') return stage === head ? 'unmodified' : '*unmodified'
  return own === 'stage' ? 'modified' : '*modified'
}

/** The mode of a submodule. */
const SUBMODULE = 0o160000

const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

interface Asked {
  readonly ref: string
  readonly ignored: boolean
  readonly path?: string
}

/** Returns all files that are in the commit, in the index or in the worktree. */
async function compared(
  repo: Repository,
  place: Place & { readonly dir: string },
  { ref, ignored, path }: Asked,
): Promise<Map<string, Compared>> {
  const limit = path === undefined ? {} : { path }
  const options = { untracked: 'all', ignored: ignored ? 'traditional' : 'no' } as const
  const files = new Map<string, Compared>()
  const others: StatusEntry[] = []
  // What the index has is what `HEAD` has, unless a row says otherwise.
  let isAsHead = ref === 'HEAD'
  const rows = repo.status({ ...options, ...limit, complete: true, renames: false })
  for await (const entry of rows) {
    if (entry.kind === 'unchanged') {
      const { path, mode, oid } = entry
      if (mode !== SUBMODULE) files.set(path, { head: oid, stage: oid, workdir: 'stage' })
    } else if (!entry.path.endsWith('/')) {
      if (entry.kind === 'unmerged') isAsHead = false
      others.push(entry)
    }
  }
  for (const entry of others) addIndexed(files, entry)
  if (!isAsHead) await setHeads(repo, files, ref, path)
  for (const entry of others) await addWorkdir(repo, place, entry, files)
  return files
}

function fileAt(files: Map<string, Compared>, path: string): Compared {
  const known = files.get(path) ?? {}
  files.set(path, known)
  return known
}

/** Adds what a row says of the index and of `HEAD`. */
function addIndexed(files: Map<string, Compared>, entry: StatusEntry): void {
  const add = (staged: { readonly mode: number | null; readonly oid: string } | null) => {
    if (staged === null || staged.mode === SUBMODULE) return
    Object.assign(fileAt(files, entry.path), { stage: staged.oid, workdir: 'stage' })
  }
  if (entry.kind === 'unmerged') {
    const [base, ours, theirs] = entry.stages
    add(theirs ?? ours ?? base)
  } else if (entry.kind === 'changed') {
    const { headMode, headOid, indexMode, indexOid, unstaged } = entry
    if (headOid !== null && headMode !== SUBMODULE) fileAt(files, entry.path).head = headOid
    // git writes the id of an empty file for a path that is added alone.
    const oid = indexOid ?? (unstaged === 'added' ? EMPTY_BLOB : null)
    add(oid === null ? null : { mode: indexMode, oid })
  }
}

/** Replaces the ids of `HEAD` by those of the files of a commit. */
async function setHeads(
  repo: Repository,
  files: Map<string, Compared>,
  ref: string,
  path: string | undefined,
): Promise<void> {
  for (const file of files.values()) delete file.head
  const commit = await resolveOrUnborn(repo, ref)
  if (commit === null) return
  for await (const file of repo.walk(commit, { recursive: true, trees: false })) {
    const isAsked = path === undefined || file.path === path
    if (file.type === 'blob' && isAsked) fileAt(files, file.path).head = file.oid
  }
}

/** Adds what a row says of the worktree. */
async function addWorkdir(
  repo: Repository,
  place: Place & { readonly dir: string },
  entry: StatusEntry,
  files: Map<string, Compared>,
): Promise<void> {
  const { kind } = entry
  if (kind === 'changed' && isSubmodule(entry)) return
  const file = fileAt(files, entry.path)
  const isDeleted = kind === 'changed' && entry.unstaged === 'deleted'
  if (isDeleted || (kind === 'unmerged' && entry.worktreeMode === null)) {
    delete file.workdir
    return
  }
  if (kind === 'changed' && entry.unstaged === null) return
  const { head, stage } = file
  if (kind === 'ignored' && head === undefined) file.isIgnored = true
  const has = async (oid: string | undefined) => {
    return oid !== undefined && (await isContent(repo, place, entry.path, oid))
  }
  if (kind === 'changed' && entry.worktreeOid !== null) {
    const oid = entry.worktreeOid
    file.workdir = oid === stage ? 'stage' : oid === head ? 'head' : 'other'
    return
  }
  // Modes do not count, nor do line ends that git would convert.
  if (await has(stage)) file.workdir = 'stage'
  else file.workdir = head !== stage && (await has(head)) ? 'head' : 'other'
}

function isSubmodule({ headMode, indexMode }: ChangedFile): boolean {
  return [headMode, indexMode].includes(SUBMODULE)
}

/** Returns whether a file has the content of a blob, with the line ends of either system. */
async function isContent(
  repo: Repository,
  { fs, dir }: Place & { readonly dir: string },
  path: string,
  oid: string,
): Promise<boolean> {
  const read = await promising(fs).readFile(`${dir}/${path}`, {})
  const text = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)
  const [own, blob] = [text(read as Uint8Array), text((await repo.readBlob(oid)).data)]
  return own === blob || own.replaceAll('\r\n', '\n') === blob
}
