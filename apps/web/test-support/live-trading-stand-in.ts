import { addPaperAccount } from '@tradewright/contract/brokerage-accounts'
import * as calls from '@tradewright/contract/live-trading'
import type {
  AccountPosition,
  DeployableStrategy,
  Deployment,
  LedgerEntry,
  TradingAccount,
  VolumeShare,
} from '@tradewright/contract/live-trading-fields'
import * as watch from '@tradewright/contract/live-trading-watch'
import type { z } from 'zod'
import { account, ACTIVITY, DECISION, deployment, LOG_LINES, MONTH, overview, strategy } from './live-trading-world.ts'
import { on, refuse, type Served, type ServedCall } from './served.ts'

/** The stand-in's data and the calls it received. A test changes it and checks it. */
export interface World {
  deployments: Deployment[]
  strategies: DeployableStrategy[]
  accounts: TradingAccount[]
  positions: AccountPosition[]
  ledger: LedgerEntry[]
  isMailConfigured: boolean
  volumes: VolumeShare[]
  recent: { deployment_id: number; growth: number[] }[]
  glances: z.output<typeof watch.getDeploymentsAtAGlance.answer>['deployments']
  /** Bodies of the calls that change something, newest last. */
  asked: { path: string; body: Record<string, unknown> }[]
}

const MARKET = { is_open: false, next_open: '2026-11-16T14:30:00.000Z', next_close: '2026-11-16T21:00:00.000Z' }

const VOLUMES = [
  {
    symbol: 'SSO',
    order_value: 442.8,
    average_daily_usd: 210_000_000,
    share_pct: 0.0002,
    reason: null,
    synthetic: false,
  },
]

const NEXT = { start: 'running', pause: 'paused', resume: 'running', stop: 'stopped' } as const

export const newWorld = (known: Partial<World> = {}): World => ({
  deployments: [deployment()],
  strategies: [strategy()],
  accounts: [account()],
  positions: [],
  ledger: [],
  isMailConfigured: true,
  volumes: VOLUMES,
  recent: [],
  glances: [],
  asked: [],
  ...known,
})

/** The calls of Live Trading without a server behind them. */
export const liveTradingCalls = (world: World): Served[] => [...reading(world), ...changing(world)]

function reading(world: World): Served[] {
  const one = ({ params }: ServedCall) => world.deployments.find(({ id }) => String(id) === params['id'])
  const success = true as const
  return [
    on(calls.listDeployments, () => ({ success, deployments: world.deployments })),
    on(watch.getDeploymentsAtAGlance, () => ({
      success,
      market: MARKET,
      recent: world.recent,
      deployments: world.glances,
    })),
    on(calls.listDeployableStrategies, () => ({ success, strategies: world.strategies })),
    on(calls.listTradingAccounts, () => ({ success, accounts: world.accounts })),
    on(calls.listAccountPositions, () => ({ success, positions: world.positions })),
    on(calls.getVolumeShares, () => ({ success, volumes: world.volumes })),
    on(watch.getNotificationSettings, () => ({ success, configured: world.isMailConfigured, from: null })),
    on(calls.getActivity, () => ({ success, activity: ACTIVITY })),
    on(calls.getLogTail, ({ query }) => ({ success, lines: LOG_LINES.slice(-Number(query.get('lines'))) })),
    on(calls.getDeploymentDetails, (call) => {
      const found = one(call)
      if (!found) return refuse('This deployment does not exist.', { status: 404 })
      return { success, error: null, deployment: { ...found, ...ledgerPage(world, call.query) } }
    }),
    on(watch.getDeploymentOverview, (call) => {
      const found = one(call)
      return found ? overview({ deployment: found }) : refuse('This deployment does not exist.', { status: 404 })
    }),
    on(calls.getDeployment, (call) => {
      const found = one(call)
      return found ? { success, deployment: found } : refuse('This deployment does not exist.', { status: 404 })
    }),
  ]
}

function ledgerPage(world: World, query: URLSearchParams) {
  const types = query.get('entry_types')?.split(',')
  const search = (query.get('search') ?? '').toLowerCase()
  const found = world.ledger.filter(
    ({ entry_type, note }) =>
      (!types || types.includes(entry_type)) && `${entry_type} ${note ?? ''}`.toLowerCase().includes(search),
  )
  const [page, size] = [Number(query.get('page')), Number(query.get('page_size'))]
  return {
    ledger_entries: found.slice((page - 1) * size, page * size),
    ledger_pagination: { page, page_size: size, total_entries: found.length },
    ledger_entry_types: [...new Set(world.ledger.map(({ entry_type }) => entry_type))],
    account: world.accounts[0] ?? null,
  }
}

function changing(world: World): Served[] {
  const success = true as const
  const note = (path: string, body: Record<string, unknown>) => world.asked.push({ path, body })
  const change = ({ params }: ServedCall, changes: Partial<Deployment>) => {
    world.deployments = world.deployments.map((one) => (String(one.id) === params['id'] ? { ...one, ...changes } : one))
    return world.deployments.find(({ id }) => String(id) === params['id']) ?? deployment()
  }
  const create =
    (path: string) =>
    ({ body }: ServedCall) => {
      note(path, body)
      const made = deployment({ id: 99, deployment_name: String(body['deployment_name']), status: 'created' })
      world.deployments = [made, ...world.deployments]
      return { success, deployment: made, deployment_id: made.id, start_error: null }
    }
  const stopped = { success, message: 'Stopped 1 deployment and cancelled 2 orders.', stopped: 1, cancelled_orders: 2 }
  return [
    on(calls.controlDeployment, (call) => {
      note('control', call.body)
      const action = String(call.body['action']) as keyof typeof NEXT
      return {
        success,
        deployment: change(call, { status: NEXT[action], liquidating: call.body['positions'] === 'sell' }),
      }
    }),
    on(calls.deleteDeployment, ({ params }) => {
      world.deployments = world.deployments.filter(({ id }) => String(id) !== params['id'])
      return { success, message: 'Deployment deleted, its capital is free again.' }
    }),
    on(calls.createDeployment, create('create')),
    on(calls.createDeploymentWithPositions, create('create-with-positions')),
    on(calls.updateDeployment, (call) => {
      note('update', call.body)
      return {
        success,
        error: null,
        deployment: change(call, { deployment_name: String(call.body['deployment_name']) }),
      }
    }),
    on(calls.contribute, (call) => {
      note('contributions', call.body)
      return { success, error: null, message: 'Recorded.', deployment: change(call, {}) }
    }),
    on(calls.disallocate, (call) => {
      note('disallocate', call.body)
      const summary = { disallocation_pct: 25, disallocation_amount: 6715.61, new_total: 20_146.83 }
      return { success, disallocation_summary: summary }
    }),
    on(calls.validateAsset, ({ body }) => ({
      success,
      validation: validated(String(body['ticker']), Number(body['leverage'])),
    })),
    on(calls.validateMapping, ({ body }) => {
      const results = Object.entries(body['ticker_mapping'] as Record<string, string>).map(
        ([signal, ticker]) => [signal, validated(ticker, 1)] as const,
      )
      const all_valid = results.every(([, { valid }]) => valid)
      return { success, validation: { all_valid, ticker_results: Object.fromEntries(results) } }
    }),
    on(watch.emergencyStopAll, () => ({ ...stopped, problems: [] })),
    on(watch.emergencyStop, (call) => {
      change(call, { status: 'stopped' })
      return { ...stopped, problems: ['The broker could not be reached; its orders are cancelled when it can.'] }
    }),
    on(watch.previewDecision, () => ({
      success,
      decision: { ...DECISION, id: null, outcome: 'held' as const },
      orders: [
        { symbol: 'SSO', side: 'buy' as const, is_short: false, quantity: 4.5, notional: null, estimated_value: 442.8 },
      ],
      volumes: VOLUMES,
      market_open: false,
      next_check_at: MARKET.next_open,
    })),
    on(watch.previewNewDeployment, () => refuse('Its model is trained when it is deployed.', { status: 409 })),
    on(watch.replayNewDeployment, () => ({ success, replay: MONTH })),
    on(watch.replayDeploymentMonth, () => ({ success, replay: MONTH })),
    on(watch.checkDeployment, () => ({
      success,
      outcome: 'market_closed' as const,
      message: 'Nothing was sent: the market is closed.',
      next_run_at: MARKET.next_open,
    })),
    on(watch.setSafety, (call) => {
      note('safety', call.body)
      return { success, deployment: change(call, call.body) }
    }),
    on(watch.testNotification, ({ body }) => {
      note('test e-mail', body)
      return { success, message: `A test e-mail is on its way to ${String(body['email'])}.` }
    }),
    on(addPaperAccount, () => {
      world.accounts = [account({ id: 8, account_name: 'Paper account' })]
      return {
        success,
        message: null,
        account: {
          id: 8,
          account_name: 'Paper account',
          is_default: true,
          paper_trading: true,
          last_connected_at: null,
          created_at: '2026-11-13T20:30:00.000Z',
          broker: 'paper' as const,
          status: 'verified' as const,
          status_reason: null,
          short_borrow_pct: 1,
          fill_model: 'market' as const,
          custom_host: null,
        },
      }
    }),
  ]
}

/** `BAD` is no ticker, and `HALT` cannot be traded just now. */
function validated(ticker: string, leverage: number) {
  return {
    valid: ticker !== 'BAD',
    error: ticker === 'BAD' ? 'BAD is not known to the broker.' : null,
    warning: ticker === 'HALT' ? 'HALT is halted.' : null,
    is_price_old: false,
    max_leverage: 2,
    requested_leverage: leverage,
    trading_ticker: ticker,
  }
}
