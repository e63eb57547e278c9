/** The text that the page adds to Markdown. */
export const markdown = {
  slow: 'This text takes too long to render.',
  task: 'Task',
  outside: 'An image of another host, which is not loaded',
}

export type MarkdownWords = typeof markdown
