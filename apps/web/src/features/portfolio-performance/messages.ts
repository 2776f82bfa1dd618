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
