/** The variables of the configuration that commands take as their defaults. */
import { configBoolean, configInteger } from '../../../base/config-values.js'
import type { ConfigQuestion } from '../../../base/protocol.js'
import { joinSpecs } from '../../../base/specs.js'
import type { ConfigVariable } from '../../../base/types.js'
import { decodeConfig } from '../../../objects/config.js'
import { fatal } from '../base/exit.js'
import { realPath } from '../base/real-path.js'
import type { Opened } from '../opening/command.js'
import type { Place } from '../repository/place.js'
import { fromBytes } from '../text/bytes.js'

type Asked = Pick<Opened, 'io' | 'reader'> & { readonly place: Pick<Place, 'gitDir'> }

/** Lists variables of the repository's configuration, with those of included files. */
export function configVariables(
  { io, place, reader }: Asked,
  question: Omit<ConfigQuestion, 'kind' | 'gitDirs' | 'homes'> = {},
): ConfigVariable[] {
  const bytes = (texts: readonly string[]) => joinSpecs(texts.map((text) => Buffer.from(text)))
  const home = io.env.HOME
  const gitDirs = bytes([realPath(place.gitDir), place.gitDir])
  const homes = bytes(home ? [home, realPath(home)] : [])
  const variables: ConfigVariable[] = []
  reader.pages({ kind: 'config', files: 'both', ...question, gitDirs, homes }, (page) => {
    for (const row of decodeConfig(page.slice())) if ('name' in row) variables.push(row)
  })
  return variables
}

/** Values of variables: of several the last one, as in git. */
export class Settings {
  /**
   * All values of each variable, in the order in which the variables were set last. A value of
   * `null` has no equals sign.
   */
  readonly #values = new Map<string, (string | null)[]>()

  readonly #variables: readonly ConfigVariable[]

  constructor(variables: readonly ConfigVariable[]) {
    this.#variables = variables
    for (const { name, valueBytes } of variables) {
      const values = this.#values.get(name) ?? []
      values.push(valueBytes && fromBytes(valueBytes))
      this.#values.delete(name)
      this.#values.set(name, values)
    }
  }

  /** The names of all variables, in the order in which they were set last. */
  get names(): readonly string[] {
    return [...this.#values.keys()]
  }

  /** Returns a value, one character per byte; `undefined` if it is not set. `name` is canonical. */
  text(name: string): string | undefined {
    const value = this.word(name)
    if (value === null) throw fatal(`missing value for '${name}'`)
    return value
  }

  /** Returns all values of a variable that may have several, the last one last. */
  texts(name: string): string[] {
    return (this.#values.get(name) ?? []).map((value) => {
      if (value === null) throw fatal(`missing value for '${name}'`)
      return value
    })
  }

  /** As {@link Settings.texts}, of several variables in the order in which they were set. */
  textsOf(names: readonly string[]): string[] {
    return this.#variables.flatMap(({ name, valueBytes }) => {
      if (!names.includes(name)) return []
      if (valueBytes === null) throw fatal(`missing value for '${name}'`)
      return [fromBytes(valueBytes)]
    })
  }

  /** As {@link Settings.text}; `null` without an equals sign. */
  word(name: string): string | null | undefined {
    return this.#values.get(name)?.at(-1)
  }

  /** Returns which of some variables was set last; `undefined` if none of them is set. */
  last(names: readonly string[]): string | undefined {
    return [...this.#values.keys()].reverse().find((name) => names.includes(name))
  }

  /** @param name in the letters in which git's message has it */
  flag(name: string): boolean | undefined {
    const value = this.word(name.toLowerCase())
    if (value === undefined) return undefined
    const flag = configBoolean(value ?? 'true')
    if (flag === null) throw fatal(`bad boolean config value '${value}' for '${name}'`)
    return flag
  }

  number(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const number = configInteger(value)
    if (number === null) throw fatal(`bad numeric config value '${value}' for '${name}'`)
    return number
  }

  /** The digits of shortened ids: `null` for all, 0 to choose by the repository's size. */
  get digits(): number | null {
    const value = this.text('core.abbrev')
    if (value === undefined || value.toLowerCase() === 'auto') return 0
    if (configBoolean(value) === false && value !== '0') return null
    const digits = this.number('core.abbrev') ?? 0
    if (digits >= 4) return digits
    throw fatal(`abbrev length out of range: ${digits}`)
  }
}
