import { BacktestForm } from '@tradewright/contract/backtest-form'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { createStrategyAction } from '../assistant/actions/create-strategy.ts'
import { runBacktestAction } from '../assistant/actions/run-backtest.ts'
import { runStrategyAction } from '../assistant/actions/run-strategy.ts'
import type { AssistantArea } from '../assistant/area.ts'
import { backtestTools, type FormFields } from '../assistant/tools/backtest-tools.ts'
import { dataQualityTools } from '../assistant/tools/data-quality-tools.ts'
import { featureTools } from '../assistant/tools/feature-tools.ts'
import { marketTools } from '../assistant/tools/market-tools.ts'
import { signalTools } from '../assistant/tools/signal-tools.ts'
import { strategyTools } from '../assistant/tools/strategy-tools.ts'
import { backtestTopics } from '../assistant/topics/backtest-topics.ts'
import { dataQualityTopic } from '../assistant/topics/data-quality-topic.ts'
import { featureTopics } from '../assistant/topics/feature-topics.ts'
import { marketTopics } from '../assistant/topics/market-topics.ts'
import { portfolioMix } from '../assistant/topics/portfolio-mix.ts'
import { signalTopic } from '../assistant/topics/signal-topic.ts'
import { strategyTopics } from '../assistant/topics/strategy-topics.ts'
import { whatIfTopic } from '../assistant/topics/what-if.ts'
import { receivedBy } from '../external-signals/own-signals.ts'
import { callOf, toDomain } from '../http/backtests/form.ts'
import { createBacktestStore } from '../stores/backtests/backtests.ts'
import { createSignalStore } from '../stores/external-signals/external-signals.ts'
import { createStrategyStore } from '../stores/strategies/strategies.ts'
import type { AssistantParts } from './assistant-parts.ts'

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
