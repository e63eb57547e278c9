/** Hands bytes to the browser to save. */
export function download(data: readonly Uint8Array<ArrayBuffer>[], name: string): void {
  // Without a specific type, no browser shows the bytes in place of this page.
  const url = URL.createObjectURL(new Blob([...data], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Revoked later, because the browser may not have read it yet.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Returns a file name that no system takes for a path. */
export function nameToSave(bytes: Uint8Array | undefined, oid: string): string {
  if (!bytes) return oid
  const unfit = /[^\p{L}\p{N}\p{M} ._()+-]/gu
  const name = new TextDecoder().decode(bytes).replaceAll(unfit, '_')
  return name.replace(/^\.+/, '_') || oid
}
