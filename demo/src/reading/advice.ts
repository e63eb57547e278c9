/** Describes errors in sentences: what happened, and what the user can do. */
import type { ErrorCode, PacklensError } from 'packlens'
import { isPacklensError } from 'packlens'
import { PartMissing } from '../load-part'
import { NotFound } from './page'

export interface Advice {
  readonly title: string
  readonly advice: string
  /** The message of the error. */
  readonly detail: string
}

const ADVICE: Readonly<Record<ErrorCode, readonly [title: string, advice: string]>> = {
  NOT_FOUND: [
    'This does not exist',
    'Choose a folder that holds a git repository. In a shallow clone some objects are missing, and only git can fetch them.',
  ],
  PROMISED: [
    'This object was never fetched',
    'The repository is a partial clone: git fetches missing objects on demand.',
  ],
  AMBIGUOUS: ['This short id stands for several objects', 'Use more of its digits.'],
  WRONG_TYPE: ['This object has another type', 'Go back and follow another link.'],
  CORRUPT: [
    'The repository is damaged, or is not a repository',
    'If it is one, "git fsck" lists the damage; a fresh clone usually helps.',
  ],
  UNSUPPORTED: [
    'packlens cannot read this format yet',
    'The format may be newer than this version; the message below names it.',
  ],
  LIMIT: ['This object is too large for the page', 'Open it with git on your computer instead.'],
  CHANGED: [
    'The files changed while they were read',
    'git may have repacked the repository: open it again.',
  ],
  NETWORK: [
    'The server did not answer as expected',
    'Try again in a while. A server of another site must allow pages to read it: the headers "Access-Control-Allow-Origin: *" and "Access-Control-Expose-Headers: Content-Range, ETag", and ranges of bytes.',
  ],
  SOURCE: [
    'A file could not be read',
    'Check its permissions, then open the repository again; the message below names it.',
  ],
  BAD_INPUT: ['This cannot be opened', 'Choose a folder with a repository, or a .pack file.'],
  ABORTED: ['Stopped', 'Nothing was changed.'],
  CLOSED: ['Another repository was opened meanwhile', 'Continue with that one.'],
  INTERNAL: [
    'packlens failed internally',
    'This is a defect: please report it with the message below. Other pages still work.',
  ],
}

const STILL = 'What was shown before still works.'

/** Whether a file of packlens could not be loaded: another try of this page would fail as well. */
function isPart({ code, subject }: PacklensError): boolean {
  return code === 'NETWORK' && /^packlens-\w+\.js$/.test(subject ?? '')
}

export function adviceFor(error: unknown): Advice {
  if (isPacklensError(error) && !isPart(error)) {
    const isOffline = error.code === 'NETWORK' && !navigator.onLine
    const [title, advice] = isOffline
      ? ['There is no network', `${STILL} Try again once there is one.`]
      : ADVICE[error.code]
    return { title, advice, detail: `${error.code}: ${error.message}` }
  }
  const detail = error instanceof Error ? error.message : String(error)
  if (error instanceof PartMissing || isPacklensError(error)) {
    const advice = `${STILL} Reload the page once its server can be reached.`
    return { title: 'A part of this page could not be loaded', advice, detail }
  }
  if (error instanceof NotFound) {
    const advice = 'Choose another branch or tag above, or go back.'
    return { title: 'Nothing here', advice, detail }
  }
  if (error instanceof DOMException) {
    const advice =
      'The browser did not let the page read this. Try again, or choose another folder.'
    return { title: 'The browser refused', advice, detail: `${error.name}: ${detail}` }
  }
  return { title: 'This did not work', advice: detail, detail: '' }
}

/** Says in a line of a view what happened. */
export function failureOf(error: unknown): string {
  const { title, detail } = adviceFor(error)
  return `${title}. ${detail}`
}
