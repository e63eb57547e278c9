/** Which refs decorate commits: `--decorate-refs` and its like, and what the configuration says. */

import { Exit } from '../base/exit.js'
import type { Settings } from '../config/settings.js'
import { bytesOfArgument } from '../text/bytes.js'
import { Glob } from '../text/glob.js'

/** The refs that decorate commits if nothing says otherwise, with those of replacements. */
const USUAL = ['HEAD', 'heads', 'remotes', 'tags', 'stash']

type Matcher = (name: string) => boolean

export class DecorationFilter {
  readonly #usual: readonly Matcher[]
  #included: Matcher[] = []
  #excluded: Matcher[] = []
  /** What the configuration excludes: an option that includes it counts more. */
  #configured: readonly Matcher[] = []
  /** Whether all refs are taken without an option: then the usual ones are no limit. */
  #takesAll = false

  /** @param replacements the prefix of refs that replace objects */
  constructor(replacements: string) {
    this.#usual = [...USUAL, replacements].map(matcherOf)
  }

  /** Whether anything but the defaults is asked for. */
  get isLimited(): boolean {
    const { length } = [...this.#included, ...this.#excluded, ...this.#configured]
    return length > 0 || this.#takesAll
  }

  configure(settings: Settings): void {
    this.#configured = settings.texts('log.excludedecoration').map(matcherOf)
    if (settings.text('log.initialdecorationset') === 'all') this.#takesAll = true
  }

  /** Takes an option; returns how many arguments after it belong to it, `null` if none of these. */
  take(arg: string, next: string | undefined): number | null {
    if (arg === '--clear-decorations') {
      this.#included = []
      this.#excluded = []
      this.#takesAll = true
      return 0
    }
    const [, no, name = '', value] =
      /^--(no-)?(decorate-refs|decorate-refs-exclude)(?:=(.*))?$/s.exec(arg) ?? []
    if (name === '') return null
    const isExclusion = name === 'decorate-refs-exclude'
    if (no) {
      if (value !== undefined) throw new Exit(129, `error: option \`no-${name}' takes no value\n`)
      if (isExclusion) this.#excluded = []
      else this.#included = []
      return 0
    }
    const pattern = value ?? next
    if (pattern === undefined) {
      throw new Exit(129, `error: option \`${name}' requires a value\n`)
    }
    const list = isExclusion ? this.#excluded : this.#included
    list.push(matcherOf(bytesOfArgument(pattern)))
    return value === undefined ? 1 : 0
  }

  /** Returns whether a ref decorates commits, by its full name. */
  fits(name: string): boolean {
    if (!this.isLimited) return matches(this.#usual, name)
    if (matches(this.#excluded, name)) return false
    if (this.#included.length > 0) return matches(this.#included, name)
    return !matches(this.#configured, name)
  }
}

const matches = (all: readonly Matcher[], name: string) => all.some((fits) => fits(name))

/** A pattern without wildcards matches the ref of this name, and everything below it. */
function matcherOf(pattern: string): Matcher {
  if (pattern === 'HEAD') return (name) => name === pattern
  const full = pattern.startsWith('refs/') ? pattern : `refs/${pattern}`
  if (/[*?[]/.test(full)) {
    const glob = new Glob(full)
    return (name) => glob.fits(name)
  }
  const whole = full.replace(/\/+$/, '')
  return (name) => name === whole || name.startsWith(`${whole}/`)
}
