/** The filters of `rev-list --use-bitmap-index`: those that need no paths and depths of objects. */
import type { ObjectType } from '../../../base/types.js'
import { type Filter, filterFor, matchesFilter, objectTypes } from '../../../objects/filter.js'
import { sizeOf } from '../text/sizes.js'

/** An object by its id, with its type and size. */
export interface Found {
  readonly oid: string
  readonly type: ObjectType
  readonly size: number
}

/** Returns whether objects pass all of some filters; `null` if bitmaps cannot answer that. */
export function bitmapFilter(specs: readonly string[]): ((object: Found) => boolean) | null {
  const filters = specs.flatMap((spec) => partsOf(spec)).map(filterNamed)
  const known = filters.filter((filter) => filter !== null)
  if (known.length < filters.length) return null
  return (object) => known.every((filter) => matchesFilter(filter, object))
}

/** How deeply filters may be nested; the walk says so of deeper ones, which are not known here. */
const DEEPEST = 16

/** Returns the filters that a combined one consists of. */
function partsOf(spec: string, depth = 0): string[] {
  const [, combined] = /^combine:(.+?)\+?$/s.exec(spec) ?? []
  if (combined === undefined || depth > DEEPEST) return [spec]
  const decoded = (part: string) =>
    part.replace(/%([0-9a-f]{2})/gi, (_, digits) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
  return combined.split('+').flatMap((part) => partsOf(decoded(part), depth + 1))
}

function filterNamed(spec: string): Filter | null {
  const [, name = spec, value = ''] = /^([^=]*)=(.*)$/s.exec(spec) ?? []
  const without = (...types: ObjectType[]) =>
    filterFor(objectTypes.filter((type) => !types.includes(type)))
  if (spec === 'blob:none') return without('blob')
  if (spec === 'tree:0') return without('blob', 'tree')
  const type = objectTypes.find((type) => type === value)
  if (name === 'object:type' && type) return filterFor([type])
  const size = name === 'blob:limit' ? sizeOf(value) : Number.NaN
  if (size === 0) return without('blob')
  return size > 0 ? filterFor(objectTypes, ['blob'], 0, size - 1) : null
}
