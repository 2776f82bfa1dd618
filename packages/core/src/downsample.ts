/** Evenly spread positions of a long list for a chart, at most `limit` of them; the first and the last are always there. */
export function downsampledPositions(count: number, limit: number): number[] {
  if (limit < 2) throw new RangeError('a chart needs at least two points')
  if (count <= limit) return Array.from({ length: count }, (_, i) => i)
  const step = (count - 1) / (limit - 1)
  return Array.from({ length: limit }, (_, i) => Math.round(i * step))
}
