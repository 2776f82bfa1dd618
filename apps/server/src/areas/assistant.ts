import { BacktestForm } from '@tradewright/contract/backtest-form'
import type { Clock } from '@tradewright/core/clock'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { createStrategyAction } from '../assistant/actions/create-strategy.ts'
import { runBacktestAction } from '../assistant/actions/run-backtest.ts'
import { runStrategyAction } from '../assistant/actions/run-strategy.ts'
import { type AssistantArea, joinAreas } from '../assistant/area.ts'
import { limitReplies } from '../assistant/reply-limit.ts'
import { backtestTools, type FormFields } from '../assistant/tools/backtest-tools.ts'
import { dataQualityTools } from '../assistant/tools/data-quality-tools.ts'
import { featureTools } from '../assistant/tools/feature-tools.ts'
import { marketTools } from '../assistant/tools/market-tools.ts'
import { strategyTools } from '../assistant/tools/strategy-tools.ts'
import { backtestTopics } from '../assistant/topics/backtest-topics.ts'
import { dataQualityTopic } from '../assistant/topics/data-quality-topic.ts'
import { featureTopics } from '../assistant/topics/feature-topics.ts'
import { marketTopics } from '../assistant/topics/market-topics.ts'
import { portfolioMix } from '../assistant/topics/portfolio-mix.ts'
import { strategyTopics } from '../assistant/topics/strategy-topics.ts'
import { whatIfTopic } from '../assistant/topics/what-if.ts'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import { serveAssistant } from '../http/ai-assistant.ts'
import { toDomain } from '../http/backtest-form.ts'
import { formOfConfig } from '../http/config-form.ts'
import type { Handle } from '../http/handle.ts'
import { serveOpenAi } from '../http/openai.ts'
import type { Logger } from '../log.ts'
import { createBacktestStore } from '../stores/backtests.ts'
import { createConversationStore } from '../stores/conversations.ts'
import { createStrategyStore } from '../stores/strategies.ts'
import { modelConnections } from './assistant-model.ts'
import type { Runtime } from './runtime.ts'

const REPLIES_AT_ONCE = 3

export interface AssistantSurroundings {
  readonly config: Config
  readonly foundation: Pick<Foundation, 'database' | 'seal'>
  readonly runtime: Runtime
  readonly clock: Clock
  readonly log: Logger
}

/** The assistant joined to the areas that it looks at; `others` bring tools, actions and topics of their own. */
export function serveAssistantArea(
  handle: Handle,
  surroundings: AssistantSurroundings,
  others: readonly AssistantArea[] = [],
): void {
  const { config, foundation, clock, log } = surroundings
  const connection = modelConnections(config, foundation, clock)
  serveOpenAi(handle, connection)
  serveAssistant(handle, {
    ...connection,
    conversations: createConversationStore(foundation.database),
    abilities: joinAreas([researchArea(surroundings), ...others]),
    replies: limitReplies(REPLIES_AT_ONCE),
    onBug: (error, tool) => log.error({ err: error, tool }, 'a tool of the assistant failed'),
  })
}

/** Strategies, backtests, features, market data and its quality. */
function researchArea({ foundation: { database }, runtime, clock }: AssistantSurroundings): AssistantArea {
  const { marketData, jobs } = runtime
  const now = () => clock.now().getTime()
  const daysAgo = (days: number) => formatDate(epochDayOf(now()) - days)
  const deps = {
    strategies: createStrategyStore(database),
    backtests: createBacktestStore(database),
    jobs: jobs.jobs,
    watch: jobs.watch,
    clock,
    orderOf: (fields: FormFields) => toDomain(BacktestForm.parse(fields)).order,
    fieldsOf: formOfConfig,
  }
  const strategies = strategyTools(deps)
  const backtests = backtestTools(deps)
  const market = marketTools({ seriesFor: marketData.seriesFor, clock })
  const quality = dataQualityTools({ stores: marketData.stores, now })
  const runBacktest = runBacktestAction(deps)
  const createStrategy = createStrategyAction(deps)
  const mix = portfolioMix({ strategies, market, runBacktest, daysAgo })
  const features = featureTopics({ ...featureTools, ...strategies })
  const ofStrategies = strategyTopics({ ...strategies, ...backtests })
  const ofMarket = marketTopics(market, daysAgo)
  return {
    tools: [strategies, backtests, market, quality, featureTools].flatMap((tools) => Object.values(tools)),
    actions: [runBacktest, createStrategy, runStrategyAction(deps)],
    // From the most special question to the most general.
    topics: [
      whatIfTopic({ backtests, runBacktest, createStrategy, daysAgo }),
      mix.topic,
      dataQualityTopic(quality),
      ...backtestTopics(backtests),
      ...ofStrategies.topics,
      features.topic,
      ...ofMarket.topics,
    ],
    quickActions: [ofStrategies.analyze, mix.optimize, features.addFeature, ofMarket.analysis],
  }
}
