/** The paths of the web app's screens: its router serves them, and the server answers any other one with 404. */
export const SCREEN_PATHS = [
  '/',
  '/login',
  '/register',
  '/verify-email',
  '/strategies',
  '/strategies/:id/record',
  '/backtest',
  '/optimizer',
  '/live-trading',
  '/live-trading/:id',
  '/data-collector',
  '/ai-assistant',
  '/portfolio-performance',
  '/portfolio-performance/statement',
  '/inbox',
  '/proposals',
  '/settings',
  '/admin',
  '/shared/:token',
  '/records/:token',
] as const

export type ScreenPath = (typeof SCREEN_PATHS)[number]

const SCREENS = SCREEN_PATHS.map(
  (path) => new RegExp(`^${path.replaceAll(/:[a-z]+/g, '[^/]+').replace(/\/$/, '')}/?$`, 'i'),
)

/** As the router compares: letter case and a slash at the end do not matter. */
export const isScreenPath = (path: string): boolean => SCREENS.some((screen) => screen.test(path))

const VISITORS_ONLY = /^\/(login|register)\/?$/i
const MAX_RETURN_PATH = 2000

/**
 * Whether a browser may be sent there after sign-in: a screen of this app with its query and fragment; never another site,
 * nor a page that would ask to sign in again.
 */
export function isReturnPath(address: string): boolean {
  if (address.length > MAX_RETURN_PATH || !/^\/(?![/\\])[\x21-\x7e]*$/.test(address)) return false
  const [pathname = ''] = address.split(/[?#]/, 1)
  return isScreenPath(pathname) && !VISITORS_ONLY.test(pathname)
}
