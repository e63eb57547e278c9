/** Refs that servers and clients hide: `--exclude-hidden` and `<section>.hideRefs`, git-config(1). */

import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'

const SECTIONS = ['fetch', 'receive', 'uploadpack']

/** Says whether a ref is hidden by its full name, one character per byte. */
export type IsHidden = (name: string) => boolean

/** Nothing is hidden without the option. */
export const NONE_HIDDEN: IsHidden = () => false

/** Names of refs that the next option which selects refs leaves out. */
export class HiddenRefs {
  readonly #opened: Opened
  #isHidden: IsHidden | null = null

  constructor(opened: Opened) {
    this.#opened = opened
  }

  /** Takes the value of `--exclude-hidden`. @throws Exit for another section, or a second one */
  choose(section: string): void {
    if (!SECTIONS.includes(section)) {
      throw fatal(`unsupported section for hidden refs: ${section}`)
    }
    if (this.#isHidden) throw fatal('--exclude-hidden= passed more than once')
    this.#isHidden = hiddenBy(this.#opened, section)
  }

  /**
   * Returns what the option that selects refs leaves out, and forgets it; `null`, after git's message,
   * for `--branches` and its like, which select names below a prefix.
   */
  taken(option: string): IsHidden | null {
    const isHidden = this.#isHidden
    this.#isHidden = null
    const [name = ''] = option.split('=')
    if (!isHidden) return NONE_HIDDEN
    if (name === '--all' || name === '--glob') return isHidden
    const what = `options '--exclude-hidden' and '${name}' cannot be used together`
    this.#opened.io.writeError(`error: ${what}\n`)
    return null
  }
}

/** The last pattern that matches counts; `!` shows what it matches. */
function hiddenBy({ settings, io }: Opened, section: string): IsHidden {
  const patterns = settings
    .textsOf(['transfer.hiderefs', `${section}.hiderefs`])
    .map((text) => text.replace(/\/+$/, ''))
    .reverse()
  const namespace = namespaceOf(io.env.GIT_NAMESPACE ?? '')
  return (name) => {
    const own = name.startsWith(namespace) ? name.slice(namespace.length) : null
    for (const pattern of patterns) {
      const shows = pattern.startsWith('!')
      const text = shows ? pattern.slice(1) : pattern
      const isFull = text.startsWith('^')
      const subject = isFull ? name : own
      const prefix = isFull ? text.slice(1) : text
      if (subject === prefix || subject?.startsWith(`${prefix}/`)) return !shows
    }
    return false
  }
}

/** Each part of a namespace is a directory of refs. */
function namespaceOf(text: string): string {
  const parts = text.split('/').filter((part) => part !== '')
  return parts.map((part) => `refs/namespaces/${part}/`).join('')
}
