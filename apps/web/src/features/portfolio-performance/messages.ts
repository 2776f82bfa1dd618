import type { Portfolio } from '@tradewright/contract/portfolio'
import { CallError } from '../../lib/call-error.ts'
import { formatSignedPercent } from '../../lib/format.ts'

export const NOT_CONNECTED = 'Alpaca Account Not Connected'

interface Failure {
  text: string
  detail: string | null
}

/** The server's own words; without any, whether it refused or could not be asked. */
export function portfolioFailed(error: unknown): Failure {
  if (!(error instanceof CallError)) return { text: 'Error loading portfolio data', detail: null }
  if (error.serverMessage) return { text: error.serverMessage, detail: null }
  if (error.status >= 400) return { text: 'Failed to load portfolio data', detail: null }
  return { text: 'Error loading portfolio data', detail: error.message }
}

/** Both readings, where large cash flows of unknown time decide about the return. */
export function otherReadingNote({
  other_reading: other,
  cagr_excluding_contributions: rate,
}: Portfolio): string | undefined {
  if (!other || rate === null) return undefined
  const days =
    other.days === 1
      ? 'On one day a cash flow of unknown time was over 10% of the account'
      : `On ${other.days} days cash flows of unknown time were over 10% of the account`
  const otherwise =
    other.cagr_excluding_contributions === null ? 'n/a' : formatSignedPercent(other.cagr_excluding_contributions, 2)
  return (
    `${days}. Deposits counted from the start of their day give ${formatSignedPercent(rate, 2)}; ` +
    `counted at its end (and withdrawals at the start) they give ${otherwise}.`
  )
}

/** The broker's own codes of activities, in words; one that is not listed is shown as it is. */
const ACTIVITY_WORDS: Readonly<Record<string, string>> = {
  ACATC: 'Account transfer',
  ACATS: 'Account transfer',
  CFEE: 'Crypto fee',
  CSD: 'Deposit',
  CSW: 'Withdrawal',
  DIV: 'Dividend',
  DIVCGL: 'Capital gain',
  DIVCGS: 'Capital gain',
  DIVNRA: 'Dividend tax',
  DIVROC: 'Return of capital',
  FEE: 'Fee',
  INT: 'Interest',
  INTNRA: 'Interest tax',
  JNLC: 'Cash transfer',
  JNLS: 'Share transfer',
  MA: 'Merger',
  PTC: 'Pass-through charge',
  REORG: 'Reorganisation',
  SPIN: 'Spin-off',
  SPLIT: 'Split',
  TRANS: 'Cash transfer',
}

export const activityWord = (code: string): string => ACTIVITY_WORDS[code] ?? code

/** How each figure is computed, in words for the reader who acts on it. */
export const HOW = {
  overallReturn:
    'Equity less net contributions, divided by net contributions, since the account was opened. Deposits, withdrawals ' +
    'and transfers are contributions; dividends, interest and fees are part of the gain.',
  dailyPnl:
    'Equity now, less equity at the previous close, less today’s net contributions. The percentage is ' +
    'relative to equity at the previous close plus what has been paid in since.',
  buyingPower: 'As reported by the broker. With margin it exceeds the cash in the account.',
  cash: 'Money that is not invested, as reported by the broker.',
  benchmark:
    'The growth of one dollar invested in it, with dividends reinvested, between the first and the last day on ' +
    'which the account has a value. It is shown as a yearly rate whenever the account’s return is.',
  moneyWeighted:
    'The single rate at which all contributions, withdrawals and the final value balance (XIRR). Unlike the return ' +
    'beside it, it depends on when and how much you contributed. For less than a year, it is the rate for the ' +
    'period.',
  totalReturn:
    'The compounded return from the first to the last day of the period, excluding contributions. Never a yearly rate.',
  netContributions:
    'What was paid in less what was paid out in the period. Cash flows are the deposits, withdrawals and transfers ' +
    'after its first day, on which the account starts with what it holds; they divide the period into sub-periods.',
} as const
