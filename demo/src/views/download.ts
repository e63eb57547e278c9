/** Hands bytes to the browser to save. */
export function download(data: Uint8Array<ArrayBuffer>, name: string): void {
  // Without a type of its own no browser shows it in place of this page.
  const url = URL.createObjectURL(new Blob([data], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser may still be about to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A name that no system takes for a path or for more than a name. */
export function nameToSave(bytes: Uint8Array | undefined, oid: string): string {
  if (!bytes) return oid
  const unfit = /[^\p{L}\p{N}\p{M} ._()+-]/gu
  const name = new TextDecoder().decode(bytes).replaceAll(unfit, '_')
  return name.replace(/^\.+/, '_') || oid
}
