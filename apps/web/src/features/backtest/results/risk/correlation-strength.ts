/** Under 0.3, under 0.7, more; either sign, which the number carries. */
export function strengthOf(correlation: number | null): 1 | 2 | 3 | undefined {
  if (correlation === null) return undefined
  const size = Math.abs(correlation)
  return size < 0.3 ? 1 : size < 0.7 ? 2 : 3
}
