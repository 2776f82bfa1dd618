import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import type { AnyJobKind } from '../jobs/job-kind.ts'
import { systemClock } from '../system-clock.ts'
import { backtestJobs } from './backtests.ts'
import type { Runtime } from './runtime.ts'

/** Every kind of job there is, joined to what it needs. The web process and each worker know the same list. */
export function jobKinds(config: Config, foundation: Foundation, runtime: Runtime): readonly AnyJobKind[] {
  return [backtestJobs(config, foundation, runtime, systemClock)]
}
