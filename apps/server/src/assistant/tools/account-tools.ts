import { kindNamed } from '@tradewright/core/strategy-kinds'
import { epochDayOf, formatDate, MINUTE } from '@tradewright/core/time'
import { type Figure, isAvailable } from '@tradewright/engine/performance/figure'
import { z } from 'zod'
import { targetName } from '@tradewright/core/external-signal'
import type { BrokerageAccount } from '../../brokerage/account.ts'
import { type PortfolioDeps, portfolioOf, type PortfolioView } from '../../portfolio/own-portfolio.ts'
import { periodFilters } from '../../portfolio/account-figures.ts'
import { defineTool } from '../action.ts'
import { amount, rounded, downsampled } from './backtest-tools.ts'
import { type DeploymentView, problemsOf, viewDeployment, viewDeployments } from '../../live-trading/views.ts'
import type { LiveDeps } from '../../live-trading/deps.ts'
import { type SignalLogDeps, signalsOf } from '../../external-signals/own-signals.ts'
import { findStrategy } from '../../strategies/own-strategies.ts'

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

const MAX_LISTED = 30

/** Reading only: nothing of a deployment can be changed from here. */
export const deploymentTools = (deps: Pick<LiveDeps, 'database' | 'gate'>) => ({
  listDeployments: defineTool({
    name: 'list_deployments',
    description: "The user's deployments of live trading, paper and live, with status, value and profit or loss.",
    note: 'Looking at your deployments',
    input: z.object({}),
    async run({ userId }) {
      const views = await viewDeployments(deps, userId)
      return { total: views.length, deployments: views.slice(0, MAX_LISTED).map(deploymentFacts) }
    },
  }),

  getDeployment: defineTool({
    name: 'get_deployment',
    description: 'One deployment with what it holds.',
    note: 'Reading a deployment',
    input: z.object({ deployment_id: z.int() }),
    async run({ userId }, { deployment_id }) {
      const view = await viewDeployment(deps, userId, deployment_id)
      const positions = [...view.slice.positions].map(([ticker, quantity]) => ({
        ticker,
        quantity: quantity.toNumber(),
      }))
      return { ...deploymentFacts(view), positions }
    },
  }),
})

export type DeploymentTools = ReturnType<typeof deploymentTools>

function deploymentFacts(view: DeploymentView) {
  const { deployment, slice, value, pnl } = view
  return {
    deployment_id: deployment.id,
    name: deployment.name,
    status: deployment.status,
    strategy: deployment.strategyName,
    account: deployment.accountName,
    is_paper: deployment.isPaper,
    committed: deployment.totals.committed.toNumber(),
    cash: slice.cash.toNumber(),
    value: value.toNumber(),
    profit_or_loss: pnl.toNumber(),
    next_check: deployment.nextRunAt?.toISOString() ?? null,
    problem: problemsOf(view).join(' ') || null,
  }
}

const MAX_STRATEGIES = 10
const MAX_ENTRIES = 10

export const signalTools = (deps: SignalLogDeps) => ({
  listSignals: defineTool({
    name: 'list_external_signals',
    description:
      'What strategies of the type External signal received from other programs: the signal that counts now, and the ' +
      'newest ones with why any was refused. Of all of them, or of one by its strategy_id.',
    note: 'Looking at received signals',
    input: z.object({ strategy_id: z.int().optional() }),
    async run({ userId }, { strategy_id: id }) {
      const all = id === undefined ? await deps.strategies.list(userId) : [await findStrategy(deps, userId, id)]
      const external = all.filter(({ type }) => kindNamed(type).receivesSignals)
      return {
        total: external.length,
        strategies: await Promise.all(
          external.slice(0, MAX_STRATEGIES).map(async (strategy) => {
            const { address, entries, accepted, current } = await signalsOf(deps, userId, strategy.id)
            return {
              strategy_id: strategy.id,
              name: strategy.name,
              takes_signals: address !== undefined,
              accepted,
              current,
              // Without the senders' own ids: those of forged ones are a stranger's text.
              newest: entries.slice(0, MAX_ENTRIES).map(({ receivedAt, outcome, target, reason }) => ({
                received: receivedAt.toISOString(),
                outcome,
                target: target && targetName(target),
                reason,
              })),
            }
          }),
        ),
      }
    },
  }),
})

export type SignalTools = ReturnType<typeof signalTools>
