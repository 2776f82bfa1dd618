import type { TradingAccount, VolumeShare } from '@tradewright/contract/live-trading-fields'
import { orderTypeProblem } from '@tradewright/core/order-type-problem'
import { type OrderTypeId, orderTypes } from '@tradewright/core/order-types'
import { formatPercent, formatWholeMoney } from '../../../../lib/format.ts'
import type { DeployForm } from '../draft.ts'
import { isCash } from '../signal-ticker.ts'

/** Why each order type that is not possible here is not, as the server would refuse it. */
export function orderTypeProblems(form: DeployForm, account: TradingAccount | undefined): Map<OrderTypeId, string> {
  if (!account) return new Map()
  const tickers = Object.entries(form.tickerMapping)
    .filter(([signal]) => !isCash(signal))
    .map(([, ticker]) => ticker.trim().toUpperCase())
    .filter(Boolean)
  const asked = {
    broker: account.broker,
    tickers,
    frequency: form.tradingFrequencyType,
    minutesBeforeClose: Number(form.minutesBeforeClose),
  }
  return new Map(
    orderTypes.flatMap(({ id }) => {
      const sentence = orderTypeProblem({ ...asked, type: id })
      return sentence === undefined ? [] : [[id, sentence] as const]
    }),
  )
}

/** Above this, an order moves the price. */
const LARGE_SHARE_PCT = 1

export const isLarge = ({ share_pct }: VolumeShare): boolean => share_pct !== null && share_pct > LARGE_SHARE_PCT

export function volumeText({ symbol, order_value, share_pct, average_daily_usd, reason }: VolumeShare): string {
  if (share_pct === null) return `${symbol}: n/a. ${reason ?? ''}`.trim()
  const share = share_pct < 0.01 ? 'less than 0.01%' : formatPercent(share_pct / 100, 2)
  return `${symbol}: ${formatWholeMoney(order_value)} is ${share} of the ${formatWholeMoney(average_daily_usd)} traded on an average day`
}
