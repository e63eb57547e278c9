// Loads all commands of the command line, so that `main` answers without promises.

/** Returns commands as `main` takes them; `commands` are what `commands.ts` exports. */
export async function loaded(commands) {
  const load = async ([name, load]) => {
    const run = await load()
    return [name, () => run]
  }
  return Object.fromEntries(await Promise.all(Object.entries(commands).map(load)))
}
