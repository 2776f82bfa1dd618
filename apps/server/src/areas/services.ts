import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import type { BrokerageArea } from './brokerage.ts'
import type { JobsArea } from './jobs.ts'
import type { MarketDataArea } from './market-data.ts'

/** What the areas of long work are built on. */
export interface Services {
  jobs: JobsArea
  compute: ComputePool<typeof tasks>
  marketData: MarketDataArea
  brokerage: BrokerageArea
  /** Whether other processes may take jobs beside this one. */
  sharesDatabase: boolean
}
