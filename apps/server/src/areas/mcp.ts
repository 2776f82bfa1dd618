import { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import type { FastifyInstance } from 'fastify'
import { readGuide } from '../adapters/guide/guide-files.ts'
import { joinAreas } from '../assistant/action.ts'
import { guideSearch, guideAreas } from '../assistant/guide/guide-topics.ts'
import type { JobFeed } from '../events/job-feed.ts'
import { receivedBy } from '../external-signals/own-signals.ts'
import { boardToWire } from '../http/backtests/robustness.ts'
import { serveMcp } from '../http/mcp/routes.ts'
import { toDomain } from '../http/optimizer/form.ts'
import type { Authenticate } from '../http/server/handle.ts'
import type { IdempotentCalls } from '../jobs/idempotent-calls.ts'
import { proposeTools, assistantTools, catalogueTools } from '../mcp/read-tools.ts'
import { backtestTools, optimizerTools, robustnessTools } from '../mcp/research-tools.ts'
import { studyTools } from '../mcp/study-tools.ts'
import { programVersion } from '../program-version.ts'
import type { ProposalDeps } from '../proposals/own-proposals.ts'
import type { Notifications } from '../adapters/postgres/notifications.ts'
import { createBacktestStore } from '../stores/backtests/backtests.ts'
import { createSignalStore } from '../stores/external-signals/external-signals.ts'
import { SESSION_REVOKED_CHANNEL } from '../stores/auth/sessions.ts'
import { createStrategyStore } from '../stores/strategies/strategies.ts'
import { researchArea, tradingArea } from './assistant.ts'
import type { AssistantParts } from './assistant-parts.ts'
import { optimizationRuns } from './optimizer.ts'
import { strategyReader } from './proposals.ts'
import { ownStudies } from './studies.ts'

const CANCELLED_CHANNEL = 'mcp_cancelled'

interface McpParts extends AssistantParts {
  readonly authenticate: Authenticate
  readonly feed: JobFeed
  readonly notifications: Notifications
  readonly proposals: ProposalDeps
  readonly idempotentCalls: IdempotentCalls
  readonly assertRoom: (userId: number, bytes: number) => Promise<void>
}

/** The MCP server, joined to the areas. None of its tools trades or changes anything but proposals. */
export async function serveMcpArea(app: FastifyInstance, parts: McpParts): Promise<void> {
  const { config, foundation, runtime, clock, log, authenticate, feed, notifications, proposals, assertRoom } = parts
  const { tools } = joinAreas([guideAreas(guideSearch(readGuide)).first, tradingArea(parts), researchArea(parts)])
  const stores = {
    backtests: createBacktestStore(foundation.database),
    strategies: createStrategyStore(foundation.database),
    clock,
  }
  const { jobs, watch } = runtime.jobs
  const runOf = strategyReader(clock)
  const receivedSignals = receivedBy({ ...stores, signals: createSignalStore(foundation.database) })
  const studies = ownStudies(foundation, runtime, clock)
  const settingsOf = (fields: object) => toDomain(OptimizationRequest.parse(fields), { targets: [], related: [] })
  await serveMcp(app, {
    authenticate,
    appUrl: config.appUrl,
    mcp: {
      version: programVersion,
      assertRoom,
      idempotentCalls: parts.idempotentCalls,
      onBug: (error, tool) => log.error({ err: error, tool }, 'a tool of the MCP server failed'),
      resources: {
        ...stores,
        ...studies,
        readRun: tools.find(({ name }) => name === 'get_optimization_run')!,
        boardOf: boardToWire,
      },
      // One more kind of research is one more line here.
      tools: [
        ...assistantTools(tools),
        ...catalogueTools({ ...stores, providersOf: runtime.marketData.providersOf }),
        ...backtestTools({ ...stores, jobs, watch, feed, receivedSignals, runOf }),
        ...optimizerTools({ ...optimizationRuns(foundation, runtime, clock), settingsOf }),
        ...studyTools({ ...stores, ...studies, runOf }),
        ...robustnessTools({ ...stores, jobs }),
        ...proposeTools(proposals),
      ],
    },
    cancellations: {
      publish: (cancelled) => notifications.publish(CANCELLED_CHANNEL, cancelled),
      listen: (listener) => notifications.listen(CANCELLED_CHANNEL, listener),
    },
    onKeyEnd: (listener) => notifications.listen(SESSION_REVOKED_CHANNEL, listener),
  })
}
