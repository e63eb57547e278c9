/** What the page says of errors: what happened, and what the user can do. */
import type { ErrorCode } from 'packlens'
import { catalogue } from './language'

const STILL = 'What was shown before still works.'

type Advice = readonly [title: string, advice: string]

/** The errors of packlens. */
const codes: Readonly<Record<ErrorCode, Advice>> = {
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

/** The errors of the page and of the browser. */
const own: Readonly<Record<'offline' | 'part' | 'notFound' | 'absent' | 'refused', Advice>> = {
  offline: ['There is no network', `${STILL} Try again once there is one.`],
  part: [
    'A part of this page could not be loaded',
    `${STILL} Reload the page once its server can be reached.`,
  ],
  notFound: ['Nothing here', 'Choose another branch or tag above, or go back.'],
  absent: [
    'This is not in the repository',
    'Check its id. A shallow or partial clone lacks objects, which only git can fetch.',
  ],
  refused: [
    'The browser refused',
    'The browser did not let the page read this. Try again, or choose another folder.',
  ],
}

export const errors = catalogue('errors', {
  codes,
  own,
  other: 'This did not work',

  // What an address names, and is not there.
  noRef: (rev: string) => `This repository has no branch or tag called ${rev}.`,
  noCommits: (ref: string) => `${ref} has no commits.`,
  nothingToCompare: 'There is nothing to compare.',
  noCommit: (oid: string, type: string) => `${oid} is a ${type}, not a commit.`,
  noTree: (ref: string) => `${ref} is not a tree.`,
  noPath: (path: string, ref: string) => `${path} does not exist in ${ref}.`,
  missing: (oid: string) => `${oid} is missing.`,

  // What cannot be opened.
  noAddress: (address: string) =>
    `“${address}” is not an address of a web server. It begins with https:// and leads to the folder of a repository, such as https://example.com/project.git`,
  noEmbedded: (file: string) => `The repository of this page is missing (${file}).`,
  noRepository: (folder: string) =>
    `${folder} holds no repository: choose a folder that has a .git folder.`,
  indexOnly: 'An index holds no objects: choose the .pack file that belongs to it, too.',
  choosePack:
    'Choose a .pack file, with its .idx file if you have it, a .bundle, or a folder or .zip file with a repository.',
  youChose: (advice: string, files: string) => `${advice} (You chose ${files}.)`,
})

export type ErrorWords = typeof errors
