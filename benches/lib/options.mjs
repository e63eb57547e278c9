// The options of `npm run bench`.
import { parseArgs } from 'node:util'
import { Failure } from '../../scripts/lib/shell.mjs'

export const usage = `usage: npm run bench -- --git-dir DIR
    [--jobs A,B]      only these jobs; --list names them
    [--engines A,B]   only these engines, and git, with which all are compared
    [--runs N]        rounds, 5 if not given; 0 checks the answers only
    [--shapes A,B]    on packs of these shapes, made of the repository; bars are for the worst
    [--against REV]   packlens of a commit as well; the last tag if there is one
    [--requests N]    objects that are asked for at random, 20000 if not given
    [--seed N]        another choice of them
    [--limit S]       seconds after which a process is given up, 1200 if not given
    [--name NAME]     how the repository is called in the record
    [--profile]       shows where packlens spends its time in each job
    [--record]        writes benches/record/<date>-<commit>-<name>.json`

export function optionsOf(args) {
  const text = { type: 'string' }
  const { values } = parseArgs({
    args,
    options: {
      'git-dir': text,
      jobs: text,
      engines: text,
      shapes: text,
      runs: { ...text, default: '5' },
      against: text,
      requests: { ...text, default: '20000' },
      seed: { ...text, default: '1' },
      limit: { ...text, default: '1200' },
      name: text,
      profile: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.list) return values
  if (values.help || !values['git-dir']) throw new Failure(usage)
  const number = (name) => {
    if (!/^\d+$/.test(values[name])) throw new Failure(`--${name} is a number\n${usage}`)
    return Number(values[name])
  }
  return {
    ...values,
    gitDir: values['git-dir'],
    runs: number('runs'),
    requests: number('requests'),
    seed: number('seed'),
    limit: number('limit'),
    jobs: values.jobs?.split(','),
    engines: values.engines?.split(','),
    shapes: values.shapes?.split(','),
  }
}

/** Returns the members of a table with these names, or all of them. */
export function chosen(table, names, what) {
  if (!names) return Object.keys(table)
  for (const name of names) {
    if (!Object.hasOwn(table, name)) {
      throw new Failure(`there is no ${what} '${name}': ${Object.keys(table).join(', ')}`)
    }
  }
  return Object.keys(table).filter((name) => names.includes(name))
}
