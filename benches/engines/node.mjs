// Node itself: the start-up time that every engine in JavaScript has.
export const name = 'node'

export function version() {
  return `node ${process.version}`
}

export const jobs = {
  'first-blob': () => [
    { variant: '-e 0', command: [process.execPath, '-e', '0'], answersNothing: true },
  ],
}
