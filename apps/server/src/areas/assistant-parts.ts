import type { Clock } from '@tradewright/core/clock'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import type { Logger } from '../log.ts'
import type { Runtime } from './runtime.ts'

export interface AssistantParts {
  readonly config: Config
  readonly foundation: Pick<Foundation, 'database' | 'seal'>
  readonly runtime: Runtime
  readonly clock: Clock
  readonly log: Logger
}
