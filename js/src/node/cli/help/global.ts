/** The description of the options before commands. */
import type { Description } from './description.js'

export const GLOBAL = {
  about: 'reads git repositories',
  usages: ['[<options>] <command> [<args>]'],
  groups: [
    {
      options: [
        ['-C <path>', 'run in this folder'],
        ['--git-dir=<path>', 'the git directory, as GIT_DIR names it'],
        ['-c <name>=<value>', 'set a variable of the configuration for this call'],
        ['--config-env=<name>=<variable>', 'the same, to what a variable of the environment has'],
        ['--attr-source=<tree-ish>', 'read attributes from this tree'],
        ['--no-replace-objects', 'do not use replace refs'],
        ['-p, --paginate', 'show output on a terminal in a pager: GIT_PAGER, PAGER or less'],
        ['-P, --no-pager', 'do not'],
        ['--literal-pathspecs', 'take pathspecs literally'],
        ['--glob-pathspecs', 'take pathspecs as globs, in which * matches no slash'],
        ['--noglob-pathspecs', 'take pathspecs literally that do not say otherwise'],
        ['--icase-pathspecs', 'match pathspecs without case'],
        ['-v, --version', 'print the version'],
        ['-h, --help', 'print this help'],
      ],
    },
  ],
  notes: `'packlens <command> --help' lists the options of a command. PACKLENS_MEMORY limits the
memory, such as 1g; the default is 512m. PACKLENS_VERIFY=crc compares the checksums of
packed entries instead of hashing their objects; none skips both checks.`,
} as const satisfies Description
