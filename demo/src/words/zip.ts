/** What the page says of zip files that it cannot open. */
import { catalogue, formatNumber } from './language'

export const zip = catalogue('zip', {
  noRepository:
    'it holds no repository. Make it of a folder with a .git folder, hidden files included.',
  failed: (file: string, detail: unknown) => `${file} cannot be opened: ${detail}`,
  manyNames: (most: number) =>
    `it has more than ${formatNumber(most)} files and folders. Unpack it, and open the folder.`,
  large: (most: string) => `more than ${most} would be unpacked. Unpack it, and open the folder.`,
})

export type ZipWords = typeof zip
