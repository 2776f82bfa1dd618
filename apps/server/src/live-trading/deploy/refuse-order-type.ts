import { orderTypeProblem } from '@tradewright/core/order-type-problem'
import { Problem } from '@tradewright/core/problem'
import type { BrokerageAccount } from '../../brokerage/account.ts'
import { type DeploymentSettings, executionOf, type RunnableStrategy } from '../deployment.ts'
import { tradedTickers } from '../traded-tickers.ts'

/** Refuses an order type that the broker, what is traded or the schedule does not allow. */
export function refuseOrderType(
  { broker }: Pick<BrokerageAccount, 'broker'>,
  strategy: RunnableStrategy,
  settings: DeploymentSettings,
): void {
  const { type } = executionOf({ settings })
  const sentence = orderTypeProblem({
    broker,
    type,
    tickers: tradedTickers({ strategy, settings }),
    frequency: settings.frequencyType,
    minutesBeforeClose: settings.minutesBeforeClose,
  })
  if (sentence) throw new Problem('invalid', 'deployment.order-type', sentence)
}
