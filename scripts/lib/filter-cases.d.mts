/** Sorts the lines after all objects, which git prints in the order of a hash table. */
export function withSortedTail(output: Buffer): Buffer
