// Copies the files of a git directory to object storage, after git update-server-info.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { signedFetch } from './sign.js'

const [folder = '.git'] = process.argv.slice(2)
const { S3_URL = '', S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = process.env
const send = signedFetch({ accessKey, secretKey })

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const file = path.join(entry.parentPath, entry.name)
  const name = path.relative(folder, file).split(path.sep).map(encodeURIComponent).join('/')
  const answer = await send(`${S3_URL}/${name}`, { method: 'PUT', body: readFileSync(file) })
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
}
