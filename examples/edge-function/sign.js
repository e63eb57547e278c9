// Signs requests to an S3-compatible server: version 4 of AWS's signatures, in headers.

const utf8 = new TextEncoder()
const hex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const sha256 = async (bytes) => hex(await crypto.subtle.digest('SHA-256', bytes))

async function hmac(key, text) {
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, hash, false, ['sign'])
  return crypto.subtle.sign('HMAC', imported, utf8.encode(text))
}

/** Returns a `fetch` that signs: packlens takes it as `http.fetch`. */
export function signedFetch({ accessKey, secretKey, region = 'us-east-1' }) {
  return async (address, init = {}) => {
    const url = new URL(address)
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const day = time.slice(0, 8)
    const payload = await sha256(init.body ?? new Uint8Array())
    const headers = new Headers(init.headers)
    const range = headers.get('range')
    const signed = {
      host: url.host,
      ...(range ? { range } : {}),
      'x-amz-content-sha256': payload,
      'x-amz-date': time,
    }
    const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`)
    const names = Object.keys(signed).join(';')
    const method = init.method ?? 'GET'
    const request = [method, url.pathname, '', lines.join(''), names, payload].join('\n')
    const scope = `${day}/${region}/s3/aws4_request`
    const text = ['AWS4-HMAC-SHA256', time, scope, await sha256(utf8.encode(request))].join('\n')
    let key = utf8.encode(`AWS4${secretKey}`)
    for (const part of scope.split('/')) key = await hmac(key, part)
    const signature = hex(await hmac(key, text))
    headers.set('x-amz-content-sha256', payload)
    headers.set('x-amz-date', time)
    const credential = `Credential=${accessKey}/${scope}`
    const value = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`
    headers.set('authorization', value)
    return fetch(url, { ...init, headers })
  }
}
