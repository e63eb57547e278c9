/** `config`: prints variables of the repository's configuration. */
import * as path from 'node:path'
import { isPacklensError, type PacklensError } from '../../../base/errors.js'
import type { ConfigVariable } from '../../../base/types.js'
import { canonicalName } from '../../../objects/config.js'
import { gitDirectoryAt } from '../../path-store.js'
import { environmentOf } from '../base/environment.js'
import { Exit, fatal } from '../base/exit.js'
import { type ConfigArgs, parseConfigArgs } from '../config/config-args.js'
import { wrongName } from '../config/config-key.js'
import { configVariables } from '../config/settings.js'
import type { Command, Opened } from '../opening/command.js'
import { bytesOfArgument, fromBytes, quotePath, toBytes } from '../text/bytes.js'

/** git's exit code for a malformed pattern. */
const BAD_PATTERN = 6

export function config(command: Command, args: readonly string[]): number {
  const parsed = parseConfigArgs(args)
  if (parsed.action === 'get' && !parsed.regexp) checkName(parsed.name)
  const opened = command.open()
  const directories = directoriesOf(command, opened)
  const variables = variablesOf(opened, parsed, directories)
  const matching = variables.filter((variable) => matches(variable, parsed))
  const printed = parsed.action === 'list' || parsed.all ? matching : matching.slice(-1)
  for (const variable of printed) {
    const parts = partsOf(printedOf(variable, parsed, directories), parsed)
    opened.io.write(Buffer.concat(parts))
  }
  if (parsed.action === 'list' || printed.length > 0) return 0
  if (parsed.default === undefined) return 1
  const nameBytes = Buffer.from(parsed.name)
  const given = {
    nameBytes,
    valueBytes: Buffer.from(parsed.default),
    scope: 'command',
    origin: 'command line:',
  }
  opened.io.write(Buffer.concat(partsOf(given, { ...parsed, scope: undefined })))
  return 0
}

/** @throws Exit for a name that no variable can have */
function checkName(name: string): void {
  const wrong = wrongName(name)
  if (wrong) throw new Exit(1, `error: ${wrong}: ${name}\n`)
}

function variablesOf(
  opened: Opened,
  parsed: ConfigArgs,
  directories: Directories,
): ConfigVariable[] {
  try {
    return configVariables(opened, {
      files: parsed.scope ?? 'both',
      // As in git, where one file is asked for.
      withoutIncludes: !(parsed.includes ?? parsed.scope === undefined),
      namePattern: parsed.regexp ? toBytes(bytesOfArgument(canonicalName(parsed.name))) : undefined,
      valuePattern:
        parsed.value === undefined || parsed.fixedValue
          ? undefined
          : toBytes(bytesOfArgument(parsed.value)),
    })
  } catch (error) {
    throw isPacklensError(error) ? exitOf(error, parsed, directories) : error
  }
}

function exitOf(error: PacklensError, { name }: ConfigArgs, directories: Directories): unknown {
  if (error.code === 'BAD_INPUT') {
    const isOfName = error.subject === canonicalName(name)
    const what = isOfName ? 'invalid key pattern' : 'invalid pattern'
    return new Exit(BAD_PATTERN, `error: ${what}: ${error.subject}\n`)
  }
  const [found, missing] = /^(?:bad config line|(missing value for 'include.path'))/.exec(
    error.message,
  ) ?? [null]
  if (found === null) return error
  const line = fatal(
    `bad config line ${error.subject} in file ${shownFile(error.file ?? '', directories)}`,
  )
  return missing === undefined ? line : new Exit(line.code, `error: ${missing}\n${line.message}`)
}

function matches({ name, nameBytes, value, valueBytes }: ConfigVariable, parsed: ConfigArgs) {
  const isNamed =
    parsed.action === 'list' ||
    parsed.regexp ||
    (name === canonicalName(parsed.name) &&
      Buffer.compare(nameBytes, Buffer.from(canonicalName(parsed.name))) === 0)
  if (!isNamed || !parsed.fixedValue || parsed.value === undefined) return isNamed
  const wanted = Buffer.from(parsed.value)
  return (value ?? '') === parsed.value && Buffer.compare(valueBytes ?? Buffer.of(), wanted) === 0
}

/** What is printed of a variable: the scope and the origin as git has them. */
interface Printed extends Pick<ConfigVariable, 'nameBytes' | 'valueBytes'> {
  readonly scope: string
  readonly origin: string
}

function printedOf(
  variable: ConfigVariable,
  { scope }: ConfigArgs,
  directories: Directories,
): Printed {
  const { nameBytes, valueBytes, file } = variable
  const place = variable.scope === 'local' ? directories.common : directories.own
  const origin = `file:${path.isAbsolute(file) ? file : place + file}`
  // Where one file is asked for, git calls it local.
  return { nameBytes, valueBytes, scope: scope ? 'local' : variable.scope, origin }
}

function partsOf(
  { nameBytes, valueBytes, scope, origin }: Printed,
  parsed: ConfigArgs,
): Uint8Array[] {
  const { action, nameOnly, nul, showNames, showOrigin, showScope } = parsed
  const text = (value: string) => Buffer.from(value, 'latin1')
  const between = text(nul ? '\0' : '\t')
  const parts: Uint8Array[] = []
  if (showScope) parts.push(text(scope), between)
  if (showOrigin) parts.push(text(quotedOrigin(fromBytes(Buffer.from(origin)), nul)), between)
  const isNamed = action === 'list' || showNames
  if (isNamed) parts.push(nameBytes)
  if (!nameOnly && valueBytes) {
    if (isNamed) parts.push(text(nul ? '\n' : action === 'list' ? '=' : ' '))
    parts.push(valueBytes)
  }
  return [...parts, text(nul ? '\0' : '\n')]
}

function quotedOrigin(origin: string, nul: boolean): string {
  const [, kind = '', file = ''] = /^([^:]*:)(.*)$/s.exec(origin) ?? []
  return kind + (nul ? file : quotePath(file))
}

/** The directories of the files as git shows them: empty, or with a slash at the end. */
interface Directories {
  readonly common: string
  readonly own: string
}

function directoriesOf({ io, gitDir: named }: Command, { place }: Opened): Directories {
  const { gitDir, top } = place
  const common = gitDirectoryAt(gitDir, environmentOf(io).directories)?.commonDir ?? gitDir
  if (common !== gitDir) return { common: `${common}/`, own: `${gitDir}/` }
  const both = (shown: string) => ({ common: shown, own: shown })
  if (named !== undefined) return both(`${named}/`)
  if (gitDir === io.cwd) return both('')
  return both(top !== null && gitDir === path.join(top, '.git') ? '.git/' : `${gitDir}/`)
}

/** Returns the file of an error, whose path is that in the source. */
function shownFile(file: string, { common, own }: Directories): string {
  if (path.isAbsolute(file)) return file
  const [, prefix, name = file] = /^(\.worktree|main-worktree)\/(.*)$/s.exec(file) ?? []
  return `${prefix === '.worktree' || file === 'config.worktree' ? own : common}${name}`
}
