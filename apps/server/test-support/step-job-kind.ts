import { z } from 'zod'
import { sql } from 'kysely'
import { defineJobKind } from '../src/jobs/job.ts'
import type { Database } from '../src/stores/database.ts'
import { untilAborted } from './test-jobs.ts'

/** The log that the steps write, so that a test sees which process did what. */
export async function createStepLog(database: Database): Promise<void> {
  await sql`CREATE TABLE step_log (job uuid, step integer, process integer)`.execute(database)
}

export async function readStepLog(database: Database, job: string): Promise<{ step: number; process: number }[]> {
  const { rows } = await sql<{ step: number; process: number }>`
    SELECT step, process FROM step_log WHERE job = ${job} ORDER BY step, process`.execute(database)
  return rows
}

/** Counts to `steps` with a checkpoint after each; the first run halts after `haltAfter` until it is aborted or killed. */
export const stepJobKind = (database: Database) =>
  defineJobKind({
    kind: 'steps',
    input: z.object({ steps: z.number(), haltAfter: z.number().nullable() }),
    checkpoint: z.object({ step: z.number() }),
    async run(context, { steps, haltAfter }) {
      for (let step = (context.previous?.step ?? 0) + 1; step <= steps; step++) {
        await sql`INSERT INTO step_log VALUES (${context.jobId}, ${step}, ${process.pid})`.execute(database)
        context.reportProgress({ fraction: step / steps, note: `step ${step} of ${steps}` })
        await context.checkpoint({ step })
        if (step === haltAfter && context.attempt === 1) await untilAborted(context)
      }
      return { process: process.pid }
    },
  })
