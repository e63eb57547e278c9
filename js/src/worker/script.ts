/** Where the worker's script is, if a caller has said so. */
let given: URL | undefined

export function setScriptForWorkers(script: URL): void {
  given = script
}

/** `undefined` where it is beside the script that starts it. */
export function scriptForWorkers(): URL | undefined {
  return given
}
