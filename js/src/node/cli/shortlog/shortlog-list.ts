/** Commits in groups, and how `shortlog` prints them. */
import { trimSpaces } from '../../../base/spaces.js'
import type { Mailmap } from '../../../base/types.js'
import type { Lines } from '../base/output.js'
import type { ShortlogArgs } from '../commands/shortlog.js'
import type { CommitList } from '../log/commit-list.js'
import type { ListedCommit } from '../log/log-printer.js'
import type { Opened } from '../opening/command.js'
import { readMailmap } from '../pretty/mailmap.js'
import { mapped, type ShownCommit } from '../pretty/pretty-context.js'
import { wrapText } from '../pretty/pretty-wrap.js'
import { messageParts } from '../text/message-parts.js'
import { type Group, trailerValues } from './shortlog-groups.js'
import type { LoggedCommit } from './shortlog-input.js'

interface Entry {
  readonly name: string
  count: number
  /** The texts of the commits, the newest first. */
  readonly texts: string[]
}

type Names = (commit: ShownCommit) => readonly string[]

export class ShortlogList {
  readonly #args: ShortlogArgs
  readonly #names: readonly Names[]
  readonly #textOf: (commit: ShownCommit) => string
  readonly #mailmap: Mailmap
  readonly #entries = new Map<string, Entry>()

  constructor(opened: Opened, { pretty }: CommitList, args: ShortlogArgs, digits: number | null) {
    this.#args = args
    pretty.isFormatted = true
    const recoded = pretty.recoder()
    const shown = pretty.pretty(opened, { digits, showsNotes: false, palette: null })
    this.#textOf =
      shown.name === 'user'
        ? shown.show
        : ({ content }) => recoded(messageParts(content.message).subject.join(' '))
    const mailmap = readMailmap(opened)
    this.#mailmap = mailmap
    const formatted = (format: string): Names => {
      const show = pretty.formatted(opened, format)
      return (commit) => [show(commit)]
    }
    const namesOf = (group: Group): Names => {
      if (group.kind === 'format') return formatted(group.format)
      if (group.kind === 'trailer') {
        return (commit) => trailerValues(commit, group.key, { mailmap, email: args.email })
      }
      const who = group.kind === 'author' ? 'a' : 'c'
      return formatted(args.email ? `%${who}N <%${who}E>` : `%${who}N`)
    }
    this.#names = args.groups.map(namesOf)
  }

  /** Adds a commit to its groups, to each once. */
  add({ content, parents, mark }: ListedCommit): void {
    const commit = { content, parents, mark: mark || '>', graph: 0, source: '' }
    const names = new Set(this.#names.flatMap((of) => of(commit)))
    if (names.size === 0) return
    this.#addTo(names, this.#args.summary ? '' : subjectOf(this.#textOf(commit)) || '<none>')
  }

  /** Adds a commit of a log that was read. */
  addLogged({ who, subject }: LoggedCommit): void {
    const { name, email } = mapped(who, this.#mailmap)
    this.#addTo(new Set([this.#args.email ? `${name} <${email}>` : name]), subjectOf(subject))
  }

  #addTo(names: ReadonlySet<string>, text: string): void {
    for (const name of names) {
      const entry = this.#entries.get(name) ?? { name, count: 0, texts: [] }
      this.#entries.set(name, entry)
      entry.count++
      if (!this.#args.summary) entry.texts.push(text)
    }
  }

  print(lines: Lines): void {
    const { numbered, summary, wrap } = this.#args
    const entries = [...this.#entries.values()]
    entries.sort((one, other) => (one.name < other.name ? -1 : 1))
    if (numbered) entries.sort((one, other) => other.count - one.count)
    for (const { name, count, texts } of entries) {
      if (summary) {
        lines.add(`${`${count}`.padStart(6)}\t${name}\n`)
        continue
      }
      lines.add(`${name} (${count}):\n`)
      for (const text of texts.reverse()) {
        lines.add(`${wrap ? wrapText(text, wrap) : `      ${text}`}\n`)
      }
      lines.add('\n')
    }
  }
}

/** Returns the first paragraph of a text on one line, without `[PATCH]`. */
function subjectOf(text: string): string {
  const begun = text.replace(/^[ \t\r]+/, '')
  const [line = ''] = begun.split('\n', 1)
  const end = line.startsWith('[PATCH') ? line.indexOf(']') + 1 : 0
  const rest = begun.slice(end).replace(/^[ \t\r\n]+/, '')
  const paragraph = rest.split('\n')
  const last = paragraph.findIndex((one) => trimSpaces(one) === '')
  const lines = last < 0 ? paragraph : paragraph.slice(0, last)
  return lines.map((one) => one.replace(/[ \t\r]+$/, '')).join(' ')
}
