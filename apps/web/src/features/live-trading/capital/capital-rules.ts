import type { Deployment, TradingAccount } from '@tradewright/contract/live-trading-fields'
import { moneyIn } from '../../../deployment-words/money-in.ts'
import type { ContributionType } from '../messages.ts'

/** The reason that keeps a contribution or withdrawal from being recorded; null when there is none. */
export function adjustmentProblem(
  type: ContributionType,
  typed: string,
  deployment: Deployment,
  account: TradingAccount | null,
): string | null {
  const amount = Number(typed)
  const { committed_cash, capital_currency } = deployment
  if (typed.trim() === '' || !Number.isFinite(amount) || amount <= 0)
    return 'Please enter a positive contribution amount.'
  if (type === 'WITHDRAWAL') {
    return amount > committed_cash
      ? `Withdrawal exceeds available cash (${moneyIn(capital_currency, committed_cash)}).`
      : null
  }
  const available = account?.available_cash ?? null
  if (available === null || amount <= available) return null
  return `Contribution exceeds account available capital (${moneyIn(capital_currency, available)}).`
}

/** Net contributions with their profit or loss. */
export const currentCapital = ({ net_contributions, total_pnl }: Deployment): number => net_contributions + total_pnl

interface Disallocation {
  total: number
  amount: number
  remainder: number
}

const SMALLEST_AMOUNT = 0.01

/** The amounts of a disallocation of so many percent; null while the percent is not one. */
export function disallocationOf(typed: string, total: number): Disallocation | null {
  const percent = Number(typed)
  if (typed.trim() === '' || !(percent >= 1 && percent <= 100)) return null
  const amount = (total * percent) / 100
  return { total, amount, remainder: total - amount }
}

export function disallocationProblem(typed: string, total: number): string | null {
  const disallocation = disallocationOf(typed, total)
  if (!disallocation) return 'Please enter a valid percentage between 1 and 100.'
  if (disallocation.amount >= SMALLEST_AMOUNT) return null
  return 'Disallocation amount too small. Current capital may be near zero.'
}
