/** `ls-tree`: lists the entries of a tree. */

import { isPacklensError } from '../../../base/errors.js'
import { flagOption } from '../args/flag-option.js'
import type { Option } from '../args/options.js'
import { parseOptions } from '../args/options.js'
import { compileQuickly } from '../base/compiler.js'
import { Exit, fatal, Misused, misused } from '../base/exit.js'
import { moduleFor } from '../base/module.js'
import { Lines } from '../base/output.js'
import type { Style } from '../objects/tree-format.js'
import { formatShower, styleShower } from '../objects/tree-format.js'
import { goesInto, interestIn } from '../objects/tree-paths.js'
import type { Entry } from '../objects/trees.js'
import { readTree } from '../objects/trees.js'
import type { Command, Opened } from '../opening/command.js'
import { literalPaths } from '../repository/pathspec.js'
import { bytesOfArgument, textOfBytes } from '../text/bytes.js'
import { relativePath } from '../text/relative.js'

type Flag = 'onlyTrees' | 'recursive' | 'showTrees' | 'nulTerminated' | 'fullName' | 'fullTree'

interface Parsed {
  recursive: boolean
  onlyTrees: boolean
  showTrees: boolean
  nulTerminated: boolean
  style: Style
  format: string | undefined
  fullName: boolean
  fullTree: boolean
  /** The digits of shown ids: `null` for all, 0 to choose by the size of the repository. */
  digits: number | null
}

export function lsTree(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    recursive: false,
    onlyTrees: false,
    showTrees: false,
    nulTerminated: false,
    style: 'default',
    format: undefined,
    fullName: false,
    fullTree: false,
    digits: null,
  }
  const [spec, ...paths] = parseOptions(optionsInto(parsed), args)
  if (parsed.format !== undefined && parsed.style !== 'default') {
    throw misused("--format can't be combined with other format-altering options")
  }
  if (spec === undefined) throw new Misused()
  compileQuickly()
  const asksMuch = parsed.recursive || parsed.digits !== null
  const opened = command.open(asksMuch ? 'full' : moduleFor([spec]))
  const name = bytesOfArgument(spec)
  const oid = resolve(opened, name)
  const prefix = parsed.fullTree ? '' : opened.place.prefix
  const listing = new Listing(opened, parsed, literalPaths(opened, prefix, paths), prefix)
  const tree = opened.reader.find(`${oid}^{tree}`)
  if (tree === null) throw fatal('not a tree object')
  return listing.run(tree)
}

function resolve({ names }: Opened, name: string): string {
  try {
    const oid = names.resolve(name)
    names.warn(name)
    return oid
  } catch (error) {
    throw names.invalid(name, names.diagnose(name, error).errors)
  }
}

class Listing {
  readonly #opened: Opened
  readonly #options: Parsed
  readonly #paths: readonly string[]
  readonly #shownFrom: string
  readonly #lines: Lines
  readonly #end: string
  #show: ReturnType<typeof styleShower> | undefined

  constructor(opened: Opened, options: Parsed, paths: readonly string[], prefix: string) {
    this.#opened = opened
    this.#options = options
    this.#paths = paths
    this.#shownFrom = options.fullName ? '' : prefix
    this.#lines = new Lines(opened.io)
    this.#end = options.nulTerminated ? '\0' : '\n'
  }

  run(tree: string): number {
    const done = this.#list(tree, '', false)
    this.#lines.flush()
    return done ? 0 : 1
  }

  /** Lists a tree and the trees it descends into; returns false if one is missing. */
  #list(tree: string, base: string, all: boolean): boolean {
    const entries = readTree(this.#opened.reader, tree)
    if (entries === null) {
      this.#lines.flush()
      this.#opened.io.writeError(`error: Could not read ${tree}\n`)
      return false
    }
    let isAll = all
    for (const entry of entries) {
      const { name, type, oid } = entry
      if (!isAll) {
        const interest = interestIn(this.#paths, base, name, type)
        if (interest === 'none-from-here') break
        if (interest === 'no') continue
        isAll = interest === 'all'
      }
      const descends = type === 'tree' && this.#descends(base, name)
      if (this.#isShown(type, descends)) this.#add(entry, base)
      if (descends && !this.#list(oid, `${base}${name}/`, false)) return false
    }
    return true
  }

  #descends(base: string, name: string): boolean {
    return this.#options.recursive || goesInto(this.#paths, base, name)
  }

  #isShown(type: Entry['type'], descends: boolean): boolean {
    const { onlyTrees, showTrees, recursive } = this.#options
    if (type === 'blob') return !onlyTrees
    // `-d -r` shows a tree although it descends into it; otherwise it would show no trees.
    return !descends || showTrees || (onlyTrees && recursive)
  }

  #add(entry: Entry, base: string): void {
    const { format, style, nulTerminated } = this.#options
    const paths = { nulTerminated, quote: this.#opened.quote }
    this.#show ??= format === undefined ? styleShower(style, paths) : formatShower(format, paths)
    const whole = `${base}${entry.name}`
    const path = this.#shownFrom === '' ? whole : relativePath(whole, this.#shownFrom)
    const shownOid = () => this.#shorten(entry.oid)
    this.#lines.add(this.#show({ ...entry, path, shownOid, size: () => this.#sizeOf(entry) }))
    this.#lines.add(this.#end)
  }

  #shorten(oid: string): string {
    const { digits } = this.#options
    if (digits === null || digits >= oid.length) return oid
    return this.#opened.reader.abbreviate(oid, digits)
  }

  #sizeOf({ type, oid }: Entry): string {
    if (type !== 'blob') return '-'
    let size: number | undefined
    try {
      size = this.#opened.reader.info(oid)?.size
    } catch (error) {
      if (!isPacklensError(error, 'CORRUPT')) throw error
      this.#opened.io.writeError(`error: ${error.message}\n`)
    }
    if (size !== undefined) return `${size}`
    if (this.#options.format === undefined) return 'BAD'
    this.#lines.flush()
    throw fatal(`could not get object info about '${textOfBytes(oid)}'`)
  }
}

function optionsInto(parsed: Parsed): Option[] {
  const flag = (name: Flag, names: Pick<Option, 'short' | 'long'>) =>
    flagOption(parsed, name, names)
  const style = (names: Pick<Option, 'short' | 'long'>, style: Style): Option => ({
    ...names,
    mode: true,
    set: () => {
      parsed.style = style
    },
  })
  return [
    flag('onlyTrees', { short: 'd' }),
    flag('recursive', { short: 'r' }),
    flag('showTrees', { short: 't' }),
    flag('nulTerminated', { short: 'z' }),
    style({ short: 'l', long: 'long' }, 'long'),
    style({ long: 'name-only' }, 'name'),
    style({ long: 'name-status' }, 'name'),
    style({ long: 'object-only' }, 'object'),
    flag('fullName', { long: 'full-name' }),
    flag('fullTree', { long: 'full-tree' }),
    {
      long: 'format',
      value: 'required',
      set: (value = '') => {
        parsed.format = bytesOfArgument(value)
      },
    },
    {
      long: 'abbrev',
      value: 'optional',
      negatable: true,
      set: (value, negated) => {
        parsed.digits = negated ? null : digitsOf(value)
      },
    },
  ]
}

const LEAST_DIGITS = 4

/** Returns the digits that `--abbrev` asks for: `null` for all, 0 to choose. */
export function digitsOf(value: string | undefined): number | null {
  if (value === undefined) return 0
  if (!/^\s*[-+]?\d+$/.test(value)) {
    throw new Exit(129, "error: option `abbrev' expects a numerical value\n")
  }
  const digits = Number(value)
  return digits === 0 ? null : Math.max(digits, LEAST_DIGITS)
}
