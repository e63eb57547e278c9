/** The text that the page adds to Markdown. */
import { catalogue } from './language'

export const markdown = catalogue('markdown', {
  slow: 'This text takes too long to render.',
  task: 'Task',
  alerts: {
    note: 'Note',
    tip: 'Tip',
    important: 'Important',
    warning: 'Warning',
    caution: 'Caution',
  },
  outside: 'An image of another host, which is not loaded',
})

export type MarkdownWords = typeof markdown
