/** Parses the arguments that limit commands to some paths: gitglossary(7), "pathspec". */

import { isSet } from '../base/environment.js'
import { fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import type { Opened } from '../opening/command.js'
import { bytesOfArgument } from '../text/bytes.js'
import { pathInTree } from './place.js'

/** The magic words of `:(…)`, with their characters. */
const MAGIC: Readonly<Record<string, { mnemonic?: string }>> = {
  top: { mnemonic: '/' },
  literal: {},
  glob: {},
  icase: {},
  exclude: { mnemonic: '!' },
}

const SHORT_MAGIC: Readonly<Record<string, string>> = { '/': 'top', '!': 'exclude', '^': 'exclude' }

/** Characters that git reserves for magic; only a few of them have a meaning. */
const MAGIC_CHARACTERS = '!"#%&\',-/;<=>@_`~^'

/** The options before the command that set magic, and git's variables for them. */
export const GLOBAL_MAGIC = {
  '--literal-pathspecs': 'GIT_LITERAL_PATHSPECS',
  '--glob-pathspecs': 'GIT_GLOB_PATHSPECS',
  '--noglob-pathspecs': 'GIT_NOGLOB_PATHSPECS',
  '--icase-pathspecs': 'GIT_ICASE_PATHSPECS',
} as const

interface Element {
  readonly magic: readonly string[]
  readonly path: string
}

/** Returns the elements of a pathspec as the core takes them: from the root of the tree. */
export function pathspecOf(opened: Opened, args: readonly string[]): Uint8Array {
  return opened.reader.specs(elementsFromTop(opened, args))
}

/** As {@link pathspecOf}, one by one. */
export function elementsFromTop({ io, place }: Opened, args: readonly string[]): string[] {
  return elementsOf(io, args).map(({ magic, path }, at) => {
    const from = magic.includes('top') ? '' : place.prefix
    const whole = pathInTree(place, from, bytesOfArgument(path), `${args[at]}: `)
    return `:(${[...magic, `prefix:${keptPrefix(from, path)}`]})${whole}`
  })
}

/** Returns the magic of an argument. */
export function magicOf(io: Io, arg: string): readonly string[] {
  return elementsOf(io, [arg]).flatMap(({ magic }) => magic)
}

/** Returns how many bytes of the current folder's path a relative path keeps. */
function keptPrefix(prefix: string, path: string): number {
  const names = prefix.split('/').slice(0, -1)
  if (path.startsWith('/')) return 0
  let depth = names.length
  let least = depth
  for (const part of path.split('/')) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    least = Math.min(least, depth)
  }
  return names.slice(0, least).reduce((sum, name) => sum + name.length + 1, 0)
}

/**
 * Returns the paths of arguments, from the top of the tree, for a command that knows no patterns.
 * Without arguments the current folder limits the listing; at the top nothing does.
 */
export function literalPaths(
  { io, place }: Opened,
  prefix: string,
  args: readonly string[],
): string[] {
  if (args.length === 0) return prefix === '' ? [] : [prefix]
  return elementsOf(io, args).map(({ magic, path }, at) => {
    const unsupported = magic.filter((name) => name !== 'top' && name !== 'literal')
    if (unsupported.length > 0) {
      const names = unsupported.map((name) => {
        const mnemonic = MAGIC[name]?.mnemonic
        return mnemonic ? `'${name}' (mnemonic: '${mnemonic}')` : `'${name}'`
      })
      throw fatal(`${args[at]}: pathspec magic not supported by this command: ${names.join(', ')}`)
    }
    const from = magic.includes('top') ? '' : prefix
    return pathInTree(place, from, bytesOfArgument(path), `${args[at]}: `)
  })
}

function elementsOf(io: Io, args: readonly string[]): Element[] {
  const { literal, noglob, ...others } = globalMagic(io)
  const words = Object.keys(others).filter((name) => others[name])
  return args.map((arg) => {
    if (arg === '') {
      const hint = 'please use . instead if you meant to match all paths'
      throw fatal(`empty string is not a valid pathspec. ${hint}`)
    }
    if (literal) return { magic: ['literal'], path: arg }
    const { magic, path } = splitMagic(arg)
    if (magic.includes('literal') && magic.includes('glob')) {
      throw fatal(`${arg}: 'literal' and 'glob' are incompatible`)
    }
    const added = words.filter((name) => name !== 'glob' || !magic.includes('literal'))
    if (noglob && !magic.includes('glob')) added.push('literal')
    return { magic: [...new Set([...magic, ...added])], path }
  })
}

function globalMagic(io: Io): Readonly<Record<string, boolean>> {
  const names = Object.values(GLOBAL_MAGIC)
  const [literal, glob, noglob, icase] = names.map((name) => isSet(io, name))
  if (glob && noglob) {
    throw fatal("global 'glob' and 'noglob' pathspec settings are incompatible")
  }
  if (literal && (glob || noglob || icase)) {
    const others = 'all other global pathspec settings'
    throw fatal(`global 'literal' pathspec setting is incompatible with ${others}`)
  }
  return { literal: !!literal, glob: !!glob, noglob: !!noglob, icase: !!icase }
}

function splitMagic(arg: string): Element {
  if (!arg.startsWith(':')) return { magic: [], path: arg }
  return arg.startsWith(':(') ? splitLongMagic(arg) : splitShortMagic(arg)
}

function splitLongMagic(arg: string): Element {
  const end = arg.indexOf(')')
  if (end < 0) throw fatal(`Missing ')' at the end of pathspec magic in '${arg}'`)
  const magic = arg.slice(2, end).split(',')
  const names = magic.filter((name) => name !== '')
  for (const name of names) {
    if (Object.hasOwn(MAGIC, name)) continue
    if (name.startsWith('attr:')) {
      throw fatal(`packlens does not support pathspec magic 'attr': '${arg}'`)
    }
    throw fatal(`Invalid pathspec magic '${name}' in '${arg}'`)
  }
  return { magic: names, path: arg.slice(end + 1) }
}

function splitShortMagic(arg: string): Element {
  const magic: string[] = []
  let at = 1
  for (; at < arg.length; at++) {
    const character = arg.charAt(at)
    if (!MAGIC_CHARACTERS.includes(character)) break
    const name = SHORT_MAGIC[character]
    if (!name) throw fatal(`Unimplemented pathspec magic '${character}' in '${arg}'`)
    magic.push(name)
  }
  return { magic, path: arg.slice(arg[at] === ':' ? at + 1 : at) }
}
