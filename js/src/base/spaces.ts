/** What git counts as white space. */
const SPACES = ' \t\n\r'

/** Removes git's white space from both ends. A pattern would scan each gap from all its starts. */
export function trimSpaces(text: string): string {
  let start = 0
  while (start < text.length && SPACES.includes(text.charAt(start))) start++
  return trimEndSpaces(text.slice(start))
}

/** As {@link trimSpaces}, but only from the end. */
export function trimEndSpaces(text: string): string {
  let end = text.length
  while (end > 0 && SPACES.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
