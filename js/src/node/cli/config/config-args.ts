/** The arguments of `config`: the subcommands `get` and `list`, and the options of older gits. */

import { type Option, parseOptions } from '../args/options.js'
import { Exit, fatal, Misused } from '../base/exit.js'

/** What is asked. */
export interface ConfigArgs {
  action: 'list' | 'get' | null
  /** Whether all values are printed, not only the last one. */
  all: boolean
  /** Whether the name is a regular expression. */
  regexp: boolean
  name: string
  /** What a value must match, or be; `undefined` for any. */
  value: string | undefined
  fixedValue: boolean
  default: string | undefined
  scope: 'local' | 'worktree' | undefined
  includes: boolean | undefined
  nul: boolean
  nameOnly: boolean
  showNames: boolean
  showOrigin: boolean
  showScope: boolean
}

type Flag = 'all' | 'regexp' | 'fixedValue' | 'nul' | 'nameOnly' | 'showNames'
type ShownFlag = Flag | 'showOrigin' | 'showScope'

/** @throws Exit as git does, and for what would write or read other files */
export function parseConfigArgs(args: readonly string[]): ConfigArgs {
  const parsed: ConfigArgs = {
    ...{ action: null, all: false, regexp: false, name: '', value: undefined, fixedValue: false },
    ...{ default: undefined, scope: undefined, includes: undefined, nul: false },
    ...{ nameOnly: false, showNames: false, showOrigin: false, showScope: false },
  }
  const [first = ''] = args
  if (WRITES.includes(first)) throw changesNothing()
  if (first === 'list' || first === 'get') {
    parsed.action = first
    const own = first === 'get' ? ofGet(parsed) : []
    const rest = parseOptions([...shared(parsed), ...own], args.slice(1))
    checkCount(rest, first === 'get' ? 1 : 0)
    if (parsed.default !== undefined && parsed.all) {
      throw fatal('--default= cannot be used with --all or --url=')
    }
    if (parsed.fixedValue && parsed.value === undefined) throw fatal(NO_VALUE)
    return { ...parsed, name: rest[0] ?? '' }
  }
  let most = 0
  const mode = (short: string | undefined, long: string, set: () => void): Option => {
    return { ...(short && { short }), long, mode: true, set }
  }
  const get = (all: boolean, regexp: boolean) => () => {
    Object.assign(parsed, { action: 'get', all, regexp, showNames: parsed.showNames || regexp })
    most = 2
  }
  const modes = [
    mode('l', 'list', () => (parsed.action = 'list')),
    mode(undefined, 'get', get(false, false)),
    mode(undefined, 'get-all', get(true, false)),
    mode(undefined, 'get-regexp', get(true, true)),
    ...MODES_THAT_WRITE.map((long) => mode(long === 'edit' ? 'e' : undefined, long, refuse)),
    ...['get-urlmatch', 'get-color', 'get-colorbool'].map((long) => {
      return mode(undefined, long, () => refuseOption(long))
    }),
  ]
  const options = [...shared(parsed), ...modes, fixedValue(parsed), defaultValue(parsed)]
  const rest = parseOptions(options, args)
  if (parsed.action === null) {
    if (rest.length === 2 || rest.length === 3) throw changesNothing()
    if (rest.length !== 1) throw new Exit(129, 'error: no action specified\n')
    get(false, false)()
  }
  checkCount(rest, parsed.action === 'get' ? 1 : 0, most)
  const [name = '', value] = rest
  const isGet = parsed.action === 'get' && !parsed.all
  const only = (what: string) => new Misused(`error: ${what}\n`)
  if (parsed.nameOnly && parsed.action === 'get' && !parsed.regexp) {
    throw only('--name-only is only applicable to --list or --get-regexp')
  }
  if (parsed.default !== undefined && !isGet) throw only('--default is only applicable to --get')
  if (parsed.fixedValue && value === undefined) throw only(NO_VALUE)
  return { ...parsed, name, value }
}

const NO_VALUE = "--fixed-value only applies with 'value-pattern'"

const WRITES = ['set', 'unset', 'rename-section', 'remove-section', 'edit']
const MODES_THAT_WRITE = [
  ...['replace-all', 'add', 'unset', 'unset-all', 'rename-section', 'remove-section', 'edit'],
]

const changesNothing = () => fatal('packlens config changes nothing')

function refuse(): never {
  throw changesNothing()
}

function refuseOption(long: string): never {
  throw fatal(`packlens config does not support --${long}`)
}

function checkCount(rest: readonly string[], least: number, most = least): void {
  if (rest.length >= least && rest.length <= Math.max(least, most)) return
  const range = most > least ? `from ${least} to ${most}` : `${least}`
  throw new Exit(129, `error: wrong number of arguments, should be ${range}\n`)
}

function flag(parsed: ConfigArgs, long: string, name: ShownFlag, short?: string): Option {
  const set = (_: unknown, negated: boolean) => {
    parsed[name] = !negated
  }
  return { long, negatable: true, set, ...(short && { short }) }
}

const fixedValue = (parsed: ConfigArgs) => flag(parsed, 'fixed-value', 'fixedValue')

const defaultValue = (parsed: ConfigArgs): Option => ({
  long: 'default',
  value: 'required',
  negatable: true,
  set: (value, negated) => {
    parsed.default = negated ? undefined : value
  },
})

function ofGet(parsed: ConfigArgs): Option[] {
  return [
    flag(parsed, 'all', 'all'),
    flag(parsed, 'regexp', 'regexp'),
    fixedValue(parsed),
    defaultValue(parsed),
    {
      long: 'value',
      value: 'required',
      negatable: true,
      set: (value, negated) => {
        parsed.value = negated ? undefined : value
      },
    },
    { long: 'url', value: 'required', set: () => refuseOption('url') },
  ]
}

function shared(parsed: ConfigArgs): Option[] {
  const scope = (name: 'local' | 'worktree'): Option => ({
    long: name,
    negatable: true,
    set: (_, negated) => {
      parsed.scope = negated ? undefined : name
    },
  })
  const missing = (long: string, value?: 'required', short?: string): Option => ({
    long,
    ...(value && { value }),
    ...(short && { short }),
    set: () => refuseOption(long),
  })
  return [
    scope('local'),
    scope('worktree'),
    {
      long: 'includes',
      negatable: true,
      set: (_, negated) => {
        parsed.includes = !negated
      },
    },
    flag(parsed, 'null', 'nul', 'z'),
    flag(parsed, 'name-only', 'nameOnly'),
    flag(parsed, 'show-names', 'showNames'),
    flag(parsed, 'show-origin', 'showOrigin'),
    flag(parsed, 'show-scope', 'showScope'),
    ...['global', 'system'].map((long) => missing(long)),
    ...['bool', 'int', 'bool-or-int', 'bool-or-str', 'path', 'expiry-date'].map((long) => {
      return missing(long)
    }),
    missing('file', 'required', 'f'),
    missing('blob', 'required'),
    missing('type', 'required', 't'),
  ]
}
