import { Decimal } from '@tradewright/core/decimal'
import { type EpochDay, formatDate } from '@tradewright/core/time'

/** A corporate action that changes what a holding consists of, as market data list it. */
export interface ListedAction {
  /** Whose shares it is about. */
  readonly ticker: string
  readonly day: EpochDay
  /** What each of its shares becomes, or brings where they are kept. */
  readonly shares: readonly { readonly ticker: string; readonly perShare: number }[]
  /** In dollars. */
  readonly cashPerShare: number
  /** The shares stay, as in a spin-off. */
  readonly isKept: boolean
}

/** "each LSI became 0.895 EXR on 2023-07-20" */
export function listedInWords({ ticker, day, shares, cashPerShare, isKept }: ListedAction): string {
  const amount = (value: number) => String(Decimal.fromNumber(value).rounded(6))
  const parts = shares.map((share) => `${amount(share.perShare)} ${share.ticker}`)
  if (cashPerShare > 0) parts.push(`$${amount(cashPerShare)}`)
  const brought = parts.length === 0 ? 'nothing' : parts.join(' and ')
  return `each ${ticker} ${isKept ? 'brought' : 'became'} ${brought} on ${formatDate(day)}`
}
