/** Which objects are wanted, by type and size. */
import type { Filter } from './engine.js'
import type { ObjectType } from './types.js'

/** Chooses among objects. */
export interface ObjectFilter {
  /** Only objects of this type, or of one of these. Default: all types. */
  readonly type?: ObjectType | readonly ObjectType[] | undefined
  /** Only objects whose content has at least so many bytes. */
  readonly minSize?: number | undefined
  /** Only objects whose content has at most so many bytes. */
  readonly maxSize?: number | undefined
}

export const objectTypes = ['commit', 'tree', 'blob', 'tag'] as const

/** Of the bits of `types` those that name the types whose sizes matter lie so far left. */
const SIZED = 4

/** The filter that wants all objects of `types`; of `sized` only those of a size. */
export function filterFor(
  types: readonly ObjectType[],
  sized: readonly ObjectType[] = [],
  least = 0,
  most = Number.POSITIVE_INFINITY,
): Filter {
  return { types: bitsOf(types) | (bitsOf(sized) << SIZED), least, most }
}

/** Tells whether a filter wants an object. */
export function isWanted(
  { types, least, most }: Filter,
  { type, size }: { readonly type: ObjectType; readonly size: number },
): boolean {
  const bits = bitsOf([type])
  if ((types & bits) === 0) return false
  return ((types >> SIZED) & bits) === 0 || (size >= least && size <= most)
}

export function filterOf({ type, minSize, maxSize }: ObjectFilter): Filter {
  const types = type === undefined ? objectTypes : typeof type === 'string' ? [type] : type
  return filterFor(types, objectTypes, minSize, maxSize)
}

/** The number that packs, and the core, have for a type. */
export function numberOf(type: ObjectType): number {
  return objectTypes.indexOf(type) + 1
}

function bitsOf(types: readonly ObjectType[]): number {
  return types.reduce((bits, type) => bits | (1 << numberOf(type)), 0)
}
