/** Parses options by git's grammar, that of parse-options.c of its sources. */
import { Exit, Help, Misused } from '../base/exit.js'

/** An option of a command. */
export interface Option {
  /** A character; `#` for numbers, as in `-3`. */
  readonly short?: string
  readonly long?: string
  /** Whether a value may or must follow. Default: none. */
  readonly value?: 'optional' | 'required'
  /** Whether `--no-<option>` resets the option. */
  readonly negatable?: boolean
  /** Whether the option chooses what a command does; only one such option may be given. */
  readonly mode?: boolean
  readonly set: (value: string | undefined, negated: boolean) => void
}

/** An option that was found in the arguments. */
interface Given {
  readonly option: Option
  readonly negated: boolean
  /** The name of the option in messages: switch `t', option `batch'. */
  readonly called: string
}

/**
 * Sets the options that it finds in `args` and returns the other arguments. With `takesOperand`
 * options end at the first other argument that this does not take, and a `--` is returned, too.
 */
export function parseOptions(
  options: readonly Option[],
  args: readonly string[],
  takesOperand?: (arg: string) => boolean,
): string[] {
  const rest: string[] = []
  let mode: Option | undefined
  const setOption: SetOption = ({ option, negated, called }, value) => {
    if (option.mode && mode && mode !== option) {
      const other = mode.long ? `--${mode.long}` : `-${mode.short}`
      throw new Exit(129, `error: ${called} is incompatible with ${other}\n`)
    }
    if (option.mode) mode = option
    option.set(value, negated)
  }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--' || arg === '--end-of-options') {
      rest.push(...args.slice(takesOperand && arg === '--' ? at : at + 1))
      break
    }
    if (!arg.startsWith('-') || arg === '-') {
      if (takesOperand?.(arg)) continue
      rest.push(...args.slice(at, takesOperand ? args.length : at + 1))
      if (takesOperand) break
    } else at += parseOne(options, args.slice(at, at + 2), setOption)
  }
  return rest
}

/**
 * Sets the option that the first argument is; returns how many arguments after it are its value,
 * or `null` if it is none of `options`. `names` says which text names which: by default its
 * beginning does, too.
 */
export function takeOption(
  options: readonly Option[],
  args: readonly string[],
  names = (long: string, name: string): boolean => long.startsWith(name),
): number | null {
  const [arg = ''] = args
  const [name] = splitValue(arg.slice(2))
  const isKnown = options.some(({ short, long = '', negatable }) => {
    if (!arg.startsWith('--')) return arg.length > 1 && short === arg.charAt(1)
    return names(long, name) || (negatable && names(`no-${long}`, name))
  })
  const setOption: SetOption = ({ option, negated }, value) => option.set(value, negated)
  return isKnown ? parseOne(options, args, setOption) : null
}

type SetOption = (given: Given, value: string | undefined) => void

function parseOne(
  options: readonly Option[],
  [arg = '', next]: readonly string[],
  setOption: SetOption,
): number {
  if (!arg.startsWith('--')) return parseShort(options, arg, next, setOption)
  const [name, value] = splitValue(arg.slice(2))
  const given = findLong(options, name)
  const { option, negated } = given
  if (value !== undefined && (!option.value || negated)) {
    throw new Exit(129, `error: ${given.called} takes no value\n`)
  }
  const needsValue = value === undefined && option.value === 'required' && !negated
  if (needsValue && next === undefined) {
    throw new Exit(129, `error: ${given.called} requires a value\n`)
  }
  setOption(given, needsValue ? next : value)
  return needsValue ? 1 : 0
}

/** Sets a group such as `-rt`; returns how many arguments after it were its value. */
function parseShort(
  options: readonly Option[],
  arg: string,
  next: string | undefined,
  setOption: SetOption,
): number {
  for (let at = 1; at < arg.length; at++) {
    const [digits = ''] = /^[0-9]*/.exec(arg.slice(at)) ?? []
    const number = digits && options.find(({ short }) => short === '#')
    if (number) {
      setOption({ option: number, negated: false, called: `switch \`${digits}'` }, digits)
      at += digits.length - 1
      continue
    }
    const short = arg.charAt(at)
    const option = options.find((option) => option.short === short)
    if (short === 'h' && !option) throw new Help()
    if (!option) throw new Misused(`error: unknown switch \`${short}'\n`)
    const given = { option, negated: false, called: `switch \`${short}'` }
    if (!option.value) {
      setOption(given, undefined)
      continue
    }
    const value = arg.slice(at + 1) || undefined
    if (value !== undefined || option.value === 'optional') {
      setOption(given, value)
      return 0
    }
    if (next === undefined) throw new Exit(129, `error: ${given.called} requires a value\n`)
    setOption(given, next)
    return 1
  }
  return 0
}

function splitValue(text: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=')
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

/** Finds an option by its name, or by a prefix that no other option has. */
function findLong(options: readonly Option[], name: string): Given {
  if (name === 'help') throw new Help()
  const names: [name: string, given: Given][] = []
  for (const option of options) {
    if (option.long === undefined) continue
    const { long } = option
    names.push([long, { option, negated: false, called: `option \`${long}'` }])
    if (!option.negatable) continue
    names.push([`no-${long}`, { option, negated: true, called: `option \`no-${long}'` }])
  }
  const exact = names.find(([long]) => long === name)
  if (exact) return exact[1]
  const begun = names.filter(([long]) => long.startsWith(name))
  const [one, other] = begun.slice(-2)
  if (one && other) {
    const could = `could be --${one[0]} or --${other[0]}`
    throw new Misused(`error: ambiguous option: ${name} (${could})\n`)
  }
  if (one) return one[1]
  throw new Misused(`error: unknown option \`${name}'\n`, `--${name}`)
}
