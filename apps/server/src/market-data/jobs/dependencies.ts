import { Problem } from '@tradewright/core/problem'
import type { JobWithStanding } from './ports.ts'

/** Refuses dependencies that do not exist and chains that lead back to the job itself. */
export function checkDependencies(
  job: { readonly id: number | undefined; readonly name: string; readonly dependsOnJobIds: readonly number[] },
  others: readonly JobWithStanding[],
): void {
  const known = new Map(others.map((other) => [other.id, other]))
  for (const id of job.dependsOnJobIds) {
    if (!known.has(id))
      throw new Problem('missing', 'collection.dependency', `There is no collection job ${id} to depend on.`)
  }
  const chain = job.id === undefined ? undefined : chainTo(job.id, job.dependsOnJobIds, known, new Set())
  if (!chain) return
  const names = [job.name, ...chain.map((id) => known.get(id)!.name)]
  throw new Problem('invalid', 'collection.cycle', `The job would depend on itself: ${names.join(' → ')}.`)
}

function chainTo(
  target: number,
  ids: readonly number[],
  known: ReadonlyMap<number, JobWithStanding>,
  seen: Set<number>,
): number[] | undefined {
  for (const id of ids) {
    if (id === target) return [id]
    if (seen.has(id)) continue
    seen.add(id)
    const rest = chainTo(target, known.get(id)?.dependsOnJobIds ?? [], known, seen)
    if (rest) return [id, ...rest]
  }
  return undefined
}

/** A job begins only after those it depends on have completed. */
export function checkReady(job: JobWithStanding, others: readonly JobWithStanding[]): void {
  for (const id of job.dependsOnJobIds) {
    const other = others.find((one) => one.id === id)
    if (!other || other.standing.status === 'completed') continue
    const why = other.standing.status === 'running' ? 'is still running' : 'has to be completed first'
    throw new Problem('conflict', 'collection.not-ready', `"${job.name}" depends on "${other.name}", which ${why}.`)
  }
}
