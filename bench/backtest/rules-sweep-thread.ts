// One thread of the benchmark `backtest/rules-sweep`: it has the data, and is sent variants by their places.
import { parentPort } from 'node:worker_threads'
import { sweepVariants } from '@tradewright/engine/backtest/rules-sweep'
import { SWEPT_METRICS, type SweepPart, sweepData, sweepSettings, variantsOf } from './rules-sweep-work.ts'

const data = sweepData()

parentPort!.on('message', ({ check, from, to }: SweepPart) => {
  const before = process.threadCpuUsage()
  const figures = sweepVariants(sweepSettings, variantsOf(check).slice(from, to), data, SWEPT_METRICS)
  const { user, system } = process.threadCpuUsage(before)
  parentPort!.postMessage({ figures, cpuMs: (user + system) / 1000 })
})
parentPort!.postMessage('ready')
