/**
 * git's configuration of the system, of the user and of the command line, beside the repository's
 * own. The core reads only the latter: here it gets the variables that count for the files of a work tree.
 */
import * as path from 'node:path'
import { isPacklensError } from '../../../base/errors.js'
import type { ConfigVariable } from '../../../base/types.js'
import { fileFrom } from '../../../source/bytes.js'
import { overlayStore } from '../../../source/overlay.js'
import type { FileStore } from '../../../source/store.js'
import { gitInWorktree } from '../../../source/worktree.js'
import { pathStore } from '../../path-store.js'
import type { Environment } from '../base/environment.js'
import { fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { configFiles, defaultFile } from '../config/config-files.js'
import { configVariables } from '../config/settings.js'
import type { Place } from '../repository/place.js'
import { openReader } from '../repository/reader.js'
import { bytesOfArgument, fromBytes, toBytes } from '../text/bytes.js'
import type { Setting } from './command-config.js'
import { commandSettings } from './command-config.js'

/** The variables that the core reads. Those of the format of a repository are its own alone. */
const COUNTING =
  /^(core\.(excludesfile|attributesfile|ignorecase|autocrlf|eol|filemode|symlinks|trustctime|checkstat)|(status|diff)\.(renames|renamelimit)|diff\.ignoresubmodules|status\.showuntrackedfiles|submodule\..*\.ignore|filter\..*\.(clean|process))$/s

/** Variables by name, the last value of each: bytes as characters. */
type Values = Map<string, string | null>

/** A repository whose `config` has the user's variables, too. */
export interface ConfiguredStore {
  readonly store: FileStore
  /** The path of the file that `core.excludesFile` names, as git shows it. */
  readonly excludesFile: string | null
}

/** Opens the files of a repository. @throws Exit for a file of configuration that is malformed */
export function configuredStore(
  { gitDir, top }: Pick<Place, 'gitDir' | 'top'>,
  io: Io,
  environment: Environment,
): ConfiguredStore {
  const all = allVariables({ gitDir }, io, environment)
  const { values, excludesFile } = countingValues(all, io, top)
  const store = pathStore(gitDir, environment.directories)
  const configured = withConfig(store, `${textOf(store)}\n${lines(values)}`)
  const forSubmodules = once(() => {
    const ofUser = variablesIn('', { gitDir }, io, environment)
    const before = lines(countingValues(ofUser, io, top).values)
    return { before, after: lines(givenValues(io, top)) }
  })
  return { store: withSubmodules(configured, forSubmodules), excludesFile }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Returns the variables that the core reads, with the files that git reads by default. */
function countingValues(
  variables: readonly ConfigVariable[],
  io: Io,
  top: string | null,
): { readonly values: Values; readonly excludesFile: string | null } {
  const values: Values = new Map()
  for (const { nameBytes, valueBytes } of variables) {
    const name = fromBytes(nameBytes)
    if (COUNTING.test(name)) values.set(name, valueBytes && fromBytes(valueBytes))
  }
  const excludesFile = pathOf(values, 'core.excludesfile', io) ?? defaultFile(io, 'ignore')
  const attributesFile = pathOf(values, 'core.attributesfile', io) ?? defaultFile(io, 'attributes')
  const absolute = (file: string) => absolutePath(file, io, top)
  if (excludesFile !== null) values.set('core.excludesfile', absolute(excludesFile))
  if (attributesFile !== null) values.set('core.attributesfile', absolute(attributesFile))
  return { values, excludesFile }
}

/** Returns the variables of the command line that the core reads. */
function givenValues(io: Io, top: string | null): Values {
  const values: Values = new Map()
  for (const [given, value] of commandSettings(io)) {
    const [, section = '', sub = '', name = ''] = /^([^.]*)(\..*)?\.([^.]*)$/s.exec(given) ?? []
    const canonical = bytesOfArgument(`${section.toLowerCase()}${sub}.${name.toLowerCase()}`)
    if (COUNTING.test(canonical)) values.set(canonical, value && bytesOfArgument(value))
  }
  for (const name of ['core.excludesfile', 'core.attributesfile']) {
    const file = pathOf(values, name, io)
    if (file !== null) values.set(name, absolutePath(file, io, top))
  }
  return values
}

/** Returns a path of the configuration; a relative one begins at the top of the work tree. */
function absolutePath(file: string, io: Io, top: string | null): string {
  // An empty one, which names no file, is a directory here.
  return file.startsWith('/') ? file : `${bytesOfArgument(top ?? io.cwd)}/${file}`
}

/** Puts lines around the `config` of each submodule: the user's, and those of the command line. */
function withSubmodules(
  store: FileStore,
  around: () => { readonly before: string; readonly after: string },
): FileStore {
  const isConfig = (name: string) => name.endsWith(`${gitInWorktree}config`)
  return {
    ...store,
    open: (name, bytes, options) => {
      if (!isConfig(name)) return store.open(name, bytes, options)
      const { before, after } = around()
      return fileFrom(toBytes(`${before}\n${textOf(store, name, bytes)}\n${after}`))
    },
  }
}

function withConfig(store: FileStore, text: string): FileStore {
  return overlayStore(store, new Map([['config', fileFrom(toBytes(text))]]))
}

/** Returns the repository's own configuration, or that of a submodule. */
export function textOf(
  store: FileStore,
  name = 'config',
  path: Uint8Array = toBytes(name),
): string {
  const file = store.open(name, path)
  if (file === null || !('readInto' in file)) return ''
  const bytes = new Uint8Array(file.size)
  const text = fromBytes(bytes.subarray(0, file.readInto(0, bytes)))
  file.close?.()
  return text
}

/** Returns lines that include files as if they were at the beginning. */
function includes(files: readonly string[]): string {
  return files.map((file) => `[include]\n\tpath = ${quoted(bytesOfArgument(file))}\n`).join('')
}

/**
 * Lists the variables of the system, of the user, of the repository and of the command line: later
 * ones take precedence.
 * @throws Exit for configuration that is malformed
 */
export function allVariables(
  { gitDir }: Pick<Place, 'gitDir'>,
  io: Io,
  environment: Environment,
): ConfigVariable[] {
  const given = commandSettings(io).map(([name, value]): Setting => {
    return [bytesOfArgument(name), value && bytesOfArgument(value)]
  })
  const own = textOf(pathStore(gitDir, environment.directories))
  return variablesIn(`${own}\n${lines(given)}`, { gitDir }, io, environment)
}

/** As {@link allVariables}, of the system, of the user and of a text. */
function variablesIn(
  text: string,
  { gitDir }: Pick<Place, 'gitDir'>,
  io: Io,
  environment: Environment,
): ConfigVariable[] {
  const store = pathStore(gitDir, environment.directories)
  const whole = withConfig(store, `${includes(configFiles(io))}${text}`)
  const reader = openReader(whole, io, environment)
  try {
    return configVariables({ io, place: { gitDir }, reader })
  } catch (error) {
    const isMalformed = isPacklensError(error) && /^bad config line/.test(error.message)
    if (!isMalformed || !path.isAbsolute(error.file ?? '')) throw error
    throw fatal(`bad config line ${error.subject} in file ${error.file}`)
  } finally {
    reader.close()
  }
}

/** Returns the path of a variable as git shows it; `null` if it is not set. */
function pathOf(values: Values, name: string, { env }: Io): string | null {
  const value = values.get(name)
  if (value === undefined || value === null) return null
  if (!value.startsWith('~')) return value
  if (value.startsWith('~/') && env.HOME) return `${bytesOfArgument(env.HOME)}${value.slice(1)}`
  throw fatal(`failed to expand user dir in: '${value}'`)
}

/** Returns variables as a file of configuration has them. */
function lines(values: Iterable<Setting>): string {
  const all = [...values].map(([name, value]) => {
    const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')]
    const sub = first === last ? '' : ` ${quoted(name.slice(first + 1, last))}`
    const setting = value === null ? '' : ` = ${quoted(value)}`
    return `[${name.slice(0, first)}${sub}]\n\t${name.slice(last + 1)}${setting}\n`
  })
  return all.join('')
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
