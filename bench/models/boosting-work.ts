import { boostingJob, boostingProbabilities } from '@tradewright/engine/models/boosting/model'
import { growBoosting } from '@tradewright/engine/models/boosting/grow'
import type { BoostingJob } from '@tradewright/engine/models/boosting/booster'
import { type BoostingSettings, defaultBoostingSettings } from '@tradewright/engine/models/settings'
import { codeColumns } from '@tradewright/engine/models/coded-matrix'
import { rowRange } from '@tradewright/engine/models/splits'
import { boostingTasks } from '@tradewright/engine/models/tasks'
import type { Table, Window } from './market-data.ts'
import type { ThreadPool } from './thread-pool.ts'

export interface BoostingWork {
  readonly table: Table
  readonly windows: readonly Window[]
  readonly settings: Partial<BoostingSettings>
}

function jobs({ table, windows, settings }: BoostingWork): BoostingJob[] {
  return windows.map(([from, to, end]) => {
    const trainRows = rowRange(from, to)
    const matrix = codeColumns(table.columns, trainRows)
    const all = { ...defaultBoostingSettings, maxDepth: 6, eta: 0.1, ...settings }
    return boostingJob({ matrix, labels: table.labels, trainRows, settings: all }, rowRange(to, end))
  })
}

export function runBoosting(work: BoostingWork): Float64Array {
  return concatenated(jobs(work).map((job) => boostingProbabilities(growBoosting(job, () => false))))
}

/** One model uses all threads, several are divided among them. */
export async function runBoostingOn(pool: ThreadPool, work: BoostingWork): Promise<Float64Array> {
  const all = jobs(work)
  const threads = Math.floor(pool.threads / all.length)
  const results = await pool.run(all.flatMap((job) => boostingTasks(job, Math.max(1, threads))))
  const growths = results.flatMap((result) => (result.kind === 'boosting' ? [result.growth] : []))
  return concatenated(growths.map(boostingProbabilities))
}

function concatenated(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
