import { type BrokerageAccount, listAccounts } from '@tradewright/contract/brokerage-accounts'
import { getPortfolio, type Portfolio } from '@tradewright/contract/portfolio'
import { on, type refuse, type Served } from './served.ts'

/** What the stand-ins behind the tests' server accept. */
export const STAND_IN_KEYS = { keyId: 'PKSTANDIN0000000', secretKey: 'stand-in-secret-0000000000000000' }
export const BINANCE_KEYS = {
  keyId: 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A',
  secretKey: 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j',
}

const success = true as const
const NOW = '2026-11-13T21:00:00.000Z'
const DAY_MS = 86_400_000

export function account(values: Partial<BrokerageAccount> = {}): BrokerageAccount {
  return {
    id: 1,
    account_name: 'Main',
    is_default: true,
    paper_trading: true,
    last_connected_at: NOW,
    created_at: '2024-02-01T15:00:00.000Z',
    broker: 'alpaca',
    status: 'verified',
    status_reason: null,
    custom_host: null,
    short_borrow_pct: null,
    fill_model: null,
    ...values,
  }
}

const dayOf = (index: number) => new Date(Date.parse('2024-02-01') + index * DAY_MS).toISOString().slice(0, 10)

/** A history without chance: a slope with a wave on it. */
const equityOf = (index: number) => 100_000 + 40 * index + 3_000 * Math.sin(index / 30)

/** An account with a past of so many days, as the server would tell it. */
export function portfolio(values: Partial<Portfolio> = {}, days = 730): Portfolio {
  const full_history = Array.from({ length: days }, (_, index) => ({
    date: dayOf(index),
    equity: equityOf(index),
    net_amount: index === 200 ? 5_000 : 0,
  }))
  const every = Math.ceil(days / 365)
  const shown = full_history.filter((_, index) => index % every === 0 || index === days - 1)
  return {
    account: { id: 1, account_name: 'Main', paper_trading: true, broker: 'alpaca', custom_host: null },
    equity: 128_412.36,
    cash: 21_903.4,
    overall_return_percent: 22.29,
    daily_pnl: -412.5,
    daily_pnl_percent: -0.32,
    buying_power: 2_256_824.72,
    positions: [
      position('SPY', 120.5, 512.34, 668.12),
      position('TLT', 300, 94.1, 88.02),
      position('BTC/USD', 0.12345678, 61_000, 98_400.5),
    ],
    history: shown.map(({ date, equity }) => ({ date, equity })),
    full_history,
    growth: shown.map(({ date, equity }, index) => ({
      date,
      portfolio: equity / 100_000,
      spy: 1 + index / 1_200,
      tqqq: 1 + index / 500 + Math.sin(index / 12) / 8,
    })),
    transactions: Array.from({ length: 45 }, (_, index) => transaction(index)),
    transactions_count: 45,
    trades: Array.from({ length: 12 }, (_, index) => trade(index)),
    trades_count: 12,
    activities_complete: true,
    cagr_excluding_contributions: 0.1034,
    total_return: 0.2181,
    money_weighted_return: 0.1102,
    is_annualised: true,
    spy_cagr: 0.1312,
    tqqq_cagr: 0.0412,
    spy_total_return: 0.28,
    tqqq_total_return: 0.084,
    benchmarks_synthetic: false,
    benchmarks_missing: [],
    synthetic: false,
    net_contributions: 105_000,
    other_reading: null,
    cagr_calculation_method: 'true_time_weighted_return',
    cagr_calculation_text: '',
    sub_periods_count: 2,
    cash_flows_count: 1,
    filter_type: 'all',
    start_date: full_history[0]?.date ?? null,
    end_date: full_history.at(-1)?.date ?? null,
    notes: {},
    as_of: NOW,
    age_seconds: 0,
    is_refreshing: false,
    warning: null,
    ...values,
  }
}

/** The server's answers about these accounts; `portfolioOf` sees each query. */
export const portfolioCalls = (
  accounts: BrokerageAccount[],
  portfolioOf: (query: URLSearchParams) => Portfolio | ReturnType<typeof refuse>,
): Served[] => [
  on(listAccounts, () => ({ success, accounts })),
  on(getPortfolio, ({ query }) => {
    const answer = portfolioOf(query)
    return 'refusal' in answer ? answer : { success, portfolio: answer }
  }),
]

function position(symbol: string, qty: number, avg_entry_price: number, current_price: number) {
  const unrealized_plpc = current_price / avg_entry_price - 1
  const market_value = qty * current_price
  const unrealized_pl = market_value - qty * avg_entry_price
  return { symbol, qty, avg_entry_price, current_price, market_value, unrealized_pl, unrealized_plpc, price_date: null }
}

const transaction = (index: number) => ({
  id: `t${index}`,
  date: dayOf(700 - index * 15),
  net_amount: index % 9 === 0 ? 5_000 : index % 4 === 3 ? -0.37 : 61.45 + index,
  description: index % 9 === 0 ? 'ACH transfer' : index % 4 === 3 ? 'TAF fee for the day' : 'Cash dividend of SPY',
  activity_type: index % 9 === 0 ? 'CSD' : index % 4 === 3 ? 'FEE' : 'DIV',
  symbol: null,
  is_external: index % 9 === 0,
})

const trade = (index: number) => ({
  id: `x${index}`,
  date: dayOf(700 - index * 20),
  executed_at: `${dayOf(700 - index * 20)}T15:31:07.000Z`,
  symbol: index % 2 ? 'SPY' : 'BTC/USD',
  side: index % 3 === 0 ? ('sell' as const) : ('buy' as const),
  qty: index % 2 ? 12 + index : 0.0123,
  price: index % 2 ? 601.25 : 97_400.1,
  amount: index % 2 ? (12 + index) * 601.25 : 0.0123 * 97_400.1,
})
