/** A repository on a dumb server, which only serves its files. */
import { PacklensError } from '../../base/errors.js'
import type { MaybePromise } from '../../base/maybe.js'
import { onAbort } from '../../base/on-abort.js'
import { type Ending, Fetches, Waiting } from '../../base/waiting.js'
import type { FileOpenOptions, FileStore, ReadOptions, StoredFile, Traffic } from '../store.js'
import { isPackFile, isTable } from '../store.js'
import { plain } from './client.js'
import type { ReadProfile } from './file.js'
import { RemoteFile } from './file.js'
import type { HttpOptions } from './options.js'
import { settingsOf } from './options.js'
import { WrongContent } from './page.js'
import { Place } from './place.js'
import { Server } from './server.js'
import { alternatesFrom, configFor, hashOfRefs, isHead, isStub, packNames } from './server-info.js'
import { askText, readText, textFile } from './text-file.js'

/**
 * The most packs whose indexes opening reads, at once: one after the other, each takes a round
 * trip, and an object is in any of them. With more, they are read when a look-up needs them.
 */
const MOST_INDEXES_AHEAD = 16

/** The most small indexes that are kept whole: a server may list any number of packs. */
const MOST_WHOLE_INDEXES = 64

/** The header and the fan-out table of an index take 1032 bytes; a small index fits whole. */
const LARGE_INDEX: ReadProfile = {
  blockSize: 4 << 10,
  first: 8 << 10,
  before: 0,
  whole: 0,
  binary: true,
}
/** The rest of an index of some 1,000 objects takes less time than another round trip. */
const INDEX: ReadProfile = { ...LARGE_INDEX, whole: 32 << 10 }
/** Longer ranges have more bytes that are not needed, shorter ones take more requests. */
const PACK: ReadProfile = {
  blockSize: 4 << 10,
  first: 24 << 10,
  before: 24 << 10,
  small: 8 << 20,
  whole: 0,
  binary: true,
}
const LOOSE: ReadProfile = { blockSize: 64 << 10, first: 64 << 10, before: 0, whole: 0 }
/** The core reads a whole commit-graph, unless it is too large. */
const GRAPH: ReadProfile = { blockSize: 64 << 10, first: 16 << 10, before: 0, whole: 0 }
/** A look-up reads the header, the footer, an index block and a ref block. */
const TABLE: ReadProfile = { blockSize: 8 << 10, first: 8 << 10, before: 0, whole: 0 }
/** Branches precede tags, so the beginning is often enough. */
const REFS: ReadProfile = { blockSize: 32 << 10, first: 32 << 10, before: 0, whole: 1 << 20 }

const utf8 = new TextDecoder()
const encoder = new TextEncoder()

const GRAPH_FILE = /(?:^|\/)objects\/info\/commit-graph(?:s\/graph-[0-9a-f]+\.graph)?$/
const GRAPH_CHAIN = /(?:^|\/)objects\/info\/commit-graphs\/commit-graph-chain$/

const PACKS = 'objects/pack'

/** Pseudorefs, such as `FETCH_HEAD`; other names without a slash are not refs. */
const PSEUDOREF = /^[A-Z][A-Z_]*$/

/** Other files that are requested by their path; `config` only if refs are in reftables. */
const OTHERS = ['shallow', 'config', 'reftable/tables.list']

/**
 * Opens the repository at a URL, or in the folder `.git` there.
 *
 * @throws `NOT_FOUND`, `BAD_INPUT`, `ABORTED`, `NETWORK`, also if something else comes in place
 * of `HEAD`
 */
export async function urlStore(
  url: URL,
  options: {
    http?: HttpOptions | undefined
    memory: number
    signal?: AbortSignal | undefined
    replace?: boolean | undefined
  },
): Promise<FileStore> {
  if (url.username || url.password) {
    const what = 'the address holds a password: give an `http.fetch` that adds credentials'
    throw new PacklensError('BAD_INPUT', what, { subject: plain(url) })
  }
  const server = new Server(settingsOf(options.http), options.memory, url)
  const here = new Place(url)
  let other: WrongContent | undefined
  for (const place of [here, here.inside('.git')]) {
    const store = new UrlStore(server, place, options.replace === true)
    const head = await store.begin(options.signal)
    if (head instanceof WrongContent) other ??= head
    else if (head) return store
  }
  if (other) throw other.error
  const what =
    'no git repository at this address: give that of a git directory whose files the server serves'
  throw new PacklensError('NOT_FOUND', what, { subject: plain(url) })
}

/** The file `info/refs`, which lists all refs, and the hash of its ids. */
interface InfoRefs {
  readonly file: RemoteFile
  readonly hash: 'sha1' | 'sha256' | 'none'
}

class UrlStore implements FileStore {
  readonly #server: Server
  readonly #place: Place
  /** Whether refs are in reftables: the file `HEAD` is a stub then. */
  #hasTables = false
  readonly #replaces: boolean
  /** The files that were read since the opening, or since `refresh`; not objects. */
  #seen = new Map<string, unknown>()
  /** The pending reads of such files, and of lists of packs. */
  readonly #reads = new Fetches(new Waiting())
  /** The files that were requested before they are opened, by path, and the list of packs. */
  readonly #ahead = new Map<string, Promise<unknown>>()
  /** How many indexes were opened. */
  #indexes = 0

  constructor(server: Server, place: Place, replaces: boolean) {
    this.#server = server
    this.#place = place
    this.#replaces = replaces
  }

  get traffic(): Traffic {
    return this.#server.client
  }

  /**
   * Requests all files that opening a repository needs at once. Returns whether there is a
   * repository, or what came in place of its `HEAD`.
   */
  async begin(signal: AbortSignal | undefined): Promise<boolean | WrongContent> {
    const others = new AbortController()
    const end = () => others.abort(signal?.reason)
    const forget = onAbort(signal, end)
    this.#infoRefs(others.signal).catch(() => {})
    const packs = this.#listPacks(PACKS, others.signal)
    this.#ahead.set(PACKS, packs)
    packs.then((names) => this.#openAhead(names, others.signal)).catch(() => {})
    let found = false
    try {
      const url = this.#place.urlOf('HEAD')
      const head = await askText(this.#server, url, 'HEAD', isHead, signal)
      if (head === null || head instanceof WrongContent) return head ?? false
      found = true
      this.#server.saw(url)
      this.#hasTables = isStub(head)
      this.#seen.set('HEAD', textFile(head))
      return true
    } finally {
      forget()
      if (!found) end()
    }
  }

  async open(
    path: string,
    bytes: Uint8Array,
    options: FileOpenOptions = {},
  ): Promise<StoredFile | null> {
    const ahead = this.#take<StoredFile | null>(path)
    if (ahead) return ahead
    const profile = this.#profileOf(path)
    if (profile) {
      const all = { ...options, mustBe: this.#mustBe(path, profile, options.signal) }
      return RemoteFile.open(this.#server, this.#place.urlOf(bytes), path, profile, all)
    }
    return this.#once(path, (signal) => this.#openSmall(path, bytes, signal), options.signal)
  }

  list(path: string, _: Uint8Array, { signal }: ReadOptions = {}): MaybePromise<string[]> {
    if (path === 'refs') return this.#listRefs(signal)
    const list = (ending: Ending) =>
      this.#take<string[]>(path) ?? this.#listPacks(path, ending.signal)
    return this.#reads.share(path, list, signal)
  }

  /** Returns what was requested ahead, once. */
  #take<T>(path: string): Promise<T> | undefined {
    const ahead = this.#ahead.get(path)
    this.#ahead.delete(path)
    return ahead as Promise<T> | undefined
  }

  refresh(): void {
    this.#ahead.clear()
    this.#seen = new Map()
    this.#reads.clear()
  }

  /**
   * Returns false unless the caller asks for replace refs: finding them takes a request or two,
   * and few repositories have any.
   */
  async hasReplaceRefs(): Promise<boolean> {
    return this.#replaces && (await this.#infoRefs()) !== null
  }

  close(): void {
    this.#server.client.close()
  }

  /**
   * Opens the indexes of a few packs: the first look-up needs them. A single pack is opened as
   * well, because it begins with the newest commits.
   */
  #openAhead(names: readonly string[], signal: AbortSignal): void {
    const indexes = names.filter((name) => name.endsWith('.idx'))
    if (signal.aborted || indexes.length > MOST_INDEXES_AHEAD) return
    for (const name of indexes.length === 1 ? names : indexes) {
      const path = `${PACKS}/${name}`
      const opening = this.open(path, encoder.encode(path), { signal })
      opening.catch(() => this.#ahead.delete(path))
      this.#ahead.set(path, opening)
    }
  }

  /**
   * Reads a file once for all calls; the next call repeats a read that failed. A call's signal
   * ends the read if no other call waits for it: a stalled read takes the place of another.
   */
  #once<T>(
    path: string,
    look: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): MaybePromise<T> {
    if (this.#seen.has(path)) return this.#seen.get(path) as T
    // After `refresh` the answer may be out of date.
    const seen = this.#seen
    const read = async (ending: Ending) => {
      const found = await look(ending.signal)
      seen.set(path, found)
      return found
    }
    return this.#reads.share(path, read, signal)
  }

  async #openSmall(
    path: string,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<StoredFile | null> {
    if (path.endsWith('objects/info/alternates')) return this.#alternates(path, signal)
    if (GRAPH_FILE.test(path)) {
      return RemoteFile.open(this.#server, this.#place.urlOf(bytes), path, GRAPH, { signal })
    }
    const isRef = path.startsWith('refs/')
    const isConfig = path === 'config' && !this.#hasTables
    const isPacked = path === 'packed-refs'
    if (isRef || isConfig || isPacked) {
      // If there is `info/refs`, git requests no other files for refs.
      const info = await this.#infoRefs(signal)
      if (info && isPacked) return info.file
      if (info && isRef) return null
      if (info && info.hash !== 'none') return textFile(encoder.encode(configFor(info.hash)))
      if (isPacked) return this.#openRefs('packed-refs', signal)
    } else if (!PSEUDOREF.test(path) && !GRAPH_CHAIN.test(path) && !OTHERS.includes(path)) {
      return null
    }
    const found = await readText(this.#server, this.#place.urlOf(bytes), path, signal)
    return found && textFile(found)
  }

  async #infoRefs(signal?: AbortSignal): Promise<InfoRefs | null> {
    const read = async (ending: AbortSignal) => {
      const file = await this.#openRefs('info/refs', ending)
      const hash = file && hashOfRefs(file.beginning)
      return hash ? { file, hash } : null
    }
    return this.#once('info/refs', read, signal)
  }

  #openRefs(path: string, signal: AbortSignal): Promise<RemoteFile | null> {
    return RemoteFile.open(this.#server, this.#place.urlOf(path), path, REFS, { signal })
  }

  /** Returns no loose refs: `info/refs` has them too. Without it, their names are unknown. */
  async #listRefs(signal: AbortSignal | undefined): Promise<string[]> {
    if (await this.#infoRefs(signal)) return []
    const what = 'the server has no list of refs: run `git update-server-info` there'
    throw new PacklensError('UNSUPPORTED', what, { subject: plain(this.#place.urlOf('info/refs')) })
  }

  async #listPacks(path: string, signal?: AbortSignal): Promise<string[]> {
    if (!path.endsWith('objects/pack')) return []
    const text = await this.#text(path.replace(/pack$/, 'info/packs'), signal)
    return packNames(text ?? '').flatMap((name) => [`${name}.pack`, `${name}.idx`])
  }

  #profileOf(path: string): ReadProfile | null {
    const profile = profileOf(path)
    if (profile !== INDEX) return profile
    return this.#indexes++ < MOST_WHOLE_INDEXES ? INDEX : LARGE_INDEX
  }

  /** Returns the option `mustBe` for a file; `undefined` for its default. */
  #mustBe(path: string, profile: ReadProfile, signal: AbortSignal | undefined) {
    // There are too many loose objects to record each, and git may pack them at any time.
    if (profile === LOOSE) return () => false
    return isPackFile(path) ? () => this.#isListed(path, signal) : undefined
  }

  /** Returns whether a pack is listed now: one that a repack deleted is not. */
  async #isListed(path: string, signal: AbortSignal | undefined): Promise<boolean> {
    const slash = path.lastIndexOf('/')
    return (await this.#listPacks(path.slice(0, slash), signal)).includes(path.slice(slash + 1))
  }

  async #alternates(path: string, signal: AbortSignal): Promise<StoredFile | null> {
    if (!this.#server.settings.alternates) return null
    const forServers = path.replace(/alternates$/, 'http-alternates')
    const text = (await this.#text(forServers, signal)) ?? (await this.#text(path, signal))
    if (text === null) return null
    return textFile(encoder.encode(alternatesFrom(text, this.#place.base)))
  }

  async #text(path: string, signal?: AbortSignal): Promise<string | null> {
    const bytes = await readText(this.#server, this.#place.urlOf(path), path, signal)
    return bytes && utf8.decode(bytes)
  }
}

function profileOf(path: string): ReadProfile | null {
  const [, folder, ending] = /(?:^|\/)objects\/([^/]+)\/[^/.]*(\.[a-z]+)?$/.exec(path) ?? []
  if (isTable(path)) return TABLE
  if (folder === 'pack') return ending === '.idx' ? INDEX : ending === '.pack' ? PACK : null
  return folder?.length === 2 ? LOOSE : null
}
