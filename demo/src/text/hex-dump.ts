/** Formats bytes as `hexdump -C` does. */
const WIDTH = 16

export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += WIDTH) {
    const line = bytes.subarray(at, at + WIDTH)
    const digits = Array.from(line, (byte) => byte.toString(16).padStart(2, '0'))
    const left = digits.slice(0, 8).join(' ').padEnd(23)
    const right = digits.slice(8).join(' ').padEnd(23)
    const text = Array.from(line, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    ).join('')
    lines.push(`${at.toString(16).padStart(8, '0')}  ${left}  ${right}  |${text}|`)
  }
  return lines.join('\n')
}
