// One thread of the benchmark `backtest/rules-sweep`: it has the data, and is sent variants by their places.
import { parentPort } from 'node:worker_threads'
import { prepareStudy, evaluateVariant } from '@tradewright/engine/study/evaluate'
import { studyOf, type SweepPart, sweepData, variantsOf } from './rules-sweep-work.ts'

const data = sweepData()

parentPort!.on('message', ({ check, from, to }: SweepPart) => {
  const before = process.threadCpuUsage()
  const bench = prepareStudy(studyOf(check), data)
  const figures = variantsOf(check)
    .slice(from, to)
    .map((tree) => evaluateVariant(bench, tree))
  const { user, system } = process.threadCpuUsage(before)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort!.postMessage({ figures, cpuMs: (user + system) / 1000 })
})
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort!.postMessage('ready')
