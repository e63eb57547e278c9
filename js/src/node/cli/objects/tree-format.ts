/** Formats the entries of `ls-tree`: in one of git's styles, or by `--format`. */

import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { textOfBytes } from '../text/bytes.js'
import type { Entry } from './trees.js'

/** An entry with everything that a format can show of it. */
export interface Shown extends Entry {
  /** The path to show, not quoted. */
  readonly path: string
  /** Returns the id, shortened if that is requested. */
  readonly shownOid: () => string
  /** Returns the size of a blob; `-` for other types. */
  readonly size: () => string
}

type Show = (entry: Shown) => string

const SIZE_WIDTH = 7

export type Style = 'default' | 'long' | 'name' | 'object'

/** How paths are printed. */
export interface PathStyle {
  readonly nulTerminated: boolean
  readonly quote: Opened['quote']
}

export function styleShower(style: Style, { nulTerminated, quote }: PathStyle): Show {
  const path: Show = ({ path }) => (nulTerminated ? path : quote(path))
  switch (style) {
    case 'default':
      return (entry) => `${entry.mode} ${entry.type} ${entry.shownOid()}\t${path(entry)}`
    case 'long':
      return (entry) => {
        const size = entry.size().padStart(SIZE_WIDTH)
        return `${entry.mode} ${entry.type} ${entry.shownOid()} ${size}\t${path(entry)}`
      }
    case 'name':
      return path
    case 'object':
      return (entry) => entry.shownOid()
  }
}

/** The formats that git treats as one of its styles. With `-z`, other formats quote paths. */
const STYLES: Readonly<Record<string, Style>> = {
  '%(objectmode) %(objecttype) %(objectname)%x09%(path)': 'default',
  '%(objectmode) %(objecttype) %(objectname) %(objectsize:padded)%x09%(path)': 'long',
  '%(path)': 'name',
  '%(objectname)': 'object',
}

/** Parses a format of one character per byte. @throws Exit if the format is invalid */
export function formatShower(format: string, paths: PathStyle): Show {
  const { quote } = paths
  const style = Object.hasOwn(STYLES, format) ? STYLES[format] : undefined
  if (style) return styleShower(style, paths)
  const elements: Readonly<Record<string, Show>> = {
    objectmode: ({ mode }) => mode,
    objecttype: ({ type }) => type,
    objectname: ({ shownOid }) => shownOid(),
    objectsize: ({ size }) => size(),
    'objectsize:padded': ({ size }) => size().padStart(SIZE_WIDTH),
    path: ({ path }) => quote(path),
  }
  const pieces: Show[] = []
  const literal = (text: string) => pieces.push(() => text)
  const bad = (what: string) => fatal(`bad ls-tree format: ${textOfBytes(what)}`)
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf('%', at)
    const end = percent < 0 ? format.length : percent
    if (end > at) literal(format.slice(at, end))
    if (percent < 0) break
    const rest = format.slice(percent + 1)
    const [byte = '', digits = ''] = /^x([0-9a-fA-F]{2})/.exec(rest) ?? []
    at = percent + 2
    if (rest.startsWith('%')) literal('%')
    else if (rest.startsWith('n')) literal('\n')
    else if (byte !== '') {
      literal(String.fromCharCode(Number.parseInt(digits, 16)))
      at = percent + 1 + byte.length
    } else {
      if (!rest.startsWith('(')) throw bad(`element '${rest}' does not start with '('`)
      const close = rest.indexOf(')')
      if (close < 0) throw bad(`element '${rest}' does not end in ')'`)
      const name = rest.slice(1, close)
      const show = Object.hasOwn(elements, name) ? elements[name] : undefined
      if (!show) throw bad(`%(${name})`)
      pieces.push(show)
      at = percent + 1 + close + 1
    }
  }
  return (entry) => pieces.map((show) => show(entry)).join('')
}
