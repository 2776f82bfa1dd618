/**
 * Hierarchical risk parity: M. López de Prado, "Building diversified portfolios that outperform out of sample", Journal of
 * Portfolio Management, 2016. Matrices are by row.
 */
export function hierarchicalRiskParity(covariance: readonly Float64Array[]): Float64Array {
  const weights = new Float64Array(covariance.length).fill(1)
  divide(covariance, leafOrder(covariance), weights)
  return weights
}

/** Divides what a run of neighbours has between its halves by the inverse of their variances, and so on down. */
function divide(covariance: readonly Float64Array[], run: readonly number[], weights: Float64Array): void {
  if (run.length < 2) return
  const halves = [run.slice(0, run.length >> 1), run.slice(run.length >> 1)] as const
  const [first, second] = [clusterVariance(covariance, halves[0]), clusterVariance(covariance, halves[1])]
  // Two halves without risk share evenly.
  const share = first + second > 0 ? second / (first + second) : 0.5
  for (const i of halves[0]) weights[i]! *= share
  for (const i of halves[1]) weights[i]! *= 1 - share
  divide(covariance, halves[0], weights)
  divide(covariance, halves[1], weights)
}

/** The variance of a cluster whose members are weighted by the inverse of their variances. */
function clusterVariance(covariance: readonly Float64Array[], members: readonly number[]): number {
  const inverse = members.map((i) => 1 / covariance[i]![i]!)
  const sum = inverse.reduce((total, one) => total + one, 0)
  let variance = 0
  members.forEach((i, a) =>
    members.forEach((j, b) => (variance += (inverse[a]! / sum) * (inverse[b]! / sum) * covariance[i]![j]!)),
  )
  return variance
}

/** The assets in the order of the tree, so that those that move alike stand side by side. */
export function leafOrder(covariance: readonly Float64Array[]): number[] {
  const distance = columnDistances(correlationDistances(covariance))
  // By the number of a cluster: its leaves. Numbers of joined clusters go on after those of the assets.
  const clusters = new Map<number, number[]>(covariance.map((_, i) => [i, [i]]))
  for (let next = covariance.length; clusters.size > 1; next++) {
    const [first, second] = closest(clusters, distance)
    const joined = [...clusters.get(first)!, ...clusters.get(second)!]
    clusters.delete(first)
    clusters.delete(second)
    clusters.set(next, joined)
  }
  return [...clusters.values()][0] ?? []
}

/** Single linkage: the two clusters with the nearest members, the lower number first. */
function closest(
  clusters: ReadonlyMap<number, readonly number[]>,
  distance: readonly Float64Array[],
): [number, number] {
  let best: [number, number] = [-1, -1]
  let least = Infinity
  const numbers = [...clusters.keys()]
  numbers.forEach((a, at) => {
    for (const b of numbers.slice(at + 1)) {
      for (const i of clusters.get(a)!) {
        for (const j of clusters.get(b)!) {
          if (distance[i]![j]! < least) {
            least = distance[i]![j]!
            best = [Math.min(a, b), Math.max(a, b)]
          }
        }
      }
    }
  })
  return best
}

function correlationDistances(covariance: readonly Float64Array[]): Float64Array[] {
  const deviations = covariance.map((row, i) => Math.sqrt(row[i]!))
  return covariance.map((row, i) =>
    row.map((value, j) => {
      const correlation = i === j ? 1 : value / (deviations[i]! * deviations[j]!)
      return Math.sqrt(Math.max(0, (1 - correlation) / 2))
    }),
  )
}

/** How differently two assets stand to all others. */
const columnDistances = (rows: readonly Float64Array[]): Float64Array[] =>
  rows.map((a) => Float64Array.from(rows, (b) => Math.sqrt(a.reduce((sum, value, k) => sum + (value - b[k]!) ** 2, 0))))
