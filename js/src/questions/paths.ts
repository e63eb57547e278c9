/** The paths that limit a question. */
import { encodeName, joinSpecs } from '../base/specs.js'
import type { PathOptions } from './reading.js'

/** Returns the elements of a pathspec as the core takes them. */
export function elementsOf({ path, pathspec }: PathOptions): Uint8Array<ArrayBuffer> | undefined {
  if (!path && !pathspec) return undefined
  return joinSpecs([...bytesOf(path, ':(literal)'), ...bytesOf(pathspec, '')])
}

function bytesOf(given: PathOptions['path'] = [], magic: string): Uint8Array[] {
  return [given].flat().map((one) => {
    return typeof one === 'string'
      ? encodeName(magic + one)
      : new Uint8Array([...encodeName(magic), ...one])
  })
}
