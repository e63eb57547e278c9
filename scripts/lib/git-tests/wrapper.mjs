// Makes the `git` that git's tests run: commands that packlens has are answered by both programs.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../paths.mjs'

/** The commands of packlens that print what git's commands print. */
export const COMMANDS = [
  ...['archive', 'blame', 'cat-file', 'check-attr', 'check-ignore', 'describe', 'diff'],
  ...['diff-tree', 'for-each-ref', 'grep', 'last-modified', 'log', 'ls-files', 'ls-tree'],
  ...['merge-base', 'name-rev', 'rev-list', 'rev-parse', 'shortlog', 'show', 'show-ref'],
  ...['status', 'symbolic-ref'],
]

/** What packlens says of an option or a question that it does not have. */
const REFUSALS = [
  ...['does not support', 'unrecognized argument', 'unknown option', 'unknown switch'],
  ...['packlens [a-z-]* (reads no|searches|shows|needs|knows)', 'not a packlens command'],
  ...[
    'changes nothing',
    'runs no programs',
    'prints no long format',
    'is not supported',
    'are not supported',
    'cannot be used with',
    'no value for',
  ],
].join('|')

const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Writes the program into `folder`; its calls are recorded in `calls`. With `compare` tests get
 * git's answers, otherwise those of packlens, and git's only where packlens has none.
 */
export function writeWrapper(folder, { git, calls, compare }) {
  mkdirSync(folder, { recursive: true })
  // A shell script: arguments may hold any bytes, which Node would not pass on.
  const script = `#!/bin/sh
git=${quote(git)} calls=${quote(calls)}
skip= command=
for arg
do
	case "$skip$arg" in
	skip*) skip= ;;
	-C|-c|--git-dir|--work-tree|--namespace|--attr-source|--config-env) skip=skip ;;
	-*) ;;
	${COMMANDS.join('|')}) command=$arg; break ;;
	*) break ;;
	esac
done
# A terminal is not imitated, and what gives no place to record calls in is no test.
if test -z "$command" || test -z "$GIT_TEST_TEE_OUTPUT_FILE" || test -t 1
then
	exec "$git" "$@"
fi
# What is read from a pipe with a name is gone for the second program.
for arg
do
	if test -p "$arg" || test -p "\${arg#-O}"
	then
		exec "$git" "$@"
	fi
done
call=$(mktemp -d "$calls/XXXXXXXX") || exit 70
input=/dev/null
case "$command $* " in
shortlog*|*stdin*|*" --batch"*|*"=- "*|*" - "*) input=$call/input; cat >"$input" ;;
esac
timeout 30 node ${quote(inRoot('dist', 'node', 'cli', 'packlens.cjs'))} "$@" \\
	<"$input" >"$call/ours" 2>"$call/error"
ours=$?
refused=
case $ours in
128|129) grep -Eq ${quote(REFUSALS)} "$call/error" && refused=t ;;
esac
if ${compare ? 'true' : 'test "$refused"'}
then
	if test "$input" != /dev/null
	then
		exec <"$input"
	fi
	"$git" "$@" >"$call/theirs"
	theirs=$?
	if test $ours = $theirs && cmp -s "$call/ours" "$call/theirs"
	then
		kind=same
	elif test "$command $ours $theirs" = "archive 0 0" &&
		node ${quote(inRoot('scripts', 'lib', 'git-tests', 'same-archive.mjs'))} "$call/ours" "$call/theirs"
	then
		kind=same
	elif test "$refused"
	then
		kind=refused
	else
		kind=differs
	fi
	cat "$call/theirs"
else
	kind=own theirs=$ours
	cat "$call/ours"
	cat "$call/error" >&2
fi
echo "packlens-call $kind $command $(basename "$call")" >>"$GIT_TEST_TEE_OUTPUT_FILE"
case $kind in
same|own) rm -rf "$call" ;;
*)
	printf '%s\\0' "$@" >"$call/arguments"
	echo "$ours $theirs" >"$call/codes"
	pwd >"$call/folder"
	;;
esac
exit $theirs
`
  const file = join(folder, 'git')
  writeFileSync(file, script, { mode: 0o755 })
  return file
}
