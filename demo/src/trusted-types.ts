/** What the page trusts, where the browser asks: scripts of workers from its own server. */
interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): unknown
}

/** Lets workers be started, by packlens and for colors: the policy of the page forbids the rest. */
export function trustOwnScripts(): void {
  const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes
  policies?.createPolicy('default', {
    createScriptURL(url) {
      if (new URL(url, document.baseURI).origin === location.origin) return url
      throw new TypeError(`The script ${url} is not of this page`)
    },
  })
}
