/** Options that say how commits are shown: what `log`, `show` and `rev-list` share. */
import { mailmapRows, parseMailmap } from '../../../objects/mailmap.js'
import { REPLACEMENTS, replaceBase } from '../base/environment.js'
import { fatal } from '../base/exit.js'
import { isForTerminal } from '../base/terminal.js'
import type { Palette } from '../color/palette.js'
import { dateShower, type Stamp } from '../dates/dates.js'
import type { Opened } from '../opening/command.js'
import { bytesOfArgument, textOfBytes } from '../text/bytes.js'
import {
  configuredEncoding,
  fromUtf8,
  type OutputEncoding,
  parseEncoding,
} from './commit-content.js'
import { DecorationFilter } from './decoration-filter.js'
import { Decorations } from './decorations.js'
import { describeCommit } from './describe-commit.js'
import { highlightsOf, type Searched } from './highlights.js'
import { textOfMailmaps } from './mailmap.js'
import { noteReader } from './notes.js'
import type { PrettyOptions, ShownCommit } from './pretty-context.js'
import { type Format, parseFormat } from './pretty-format.js'
import {
  EXPANDS_TABS,
  formatNamed,
  isMail,
  type NamedFormat,
  personOf,
  showNamed,
} from './pretty-named.js'

/** How commits are shown. */
export interface Pretty {
  /** The name of the format; `user` for placeholders. */
  readonly name: NamedFormat | 'user'
  /** Whether the format ends each commit, not only separates commits. */
  readonly isTerminator: boolean
  /** The format has nothing, so that no line ends after it. */
  readonly isEmpty: boolean
  readonly show: (commit: ShownCommit) => string
  /** Returns the text after an id; empty if names are not shown. */
  readonly decorate: (oid: string) => string
  /** Shortens an id where `--abbrev-commit` does. */
  readonly commitId: (oid: string) => string
  /** Returns the lines about a person with this role, without `.mailmap`. */
  readonly person: (role: string, line: string) => string
  /** Returns the note that follows a message; empty without one. */
  readonly noteOf: (oid: string) => string
  readonly isMail: boolean
}

export interface PrettyHow {
  /** The digits of shortened ids: `null` for all, 0 for git's default. */
  readonly digits: number | null
  readonly showsNotes: boolean
  /** The colors of output; `null` for none. */
  readonly palette: Palette | null
  /** The patterns whose matches are colored; none by default. */
  readonly searched?: Searched
}

const REFERENCE = '%C(auto)%h (%s, %ad)'
const TAB = 8

/** The options of pretty formats, as they are given. */
export class PrettyArgs {
  /** Whether a format was given. */
  given = false
  #name: NamedFormat | 'user' = 'medium'
  #format: Format | null = null
  #isTerminator = false
  #isEmpty = false
  #text = ''
  #abbreviates: boolean | null = null
  #date: string | null = null
  /** What holds where no option says it. */
  #defaults: { date: string; decorate: Decorating; abbreviates: boolean }
  #decorate: Decorating | null = null
  readonly #refs: DecorationFilter
  /** The encoding of the output, if an option or the configuration was asked for it. */
  #encoding: OutputEncoding | null = null
  /** Whether commits are only shown by {@link PrettyArgs.formatted}. */
  isFormatted = false
  #tab: number | null = null
  #mailmap: boolean
  readonly #mailmaps: () => string
  readonly #people: () => string[]
  #notes: boolean | null = null
  readonly #opened: Opened
  readonly #isLog: boolean
  readonly #expandsTabs: boolean

  /**
   * @param isLog `log` replaces names as `.mailmap` says, and calls mails patches
   * @param expandsTabs whether tabs of messages become spaces where the format says so
   */
  constructor(opened: Opened, isLog: boolean, expandsTabs = isLog) {
    this.#opened = opened
    this.#isLog = isLog
    this.#expandsTabs = expandsTabs
    this.#refs = new DecorationFilter(replaceBase(opened.io.env) || REPLACEMENTS)
    this.#mailmap = isLog
    this.#mailmaps = once(() => textOfMailmaps(opened))
    this.#people = once(() => mailmapRows(this.#mailmaps()))
    const decorate = isLog ? 'auto' : 'none'
    this.#defaults = { date: 'default', decorate, abbreviates: false }
  }

  /** Takes what the configuration says of `log` and `show`; options come after it. */
  configure(): void {
    const { settings } = this.#opened
    const format = settings.text('format.pretty')
    if (format !== undefined) this.#setFormat(textOfBytes(format))
    this.given = false
    const decorate = settings.word('log.decorate')
    // git prints no refs if it does not know the value, and takes a missing one as true.
    if (decorate !== undefined) {
      this.#defaults.decorate = decorationOf(decorate ?? undefined) ?? 'none'
    }
    this.#refs.configure(settings)
    const date = settings.text('log.date')
    if (date !== undefined) this.#defaults.date = checkedDate(textOfBytes(date))
    this.#defaults.abbreviates = settings.flag('log.abbrevcommit') ?? false
    this.#mailmap = settings.flag('log.mailmap') ?? this.#mailmap
  }

  /** Whether the format needs the side of `a...b`, for `%m`. */
  get showsMarks(): boolean {
    return this.#text.includes('m')
  }

  /** Whether the format shows which revision a walk came from. */
  get showsSource(): boolean {
    return this.#isLog && /%[-+ ]?S/.test(this.#text)
  }

  /** Returns what shows dates, if a style is given. */
  givenDate(): ((stamp: Stamp) => string) | null {
    return this.#date === null ? null : dateShower(this.#date)
  }

  /** Shows commits as `raw` does, if no format is given. */
  setRaw(): void {
    if (!this.given) this.#setNamed('raw')
  }

  /** Whether the format was named that shows commits as they are: defaults do not change it. */
  get #isRawGiven(): boolean {
    return this.given && this.#name === 'raw'
  }

  /** The encoding of the output. */
  get #output(): OutputEncoding {
    this.#encoding ??= configuredEncoding(this.#opened.settings)
    return this.#encoding
  }

  /** The encoding in which commits are read: formats of placeholders count columns in UTF-8. */
  get encoding(): OutputEncoding {
    return this.#name === 'user' || this.isFormatted ? 'utf-8' : this.#output
  }

  /** Whether ids are shortened. */
  get abbreviates(): boolean {
    return this.#abbreviates ?? (this.#defaults.abbreviates && !this.#isRawGiven)
  }

  /** Takes an option; returns how many arguments after it belong to it, `null` if none of these. */
  take(arg: string, next: string | undefined): number | null {
    const [name = '', value] = arg.split(/=(.*)/s)
    const required = () => {
      const given = value ?? next
      if (given === undefined) throw fatal(`Option '${name}' requires a value`)
      return given
    }
    const taken = value === undefined ? 1 : 0
    switch (name) {
      case '--pretty':
        this.#setFormat(value)
        return 0
      case '--format':
        // In one word alone, as in git, which does not know the option otherwise.
        if (value === undefined) return null
        this.#setFormat(value)
        return 0
      case '--date':
        this.#date = checkedDate(required())
        return taken
      case '--encoding':
        this.#encoding = parseEncoding(required())
        return taken
      case '--decorate':
        this.#decorate = decorationOf(value)
        if (this.#decorate === null) throw fatal(`invalid --decorate option: ${value}`)
        return 0
      case '--expand-tabs':
        this.#tab = value === undefined ? TAB : tabOf(value)
        return 0
    }
    return this.#flag(arg) ? 0 : this.#refs.take(arg, next)
  }

  #flag(arg: string): boolean {
    switch (arg) {
      case '--oneline':
        this.#setFormat('oneline')
        this.#abbreviates ??= true
        return true
      case '--abbrev-commit':
      case '--no-abbrev-commit':
        this.#abbreviates = arg === '--abbrev-commit'
        return true
      case '--relative-date':
        this.#date = 'relative'
        return true
      case '--no-decorate':
        this.#decorate = 'none'
        return true
      case '--no-expand-tabs':
        this.#tab = 0
        return true
      case '--mailmap':
      case '--use-mailmap':
      case '--no-mailmap':
      case '--no-use-mailmap':
        this.#mailmap = !arg.startsWith('--no')
        return true
      case '--notes':
      case '--no-notes':
        this.#notes = arg === '--notes'
        return true
    }
    return false
  }

  /** Takes the format that the configuration has under a name. */
  #setConfigured(name: string, names: readonly string[]): void {
    const [first = name] = names
    const refused = (what: string) => fatal(`invalid --pretty format: ${what}`)
    const known = this.#opened.settings.text(`pretty.${name.toLowerCase()}`)
    if (known === undefined) throw refused(first)
    if (names.includes(name)) throw refused(`'${first}' references an alias which points to itself`)
    this.#setFormat(textOfBytes(known), [...names, name])
  }

  /** @param names the names in the configuration that led to this one */
  #setFormat(value: string | undefined, names: readonly string[] = []): void {
    this.given = true
    if (value === undefined) this.#setNamed('medium')
    else if (value.startsWith('format:')) this.#setUser(value.slice('format:'.length), false)
    else if (value === '' || value.startsWith('tformat:') || value.includes('%')) {
      this.#setUser(value.replace(/^tformat:/, ''), true)
    } else {
      const name = formatNamed(value)
      if (name === null) {
        this.#setConfigured(value, names)
        return
      }
      if (name === 'reference') {
        this.#setUser(REFERENCE, true)
        // As in git, even if another format follows.
        this.#defaults.date = 'short'
      } else this.#setNamed(name)
    }
  }

  #setNamed(name: NamedFormat): void {
    this.#name = name
    this.#isTerminator = name === 'oneline'
    this.#isEmpty = false
    this.#text = ''
  }

  #setUser(text: string, isTerminator: boolean): void {
    this.#name = 'user'
    this.#format = parseFormat(bytesOfArgument(text))
    this.#isTerminator = isTerminator
    this.#isEmpty = text === ''
    this.#text = text
  }

  pretty(opened: Opened, { digits, showsNotes, palette, searched }: PrettyHow): Pretty {
    const { reader } = opened
    const name = this.#name
    const format = this.#format
    const shorten = (oid: string) => (digits === null ? oid : reader.abbreviate(oid, digits))
    const notes = once(() => noteReader(reader))
    const options = {
      ...this.#options(opened, palette, shorten, (oid) => notes()(oid)),
      highlights: searched ? highlightsOf(reader, searched, palette) : null,
    }
    const { decorations } = options
    const decorates = this.#decorates(opened)
    const recoded = this.recoder()
    const hasNotes = name !== 'user' && (this.#notes ?? (showsNotes && !this.given))
    return {
      ...{ name, isTerminator: this.#isTerminator, isEmpty: this.#isEmpty },
      show: (commit) =>
        name === 'user'
          ? recoded(format?.(commit, options) ?? '')
          : showNamed(name, commit, options),
      decorate: (oid) => (decorates ? decorations().inParentheses(oid, palette) : ''),
      commitId: this.abbreviates ? shorten : (oid) => oid,
      person: (role, line) =>
        personOf(role, line, name, { ...options, mailmap: null, highlights: null }),
      noteOf: (oid) => (hasNotes ? notes()(oid) : ''),
      isMail: isMail(name),
    }
  }

  /** Returns what shows commits by another format of placeholders. */
  formatted(opened: Opened, text: string): (commit: ShownCommit) => string {
    const shorten = (oid: string) => opened.reader.abbreviate(oid, 0)
    const options = this.#options(opened, null, shorten, noteReader(opened.reader))
    const format = parseFormat(bytesOfArgument(text))
    const recoded = this.recoder()
    return (commit) => recoded(format(commit, options))
  }

  /** Returns what writes what a format of placeholders shows in the encoding of the output. */
  recoder(): (text: string) => string {
    const output = this.encoding === 'utf-8' ? this.#output : 'utf-8'
    return (text) => fromUtf8(text, output)
  }

  /** Returns what is replaced in authors and committers before patterns are looked for there. */
  people(): string[] {
    return this.#mailmap ? this.#people() : []
  }

  #decorations(opened: Opened): Decorations {
    return new Decorations(opened, this.#decorating === 'full', (name) => this.#refs.fits(name))
  }

  /** Returns the ids of the objects that chosen refs decorate. */
  decorated(opened: Opened): readonly string[] {
    return [...this.#decorations(opened).ids]
  }

  get #decorating(): Decorating {
    return this.#decorate ?? (this.#isRawGiven ? 'none' : this.#defaults.decorate)
  }

  /** Whether the names of refs follow the ids of commits. */
  #decorates({ io }: Opened): boolean {
    const how = this.#decorating
    return how === 'auto' ? isForTerminal(io) : how !== 'none'
  }

  #options(
    opened: Opened,
    palette: Palette | null,
    shorten: (oid: string) => string,
    notes: (oid: string) => string,
  ): PrettyOptions {
    const mailmap = once(() => parseMailmap(this.#mailmaps()))
    const style = this.#date ?? this.#defaults.date
    const show = dateShower(style, opened.io.toTerminal)
    const styles = new Map<string, (stamp: Stamp) => string>()
    const tab = this.#expandsTabs ? (this.#tab ?? (EXPANDS_TABS.has(this.#name) ? TAB : 0)) : 0
    return {
      ...{ palette, shorten, date: show, tab, notes, placeholderMailmap: mailmap },
      highlights: null,
      mails: this.#isLog ? { prefix: '[PATCH] ', encodes: true } : { prefix: '', encodes: false },
      dateAs(style, stamp) {
        const known = styles.get(style) ?? dateShower(style)
        styles.set(style, known)
        return known(stamp)
      },
      mailmap: this.#mailmap ? mailmap() : null,
      decorations: once(() => this.#decorations(opened)),
      describe: (oid, words) => describeCommit(opened.reader, oid, words),
    }
  }
}

/** Returns a function that makes a value at its first call. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

type Decorating = 'none' | 'short' | 'full' | 'auto'

/** Returns a style of dates, if there is such a one. */
function checkedDate(style: string): string {
  dateShower(style)
  return style
}

function decorationOf(value: string | undefined): Decorating | null {
  if (value === undefined || value === 'short' || /^(yes|true|on|1)$/i.test(value)) return 'short'
  if (value === 'full' || value === 'auto') return value
  if (/^(no|false|off|0|)$/i.test(value)) return 'none'
  return null
}

function tabOf(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw fatal(`'${value}': not a non-negative integer`)
}
