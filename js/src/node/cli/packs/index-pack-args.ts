/** Parses the arguments of `index-pack`. */
import { fatal, Help, Misused } from '../base/exit.js'

/** The options that git has and packlens lacks. */
const LACKING = /^--(check-self-contained|index-version|pack_header)/

export interface IndexPackArgs {
  readonly pack: string | undefined
  readonly index: string | undefined
  readonly reverse: boolean
  readonly verify: boolean
  readonly stdin: boolean
  readonly fixThin: boolean
  /** The content of the `.keep` file; `undefined` for no such file. */
  readonly keep: string | undefined
  readonly promisor: string | undefined
  /** The most bytes of a pack; 0 for no limit. */
  readonly most: number
  readonly format: string | undefined
  readonly threads: string | undefined
  readonly collisions: 'detect' | 'trust'
  /** Whether to check objects, and that everything they link to exists. */
  readonly strict: 'no' | 'objects' | 'links'
  /** The lists of severities, as given, each after a comma. */
  readonly severities: string
}

type Mutable = { -readonly [name in keyof IndexPackArgs]: IndexPackArgs[name] }

/** Parses the arguments. @throws Exit if they are invalid */
export function parseIndexPack(args: readonly string[]): IndexPackArgs {
  const parsed: Mutable = {
    pack: undefined,
    index: undefined,
    reverse: false,
    verify: false,
    stdin: false,
    fixThin: false,
    keep: undefined,
    promisor: undefined,
    most: 0,
    format: undefined,
    threads: undefined,
    collisions: 'detect',
    strict: 'no',
    severities: '',
  }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const next = at + 1 < args.length ? args[at + 1] : undefined
    if (!arg.startsWith('-')) {
      if (parsed.pack !== undefined) throw new Misused()
      parsed.pack = arg
    } else if (arg === '-h') throw new Help()
    else if (arg === '-o' && parsed.index === undefined && next !== undefined) {
      parsed.index = next
      at++
    } else takeOption(parsed, arg)
  }
  check(parsed)
  return parsed
}

function takeOption(parsed: Mutable, arg: string): void {
  const value = arg.slice(arg.indexOf('=') + 1)
  if (arg === '-v') return
  if (arg === '--verify') parsed.verify = true
  else if (arg === '--stdin') parsed.stdin = true
  else if (arg === '--fix-thin') parsed.fixThin = true
  else if (arg === '--keep') parsed.keep = ''
  else if (arg.startsWith('--keep=')) parsed.keep = value
  else if (arg === '--promisor') parsed.promisor = ''
  else if (arg.startsWith('--promisor=')) parsed.promisor = value
  else if (arg === '--rev-index') parsed.reverse = true
  else if (arg === '--no-rev-index') parsed.reverse = false
  else if (arg.startsWith('--object-format=')) parsed.format = value
  else if (/^--threads=\d+$/.test(arg)) parsed.threads = value
  else if (/^--max-input-size=\d+$/.test(arg)) parsed.most = Number(value)
  else if (/^--(strict|fsck-objects)(=|$)/.test(arg)) {
    if (arg.startsWith('--strict')) parsed.strict = 'links'
    else if (parsed.strict === 'no') parsed.strict = 'objects'
    if (arg.includes('=')) parsed.severities += `,${value}`
  } else if (arg === '--collisions=detect') parsed.collisions = 'detect'
  else if (arg === '--collisions=trust') parsed.collisions = 'trust'
  else if (LACKING.test(arg)) throw fatal(`packlens index-pack does not support ${arg}`)
  else throw new Misused('', arg)
}

function check({ pack, stdin, fixThin, promisor, format, verify, index }: Mutable): void {
  if (pack === undefined && !stdin) throw new Misused()
  if (fixThin && !stdin) throw fatal("the option '--fix-thin' requires '--stdin'")
  if (promisor !== undefined && pack !== undefined) {
    throw fatal('--promisor cannot be used with a pack name')
  }
  if (stdin && format !== undefined) {
    throw fatal("options '--object-format' and '--stdin' cannot be used together")
  }
  if (stdin && verify && index === undefined) {
    throw fatal('--verify with no packfile name given')
  }
}
