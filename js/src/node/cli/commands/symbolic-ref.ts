/** `symbolic-ref`: prints the ref that a symbolic ref points at. */

import { parseOptions } from '../args/options.js'
import { fatal, Misused } from '../base/exit.js'
import type { Command } from '../opening/command.js'
import { readRef, shortenRefname } from '../refs/refnames.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'

const MOST_HOPS = 5

export function symbolicRef(command: Command, args: readonly string[]): number {
  let quiet = false
  let short = false
  let recurse = true
  const writes = () => {
    throw fatal('packlens symbolic-ref changes nothing')
  }
  const options = [
    { short: 'q', long: 'quiet', negatable: true, set: (_: unknown, no: boolean) => (quiet = !no) },
    { short: 'd', long: 'delete', set: writes },
    { long: 'short', negatable: true, set: (_: unknown, no: boolean) => (short = !no) },
    { long: 'recurse', negatable: true, set: (_: unknown, no: boolean) => (recurse = !no) },
    { short: 'm', value: 'required' as const, set: writes },
  ]
  const rest = parseOptions(options, args)
  const [name] = rest
  if (name === undefined || rest.length > 2) throw new Misused()
  if (rest.length === 2) writes()
  const { io, reader } = command.open()
  let target: string | null = null
  let next: string | null = bytesOfArgument(name)
  for (let hops = 0; next !== null; hops++) {
    if (hops > MOST_HOPS) throw fatal(`No such ref: ${name}`)
    const ref = readRef(reader, next)
    if (ref && ref.oid === null && ref.target === null) throw fatal(`No such ref: ${name}`)
    next = ref?.target == null ? null : bytesOfArgument(ref.target)
    target = next ?? target
    if (!recurse) break
  }
  if (target === null) {
    if (quiet) return 1
    throw fatal(`ref ${name} is not a symbolic ref`)
  }
  io.write(toBytes(`${short ? shortenRefname(reader, target, false) : target}\n`))
  return 0
}
