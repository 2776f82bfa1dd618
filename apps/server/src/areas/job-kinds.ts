import type { AnyJobKind } from '../jobs/job-kind.ts'
import type { Runtime } from './runtime.ts'

/** Every kind of job there is, joined to what it needs. The web process and each worker know the same list. */
export function jobKinds(_runtime: Runtime): readonly AnyJobKind[] {
  return []
}
