/** The refs that lead to commits, as `git log --decorate` shows them. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { REPLACEMENTS, replaceBase } from '../base/environment.js'
import { type Palette, painted } from '../color/palette.js'
import type { Opened } from '../opening/command.js'
import { eachRef } from '../refs/ref-list.js'
import { readRef } from '../refs/refnames.js'

type Kind = keyof Palette['decorate']

interface Decoration {
  readonly kind: Kind
  /** The full name of the ref. */
  readonly name: string
}

/** The texts around names. */
interface Style {
  readonly prefix: string
  readonly suffix: string
  readonly separator: string
  readonly pointer: string
  readonly tag: string
}

const STYLE: Style = { prefix: ' (', suffix: ')', separator: ', ', pointer: ' -> ', tag: 'tag: ' }
const PLAIN: Style = { ...STYLE, prefix: '', suffix: '' }

const KINDS: readonly [prefix: string, kind: Kind][] = [
  ['refs/heads/', 'local'],
  ['refs/remotes/', 'remote'],
  ['refs/tags/', 'tag'],
]

/** The names of all decorated objects. */
export class Decorations {
  readonly #byId = new Map<string, Decoration[]>()
  readonly #isFull: boolean
  /** The branch that `HEAD` points at. */
  readonly #branch: string | null

  /** @param fits returns whether a ref decorates commits, by its full name */
  constructor(opened: Opened, isFull: boolean, fits: (name: string) => boolean) {
    this.#isFull = isFull
    this.#addGrafts(opened)
    const head = readRef(opened.reader, 'HEAD')
    this.#branch = head?.target ?? null
    if (head?.oid && fits('HEAD')) this.#add(head.oid, { kind: 'head', name: 'HEAD' })
    this.#addRefs(opened, fits)
  }

  /** The ids of decorated objects. */
  get ids(): Iterable<string> {
    return this.#byId.keys()
  }

  /** Returns the names as `%d` shows them; empty without names. */
  inParentheses(oid: string, palette: Palette | null): string {
    return this.shown(oid, STYLE, palette)
  }

  /** Returns the names as `%D` shows them. */
  plain(oid: string, palette: Palette | null): string {
    return this.shown(oid, PLAIN, palette)
  }

  shown(oid: string, style: Style, palette: Palette | null): string {
    const all = this.#byId.get(oid)
    if (!all) return ''
    const mark = (text: string) => (palette ? painted(palette.commit, text) : text)
    const named = (kind: Kind, text: string) => {
      return palette ? painted(palette.decorate[kind], text) : text
    }
    const hasHead = all.some(({ kind }) => kind === 'head')
    const isBranch = ({ kind, name }: Decoration) =>
      hasHead && kind === 'local' && name === this.#branch
    const branch = all.find(isBranch)
    const names = all
      .filter((decoration) => decoration !== branch)
      .map((decoration) => {
        const name = this.#nameOf(decoration)
        const { kind } = decoration
        const shown = named(kind, name)
        if (kind === 'tag') return (style.tag && named(kind, style.tag)) + shown
        const pointed = kind === 'head' && branch
        if (!pointed) return shown
        return shown + mark(style.pointer) + named(branch.kind, this.#nameOf(branch))
      })
    const [prefix, suffix] = [style.prefix, style.suffix].map((text) => text && mark(text))
    return prefix + names.join(style.separator && mark(style.separator)) + suffix
  }

  #nameOf({ kind, name }: Decoration): string {
    if (this.#isFull) return name
    const prefix = KINDS.find(([, of]) => of === kind)?.[0] ?? ''
    return name.slice(prefix.length)
  }

  #add(oid: string, decoration: Decoration): void {
    const all = this.#byId.get(oid)
    if (all) all.push(decoration)
    else this.#byId.set(oid, [decoration])
  }

  /** The last refs come first. A tag decorates what it points at, too. */
  #addRefs({ io, reader }: Opened, fits: (name: string) => boolean): void {
    const given = replaceBase(io.env)
    const base = given || REPLACEMENTS
    const found: { readonly oid: string; readonly decoration: Decoration }[] = []
    eachRef(reader, { prefix: 'refs/', peel: true }, ({ name, oid, peeled }) => {
      if (oid === null || !fits(name)) return
      if (name.startsWith(base) && /^[0-9a-f]{40,}$/.test(name.slice(base.length))) {
        const decoration = { kind: 'graft', name: 'replaced' } as const
        // With --no-replace-objects, refs of replacements decorate nothing.
        if (given !== '') found.push({ oid: name.slice(base.length), decoration })
        return
      }
      // Other refs keep their full names, as the stash does.
      const other = name === 'refs/stash' ? 'stash' : 'other'
      const kind = KINDS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? other
      const decoration = { kind, name }
      found.push({ oid, decoration })
      if (peeled === null || peeled === oid) return
      found.push({ oid: peeled, decoration: { kind: 'tag', name } })
    })
    for (const { oid, decoration } of found.reverse()) this.#add(oid, decoration)
  }

  #addGrafts({ place }: Opened): void {
    for (const file of ['shallow', path.join('info', 'grafts')]) {
      for (const oid of firstWords(path.join(place.gitDir, file))) {
        this.#add(oid, { kind: 'graft', name: 'grafted' })
      }
    }
  }
}

function firstWords(file: string): string[] {
  try {
    const lines = fs.readFileSync(file, 'latin1').split('\n')
    return lines
      .map((line) => line.split(' ', 1)[0] ?? '')
      .filter((oid) => /^[0-9a-f]{40,}$/.test(oid))
  } catch {
    return []
  }
}

const WORD = /^(prefix|suffix|separator|pointer|tag)=(.*)$/s

/** Returns what shows `%(decorate:…)`; `null` for unknown options. */
export function decorateShower(
  words: readonly string[],
): ((decorations: Decorations, oid: string, palette: Palette | null) => string) | null {
  let style = STYLE
  for (const word of words) {
    const [, name, value] = WORD.exec(word) ?? []
    if (name === undefined || value === undefined) return null
    style = { ...style, [name]: unescaped(value) }
  }
  return (decorations, oid, palette) => decorations.shown(oid, style, palette)
}

/** Replaces `%n` and `%x2C` in the value of an option. */
export function unescaped(text: string): string {
  return text.replace(/%(n|%|x([0-9a-fA-F]{2}))/g, (_, code: string, hex?: string) => {
    if (hex) return String.fromCharCode(Number.parseInt(hex, 16))
    return code === 'n' ? '\n' : '%'
  })
}
