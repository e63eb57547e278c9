/** `cat-file --filter`: parses git's specs, which select the objects to output. */

import type { ObjectType } from '../../../base/types.js'
import { type Filter, filterFor, objectTypes } from '../../../objects/filter.js'
import { Exit, fatal } from '../base/exit.js'
import { sizeOf } from '../text/sizes.js'

/** All types but blob. */
const OTHERS = objectTypes.filter((type) => type !== 'blob')

/** The specs that git knows and `cat-file` refuses; some require a value of a certain form. */
const UNSUPPORTED = [
  { begin: 'tree:', called: 'tree', value: /^\s*\+?\d+[kmg]?$/i, expected: "'tree:<depth>'" },
  { begin: 'sparse:oid=', called: 'sparse:oid', value: /^/, expected: '' },
  { begin: 'combine:', called: 'combine', value: /./, expected: 'something after combine:' },
]

/** A filter, or the name of a filter that `cat-file` does not support. */
export type FilterSpec = { readonly filter: Filter } | { readonly unsupported: string }

/** Parses a filter spec. @throws Exit if git knows no such filter */
export function parseFilterSpec(spec: string): FilterSpec {
  if (spec === 'blob:none') return { filter: filterFor(OTHERS) }
  const limit = afterPrefix(spec, 'blob:limit=')
  const size = limit === undefined ? Number.NaN : sizeOf(limit)
  if (size === 0) return { filter: filterFor(OTHERS) }
  if (size > 0) return { filter: filterFor(objectTypes, ['blob'], 0, size - 1) }
  const type = afterPrefix(spec, 'object:type=')
  if (type !== undefined) {
    if (objectTypes.includes(type as ObjectType)) {
      return { filter: filterFor([type as ObjectType]) }
    }
    throw fatal(`'${type}' for 'object:type=<type>' is not a valid object type`)
  }
  for (const { begin, called, value, expected } of UNSUPPORTED) {
    const given = afterPrefix(spec, begin)
    if (given === undefined) continue
    if (!value.test(given)) throw fatal(`expected ${expected}`)
    return { unsupported: called }
  }
  if (spec.startsWith('sparse:path=')) {
    throw fatal('sparse:path filters support has been dropped')
  }
  if (spec === 'auto') throw fatal("'auto' filter not supported by this command")
  throw fatal(`invalid filter-spec '${spec}'`)
}

/** Returns the filter of specs; git combines several into a filter that `cat-file` refuses. */
export function filterOfSpecs(specs: readonly FilterSpec[], inBatch: boolean): Filter | undefined {
  const [spec] = specs
  if (!spec) return undefined
  const unsupported = specs.length > 1 ? 'combine' : 'unsupported' in spec && spec.unsupported
  if (unsupported) throw new Exit(129, `usage: objects filter not supported: '${unsupported}'\n`)
  if (!inBatch) throw new Exit(129, 'usage: objects filter only supported in batch mode\n')
  return 'filter' in spec ? spec.filter : undefined
}

function afterPrefix(spec: string, prefix: string): string | undefined {
  return spec.startsWith(prefix) ? spec.slice(prefix.length) : undefined
}
