/** How soon a running fit ends when it is cancelled, and how much memory a large one takes. */
import { boostingJob } from '@tradewright/engine/models/boosting/model'
import { boostingBytes } from '@tradewright/engine/models/boosting/grow'
import { defaultBoostingSettings } from '@tradewright/engine/models/settings'
import { cancel, newCancelFlag } from '@tradewright/engine/models/cancellation'
import { codeColumns } from '@tradewright/engine/models/coded-matrix'
import { forestPredictJob } from '@tradewright/engine/models/forest/fit'
import { defaultForestSettings } from '@tradewright/engine/models/settings'
import { rowRange } from '@tradewright/engine/models/splits'
import { boostingTasks, forestTasks, type ModelTask } from '@tradewright/engine/models/tasks'
import { type Bench, benchRow } from '../bench.ts'
import { largeTable, largeWindow, studioTable, studioWindow, type Table, type Window } from './market-data.ts'
import { ThreadPool } from './thread-pool.ts'

const TRIES = 12
/** Different moments of a fit, in milliseconds after its start. */
const MOMENTS = Array.from({ length: TRIES }, (_, i) => 37 + 61 * i)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds from the order to stop until every thread has answered; the longest of a few tries. */
async function slowestStop(pool: ThreadPool, tasks: () => readonly ModelTask[]): Promise<number> {
  let slowest = 0
  for (const moment of MOMENTS) {
    const flag = newCancelFlag()
    const ended = pool.run(tasks(), flag).then(
      () => false,
      () => true,
    )
    await pause(moment)
    const start = performance.now()
    cancel(flag)
    if (!(await ended)) throw new Error('the fit was over before it was cancelled')
    slowest = Math.max(slowest, performance.now() - start)
  }
  return slowest
}

function requestOf(table: Table, [from, to, end]: Window) {
  const trainRows = rowRange(from, to)
  const matrix = codeColumns(table.columns, trainRows)
  return { request: { matrix, labels: table.labels, trainRows }, testRows: rowRange(to, end) }
}

const forestOf = (table: Table, window: Window, trees: number) => {
  const { request, testRows } = requestOf(table, window)
  return forestPredictJob({ ...request, settings: { ...defaultForestSettings, trees } }, testRows)
}

const bench: Bench = {
  name: 'model-limits',
  async run(report) {
    const under = (bench: string, ours: number, unit: string, limit: number) =>
      report(benchRow({ bench: `model-limits/${bench}`, ours, unit, goal: { on: 'ours', under: limit } }))
    const pool = new ThreadPool(1)
    try {
      const small = forestOf(studioTable(7), studioWindow, 30_000)
      under('cancel a forest of W1, slowest of 12', await slowestStop(pool, () => forestTasks(small, 1)), 'ms', 100)
      const table = largeTable(10)
      const large = forestOf(table, largeWindow, 64)
      under('cancel a forest of W3, slowest of 12', await slowestStop(pool, () => forestTasks(large, 1)), 'ms', 100)
      const { request, testRows } = requestOf(table, largeWindow)
      const job = boostingJob({ ...request, settings: { ...defaultBoostingSettings, rounds: 300 } }, testRows)
      under('cancel boosting of W3, slowest of 12', await slowestStop(pool, () => boostingTasks(job, 1)), 'ms', 100)
      const two = new ThreadPool(2)
      // Its threads are there, and have their code, before the first order to stop.
      await two.run(boostingTasks({ ...job, settings: { ...job.settings, rounds: 2 } }, 2))
      const both = await slowestStop(two, () => boostingTasks(job, 2))
      await two.close()
      under('cancel boosting of W3 on 2 threads, slowest of 12', both, 'ms', 100)
      const codes = request.matrix.codes.byteLength
      const times = (bytes: number) => (codes + bytes) / codes
      under('memory of W3 forest, 1 thread', times(large.prepared!.memory.buffer.byteLength), 'x coded matrix', 4)
      under('memory of W3 boosting', times(boostingBytes(job)), 'x coded matrix', 4)
      under('memory of W3 boosting, 2 threads', times(boostingBytes(job, 2)), 'x coded matrix', 4)
      const ten = { ...job, columns: rowRange(0, 10) }
      const timesTen = (bytes: number) => (codes / 2 + bytes) / (codes / 2)
      under('memory of W3 boosting, 10 columns', timesTen(boostingBytes(ten)), 'x coded matrix', 4)
      under('memory of W3 boosting, 10 columns, 2 threads', timesTen(boostingBytes(ten, 2)), 'x coded matrix', 4)
    } finally {
      await pool.close()
    }
    await measureTwoThreads(under)
  },
}

async function measureTwoThreads(
  under: (bench: string, ours: number, unit: string, limit: number) => void,
): Promise<void> {
  const pool = new ThreadPool(2)
  try {
    const job = forestOf(largeTable(10), largeWindow, 8)
    await pool.run(forestTasks(job, 2))
    const codes = 600_000 * 20
    const bytes = codes + job.prepared!.memory.buffer.byteLength
    under('memory of W3 forest, 2 threads', bytes / codes, 'x coded matrix', 4)
  } finally {
    await pool.close()
  }
}

export default bench
