type Naming = readonly [pattern: RegExp, name: string]

/** In this order: most browsers also carry the names of those they descend from. */
const BROWSERS: readonly Naming[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: readonly Naming[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
]

/** A browser and its system in words, as far as the user agent tells: `Chrome on Windows`. */
export function deviceOf(userAgent: string): string {
  const browser = named(BROWSERS, userAgent)
  const system = named(SYSTEMS, userAgent)
  if (browser) return system ? `${browser} on ${system}` : browser
  const program = /^[\w.-]{1,40}/.exec(userAgent)?.[0]
  return program ? `Program (${program})` : 'Unknown device'
}

const named = (namings: readonly Naming[], userAgent: string): string | undefined =>
  namings.find(([pattern]) => pattern.test(userAgent))?.[1]
