/** The parts of a commit's message, as `git log` divides it. */
import { trimEndSpaces } from '../../../base/spaces.js'

/** A message without the empty lines before it, and where its first paragraph ends. */
export interface MessageParts {
  /** The lines of the first paragraph, without white space at their ends. */
  readonly subject: readonly string[]
  /** What follows, from the first line that is not empty. */
  readonly body: string
}

/** Removes the empty lines at the beginning of a text. */
export function skipBlankLines(text: string): string {
  let at = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
    if (trimEndSpaces(text.slice(at, end)) !== '') break
    at = end + 1
  }
  const rest = text.slice(at)
  return trimEndSpaces(rest) === '' && !rest.includes('\n') ? '' : rest
}

/** Divides a message. */
export function messageParts(message: string): MessageParts {
  const text = skipBlankLines(message)
  const subject: string[] = []
  let at = 0
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const line = trimEndSpaces(text.slice(at, end < 0 ? undefined : end))
    at = end < 0 ? text.length : end + 1
    if (line === '') break
    subject.push(line)
  }
  return { subject, body: skipBlankLines(text.slice(at)) }
}
