import { CreateDeploymentBody } from '@tradewright/contract/live-trading-form'
import { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import { deployToPaperAction, startOptimizerRunAction } from '../assistant/actions.ts'
import type { AssistantArea } from '../assistant/action.ts'
import { deploymentTools, portfolioTools } from '../assistant/tools/account-tools.ts'
import { leadingIndicatorTools, optimizerTools } from '../assistant/tools/optimizer-tools.ts'
import { marketTools } from '../assistant/tools/market-tools.ts'
import { deploymentTopic, portfolioTopic } from '../assistant/topics/account-topics.ts'
import { leadingIndicatorTopic, optimizerTopic } from '../assistant/topics/optimizer-topics.ts'
import { toDeployForm } from '../http/live-trading/form.ts'
import { toDomain } from '../http/optimizer/form.ts'
import type { AssistantParts } from './assistant-parts.ts'
import { optimizationRuns } from './optimizer.ts'

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
        settingsOf: (fields) => toDomain(OptimizationRequest.parse(fields), NO_LISTS),
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
