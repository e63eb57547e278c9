// Random questions about filtered lists of objects.

/** Returns the arguments of a `rev-list --objects` with filters. */
export function filteredObjects({ commits, tags, paths }, random) {
  const one = (list) => list[random(list.length)]
  const some = (chance, list) => (random(chance) === 0 ? one(list) : [])
  const near = () => `${one(commits)}~${random(3)}`
  const tip = () => (tags.length > 0 && random(3) === 0 ? one(tags) : one(commits))
  const within = () => `${one(commits.slice(0, 20))}:${one(paths)}`
  const depth = () => random(6)
  const filter = () =>
    one([
      ...['blob:none', `blob:limit=${one(['0', '100', '1k', '4k', '0x800', '1m'])}`],
      ...[`tree:${depth()}`, `tree:${depth()}`],
      ...['blob', 'tree', 'commit', 'tag'].map((type) => `object:type=${type}`),
    ])
  const combined = () => `combine:${filter()}+${filter()}`
  const filters = one([[filter()], [filter()], [combined()], [filter(), filter()]])
  const revisions = one([
    [tip(), '--max-count=30'],
    [tip(), `^${near()}`, '--max-count=200'],
    [tip(), `^${near()}`, ...some(2, [['--unpacked']])],
    [tip(), tip(), '--max-count=5'],
    [within(), tip(), '--max-count=3'],
    [within(), within()],
    [`${one(commits)}^{tree}`, tip(), '--max-count=1'],
  ])
  const omitted = revisions.includes('--unpacked') ? [] : [['--filter-print-omitted']]
  return [
    ...['rev-list', '--objects'],
    ...filters.map((spec) => `--filter=${spec}`),
    ...some(3, [['--filter-provided-objects']]),
    ...(omitted.length > 0 ? some(3, omitted) : []),
    ...some(8, [['--no-object-names'], ['--count'], ['--quiet']]),
    ...some(8, [['--missing=print'], ['--missing=allow-any'], ['--no-filter']]),
    ...some(4, [['--use-bitmap-index']]),
    ...revisions,
  ]
}

/** Sorts the lines after all objects, which git prints in the order of a hash table. */
export function withSortedTail(output) {
  const lines = output.toString('latin1').split('\n')
  const isTail = (line) => /^[~?]/.test(line)
  const tail = lines.filter(isTail).sort()
  const at = lines.findIndex(isTail)
  if (at < 0) return output
  const others = lines.filter((line) => !isTail(line))
  others.splice(at, 0, ...tail)
  return Buffer.from(others.join('\n'), 'latin1')
}
