import type { Fill } from './broker.ts'

/** One execution in all the versions that a broker lists of it. */
export interface FillVersions {
  /** The one that counts; `state` is `canceled` where nothing does. */
  readonly current: Fill
  /** The ids of all versions. */
  readonly ids: readonly string[]
}

/** Groups a list of executions, which may name one several times, by what they correct. In the order of the list. */
export function fillVersions(fills: readonly Fill[]): FillVersions[] {
  const listed = new Map(fills.map((fill) => [fill.executionId, fill]))
  const firstOf = (id: string): string => {
    const passed = new Set<string>()
    let first = id
    for (let before = listed.get(first)?.replaces; before !== undefined && !passed.has(before);) {
      passed.add(before)
      first = before
      before = listed.get(first)?.replaces
    }
    return first
  }
  return [...Map.groupBy(listed.values(), ({ executionId }) => firstOf(executionId))].map(([first, versions]) => {
    const replaced = new Set(versions.map(({ replaces }) => replaces))
    const current = versions.findLast(({ executionId }) => !replaced.has(executionId)) ?? versions.at(-1)!
    return { current, ids: [...new Set([first, ...versions.map(({ executionId }) => executionId)])] }
  })
}

/** The executions that count: without those that the broker took back, or replaced by others. */
export const standingFills = (fills: readonly Fill[]): Fill[] =>
  fillVersions(fills)
    .map(({ current }) => current)
    .filter(({ state }) => state !== 'canceled')
