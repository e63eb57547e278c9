/** Which objects are wanted, by type and size. */
import { OBJECT_TYPES, type ObjectsQuestion } from './protocol.js'
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

export const objectTypes: readonly ObjectType[] = OBJECT_TYPES

/** Which objects are wanted: of those types, and of some only those of a size. */
export type Filter = Pick<ObjectsQuestion, 'types' | 'sized' | 'least' | 'most'>

/** The filter that wants all objects of `types`; of `sized` only those of a size. */
export function filterFor(
  types: readonly ObjectType[],
  sized: readonly ObjectType[] = [],
  least = 0,
  most = Number.POSITIVE_INFINITY,
): Filter {
  return { types, sized, least, most }
}

/** Tells whether a filter wants an object. */
export function isWanted(
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

/** The number that packs, and the core, have for a type. */
export function numberOf(type: ObjectType): number {
  return objectTypes.indexOf(type) + 1
}
