/** Returns the version of packlens. */
export function version(): string {
  return '0.1.0'
}
