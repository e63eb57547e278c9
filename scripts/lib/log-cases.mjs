// Random questions about commits: arguments of git and packlens.
import { diffQuestionOf } from './diff-cases.mjs'

const FORMATS = [
  ['--oneline'],
  ['--pretty=oneline'],
  ['--pretty=short'],
  [],
  ['--pretty=medium'],
  ['--pretty=full'],
  ['--pretty=fuller'],
  ['--pretty=reference'],
  ['--pretty=raw'],
  ['--pretty=email'],
  ['--pretty=mboxrd'],
  ['--format=%H %h %T %t %P %p'],
  ['--format=%an|%aN|%ae|%aE|%al|%aL|%cn|%cN|%ce|%cE|%cl|%cL'],
  ['--format=%ad|%aD|%ar|%at|%ai|%aI|%as|%ah|%cd|%cD|%cr|%ct|%ci|%cI|%cs|%ch'],
  ['--pretty=format:%s%n%f%n%b'],
  ['--pretty=tformat:%B%x00%e%m%%'],
  ['--format=%h%d%n%D'],
  ['--format=%h%+d%-b% s|%+b|% D'],
  ['--format=%<(20)%an|%>(12,trunc)%ae|%<(15,mtrunc)%s|%>(30,ltrunc)%s|%><(30)%h|'],
  ['--format=%an %<|(40)%s|%h %>|(60)%an|%>>(3)%an|%<|(-20,trunc)%s|'],
  ['--format=%w(50,2,4)%s%n%n%b%w(0)%h'],
  ['--format=%w(30)%B'],
  ['--format=%w(0,4,8)%B%w(72,1,9)%b'],
  ['--format=%(trailers)'],
  [
    '--format=%h%n%(trailers:only,unfold)%x00%(trailers:key=Signed-off-by,valueonly,separator=%x2C )',
  ],
  [
    '--format=%(trailers:key=reviewed-by)%(trailers:keyonly,separator=%n)%(trailers:key_value_separator= => )',
  ],
  ['--format=%h %(decorate:prefix=[,suffix=],separator= | ,pointer=->,tag=t:)'],
  ['--format=%C(red)%h%Creset %C(auto)%d%C(always,bold blue)%s%C(always,reset)'],
  ['--format=%C(auto)%h%d %C(bold blue)%<(20,trunc)%an%Creset %s%C(auto)%n%H %D'],
  ['--format=%<(30)%C(yellow)%h%C(auto)%d|%+C(red)%>(20,mtrunc)%Cgreen%s%C(reset)|%-C(auto)%h'],
  ['--format=%zz %h %+zz %aq %'],
  ['--format='],
  ['--pretty=format:'],
  ['--pretty=format:%h'],
  ['--format=%h %S'],
]

const DATES = [
  ...['default', 'relative', 'local', 'iso', 'iso8601', 'iso-strict', 'rfc', 'rfc2822', 'short'],
  ...[
    'raw',
    'unix',
    'human',
    'iso-local',
    'raw-local',
    'rfc-local',
    'short-local',
    'iso-strict-local',
  ],
  ...[
    'human-local',
    'unix-local',
    'format:%Y-%m-%d %H:%M:%S %z',
    'format:%a %A %b %B %e %j %U %V %W %u',
  ],
  ...['format-local:%c %Z %z', 'format:%D|%F|%T|%R|%r|%I|%p|%y|%C|%G|%g|%s|%%|%n', 'auto:short'],
]

const DIFFS = [
  ['-p'],
  ['-p', '-U1'],
  ['-u', '-w'],
  ['--raw'],
  ['--raw', '--no-abbrev'],
  ['--raw', '-z'],
  ['--stat'],
  ['--stat', '-p'],
  ['--stat=60,30'],
  ['--stat', '--summary'],
  ['--numstat'],
  ['--shortstat'],
  ['--summary'],
  ['--name-only'],
  ['--name-status'],
  ['--name-status', '-z'],
  ['--raw', '-p'],
  ['--patch-with-stat'],
  ['-s'],
  ['--raw', '-t'],
  ['--raw', '--no-renames'],
  ['--raw', '-C'],
  ['-p', '-M90%'],
  ['-z'],
]

const MERGES = [
  ['-m'],
  ['-m', '-p'],
  ['-c'],
  ['--cc'],
  ['--dd'],
  ['--diff-merges=first-parent'],
  ['--diff-merges=separate'],
  ['--diff-merges=off'],
  ['--diff-merges=dense-combined'],
  ['--no-diff-merges'],
]

const HISTORY = [
  ['--first-parent'],
  ['--no-merges'],
  ['--merges'],
  ['--reverse'],
  ['--topo-order'],
  ['--date-order'],
  ['--author-date-order'],
  ['--skip=2'],
  ['--grep=fix'],
  ['--author=a'],
  ['-i', '--grep=ADD'],
  ['--remove-empty'],
]

/** Returns the arguments of a random question. */
export function questionsOf(command, repository, random) {
  const one = (list) => list[random(list.length)]
  const some = (chance, list) => (random(chance) === 0 ? one(list) : [])
  const any = () =>
    random(4) === 0 && repository.refs.length > 0 ? one(repository.refs) : one(repository.commits)
  const shown = () => [
    ...one(FORMATS),
    ...(random(4) === 0 ? [`--date=${one(DATES)}`] : []),
    ...some(6, [['--decorate'], ['--decorate=full'], ['--no-decorate']]),
    ...some(8, [
      ['--abbrev-commit'],
      ['--abbrev=9'],
      ['--abbrev-commit', '--abbrev=6'],
      ['--no-abbrev-commit'],
    ]),
    ...some(10, [['--expand-tabs=4'], ['--no-expand-tabs'], ['--expand-tabs']]),
    ...some(4, [['--color=always'], ['--color'], ['--color=never'], ['--no-color']]),
    ...some(15, [['--encoding=UTF-8'], ['--encoding=none'], ['--no-mailmap']]),
  ]
  if (command === 'shortlog') return shortlog(repository, random)
  if (command === 'show') {
    const merge = repository.merges.length > 0 && random(3) === 0
    const object = () =>
      random(5) === 0 && repository.tags.length > 0 ? one(repository.tags) : any()
    const objects = Array.from({ length: 1 + random(3) }, () =>
      merge ? one(repository.merges) : object(),
    )
    const others = random(12) === 0 ? [`${any()}:`] : []
    const diffs = some(2, DIFFS).filter((option) => option !== '-t')
    return ['show', ...shown(), ...diffs, ...some(5, MERGES), ...objects, ...others]
  }
  if (command === 'cherry') return cherry(repository, random)
  if (command === 'bisect') return bisected(repository, random)
  if (command === 'lines') return followedLines(repository, random, shown)
  if (command === 'diff') return diffQuestionOf(repository, random)
  const [a, b] = [any(), any()]
  const ranges = [
    ['HEAD'],
    [a],
    [a],
    [a, b],
    [`${a}..${b}`],
    [`${a}...${b}`],
    ['--all'],
    [`^${a}`, b],
  ]
  const range = one(ranges)
  const limit = `-${one([1, 3, 8, 20])}`
  const paths = random(4) === 0 && repository.paths.length > 0 ? ['--', one(repository.paths)] : []
  const history = [...some(3, HISTORY), ...some(8, HISTORY)]
  const marks = some(7, [
    ['--left-right'],
    ['--boundary'],
    ['--left-right', '--boundary'],
    ['--parents'],
    ['--children'],
  ])
  if (command === 'rev-list') {
    const asked = shown().filter(
      (option) => !/decorate$|decorate=(full|short)$|mailmap/.test(option),
    )
    const others = some(4, [
      ['--graph'],
      ['--timestamp'],
      ['--header'],
      ['--no-commit-header'],
      ['-z'],
      ['--no-abbrev'],
    ])
    const drawn =
      others[0] === '--graph' && (history.includes('--reverse') || marks.includes('--children'))
    return [
      'rev-list',
      ...asked,
      ...(drawn ? [] : others),
      ...history,
      ...marks,
      limit,
      ...range,
      ...paths,
    ]
  }
  const graph =
    random(3) === 0 && !history.includes('--reverse') && !marks.includes('--children')
      ? ['--graph']
      : []
  const full = some(10, [
    ['--full-diff'],
    ['--full-history'],
    ['--simplify-by-decoration'],
    ['--simplify-merges'],
    ['--remove-empty'],
  ])
  const merges = some(5, MERGES)
  const combines = merges.some((option) => /^-?-c/.test(option) || option.includes('combined'))
  const diffs = some(2, DIFFS).filter((option) => option !== '-t' || !combines)
  const filter = combines
    ? []
    : some(8, [['--diff-filter=A'], ['--diff-filter=MR'], ['--diff-filter=d']])
  const word = repository.words.length > 0 ? one(repository.words) : 'a'
  const pickaxe = some(8, [
    ...[[`-S${word}`], ['-S', word, '--pickaxe-all'], ['-i', `-S${word}`], [`-G${word}`]],
    ...[[`-G^.*${word}`], [`-S${word}[a-z]`, '--pickaxe-regex']],
  ])
  const isChildren = marks.includes('--children')
  if (command === 'follow') {
    const { paths, renamed } = repository
    const path = renamed.length > 0 && random(3) > 0 ? one(renamed) : one([...paths, 'READ*'])
    const chosen = some(3, [['-M90%'], ['-M20%'], ['-B'], ['--no-renames'], ['-C']])
    const kept = combines ? [] : merges
    const asked = [
      ...shown(),
      ...diffs.filter((option) => option !== '-t'),
      ...chosen,
      ...kept,
      ...filter,
      ...pickaxe,
    ]
    const few = random(3) === 0 ? [limit] : []
    return ['log', '--follow', ...asked, ...history, ...graph, ...few, ...range, '--', path]
  }
  return [
    'log',
    ...shown(),
    ...diffs,
    ...merges,
    ...filter,
    ...pickaxe,
    ...history,
    ...marks,
    ...some(8, [['--source']]),
    ...(isChildren ? [] : full),
    ...graph,
    limit,
    ...range,
    ...paths,
  ]
}

/** Asks about commits of two sides that make the same change, and about revisions alone. */
function cherry(repository, random) {
  const one = (list) => list[random(list.length)]
  const some = (chance, list) => (random(chance) === 0 ? one(list) : [])
  const { commits, paths } = repository
  // Commits that are listed near each other have few between them.
  const first = random(commits.length)
  const near = () => commits[Math.min(first + random(300), commits.length - 1)]
  const shown = one([['log', '--format=%m%h %s'], ['log', '--oneline'], ['rev-list']])
  const history = [
    ...some(3, HISTORY),
    ...some(3, [['-5'], ['--count'], ['--boundary'], ['--parents']]),
  ]
  const allowed = shown[0] === 'log' ? history.filter((option) => option !== '--count') : history
  const limit = paths.length > 0 ? some(4, [['--', one(paths)]]) : []
  if (random(3) === 0) {
    const how = one(['--no-walk', '--no-walk=unsorted', '--no-walk=sorted'])
    const excluded = some(6, [[`^${near()}`]])
    const revisions = [
      near(),
      near(),
      near(),
      ...some(2, [['--tags'], ['--branches=m*']]),
      ...excluded,
    ]
    const listed = some(3, [['--topo-order'], ['--date-order'], ['--children']])
    return [...shown, ...allowed, ...listed, how, ...revisions, ...limit]
  }
  const how = one([
    ...[['--cherry-pick'], ['--cherry-mark'], ['--cherry'], ['--cherry-mark', '--left-right']],
    ...[
      ['--cherry-pick', '--left-only'],
      ['--cherry-pick', '--right-only'],
    ],
  ])
  return [...shown, ...how, ...allowed, `${near()}...${near()}`, ...limit]
}

/** Asks which commit halves a history. */
function bisected({ commits, paths }, random) {
  const one = (list) => list[random(list.length)]
  const some = (chance, list) => (random(chance) === 0 ? one(list) : [])
  const first = random(commits.length)
  const far = one([10, 100, 1000])
  const near = () => commits[Math.min(first + random(far), commits.length - 1)]
  const how = one([['--bisect'], ['--bisect-vars'], ['--bisect-all'], ['--bisect'], ['--bisect']])
  return [
    'rev-list',
    ...how,
    ...some(5, [['--bisect-vars'], ['-3'], ['--reverse'], ['--skip=1'], ['--count']]),
    ...some(4, [['--first-parent'], ['--topo-order'], ['--full-history'], ['--date-order']]),
    ...some(6, [['--oneline'], ['--timestamp'], ['--format=%h %s']]),
    ...one([[commits[first]], [near()], [near(), '--not', near()], [`${near()}..${near()}`]]),
    ...some(3, [[`^${near()}`], [`^${near()}`, near()]]),
    ...(paths.length > 0
      ? some(3, [
          ['--', one(paths)],
          ['--', one(paths), one(paths)],
        ])
      : []),
  ]
}

/** Asks for the history of lines of one file or several. */
function followedLines({ files, commits }, random, shown) {
  const one = (list) => list[random(list.length)]
  const some = (chance, list) => (random(chance) === 0 ? one(list) : [])
  const range = () => {
    if (files.length === 0) throw new Error('HEAD has no text files to ask about')
    const { path, lines } = one(files)
    const start = 1 + random(lines.length)
    const end = Math.min(start + one([0, 1, 3, 10, 60]), lines.length)
    const word = lines[start - 1].match(/\w{4,}/)?.[0]
    const heading = lines.find((line, at) => at >= start && /^[a-z_]\w*\s\*?\w+\(/.test(line))
    const name = heading?.match(/(\w+)\(/)?.[1]
    const named = one([
      ...[`${start},${end}`, `${start},${end}`, `${start},+5`, `${end},-3`],
      ...(word ? [`/${word}/,+4`, `/${word}/,${lines.length}`] : []),
      ...(name ? [`:${name}`] : []),
    ])
    return ['-L', `${named}:${path}`]
  }
  const ranges = [range, ...some(3, [[range], [range, range]])].flatMap((make) => make())
  return [
    'log',
    ...ranges,
    ...(random(2) === 0 ? shown() : ['--oneline']),
    ...some(4, [['-s'], ['--raw'], ['--name-only'], ['--name-status'], ['-U0'], ['--raw', '-p']]),
    ...some(4, [['--graph'], ['--parents'], ['--reverse'], ['--first-parent'], ['--no-merges']]),
    ...some(8, [['--author=a'], ['--skip=1'], ['--date-order'], ['--merges']]),
    ...some(3, [['-1'], ['-3']]),
    'HEAD',
    ...some(4, [[`^${one(commits)}`]]),
  ]
}

function shortlog(repository, random) {
  const one = (list) => list[random(list.length)]
  const some = (chance, list) => (random(chance) === 0 ? one(list) : [])
  return [
    'shortlog',
    ...some(2, [
      ['-s'],
      ['-n'],
      ['-sn'],
      ['-e'],
      ['-sne'],
      ['-c'],
      ['-w'],
      ['-w40,2,5'],
      ['-s', '-c'],
    ]),
    ...some(4, [
      ['--group=author'],
      ['--group=committer'],
      ['--group=trailer:signed-off-by'],
      ['--group=author', '--group=trailer:reviewed-by'],
      ['--group=format:%as'],
      ['--format=%h %s'],
    ]),
    ...some(4, [['--no-merges'], ['--merges'], ['--grep=fix']]),
    `-${one([5, 40, 200])}`,
    one(repository.commits),
  ]
}
