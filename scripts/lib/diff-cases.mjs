// Random questions about changes: arguments of `diff`, `diff-tree`, `show` and `log -p`.

/** Options of all of these, by their subject; one of each is chosen, mostly none. */
const OPTIONS = {
  words: [
    ...[['--word-diff'], ['--word-diff=plain'], ['--word-diff=porcelain'], ['--word-diff=none']],
    ...[['--word-diff=color'], ['--color-words'], ['--color-words=[a-z]+|.']],
    ...[['--word-diff-regex=.'], ['--word-diff-regex=[[:alnum:]_]+|[^[:space:]]']],
    ...[['--word-diff-regex=^[[:space:]]*|[a-z]*'], ['--word-diff-regex=']],
    ['--word-diff=porcelain', '--word-diff-regex=[^,;()]+|.'],
  ],
  formats: [
    ...[['-p'], ['--stat', '-p'], ['--raw', '-p'], ['--numstat'], ['--stat', '--summary']],
    ...[['--dirstat'], ['--dirstat', '-p'], ['-X0,lines', '--raw'], ['--cumulative', '--stat']],
    ...[['--dirstat=files,2.5', '--numstat'], ['--dirstat-by-file'], ['--check']],
    ...[['--name-only'], ['--name-status'], ['--compact-summary'], ['--summary', '-p']],
  ],
  colors: [
    ...[['--color=always'], ['--color'], ['--no-color'], ['--color=never']],
    ...[
      ['--color', '--ws-error-highlight=all'],
      ['--color', '--ws-error-highlight=old,context'],
      ...['plain', 'blocks', 'zebra', 'dimmed-zebra', 'default'].map((mode) => {
        return ['--color', `--color-moved=${mode}`]
      }),
      ...['all-space', 'space-change', 'space-at-eol'].map((kind) => {
        return ['--color', '--color-moved', `--color-moved-ws=ignore-${kind}`]
      }),
      ['--color', '--color-moved', '--ws-error-highlight=all', '--no-renames'],
    ],
  ],
  marks: [
    ...[['--no-prefix'], ['--src-prefix=i/', '--dst-prefix=w/'], ['--default-prefix']],
    ...[['--output-indicator-new=>', '--output-indicator-old=<'], ['--output-indicator-context=:']],
    ['--line-prefix=>> '],
  ],
  renames: [['--no-renames'], ['-M'], ['-C'], ['-M', '-B']],
  context: [['-U0'], ['-U1'], ['-U10'], ['--inter-hunk-context=3'], ['-W']],
  texts: [
    ...[['-w'], ['-b'], ['--ignore-blank-lines'], ['--ignore-space-at-eol']],
    ...[['--patience'], ['--histogram'], ['--minimal'], ['-R'], ['-D'], ['--full-index']],
    ...[['-I^[[:space:]]*[/#*]'], ['--no-indent-heuristic']],
  ],
}

/** How often a subject is asked about: of so many questions one. */
const CHANCES = { words: 2, formats: 3, colors: 4, marks: 4, renames: 4, context: 3, texts: 3 }

/** Returns the arguments of a random question. */
export function diffQuestionOf({ commits, merges, paths, orderFile }, random) {
  const one = (list) => list[random(list.length)]
  const options = Object.entries(OPTIONS).flatMap(([subject, list]) =>
    random(CHANCES[subject]) === 0 ? one(list) : [],
  )
  const orders = random(5) === 0 && paths.length > 0
  const start = one(['--rotate-to', '--skip-to'])
  // Changes of merges are not rotated.
  const rotated = orders ? [`${start}=${one(paths)}`] : []
  if (orders && random(2) === 0) options.push(`-O${orderFile}`)
  if (paths.length > 0 && random(6) === 0) {
    // A prefix need not end with a name.
    const path = one(paths)
    options.push(`--relative=${path.slice(0, random(path.length + 1))}`)
  }
  const limit =
    random(5) === 0 && paths.length > 0 ? ['--', one([one(paths), '*.c', ':!*.c', '*.[ch]'])] : []
  const commit = one(commits)
  const merge = merges.length > 0 ? one(merges) : commit
  const questions = [
    () => ['diff', ...options, ...rotated, `${commit}~${1 + random(5)}`, commit, ...limit],
    () => ['diff-tree', '-r', '-p', ...options, ...rotated, commit, ...limit],
    () => ['diff-tree', '-p', ...options, ...rotated, `${commit}^`, commit, ...limit],
    () => {
      const named = random(3) === 0 ? ['--combined-all-paths'] : []
      return ['diff-tree', one(['-c', '--cc']), ...named, ...options, merge, ...limit]
    },
    () => {
      const path = one(paths)
      return ['diff', ...options, `${commit}~${random(200)}:${path}`, `${commit}:${path}`]
    },
    () => ['diff', ...options, `HEAD:${one(paths)}`, `HEAD:${one(paths)}`],
    () => ['show', '--format=%h', ...options, one([commit, commit, merge]), ...limit],
    () => ['log', '-3', '-p', '--oneline', '--no-merges', ...options, ...rotated, commit, ...limit],
  ]
  return one(questions)()
}
