import { BacktestForm } from '@tradewright/contract/backtest-form'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { CreateDeploymentBody } from '@tradewright/contract/live-trading-form'
import { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import { readGuide } from '../adapters/guide/guide-files.ts'
import { joinAreas, type AssistantArea } from '../assistant/action.ts'
import { guideSearch, guideAreas } from '../assistant/guide/guide-topics.ts'
import { limitReplies } from '../assistant/converse.ts'
import { serveAssistant } from '../http/assistant/routes.ts'
import type { Handle } from '../http/server/handle.ts'
import { serveOpenAi } from '../http/assistant/openai.ts'
import { createConversationStore } from '../stores/assistant/assistant.ts'
import { modelConnections } from './assistant-model.ts'
import type { AssistantParts } from './assistant-parts.ts'
import {
  createStrategyAction,
  runBacktestAction,
  runStrategyAction,
  deployToPaperAction,
  startOptimizerRunAction,
} from '../assistant/actions.ts'
import { backtestTools, type FormFields } from '../assistant/tools/backtest-tools.ts'
import { dataQualityTools, marketTools } from '../assistant/tools/market-tools.ts'
import { featureTools, strategyTools } from '../assistant/tools/strategy-tools.ts'
import { signalTools, deploymentTools, portfolioTools } from '../assistant/tools/account-tools.ts'
import { backtestTopics } from '../assistant/topics/backtest-topics.ts'
import { dataQualityTopic, marketTopics } from '../assistant/topics/market-topics.ts'
import { featureTopics, strategyTopics } from '../assistant/topics/strategy-topics.ts'
import { portfolioMix, whatIfTopic } from '../assistant/topics/portfolio-mix.ts'
import { signalTopic, deploymentTopic, portfolioTopic } from '../assistant/topics/account-topics.ts'
import { receivedBy } from '../external-signals/own-signals.ts'
import { callOf, toDomain } from '../http/backtests/form.ts'
import { createBacktestStore } from '../stores/backtests/backtests.ts'
import { createSignalStore } from '../stores/external-signals/external-signals.ts'
import { createStrategyStore } from '../stores/strategies/strategies.ts'
import { leadingIndicatorTools, optimizerTools } from '../assistant/tools/optimizer-tools.ts'
import { leadingIndicatorTopic, optimizerTopic } from '../assistant/topics/optimizer-topics.ts'
import { toDeployForm } from '../http/live-trading/form.ts'
import { toDomain as toOptimizerSettings } from '../http/optimizer/form.ts'
import { optimizationRuns } from './optimizer.ts'

const REPLIES_AT_ONCE = 3

/** The assistant joined to the areas that it reads; each brings tools, actions and topics of its own. */
export function serveAssistantArea(handle: Handle, surroundings: AssistantParts): void {
  const { config, foundation, clock, log } = surroundings
  const connection = modelConnections(config, foundation, clock)
  serveOpenAi(handle, connection)
  const ofGuide = guideAreas(guideSearch(readGuide))
  serveAssistant(handle, {
    ...connection,
    conversations: createConversationStore(foundation.database),
    // The questions of trading are the more special ones.
    abilities: joinAreas([ofGuide.first, tradingArea(surroundings), researchArea(surroundings), ofGuide.last]),
    replies: limitReplies(REPLIES_AT_ONCE),
    timeLimitMs: config.aiAnswerMs,
    onBug: (error, tool) => log.error({ err: error, tool }, 'a tool of the assistant failed'),
  })
}

/** Strategies, backtests, features, market data and its quality. */
export function researchArea({ foundation: { database }, runtime, clock }: AssistantParts): AssistantArea {
  const { marketData, jobs } = runtime
  const now = () => clock.now().getTime()
  const daysAgo = (days: number) => formatDate(epochDayOf(now()) - days)
  const strategyStore = createStrategyStore(database)
  const received = { strategies: strategyStore, signals: createSignalStore(database), clock }
  const deps = {
    strategies: strategyStore,
    receivedSignals: receivedBy(received),
    backtests: createBacktestStore(database),
    jobs: jobs.jobs,
    watch: jobs.watch,
    clock,
    runOf: (fields: FormFields) => toDomain(BacktestForm.parse(fields)).run,
    fieldsOf: callOf,
  }
  const strategies = strategyTools(deps)
  const backtests = backtestTools(deps)
  const signals = signalTools(received)
  const market = marketTools({ seriesFor: marketData.seriesFor, clock })
  const quality = dataQualityTools({ stores: marketData.stores, now, inspect: marketData.inspect })
  const runBacktest = runBacktestAction(deps)
  const createStrategy = createStrategyAction(deps)
  const mix = portfolioMix({ strategies, market, runBacktest, daysAgo })
  const features = featureTopics({ ...featureTools, ...strategies })
  const ofStrategies = strategyTopics({ ...strategies, ...backtests })
  const ofMarket = marketTopics(market, daysAgo)
  return {
    tools: [strategies, backtests, signals, market, quality, featureTools].flatMap((tools) => Object.values(tools)),
    actions: [runBacktest, createStrategy, runStrategyAction(deps)],
    // From the most special question to the most general.
    topics: [
      whatIfTopic({ backtests, runBacktest, createStrategy, daysAgo }),
      mix.topic,
      dataQualityTopic(quality),
      signalTopic(signals),
      ...backtestTopics(backtests),
      ...ofStrategies.topics,
      features.topic,
      ...ofMarket.topics,
    ],
    quickActions: [ofStrategies.analyze, mix.optimize, features.addFeature, ofMarket.analysis],
  }
}

const NO_LISTS = { targets: [], related: [] }

/** Optimizer runs, leading indicators, the portfolio and deployments. */
export function tradingArea({ foundation, runtime, clock }: AssistantParts): AssistantArea {
  const { marketData, compute, brokerage, liveTrading } = runtime
  const runs = optimizationRuns(foundation, runtime, clock)
  const optimizer = optimizerTools(runs)
  const indicators = leadingIndicatorTools({ ...marketData, compute, clock })
  const portfolio = portfolioTools(brokerage.portfolio)
  const deployments = deploymentTools(liveTrading.deps)
  const market = marketTools({ seriesFor: marketData.seriesFor, clock })
  return {
    tools: [optimizer, indicators, portfolio, deployments].flatMap((tools) => Object.values(tools)),
    actions: [
      startOptimizerRunAction({
        ...runs,
        settingsOf: (fields) => toOptimizerSettings(OptimizationRequest.parse(fields), NO_LISTS),
      }),
      deployToPaperAction({
        ...liveTrading.deps,
        deployFormOf: (fields) => toDeployForm(CreateDeploymentBody.parse(fields)),
      }),
    ],
    topics: [
      optimizerTopic(optimizer),
      leadingIndicatorTopic(indicators),
      deploymentTopic(deployments),
      portfolioTopic({ ...portfolio, ...market }),
    ],
  }
}
