import type { Clock } from '@tradewright/core/clock'
import type { Foundation } from '../foundation.ts'
import type { AnyJobKind } from '../jobs/job-kind.ts'
import { backtestJobs } from './backtests.ts'
import { optimizerJobs } from './optimizer.ts'
import type { Services } from './services.ts'

/** Every kind of job there is, joined to what it needs. The web process and each worker know the same list. */
export function jobKinds(foundation: Foundation, runtime: Services, clock: Clock): readonly AnyJobKind[] {
  return [
    ...runtime.marketData.jobKinds,
    backtestJobs(foundation, runtime, clock),
    ...optimizerJobs(foundation, runtime, clock),
  ]
}
