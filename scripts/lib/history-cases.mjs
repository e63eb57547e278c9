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
