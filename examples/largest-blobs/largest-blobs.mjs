// Lists the largest files that any commit of a repository has, with one of their paths.
import { open } from 'packlens'

const [folder = '.', count = '10'] = process.argv.slice(2)
const repo = await open(folder)

// Sizes alone: no content is inflated, and objects come in the order of the packs.
const blobs = []
for await (const blob of repo.objects({ type: 'blob', fields: 'info', unordered: true })) {
  blobs.push({ oid: blob.oid, size: blob.size, diskSize: blob.diskSize })
}
blobs.sort((one, other) => other.size - one.size || (one.oid < other.oid ? -1 : 1))
const largest = new Map(blobs.slice(0, Number(count)).map((blob) => [blob.oid, blob]))

// A walk over the whole history names what refs reach; the rest has no path.
for await (const { oid, path } of repo.revListObjects([], { all: true })) {
  const blob = largest.get(oid)
  if (blob && blob.path === undefined) blob.path = path
}
for (const { oid, size, diskSize, path = '(unreachable)' } of largest.values()) {
  console.log(`${size}\t${diskSize}\t${oid}\t${path}`)
}
repo.close()
