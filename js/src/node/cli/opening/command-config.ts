/**
 * The configuration of the command line: `-c`, `--config-env`, and the variables of the environment
 * by which git passes it on. It takes precedence over every file.
 */
import * as path from 'node:path'
import { Exit, fatal, Misused } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { wrongName } from '../config/config-key.js'

/** A name and a value; `null` without an equals sign. */
export type Setting = readonly [name: string, value: string | null]

type Env = Io['env']

/** The most variables that git counts. */
const MOST = 2 ** 31 - 1

const QUOTED = String.raw`'((?:[^']|'\\[!']')*)'`

/** A variable as `'name'='value'`, `'name'=`, or in the older form as `'name=value'`. */
const PARAMETER = new RegExp(String.raw`${QUOTED}(=(?:${QUOTED})?)?(?:\s+|$)`, 'y')

/** Adds the variable that `-c` names to the environment. */
export function withSetting(env: Env, text: string | undefined): Env {
  if (text === undefined) throw new Misused('-c expects a configuration string\n')
  const at = text.indexOf('=')
  return at < 0 ? adding(env, [text, null]) : adding(env, [text.slice(0, at), text.slice(at + 1)])
}

/** Adds the variable that `--config-env` names, the value of which is in the environment. */
export function withSettingOf(env: Env, text: string | undefined): Env {
  if (text === undefined) throw new Misused('no config key given for --config-env\n')
  const at = text.lastIndexOf('=')
  if (at < 0) throw fatal(`invalid config format: ${text}`)
  const [name, from] = [text.slice(0, at), text.slice(at + 1)]
  if (from === '') throw fatal(`missing environment variable name for configuration '${name}'`)
  const value = env[from]
  if (value === undefined) {
    throw fatal(`missing environment variable '${from}' for configuration '${name}'`)
  }
  return adding(env, [name, value])
}

function adding(env: Env, [name, value]: Setting): Env {
  const own = `${quoted(name)}=${value === null ? '' : quoted(value)}`
  const before = env.GIT_CONFIG_PARAMETERS
  return { ...env, GIT_CONFIG_PARAMETERS: before ? `${before} ${own}` : own }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Lists the variables; later ones take precedence. @throws Exit for malformed ones */
export function commandSettings({ env }: Pick<Io, 'env'>): Setting[] {
  const settings = [...counted(env), ...parameters(env.GIT_CONFIG_PARAMETERS ?? '')]
  for (const [name, value] of settings) {
    const wrong = wrongName(name)
    if (name === '') throw malformed('empty config key')
    if (wrong) throw malformed(`${wrong}: ${name}`)
    const isInclude = /^include(if\..*)?\.path$/is.test(name)
    if (isInclude && value !== null && !path.isAbsolute(value) && !value.startsWith('~')) {
      throw malformed('relative config includes must come from files')
    }
  }
  return settings
}

/** Returns the variables of `GIT_CONFIG_COUNT`. */
function counted(env: Env): Setting[] {
  const text = env.GIT_CONFIG_COUNT ?? ''
  if (text === '') return []
  if (!/^\s*[+-]?\d+$/.test(text)) throw malformed('bogus count in GIT_CONFIG_COUNT')
  const count = Number(text)
  if (count < 0 || count > MOST) throw malformed('too many entries in GIT_CONFIG_COUNT')
  const settings: Setting[] = []
  for (let at = 0; at < count; at++) {
    const of = (what: string) => {
      const found = env[`GIT_CONFIG_${what.toUpperCase()}_${at}`]
      if (found !== undefined) return found
      throw malformed(`missing config ${what} GIT_CONFIG_${what.toUpperCase()}_${at}`)
    }
    settings.push([of('key'), of('value')])
  }
  return settings
}

/** Returns the variables of `GIT_CONFIG_PARAMETERS`. */
function parameters(text: string): Setting[] {
  const settings: Setting[] = []
  const plain = (part: string) => part.replace(/'\\([!'])'/g, '$1')
  PARAMETER.lastIndex = 0
  while (PARAMETER.lastIndex < text.length) {
    const [found, first = '', sign, value] = PARAMETER.exec(text) ?? []
    if (found === undefined) throw malformed('bogus format in GIT_CONFIG_PARAMETERS')
    const name = plain(first)
    const at = sign === undefined ? name.indexOf('=') : -1
    if (at >= 0) settings.push([name.slice(0, at), name.slice(at + 1)])
    else settings.push([name, value === undefined ? null : plain(value)])
  }
  return settings
}

function malformed(what: string): Exit {
  return new Exit(128, `error: ${what}\nfatal: unable to parse command-line config\n`)
}
