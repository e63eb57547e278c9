/** The options of `rev-list` that say how commits are printed. */

import { takeOption } from '../args/options.js'
import { Exit, fatal } from '../base/exit.js'
import { Lines } from '../base/output.js'
import { type ColorArgs, colorOption, paletteOf } from '../color/color-args.js'
import { graphColors } from '../color/color-config.js'
import { PALETTE } from '../color/palette.js'
import type { Opened } from '../opening/command.js'
import type { EachCommit } from './bisect-args.js'
import type { CommitList } from './commit-list.js'
import type { ListedCommit } from './log-printer.js'
import { printListed } from './rev-list-printer.js'

export class RevListFormat {
  #digits: number | null = 0
  #isRaw = false
  #hasHeader = true
  #showsTime = false
  #isNulTerminated = false
  readonly #color: ColorArgs = { colorWhen: 'auto' }

  get isNulTerminated(): boolean {
    return this.#isNulTerminated
  }

  /** Takes an option; returns 0, or `null` if it is none of these. */
  take(arg: string): number | null {
    if (/^--(no-)?color(=|$)/.test(arg)) return takeOption([colorOption(this.#color)], [arg])
    const [, digits] = /^--abbrev=(.*)$/s.exec(arg) ?? []
    if (digits !== undefined) this.#digits = Math.max(digitsOf(digits), 4)
    else if (arg === '--abbrev') this.#digits = 0
    else if (arg === '--no-abbrev') this.#digits = null
    else if (arg === '--header') this.#isRaw = true
    else if (arg === '--commit-header' || arg === '--no-commit-header') {
      this.#hasHeader = arg === '--commit-header'
    } else if (arg === '--timestamp') this.#showsTime = true
    else if (arg === '-z') this.#isNulTerminated = true
    else return null
    return 0
  }

  /** Whether anything but the lines of the walk is printed. */
  isWanted({ hasGraph, pretty }: CommitList): boolean {
    const hasFormat = pretty.given || pretty.abbreviates
    return hasGraph || hasFormat || this.#isRaw || this.#showsTime || this.#isNulTerminated
  }

  /** Prints the commits of a walk, or others that `each` passes on; `names` as for {@link RevListShown}. */
  print(
    opened: Opened,
    commits: CommitList,
    { each, names = () => '' }: { each?: EachCommit; names?: (oid: string) => string } = {},
  ): void {
    const { lines: asked } = commits.options
    const hasOthers = this.#isRaw || this.#showsTime || commits.hasGraph || commits.pretty.given
    if (this.#isNulTerminated && (asked.has('leftRight') || hasOthers)) {
      throw fatal('-z option used with unsupported option')
    }
    const given = commits.pretty.given
    const hasText = given || this.#isRaw
    if (this.#isRaw) commits.pretty.setRaw()
    const { settings } = opened
    const colors = { ...PALETTE, graph: graphColors(settings) }
    const palette = paletteOf(this.#color, opened.io, colors)
    const digits = this.#digits === 0 ? settings.digits : this.#digits
    const how = { digits, showsNotes: false, palette }
    const pretty = commits.pretty.pretty(opened, how)
    const isUser = given && pretty.name === 'user'
    const hasHeader = !isUser || this.#hasHeader
    const hasPrefix = given && pretty.name !== 'oneline' && hasHeader
    const shown = {
      pretty: hasText ? pretty : null,
      commitId: pretty.commitId,
      end: this.#isNulTerminated || (hasText && !given) ? '\0' : '\n',
      prefix: hasPrefix ? 'commit ' : '',
      namesBoundaries: this.#isNulTerminated,
      hasHeader,
      showsTime: this.#showsTime,
      showsParents: asked.has('parents'),
      showsChildren: asked.has('children'),
      names,
    }
    const lines = new Lines(opened.io)
    lines.keepsColors = palette !== null
    const out = commits.output(lines, palette)
    const print = (commit: ListedCommit) => printListed(out, shown, commit)
    if (each) each(print)
    else commits.each(print, () => lines.flush())
    lines.flush()
  }
}

function digitsOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Exit(129, `error: abbrev expects a numerical value\n`)
}
