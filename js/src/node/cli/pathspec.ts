/** Parses and matches the paths that limit `ls-tree`: gitglossary(7), "pathspec". */
import { bytesOfArgument } from './bytes.js'
import { fatal } from './exit.js'
import type { Place } from './place.js'
import { pathInTree } from './place.js'

/** The magic words of `:(…)`, and whether `ls-tree` supports them. */
const MAGIC: Readonly<Record<string, { supported: boolean; mnemonic?: string }>> = {
  top: { supported: true, mnemonic: '/' },
  literal: { supported: true },
  glob: { supported: false },
  icase: { supported: false },
  attr: { supported: false },
  exclude: { supported: false, mnemonic: '!' },
}

const SHORT_MAGIC: Readonly<Record<string, string>> = { '/': 'top', '!': 'exclude', '^': 'exclude' }

/** Characters that git reserves for magic; only a few of them have a meaning. */
const MAGIC_CHARACTERS = '!"#%&\',-/;<=>@_`~^'

/**
 * Returns the paths of arguments, from the top of the tree. Without arguments the current
 * folder limits the listing; at the top nothing does.
 */
export function parsePathspecs(place: Place, prefix: string, args: readonly string[]): string[] {
  if (args.length === 0) return prefix === '' ? [] : [prefix]
  return args.map((arg) => {
    if (arg === '') {
      const hint = 'please use . instead if you meant to match all paths'
      throw fatal(`empty string is not a valid pathspec. ${hint}`)
    }
    const { magic, rest } = splitMagic(arg)
    const unsupported = magic.filter((name) => !MAGIC[name]?.supported)
    if (unsupported.length > 0) {
      const names = unsupported.map((name) => {
        const mnemonic = MAGIC[name]?.mnemonic
        return mnemonic ? `'${name}' (mnemonic: '${mnemonic}')` : `'${name}'`
      })
      throw fatal(`${arg}: pathspec magic not supported by this command: ${names.join(', ')}`)
    }
    const from = magic.includes('top') ? '' : prefix
    return pathInTree(place, from, bytesOfArgument(rest), `${arg}: `)
  })
}

function splitMagic(arg: string): { magic: string[]; rest: string } {
  if (!arg.startsWith(':')) return { magic: [], rest: arg }
  return arg.startsWith(':(') ? splitLongMagic(arg) : splitShortMagic(arg)
}

function splitLongMagic(arg: string): { magic: string[]; rest: string } {
  const end = arg.indexOf(')')
  if (end < 0) throw fatal(`Missing ')' at the end of pathspec magic in '${arg}'`)
  const magic = arg.slice(2, end).split(',')
  const names = magic.filter((name) => name !== '')
  for (const name of names) {
    if (Object.hasOwn(MAGIC, name)) continue
    throw fatal(`Invalid pathspec magic '${name}' in '${arg}'`)
  }
  return { magic: names, rest: arg.slice(end + 1) }
}

function splitShortMagic(arg: string): { magic: string[]; rest: string } {
  const magic: string[] = []
  let at = 1
  for (; at < arg.length; at++) {
    const character = arg.charAt(at)
    if (!MAGIC_CHARACTERS.includes(character)) break
    const name = SHORT_MAGIC[character]
    if (!name) throw fatal(`Unimplemented pathspec magic '${character}' in '${arg}'`)
    magic.push(name)
  }
  return { magic, rest: arg.slice(arg[at] === ':' ? at + 1 : at) }
}

/** Whether an entry is listed, and whether the entries after it may be. */
export type Interest = 'all' | 'this' | 'no' | 'none-from-here'

/**
 * Returns whether the entry `name` of the tree at `base` is one of `paths`, below one, or
 * a folder of one. Like git, it relies on sorted trees.
 */
export function interestIn(
  paths: readonly string[],
  base: string,
  name: string,
  type: 'blob' | 'tree' | 'commit',
): Interest {
  if (paths.length === 0) return 'all'
  let mayFollow = false
  for (const path of [...paths].reverse()) {
    if (base.length >= path.length) {
      if (isFolderOf(path, base)) return 'all'
      continue
    }
    if (!path.startsWith(base)) continue
    const rest = path.slice(base.length)
    if (!mayFollow) {
      const common = Math.min(rest.length, name.length)
      if (rest.slice(0, common) < name.slice(0, common)) continue
      mayFollow = true
    }
    if (leadsTo(name, rest, type)) return 'this'
  }
  return mayFollow ? 'no' : 'none-from-here'
}

function isFolderOf(path: string, base: string): boolean {
  if (!base.startsWith(path)) return false
  return path === '' || path.endsWith('/') || base[path.length] === '/'
}

function leadsTo(name: string, rest: string, type: 'blob' | 'tree' | 'commit'): boolean {
  if (!rest.startsWith(name)) return false
  if (rest.length === name.length) return true
  if (rest[name.length] !== '/') return false
  return type === 'tree' || (type === 'commit' && rest.length === name.length + 1)
}

/** Returns whether one of `paths` is in the tree `name`, or is its name and a slash. */
export function goesInto(paths: readonly string[], base: string, name: string): boolean {
  return paths.some((path) => path.startsWith(`${base}${name}/`))
}
