/** Descriptions of the commands that git has otherwise, or not at all. */
import type { Description } from './description.js'

const completion = {
  about: 'print the completion script of a shell',
  usages: ['(bash | zsh | fish)'],
  groups: [],
  notes: `Bash: eval "$(packlens completion bash)" in ~/.bashrc. Zsh: source <(packlens completion
zsh) in ~/.zshrc, after compinit. Fish: packlens completion fish | source in config.fish.`,
  words: ['bash', 'zsh', 'fish'],
} as const satisfies Description

const serve = {
  about: 'show a repository in a browser, and serve it to programs that open its URL',
  usages: ['[--port=<n>] [--host=<address>] [--cors=<origin>] [<directory>]'],
  groups: [
    {
      options: [
        ['--port <n>', 'the port; default any that is free'],
        ['--host <address>', 'the address; default 127.0.0.1, which only this machine reaches'],
        [
          '--cors <origin>',
          'let pages of this origin read, such as https://example.com; * for all',
        ],
      ],
    },
  ],
  notes: `Serves every file of the git directory, config included, and nothing outside of it, by
ranges; it lists refs and packs as git update-server-info would. Objects of alternates
are not served. A browser gets the viewer, which asks no other server.`,
} as const satisfies Description

export const SHELL = { completion, serve }
