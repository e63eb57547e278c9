/** Finds the files of the package, wherever in `node/cli` this module or its bundle is. */

const HERE = '/node/cli/'

/** Returns the URL of a file of the package: its path from the folder that `node` is in. */
export function publishedFile(file: string): URL {
  const here = import.meta.url
  return new URL(file, here.slice(0, here.lastIndexOf(HERE) + 1))
}
