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

export const SHELL = { completion }
