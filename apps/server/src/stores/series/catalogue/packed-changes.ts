import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** A change of a store and its instant, in milliseconds. */
interface ChangeAt {
  readonly version: number
  readonly at: number
}

/** So many changes are packed into one row at most. */
export const MAX_PACKED_CHANGES = 1_024

/** Differences of versions and instants as JSON, deflated: a daily change takes a byte or two. */
export const packChanges = (changes: readonly ChangeAt[]): Buffer =>
  deflateRawSync(
    JSON.stringify([differences(changes.map(({ version }) => version)), differences(changes.map(({ at }) => at))]),
  )

export function unpackChanges(deflated: Buffer): ChangeAt[] {
  const [versions, instants] = JSON.parse(inflateRawSync(deflated).toString()) as [number[], number[]]
  const at = sums(instants)
  return sums(versions).map((version, i) => ({ version, at: at[i]! }))
}

const differences = (numbers: readonly number[]): number[] => numbers.map((number, i) => number - (numbers[i - 1] ?? 0))

function sums(steps: readonly number[]): number[] {
  let sum = 0
  return steps.map((step) => (sum += step))
}
