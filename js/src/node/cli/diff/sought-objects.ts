/** `--find-object`: only changes that an object is added or removed by are printed. */

import type { Option } from '../args/options.js'
import { Exit, fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { bytesOfArgument } from '../text/bytes.js'
import type { DiffArgs } from './diff-args.js'
import type { DiffFilter } from './diff-filter.js'

export function soughtOption(args: Pick<DiffArgs, 'sought'>): Option {
  return {
    ...{ long: 'find-object', value: 'required' },
    set: (value = '') => args.sought.push(value),
  }
}

/**
 * Returns the filter of changes: `filter`, and the objects that are looked for. For a tree, changes of
 * trees are listed.
 * @throws Exit for what names no object, and beside `-S` and `-G`
 */
export function soughtFilter(
  { names, reader }: Opened,
  args: DiffArgs & { showTrees: boolean },
  filter: DiffFilter | null,
): DiffFilter | null {
  args.choosesKinds = filter !== null
  if (args.sought.length === 0) return filter
  const { pickaxe, pickaxeAll } = args.pickaxe
  if (pickaxe !== undefined) {
    throw fatal("options '-G', '-S', and '--find-object' cannot be used together")
  }
  if (pickaxeAll) throw fatal('packlens does not support --pickaxe-all with --find-object')
  const ids = new Set<string | null>()
  for (const name of args.sought) {
    const oid = names.find(bytesOfArgument(name))
    if (oid === null) throw new Exit(129, `error: unable to resolve '${name}'\n`)
    ids.add(oid)
    if (reader.info(oid)?.type === 'tree') args.showTrees = true
  }
  return (change) => {
    const isSought = ids.has(change.oldOid) || ids.has(change.newOid)
    return isSought && (filter?.(change) ?? true)
  }
}
