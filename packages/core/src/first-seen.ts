/** Says of each key whether it comes for the first time. Keys may be without end: beyond `maxKeys` all are forgotten. */
export function firstSeen(maxKeys: number): (key: string) => boolean {
  const seen = new Set<string>()
  return (key) => {
    if (seen.has(key)) return false
    if (seen.size >= maxKeys) seen.clear()
    seen.add(key)
    return true
  }
}
