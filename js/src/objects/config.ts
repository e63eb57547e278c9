/** The variables of a configuration. */
import { CONFIG_RECORDS, CONFIG_SCOPES, SKIPPED_WHY } from '../base/protocol-full.js'
import type {
  Config,
  ConfigRemote,
  ConfigScope,
  ConfigVariable,
  ConfigVariableJson,
  SkippedInclude,
} from '../base/types.js'
import { text } from '../base/utf8.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

type Bytes = Uint8Array<ArrayBuffer>

class Variable implements ConfigVariable {
  declare readonly name: string
  declare readonly value: string | null
  declare readonly nameBytes: Uint8Array
  declare readonly valueBytes: Uint8Array | null
  declare readonly scope: ConfigScope
  declare readonly file: string

  constructor(
    nameBytes: Uint8Array,
    valueBytes: Uint8Array | null,
    { scope, file }: Pick<ConfigVariable, 'scope' | 'file'>,
  ) {
    this.name = text(nameBytes)
    this.value = valueBytes && text(valueBytes)
    this.nameBytes = nameBytes
    this.valueBytes = valueBytes
    this.scope = scope
    this.file = file
  }

  toJSON(): ConfigVariableJson {
    const { name, value, scope, file } = this
    return { name, value, scope, file }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

/** Decodes the records of a page of the core's `ConfigList`: variables and skipped files. */
export function* decodeConfig(page: Bytes): Generator<ConfigVariable | SkippedInclude, undefined> {
  const reader = new Reader(page)
  let place: Pick<ConfigVariable, 'scope' | 'file'> = { scope: 'local', file: 'config' }
  while (!reader.done) {
    const kind = CONFIG_RECORDS[reader.u8()]
    if (kind === 'file') {
      const scope = CONFIG_SCOPES[reader.u8()] ?? 'local'
      place = { scope, file: text(reader.string()) }
    } else if (kind === 'skipped') {
      const why = SKIPPED_WHY[reader.u8()] ?? 'absent'
      const condition = text(reader.string()) || null
      yield { path: text(reader.string()), condition, why, ...place }
    } else {
      const name = reader.string()
      yield new Variable(name, kind === 'value' ? reader.string() : null, place)
    }
  }
}

export class ConfigVariables implements Config {
  readonly #variables: readonly ConfigVariable[]
  readonly skipped: readonly SkippedInclude[]

  constructor(rows: readonly (ConfigVariable | SkippedInclude)[]) {
    this.#variables = rows.filter((row): row is ConfigVariable => row instanceof Variable)
    this.skipped = rows.filter((row): row is SkippedInclude => !(row instanceof Variable))
  }

  get(name: string): string | null {
    return this.getAll(name).at(-1) ?? null
  }

  getAll(name: string): string[] {
    const key = canonicalName(name)
    return this.#variables.flatMap(({ name, value }) => (name === key ? [value ?? ''] : []))
  }

  list(): readonly ConfigVariable[] {
    return this.#variables
  }

  remotes(): ConfigRemote[] {
    const remotes = new Map<string, { urls: string[]; pushUrls: string[]; fetch: string[] }>()
    for (const { name, value } of this.#variables) {
      const [, remote, key] = /^remote\.(.*)\.([^.]*)$/s.exec(name) ?? []
      // git ignores names that begin with a slash.
      if (remote === undefined || remote.startsWith('/')) continue
      const found = remotes.get(remote) ?? { urls: [], pushUrls: [], fetch: [] }
      remotes.set(remote, found)
      if (value === null) continue
      if (key === 'fetch') found.fetch.push(value)
      const urls = key === 'url' ? found.urls : key === 'pushurl' ? found.pushUrls : null
      // An empty value clears those before it.
      if (value === '') urls?.splice(0)
      else urls?.push(value)
    }
    return Array.from(remotes, ([name, { urls, pushUrls, fetch }]) => {
      return { name, urls, pushUrls: pushUrls.length > 0 ? pushUrls : urls, fetch }
    })
  }
}

/** Returns a name as it is listed: in lower case except for the subsection. */
export function canonicalName(name: string): string {
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')]
  if (first < 0) return name.toLowerCase()
  return (
    name.slice(0, first).toLowerCase() + name.slice(first, last) + name.slice(last).toLowerCase()
  )
}
