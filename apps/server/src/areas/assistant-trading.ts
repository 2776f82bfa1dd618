import { CreateDeploymentBody } from '@tradewright/contract/live-trading-form'
import { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import { deployToPaperAction } from '../assistant/actions/deploy-to-paper.ts'
import { startOptimizerRunAction } from '../assistant/actions/start-optimizer-run.ts'
import type { AssistantArea } from '../assistant/area.ts'
import { deploymentTools } from '../assistant/tools/deployment-tools.ts'
import { leadingIndicatorTools } from '../assistant/tools/leading-indicator-tools.ts'
import { marketTools } from '../assistant/tools/market-tools.ts'
import { optimizerTools } from '../assistant/tools/optimizer-tools.ts'
import { portfolioTools } from '../assistant/tools/portfolio-tools.ts'
import { deploymentTopic } from '../assistant/topics/deployment-topic.ts'
import { leadingIndicatorTopic } from '../assistant/topics/leading-indicator-topic.ts'
import { optimizerTopic } from '../assistant/topics/optimizer-topic.ts'
import { portfolioTopic } from '../assistant/topics/portfolio-topics.ts'
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
