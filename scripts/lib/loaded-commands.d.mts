/** Returns commands as `main` takes them, all loaded. */
export function loaded<T>(commands: T): Promise<T>
