import { useEffect, useState } from 'preact/hooks'
import type { Route } from './route'
import { formatRoute, parseRoute } from './route'

/** The route in the address bar, and what changes it. */
export function useRoute(): readonly [Route, (route: Route) => void] {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const changed = () => setRoute(parseRoute(location.hash))
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  const go = (route: Route) => {
    location.hash = formatRoute(route)
    // The event comes later; until then the page would be that of the old address.
    setRoute(route)
  }
  return [route, go]
}
