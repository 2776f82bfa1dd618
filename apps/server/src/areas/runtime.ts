import type { Clock } from '@tradewright/core/clock'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import { boardPieceJob } from '../backtests/robustness/piece-job.ts'
import { DiskFloor } from '../disk-floor.ts'
import { RunLimit } from '../jobs/run-limit.ts'
import type { Logger } from '../log.ts'
import { chunkJob } from '../optimizer/evaluators.ts'
import { pieceJob } from '../studies/study-job.ts'
import { systemClock } from '../system-clock.ts'
import { createComputePool } from '../workers/compute-pool.ts'
import { URGENT_TASKS } from '../workers/schedule.ts'
import type { tasks } from '../workers/tasks.ts'
import { openBrokerage } from './brokerage.ts'
import { openJobs } from './jobs.ts'
import { openLiveTrading, type LiveTradingArea } from './live-trading.ts'
import { openMarketData } from './market-data.ts'
import { keepRunsSettled, optimizerJobs } from './optimizer.ts'
import type { Services } from './services.ts'
import type { AnyJobKind } from '../jobs/job.ts'
import { backtestJobs } from './backtests.ts'
import { constructionJobs } from './construction.ts'
import { studyJobs } from './studies.ts'

/** The base of long work, the same in the web process and in every worker. */
export interface Runtime extends Services {
  liveTrading: LiveTradingArea
  close(): Promise<void>
}

/** With `runsJobs`, this process takes jobs beside all others; without, it only puts them in. */
export async function openRuntime(
  config: Config,
  foundation: Foundation,
  log: Logger,
  { runsJobs, clock = systemClock }: { runsJobs: boolean; clock?: Clock },
): Promise<Runtime> {
  const disk = new DiskFloor({
    dataDir: config.dataDir,
    floorBytes: config.minFreeDiskBytes,
    holdsDatabase: config.databaseUrl === undefined,
    log,
  })
  await disk.poll()
  disk.start()
  const pieces = [chunkJob.kind, pieceJob.kind, boardPieceJob.kind]
  const jobs = await openJobs(foundation, log, {
    limit: new RunLimit(config.maxRunsPerUser, pieces, () => disk.assertNotLow()),
  })
  const registry = new URL('../workers/tasks.ts', import.meta.url)
  const compute = createComputePool<typeof tasks>({
    threads: config.computeThreads,
    registry,
    readyTasks: URGENT_TASKS,
  })
  const marketData = openMarketData(config, { ...foundation, compute, disk }, clock, log)
  const brokerage = openBrokerage(
    config,
    { ...foundation, compute },
    {
      seriesFor: marketData.seriesFor,
      stores: marketData.stores,
      clock,
      log,
    },
  )
  const liveTrading = openLiveTrading(config, foundation, { marketData, brokerage, compute, disk, clock, log })
  let stopSettlingRuns = () => Promise.resolve()
  const runtime: Runtime = {
    jobs,
    compute,
    marketData,
    brokerage,
    sharesDatabase: config.databaseUrl !== undefined,
    liveTrading,
    async close() {
      await disk.close()
      await stopSettlingRuns()
      await liveTrading.close()
      // Jobs first: they hand back what they have, and then all threads are idle.
      await jobs.close()
      await compute.close()
      await brokerage.close()
      await marketData.close()
    },
  }
  try {
    const { sharesDatabase } = runtime
    await jobs.begin(jobKinds(foundation, runtime, clock), { run: runsJobs, alone: !sharesDatabase })
    if (runsJobs) {
      marketData.keepSchedules(jobs)
      brokerage.keepVerifying()
      await liveTrading.start({ alone: !sharesDatabase })
      stopSettlingRuns = keepRunsSettled(foundation, runtime, clock, log)
    }
    return runtime
  } catch (error) {
    await runtime.close()
    throw error
  }
}

/** Every kind of job there is, joined to what it needs. The web process and each worker know the same list. */
function jobKinds(foundation: Foundation, runtime: Services, clock: Clock): readonly AnyJobKind[] {
  return [
    ...runtime.marketData.jobKinds,
    ...backtestJobs(foundation, runtime, clock),
    ...optimizerJobs(foundation, runtime, clock),
    ...studyJobs(foundation, runtime, clock),
    ...constructionJobs(foundation, runtime, clock),
  ]
}
