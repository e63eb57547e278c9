/** Translates errors of the core into git's messages. */
import { isPacklensError, type PacklensError } from '../../../base/errors.js'

const several = (what: string, names: string) =>
  `${what}${names.includes(', ') ? 's' : ''} found:\n\t${names.split(', ').join('\n\t')}`

const LOG_ENDS = 'the reflog does not go back so far'
const NO_UPSTREAM = 'the branch has no upstream'
const itself = (subject: string) => subject

/** How git says that nothing describes a commit, after the core's words. */
const NO_DESCRIPTIONS: readonly (readonly [start: string, text: (subject: string) => string])[] = [
  ['No names found', () => 'No names found, cannot describe anything.'],
  ['no tag exactly matches', (oid) => `no tag exactly matches '${oid}'`],
  [
    'No annotated tags can describe',
    (oid) =>
      `No annotated tags can describe '${oid}'.\nHowever, there were unannotated tags: try --tags.`,
  ],
  [
    'No tags can describe',
    (oid) => `No tags can describe '${oid}'.\nTry --always, or create some tags.`,
  ],
]

/** git's messages, each by the beginning of the core's message. */
const MESSAGES: readonly (readonly [start: string, text: (subject: string) => string])[] = [
  [LOG_ENDS, itself],
  [NO_UPSTREAM, itself],
  ...NO_DESCRIPTIONS,
  ['did not receive expected object', (oid) => `did not receive expected object ${oid}`],
  ['the pack has an object twice', (oid) => `The same object ${oid} appears twice in the pack`],
  [
    'an object links to one of another type',
    (oid) => `Not all child objects of ${oid} are reachable`,
  ],
  ['an index file has damaged entries', itself],
  ['Unhandled message id', (id) => `Unhandled message id: ${id}`],
  ['Unknown fsck message type', (type) => `Unknown fsck message type: '${type}'`],
  ['Cannot demote', (which) => `Cannot demote ${which}`],
  ['invalid object name', (name) => `invalid object name: ${name}`],
  ['could not open object name list', (file) => `could not open object name list: ${file}`],
  [
    'unable to parse max tree entry len',
    (length) => `unable to parse max tree entry len: ${length}`,
  ],
  ['invalid tag', () => 'invalid tag'],
  ['a chain of replace refs is too long', (oid) => `replace depth too high for object ${oid}`],
  [
    'the version of the repository format is not supported',
    (version) => `Expected git repo version <= 1, found ${version}`,
  ],
  [
    'extensions of the repository format are not supported',
    (names) => several('unknown repository extension', names),
  ],
  [
    'a repository of version 0 cannot have these extensions',
    (names) => several('repo version is 0, but v1-only extension', names),
  ],
]

/** Returns whether git ends at once with an error: the name cannot mean anything else. */
export function isLast(error: unknown): error is PacklensError {
  return isPacklensError(error) && (isShortLog(error) || error.message.startsWith(NO_UPSTREAM))
}

/** Returns whether an error says that a reflog does not go back far enough. */
export function isShortLog(error: unknown): boolean {
  return isPacklensError(error) && error.message.startsWith(LOG_ENDS)
}

/** Returns whether an error says that nothing describes a commit. */
export function isNoDescription(error: unknown): error is PacklensError {
  if (!isPacklensError(error, 'NOT_FOUND')) return false
  return NO_DESCRIPTIONS.some(([start]) => error.message.startsWith(start))
}

/** Returns git's message for an error, or the core's if git has none. */
export function gitMessageOf({ message, subject = '' }: PacklensError): string {
  const found = MESSAGES.find(([start]) => message.startsWith(start))
  return found ? found[1](subject) : message
}
