// Which calls of git's tests ask for something else than reading what a repository has. Each has a
// reason, by which they are counted; a case with such a call counts as one about that, unless
// another of its calls is refused or differs.

/** Calls by their command, their arguments, what packlens says, and what git answers. */
const RULES = [
  {
    reason: 'the index or a work tree',
    commands: ['diff'],
    error:
      /reads no work tree and no index|does not support --(cached|staged|merge-base|base|ours|theirs)\b/,
  },
  // A file that only the work tree has, or whose name is taken for that of a revision.
  {
    reason: 'the index or a work tree',
    commands: ['diff'],
    error: /ambiguous argument|unknown option `(cached|staged|base|ours|theirs|ita)/,
  },
  {
    reason: 'the index or a work tree',
    commands: ['grep'],
    error:
      /searches trees and blobs|does not support --(cached|untracked)|`exclude-standard|`no-exclude/,
  },
  { reason: 'the index or a work tree', commands: ['blame'], error: /--contents|no such path/ },
  { reason: 'the index or a work tree', commands: ['blame'], answer: /Not Committed Yet/ },
  {
    reason: 'the index or a work tree',
    commands: ['describe'],
    error: /--(dirty|broken|work-tree)/,
  },
  {
    reason: 'the index or a work tree',
    commands: ['archive'],
    error: /--(worktree-attributes|add-file|add-virtual-file)/,
  },
  { reason: 'the index or a work tree', commands: ['rev-list'], error: /--indexed-objects/ },
  { reason: 'the index or a work tree', commands: ['log'], error: /does not support --merge$/ },
  // It compares the index and the work tree.
  { reason: 'the index or a work tree', commands: ['status'], error: /--verbose/ },
  { reason: 'files outside of repositories', error: /--no-index/ },
  { reason: 'files outside of repositories', args: /^--no-index$/ },
  { reason: 'files outside of repositories', error: /^fatal: not a git repository/ },
  { reason: 'other repositories', commands: ['archive'], error: /--remote/ },
  {
    reason: 'other repositories',
    error: /(--|`(no-)?)(submodule|recurse-submodules|ignore-submodules)/,
  },
  // A partial clone asks its remote for what it lacks.
  { reason: 'other repositories', script: /^t4067/, error: /there is no such object/ },
  { reason: 'writing', error: /changes nothing|does not support --output/ },
  {
    reason: 'programs that git runs',
    error:
      /--(show-signature|no-show-signature|ext-diff|textconv|open-files-in-pager)|`(no-)?textconv/,
  },
  { reason: 'programs that git runs', error: /%G[?GKFPTS]|%\(signature/ },
  { reason: 'programs that git runs', answer: /^gpg: /m },
  { reason: 'programs that git runs', args: /^diff\..*\.(textconv|command)=/ },
  { reason: 'programs that git runs', script: /^t4030|^t4042|^t8006/ },
  {
    reason: 'programs that git runs',
    commands: ['archive'],
    error: /packlens archive runs no programs/,
  },
]

const fits = (pattern, text) => pattern === undefined || pattern.test(text)

/** Returns why a call is not about reading a repository; `null` if it is. */
export function reasonOf({ script, command, args, error, answer }) {
  const rule = RULES.find(
    (one) =>
      (one.commands === undefined || one.commands.includes(command)) &&
      fits(one.script, script) &&
      fits(one.error, error) &&
      fits(one.answer, answer) &&
      (one.args === undefined || args.some((arg) => one.args.test(arg))),
  )
  return rule?.reason ?? null
}
