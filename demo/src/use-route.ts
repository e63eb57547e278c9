import { useLayoutEffect, useState } from 'preact/hooks'
import type { Route } from './route'
import { formatRoute, parseRoute } from './route'

/** Returns the route in the address bar, and a function that changes it. */
export function useRoute(): readonly [Route, (route: Route) => void] {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  // At once, so that no change before the next frame is missed.
  useLayoutEffect(() => {
    const changed = () => setRoute(parseRoute(location.hash))
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  const go = (route: Route) => {
    location.hash = formatRoute(route)
    // Set here too, because the event comes later, and the old page would stay until then.
    setRoute(route)
  }
  return [route, go]
}
