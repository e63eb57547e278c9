/** Errors as sentences: what happened, and what can be done about it. */
import type { ErrorCode } from 'packlens'
import { isPacklensError } from 'packlens'
import { NotThere } from './page'

export interface Advice {
  readonly title: string
  readonly advice: string
  /** What the error itself says. */
  readonly detail: string
}

const ADVICE: Readonly<Record<ErrorCode, readonly [title: string, advice: string]>> = {
  NOT_FOUND: [
    'It is not there',
    'Choose a folder that holds a git repository; in a shallow clone some objects are missing, and only git can fetch them.',
  ],
  PROMISED: [
    'This was never fetched',
    'The repository is a partial clone: git fetches what is missing when it is asked for it.',
  ],
  AMBIGUOUS: ['This short id stands for several objects', 'Use more of its digits.'],
  WRONG_TYPE: ['This is another kind of object', 'Go back and follow another link.'],
  CORRUPT: [
    'The repository is damaged, or is no repository',
    'If it is one, "git fsck" tells more; a fresh clone usually helps.',
  ],
  UNSUPPORTED: [
    'packlens cannot read this format yet',
    'It may be newer than this version; the message below names it.',
  ],
  LIMIT: ['This is larger than the page may hold', 'Open it with git on your computer instead.'],
  CHANGED: [
    'The files changed while they were read',
    'git may have repacked the repository: open it again.',
  ],
  NETWORK: ['The server did not answer as it should', 'Try again in a while.'],
  SOURCE: [
    'A file could not be read',
    'Check that it may be read, then open the repository again; the message below names it.',
  ],
  BAD_INPUT: ['This cannot be opened', 'Choose a folder with a repository, or a .pack file.'],
  ABORTED: ['Stopped', 'Nothing was changed.'],
  CLOSED: ['Another repository was opened meanwhile', 'Go on with that one.'],
  INTERNAL: [
    'packlens failed within',
    'This is a defect: please report it with the message below. The next page works again.',
  ],
}

export function adviceFor(error: unknown): Advice {
  if (isPacklensError(error)) {
    const [title, advice] = ADVICE[error.code]
    return { title, advice, detail: `${error.code}: ${error.message}` }
  }
  const detail = error instanceof Error ? error.message : String(error)
  if (error instanceof NotThere) {
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
