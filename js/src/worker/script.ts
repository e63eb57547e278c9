/** The URL of the worker's script, if the caller gave one. */
let given: URL | undefined

export function setScriptForWorkers(script: URL): void {
  given = script
}

/** Returns the URL; `undefined` if the script is beside the one that starts it. */
export function scriptForWorkers(): URL | undefined {
  return given
}
