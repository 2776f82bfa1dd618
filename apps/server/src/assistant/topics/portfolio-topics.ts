import type { Topic } from '../area.ts'
import type { Caller } from '../tool.ts'
import type { MarketTools } from '../tools/market-tools.ts'
import type { PortfolioFacts, PortfolioTools } from '../tools/portfolio-tools.ts'
import {
  chart,
  date,
  MISSING,
  money,
  paragraphs,
  plain,
  quantity,
  signedMoney,
  signedPercent,
  SYNTHETIC_NOTE,
  table,
} from '../words.ts'
import { type DayMove, dayMoves } from './day-moves.ts'

const NOT_CONNECTED =
  'No brokerage account is connected yet. Add one in [Settings](/settings#alpaca): Alpaca, or the built-in paper account, which needs no key.'
const CASH_ONLY = 'It holds cash only, so nothing moved it.'
const MAX_ROWS = 12

type Tools = PortfolioTools & Pick<MarketTools, 'getQuotes'>

export const portfolioTopic = (tools: Tools): Topic => ({
  example: 'What moved my portfolio?',
  matches: (words) =>
    /\bportfolio\b|\bholdings?\b|\bpositions?\b|my account|\bequity\b|buying power/.test(words) &&
    !/optimi[sz]e|balance|diversif|backtest|strateg/.test(words),
  async answer(caller) {
    const { accounts } = await tools.listAccounts.run(caller, {})
    if (accounts.length === 0) return NOT_CONNECTED
    return portfolioWords(tools, caller, await tools.getPortfolio.run(caller, { period: 'all' }))
  },
})

async function portfolioWords(tools: Tools, caller: Caller, facts: PortfolioFacts): Promise<string> {
  const { account, equity, daily_pnl, daily_pnl_percent, overall_return_percent } = facts
  const kind = account.is_paper ? 'paper money' : '**live money**'
  return paragraphs(
    `**${plain(account.name)}** (${kind}) is worth **${money(equity)}**: ${signedMoney(daily_pnl)} (${signedPercent(fraction(daily_pnl_percent))}) since the previous close, ${signedPercent(fraction(overall_return_percent))} since it was opened.`,
    await moves(tools, caller, facts),
    facts.equity_history.length > 1 &&
      chart({
        title: `Equity of ${account.name}`,
        unit: 'usd',
        points: facts.equity_history,
        synthetic: facts.synthetic,
      }),
    trades(facts),
    facts.synthetic && SYNTHETIC_NOTE,
    facts.warning ? `${plain(facts.warning)} The figures are those of ${asOf(facts)}.` : undefined,
    '[Portfolio Performance](/portfolio-performance)',
  )
}

/** `10 Jan 2024, 15:04 UTC`. */
const asOf = ({ as_of }: PortfolioFacts): string => `${date(as_of.slice(0, 10))}, ${as_of.slice(11, 16)} UTC`

const fraction = (percent: number | null): number | null => (percent === null ? null : percent / 100)

async function moves(tools: Tools, caller: Caller, facts: PortfolioFacts): Promise<string> {
  if (facts.positions.length === 0) return facts.daily_pnl ? 'It holds cash only now.' : CASH_ONLY
  const held = facts.positions.toSorted((a, b) => Math.abs(b.market_value) - Math.abs(a.market_value))
  const positions = held.slice(0, MAX_ROWS)
  const { quotes } = await tools.getQuotes.run(caller, { tickers: positions.map(({ ticker }) => ticker) })
  const rows = dayMoves({ ...facts, positions }, quotes)
  return paragraphs(
    strongest(rows),
    table(
      ['Holding', 'Value', 'Gain so far', 'Day', 'Price', 'Moved it by'],
      rows.map(({ position: { ticker, market_value, gain }, change, amount, ...when }) => [
        plain(ticker),
        money(market_value),
        signedMoney(gain),
        dayWords(when) ?? MISSING,
        signedPercent(change),
        signedMoney(amount),
      ]),
    ),
    'A day is the newest one with a close; “since” a day is from its close until now. Computed from prices and trades, not reported by the broker.',
    held.length > positions.length && `The largest ${positions.length} of ${held.length} holdings.`,
  )
}

function strongest([first]: readonly DayMove[]): string | undefined {
  if (!first?.amount) return undefined
  const when = first.isUnderWay ? dayWords(first) : `on ${dayWords(first)}`
  return `**${plain(first.position.ticker)}** moved it most: ${signedMoney(first.amount)} ${when}.`
}

const dayWords = ({ day, isUnderWay }: Pick<DayMove, 'day' | 'isUnderWay'>): string | undefined =>
  day === null ? undefined : `${isUnderWay ? 'since ' : ''}${date(day)}`

function trades({ newest_trades }: PortfolioFacts): string | undefined {
  const [last] = newest_trades
  return (
    last &&
    `Last trade: ${last.side === 'buy' ? 'bought' : 'sold'} ${quantity(last.quantity)} ${plain(last.ticker)} at ${money(last.price)} on ${date(last.date)}.`
  )
}
