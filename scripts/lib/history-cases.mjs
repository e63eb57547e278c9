// Random questions about the history of paths: git's arguments, and the same as a call.
import { randomFrom } from '../../tests/fixtures/paths-history.mjs'

/** Returns `count` questions about commits of a repository that changed one of `paths`. */
export function pathCases({ commits, refs, dates, paths, seed, count }) {
  const random = randomFrom(seed)
  const one = (list) => list[random(list.length)]
  const any = () => (random(3) === 0 ? one(refs) : one(commits))
  return Array.from({ length: count }, () => {
    const [a, b, c] = [any(), any(), any()]
    const specs = one([
      ['HEAD'],
      [a],
      [a, b],
      [`${a}..${b}`],
      [`${a}...${b}`],
      [a, `^${b}`],
      [a, b, `^${c}`],
      ['--all'],
    ])
    const chosen = random(4) === 0 ? [one(paths), one(paths)] : [one(paths)]
    const order = one(['default', 'default', 'date', 'topo'])
    const options = { order, path: chosen.map((path) => Buffer.from(path, 'latin1')) }
    const args = order === 'default' ? [] : [`--${order}-order`]
    const flag = (chance, name, value, arg) => {
      if (random(chance) > 0) return
      options[name] = value
      args.push(arg)
    }
    flag(5, 'firstParent', true, '--first-parent')
    flag(5, 'reverse', true, '--reverse')
    flag(9, 'merges', true, '--merges')
    if (options.merges === undefined) flag(9, 'merges', false, '--no-merges')
    flag(5, 'limit', 3, '--max-count=3')
    flag(9, 'skip', 2, '--skip=2')
    const date = Number(one(dates))
    flag(9, 'since', date, `--max-age=${date}`)
    flag(9, 'until', date, `--min-age=${date}`)
    // git takes no options from a pipe.
    if (specs[0] === '--all') args.push(specs[0])
    return { args: ['rev-list', ...args, '--stdin'], specs, paths: chosen, options }
  })
}

/** The modes of a history: names of options, and git's arguments. */
const MODES = {
  fullHistory: '--full-history',
  sparse: '--sparse',
  simplifyMerges: '--simplify-merges',
  simplifyByDecoration: '--simplify-by-decoration',
  showPulls: '--show-pulls',
  excludeFirstParentOnly: '--exclude-first-parent-only',
  ancestryPath: '--ancestry-path',
  leftOnly: '--left-only',
  rightOnly: '--right-only',
}

/** What `revListGraph` lists more, and git's arguments. */
const LINES = { children: '--children', boundary: '--boundary', leftRight: '--left-right' }

/** Returns `cases` with one to three of the modes each, and of half of them the graph. */
export function modeCases(cases, seed) {
  const random = randomFrom(seed)
  return cases.map((asked) => {
    const options = { ...asked.options }
    const args = [...asked.args]
    const add = (name, arg) => {
      options[name] = true
      args.splice(1, 0, arg)
    }
    for (let left = 1 + random(3); left > 0; left--) {
      const [name, arg] = Object.entries(MODES)[random(Object.keys(MODES).length)]
      const excludes = asked.specs.some((spec) => /\^|\.\./.test(spec))
      const [twice, bothSides] = [
        options[name],
        /Only$/.test(name) && (options.leftOnly || options.rightOnly),
      ]
      if (twice || (bothSides && /^(left|right)/.test(name))) continue
      if (name !== 'ancestryPath' || excludes) add(name, arg)
    }
    if (random(2) === 0) return { ...asked, args, options }
    for (const [name, arg] of Object.entries(LINES)) {
      // git lists either parents or children, and these modes count as the first.
      const wantsParents = options.simplifyMerges || options.simplifyByDecoration
      if (random(4) === 0 && !(name === 'children' && wantsParents)) add(name, arg)
    }
    if (!options.children) args.splice(1, 0, '--parents')
    return { ...asked, args, options, isGraph: true }
  })
}

/** Returns what a question lists, as lines of git. */
export function linesOf(repo, asked) {
  const [specs, options] = callOf(asked)
  if (!asked.isGraph) return [...repo.revList(specs, options)]
  return Array.from(repo.revListGraph(specs, options), (commit) => {
    const { oid, parents, children, side, boundary } = commit
    const mark = boundary ? '-' : ({ left: '<', right: '>' }[side] ?? '')
    return mark + [oid, ...(options.children ? children : parents)].join(' ')
  })
}

/** Returns what git reads: revisions, then paths after dashes. */
export function inputOf({ specs, paths }) {
  const revisions = specs.filter((spec) => spec !== '--all')
  return Buffer.from([...revisions, '--', ...paths, ''].join('\n'), 'latin1')
}

/** Returns the options of the call and the revisions that it takes. */
export function callOf({ specs, options }) {
  const all = specs.includes('--all')
  return [specs.filter((spec) => spec !== '--all'), all ? { ...options, all } : options]
}

/** Returns `cases` with random pathspecs in place of their paths: wildcards, and magic. */
export function pathspecCases(cases, seed) {
  const random = randomFrom(seed)
  const paths = cases.flatMap((asked) => asked.paths)
  return cases.map(({ options: { path: _, ...options }, ...asked }) => {
    const elements = pathspecOf(random, paths)
    const pathspec = elements.map((element) => Buffer.from(element, 'latin1'))
    return { ...asked, paths: elements, options: { ...options, pathspec } }
  })
}

/** Returns one to three elements of a pathspec, made of `paths`. */
export function pathspecOf(random, paths) {
  return Array.from({ length: 1 + random(3) }, () => elementOf(random, paths[random(paths.length)]))
}

function elementOf(random, path) {
  const words = ['icase', 'top'].filter(() => random(5) === 0)
  const kind = random(6)
  if (kind === 0) words.push('literal')
  else if (kind < 3) words.push('glob')
  if (random(4) === 0) words.push('exclude')
  const at = random(path.length)
  const cut = path.slice(0, at)
  const names = path.split('/')
  const pattern = [
    () => path,
    () => `${cut}?${path.slice(at + 1)}`,
    () => `${cut}*`,
    () => `*${path.slice(at)}`,
    () => `${cut}*${path.slice(Math.min(path.length, at + 1 + random(4)))}`,
    () => `${cut}[!x${path[at]}]${path.slice(at + 1)}`,
    () => `${cut}[a-z${path[at] === ']' ? 'a' : path[at]}]${path.slice(at + 1)}`,
    () => `**/${names.at(-1)}`,
    () => `${names[0]}/**`,
    () => `${names[0]}/**/${names.at(-1)}`,
    () => `${cut}**${path.slice(at + 1)}`,
    () => names.map((name) => (random(2) ? name : '*')).join('/'),
    () => `${cut}\\${path.slice(at)}`,
  ]
  const text = pattern[random(pattern.length)]()
  const cased = words.includes('icase') && random(2) ? text.toUpperCase() : text
  return words.length > 0 ? `:(${words})${cased}` : cased
}
