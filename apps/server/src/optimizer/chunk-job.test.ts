import { expect, it } from 'vitest'
import type { JobContext } from '../jobs/job.ts'
import { chunkJobKind, type Compute, type PreparedRuns } from './evaluators.ts'

it('gets ready for a run that it has no individuals of yet, and evaluates nothing', async () => {
  const prepared: number[] = []
  const preparedRuns = {
    get: async ({ runId }: { runId: number }) => void prepared.push(runId),
  } as unknown as PreparedRuns
  const compute = { threads: 2, run: () => Promise.reject(new Error('nothing to evaluate')) } as unknown as Compute
  const context = { userId: 1, signal: new AbortController().signal } as JobContext<unknown>
  const kind = chunkJobKind({ compute, preparedRuns })
  expect(await kind.run(context, { runId: 7, individuals: [] })).toMatchObject({
    evaluations: [],
    process: { threads: 2 },
  })
  expect(prepared).toEqual([7])
})
