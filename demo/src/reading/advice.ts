/** Describes errors in sentences: what happened, and what the user can do. */
import type { PacklensError } from 'packlens'
import { isPacklensError } from 'packlens'
import { PartMissing } from '../load-part'
import { errors } from '../words/errors'
import { NotFound } from './page'

export interface Advice {
  readonly title: string
  readonly advice: string
  /** The message of the error. */
  readonly detail: string
}

/** Whether a file of packlens could not be loaded: another try of this page would fail as well. */
function isPart({ code, subject }: PacklensError): boolean {
  return code === 'NETWORK' && /^packlens-\w+\.js$/.test(subject ?? '')
}

/** `opening` says that no repository is open yet: what is missing then is the repository itself. */
export function adviceFor(error: unknown, opening = false): Advice {
  const { codes, own, other } = errors
  const advise = ([title, advice]: readonly [string, string], detail: string): Advice => {
    return { title, advice, detail }
  }
  if (isPacklensError(error) && !isPart(error)) {
    const isOffline = error.code === 'NETWORK' && !navigator.onLine
    const isAbsent = error.code === 'NOT_FOUND' && !opening
    const text = isOffline ? own.offline : isAbsent ? own.absent : codes[error.code]
    return advise(text, `${error.code}: ${error.message}`)
  }
  const detail = error instanceof Error ? error.message : String(error)
  if (error instanceof PartMissing || isPacklensError(error)) return advise(own.part, detail)
  if (error instanceof NotFound) return advise(own.notFound, detail)
  if (error instanceof DOMException) return advise(own.refused, `${error.name}: ${detail}`)
  return { title: other, advice: detail, detail: '' }
}

/** Says in a line of a view what happened. */
export function failureOf(error: unknown): string {
  const { title, detail } = adviceFor(error)
  return `${title}. ${detail}`
}
