import { epochDayOf, formatDate, MINUTE } from '@tradewright/core/time'
import { type Figure, isAvailable } from '@tradewright/engine/performance/figure'
import { z } from 'zod'
import type { BrokerageAccount } from '../../brokerage/account.ts'
import { type PortfolioDeps, portfolioOf, type PortfolioView } from '../../portfolio/own-portfolio.ts'
import { periodFilters } from '../../portfolio/account-figures.ts'
import { defineTool } from '../tool.ts'
import { amount, rounded, downsampled } from './backtest-facts.ts'

export const NEWEST = 15
const FRESH = MINUTE
const periods = periodFilters.filter((filter) => filter !== 'custom')

const known = (figure: Figure): number | null => (isAvailable(figure) ? rounded(figure) : null)
const knownAmount = (figure: Figure): number | null => (isAvailable(figure) ? amount(figure) : null)

export const portfolioTools = (deps: PortfolioDeps) => ({
  listAccounts: defineTool({
    name: 'list_brokerage_accounts',
    description: "The user's brokerage accounts, paper and live. The default one comes first.",
    note: 'Looking at your accounts',
    input: z.object({}),
    run: async ({ userId }) => ({ accounts: (await deps.accounts.list(userId)).map(accountFacts) }),
  }),

  getPortfolio: defineTool({
    name: 'get_portfolio',
    description:
      'Equity, holdings, newest trades and true performance of a brokerage account (the default one when none is named).',
    note: 'Looking at your portfolio',
    input: z.object({ account_id: z.int().optional(), period: z.enum(periods).default('all') }),
    async run({ userId }, { account_id, period }) {
      const request = { filter: period, startDate: undefined, endDate: undefined }
      const asked = { ...request, accountId: account_id, maySynthetic: false, activities: NEWEST }
      const kept = await portfolioOf(deps, userId, { ...asked, forceRefresh: false })
      // A screen shows the snapshot and is told of news; a question in words gets one answer.
      const isOld = kept.ageMillis >= FRESH || kept.isRefreshing
      return portfolioFacts(isOld ? await portfolioOf(deps, userId, { ...asked, forceRefresh: true }) : kept)
    },
  }),
})

export type PortfolioTools = ReturnType<typeof portfolioTools>

const accountFacts = ({ id, name, broker, isPaper, isDefault, status }: BrokerageAccount) => ({
  account_id: id,
  name,
  broker,
  is_paper: isPaper,
  is_default: isDefault,
  verification: status,
})

function portfolioFacts({ account, taken, figures, trades, benchmarks, warning }: PortfolioView) {
  const { snapshot, takenAt } = taken
  const { performance, values, daily } = figures
  return {
    account: accountFacts(account),
    as_of: takenAt.toISOString(),
    equity: Number(snapshot.account.equity),
    cash: Number(snapshot.account.cash),
    buying_power: Number(snapshot.account.buyingPower),
    daily_pnl: knownAmount(daily.amount),
    daily_pnl_percent: known(daily.percent),
    overall_return_percent: known(figures.overallReturnPercent),
    performance: {
      total_return: known(performance.totalReturn),
      rate: known(performance.rate),
      is_yearly_rate: performance.isAnnualised,
      method: performance.method,
      net_contributions: performance.netContributions,
      spy_total_return: known(benchmarks.spy.totalReturn),
      benchmarks_synthetic: benchmarks.isSynthetic,
    },
    positions: snapshot.positions.map(({ ticker, quantity, averageEntryPrice, price, marketValue, isSynthetic }) => ({
      ticker,
      quantity: Number(quantity),
      price: Number(price),
      market_value: Number(marketValue),
      gain: amount(Number(marketValue) - Number(quantity) * Number(averageEntryPrice)),
      synthetic: isSynthetic,
    })),
    newest_trades: trades.flatMap((trade) =>
      trade.kind === 'trade'
        ? [
            {
              date: formatDate(epochDayOf(trade.at)),
              ticker: trade.ticker,
              side: trade.side,
              quantity: trade.quantity.toNumber(),
              price: trade.price.toNumber(),
            },
          ]
        : [],
    ),
    equity_history: downsampled(
      values.map(({ day }) => day * 86_400_000),
      values.map(({ value }) => value),
    ),
    synthetic: snapshot.positions.some(({ isSynthetic }) => isSynthetic),
    warning: warning ?? null,
  }
}

export type PortfolioFacts = ReturnType<typeof portfolioFacts>
