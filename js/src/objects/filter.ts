/** Filters of objects, by type and size. */
import { OBJECT_TYPES, type ObjectsQuestion } from '../base/protocol.js'
import type { ObjectType } from '../base/types.js'

/** Selects objects by type and size. */
export interface ObjectFilter {
  /** Selects objects of this type, or of one of these. Default: all types. */
  readonly type?: ObjectType | readonly ObjectType[] | undefined
  /** The smallest size of the content, in bytes. Default: 0. */
  readonly minSize?: number | undefined
  /** The largest size of the content, in bytes. Default: no limit. */
  readonly maxSize?: number | undefined
}

export const objectTypes: readonly ObjectType[] = OBJECT_TYPES

/** A filter in the core's form: objects of `types`; those of `sized` need a size in range. */
export type Filter = Pick<ObjectsQuestion, 'types' | 'sized' | 'least' | 'most'>

/** Returns a filter for objects of `types`; those of `sized` need `least` to `most` bytes. */
export function filterFor(
  types: readonly ObjectType[],
  sized: readonly ObjectType[] = [],
  least = 0,
  most = Number.POSITIVE_INFINITY,
): Filter {
  return { types, sized, least, most }
}

/** Returns whether an object passes a filter. */
export function matchesFilter(
  { types, sized, least = 0, most = Number.POSITIVE_INFINITY }: Filter,
  { type, size }: { readonly type: ObjectType; readonly size: number },
): boolean {
  if (!types.includes(type)) return false
  return !sized.includes(type) || (size >= least && size <= most)
}

export function filterOf({ type, minSize, maxSize }: ObjectFilter): Filter {
  const types = type === undefined ? objectTypes : typeof type === 'string' ? [type] : type
  return filterFor(types, objectTypes, minSize, maxSize)
}

/** Returns the number of a type in packs and in the core. */
export function numberOf(type: ObjectType): number {
  return objectTypes.indexOf(type) + 1
}
