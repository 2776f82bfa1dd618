import type { Topic, Caller } from '../action.ts'
import type { MarketTools, PriceFacts } from '../tools/market-tools.ts'
import {
  type PortfolioFacts,
  type PortfolioTools,
  NEWEST,
  type DeploymentTools,
  type SignalTools,
} from '../tools/account-tools.ts'
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
  count,
} from '../words.ts'

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

type Facts = Pick<PortfolioFacts, 'positions' | 'newest_trades' | 'as_of'>
type Position = Facts['positions'][number]
type Trade = Facts['newest_trades'][number]
type Quote = Pick<PriceFacts, 'ticker' | 'date' | 'value' | 'change_1_day' | 'synthetic'>

interface DayMove {
  readonly position: Position
  /** The newest day with a close, or the close that a day under way is counted from; null where there is none. */
  readonly day: string | null
  readonly isUnderWay: boolean
  /** The change of the price, with dividends, as a fraction. */
  readonly change: number | null
  /** Null where it is not known. */
  readonly amount: number | null
}

const UNKNOWN = { day: null, isUnderWay: false, change: null, amount: null }
/** Two sources of one price may differ in the last digit. */
const SAME_PRICE = 1e-5

/**
 * Each holding's earnings since its last close, or, where the price is that close, on the day before it; largest first.
 * An explanation by prices, not the broker's own figure: what was held before moved with the price, what was traded
 * since from the price it was traded at.
 */
export function dayMoves({ positions, newest_trades, as_of }: Facts, quotes: readonly Quote[]): DayMove[] {
  const moves = positions.map((position) => {
    // A made-up price says nothing about a real holding.
    const quote = quotes.find(({ ticker, synthetic }) => ticker === position.ticker && synthetic === position.synthetic)
    const step = quote && stepOf(quote, position, as_of.slice(0, 10))
    if (!step) return { position, ...UNKNOWN }
    const { day, isUnderWay, from, to } = step
    const trades = newest_trades.filter((trade) => (isUnderWay ? trade.date > day : trade.date >= day))
    const amount = earned(position, from, to, trades)
    return { position, day, isUnderWay, change: to / from - 1, amount }
  })
  return moves.sort((a, b) => Math.abs(b.amount ?? 0) - Math.abs(a.amount ?? 0))
}

interface Step extends Pick<DayMove, 'isUnderWay'> {
  readonly day: string
  readonly from: number
  readonly to: number
}

function stepOf({ date, value, change_1_day }: Quote, { price }: Position, today: string): Step | undefined {
  const isUnderWay = today > date && price > 0 && Math.abs(price / value - 1) > SAME_PRICE
  if (isUnderWay) return { day: date, isUnderWay, from: value, to: price }
  if (change_1_day === null) return undefined
  return { day: date, isUnderWay, from: value / (1 + change_1_day), to: value }
}

/** Null where there may be more trades than are listed. */
function earned({ ticker, quantity }: Position, from: number, to: number, trades: readonly Trade[]): number | null {
  if (trades.length >= NEWEST) return null
  const traded = trades
    .filter((trade) => trade.ticker === ticker)
    .map(({ side, quantity: size, price }) => ({ size: side === 'buy' ? size : -size, price }))
  const heldBefore = traded.reduce((held, { size }) => held - size, quantity)
  return traded.reduce((sum, { size, price }) => sum + size * (to - price), heldBefore * (to - from))
}

const NO_DEPLOYMENTS =
  'Nothing is deployed yet. Deploy a strategy in [Live Trading](/live-trading), to a paper account first.'

export const deploymentTopic = (tools: DeploymentTools): Topic => ({
  example: 'How are my deployments doing?',
  matches: (words) => /\bdeploy(ed|ment|ments)?\b|live trading/.test(words),
  async answer(caller) {
    const { deployments } = await tools.listDeployments.run(caller, {})
    if (deployments.length === 0) return NO_DEPLOYMENTS
    const troubled = deployments.filter(({ problem }) => problem !== null)
    return paragraphs(
      table(
        ['Deployment', 'Strategy', 'Money', 'Status', 'Value', 'P&L'],
        deployments.map((one) => [
          plain(one.name),
          plain(one.strategy),
          one.is_paper ? 'paper' : 'live',
          plain(one.status),
          money(one.value),
          signedMoney(one.profit_or_loss),
        ]),
      ),
      troubled.map(({ name, problem }) => `- **${plain(name)}** does not trade: ${plain(problem ?? '')}`).join('\n'),
      '[Live Trading](/live-trading)',
    )
  },
})

type Listed = Awaited<ReturnType<SignalTools['listSignals']['run']>>['strategies'][number]

const NONE =
  'You have no strategy of the type External signal. Choose that type in the [Backtest Studio](/backtest), list the allocations that another program may name, and save it: it then gets an address for signals.'

export const signalTopic = ({ listSignals }: SignalTools): Topic => ({
  example: 'Which external signals arrived?',
  matches: (words) =>
    /\b(external|received|arrived?|accepted|refused|forged)\b/.test(words) &&
    /\b(signals?|tradingview)\b/.test(words) &&
    /\b(my|which|what|did|show|list|last|newest)\b/.test(words) &&
    !/\bhow\b/.test(words),
  answer: async (caller) => {
    const { strategies } = await listSignals.run(caller, {})
    return strategies.length === 0 ? NONE : paragraphs(...strategies.map(wordsOf))
  },
})

const WORDS: Record<Listed['newest'][number]['outcome'], string> = {
  accepted: 'Accepted',
  doubled: 'Duplicate',
  late: 'Late',
  forged: 'Forged',
  unknown_target: 'Unknown target',
  unreadable: 'Refused',
}

function wordsOf({ name, takes_signals, accepted, current, newest }: Listed): string {
  const state = takes_signals ? '' : ' It has no address, so no signals are accepted.'
  const now = current === null ? 'none was accepted so far' : `the current one is **${plain(current)}**`
  return paragraphs(
    `**${plain(name)}**: ${count(accepted)} accepted, ${now}.${state}`,
    newest.length > 0 &&
      table(
        ['Received (UTC)', 'Outcome', 'Signal', 'Reason'],
        newest.map(({ received, outcome, target, reason }) => [
          received.slice(0, 16).replace('T', ' '),
          WORDS[outcome],
          plain(target ?? ''),
          plain(reason ?? ''),
        ]),
      ),
  )
}
