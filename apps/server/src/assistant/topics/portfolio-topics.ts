import type { Topic } from '../area.ts'
import type { Caller } from '../tool.ts'
import type { MarketTools } from '../tools/market-tools.ts'
import type { PortfolioFacts, PortfolioTools } from '../tools/portfolio-tools.ts'
import { chart, date, money, paragraphs, plain, signedMoney, signedPercent, SYNTHETIC_NOTE, table } from '../words.ts'

const NOT_CONNECTED =
  'No brokerage account is connected yet. Add one in [Settings](/settings#alpaca): Alpaca, or the built-in paper account, which needs no key.'
const MOST_ROWS = 12

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
    `**${plain(account.name)}** (${kind}) is worth **${money(equity)}**: ${signedMoney(daily_pnl)} (${signedPercent(fraction(daily_pnl_percent))}) since the close before, ${signedPercent(fraction(overall_return_percent))} since it was opened.`,
    await moves(tools, caller, facts),
    facts.equity_history.length > 1 &&
      chart({ title: `Equity of ${account.name}`, points: facts.equity_history, synthetic: facts.synthetic }),
    trades(facts),
    facts.synthetic && SYNTHETIC_NOTE,
    facts.warning ? plain(facts.warning) : undefined,
    '[Portfolio Performance](/portfolio-performance)',
  )
}

const fraction = (percent: number | null): number | null => (percent === null ? null : percent / 100)

/** What each holding earned since the day before, by its daily closes: an explanation, not the broker's own figure. */
async function moves(tools: Tools, caller: Caller, { positions }: PortfolioFacts): Promise<string> {
  if (positions.length === 0) return 'It holds cash only, so nothing moved it.'
  const held = positions.slice(0, MOST_ROWS)
  const { quotes } = await tools.getQuotes.run(caller, { tickers: held.map(({ ticker }) => ticker) })
  const rows = held.map(({ ticker, market_value, gain }) => {
    const change = quotes.find((quote) => quote.ticker === ticker)?.change_1_day ?? null
    const moved = change === null ? null : market_value - market_value / (1 + change)
    return { ticker, market_value, gain, change, moved }
  })
  rows.sort((a, b) => Math.abs(b.moved ?? 0) - Math.abs(a.moved ?? 0))
  return paragraphs(
    table(
      ['Holding', 'Value', 'Last day', 'Moved it by', 'Gain so far'],
      rows.map(({ ticker, market_value, change, moved, gain }) => [
        plain(ticker),
        money(market_value),
        signedPercent(change),
        signedMoney(moved),
        signedMoney(gain),
      ]),
    ),
    'The last day is that of the newest daily close at hand.',
  )
}

function trades({ newest_trades }: PortfolioFacts): string | undefined {
  const [last] = newest_trades
  return (
    last &&
    `Last trade: ${last.side} ${last.quantity} ${plain(last.ticker)} at ${money(last.price)} on ${date(last.date)}.`
  )
}
