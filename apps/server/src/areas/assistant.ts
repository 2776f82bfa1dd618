import type { Clock } from '@tradewright/core/clock'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import type { Handle } from '../http/handle.ts'
import { serveOpenAi } from '../http/openai.ts'
import type { Logger } from '../log.ts'
import { modelConnections } from './assistant-model.ts'
import type { Runtime } from './runtime.ts'

export interface AssistantSurroundings {
  readonly config: Config
  readonly foundation: Pick<Foundation, 'database' | 'seal'>
  readonly runtime: Runtime
  readonly clock: Clock
  readonly log: Logger
}

/** Users' connected AI models, joined to the routes. */
export function serveAssistantArea(handle: Handle, { config, foundation, clock }: AssistantSurroundings): void {
  serveOpenAi(handle, modelConnections(config, foundation, clock))
}
