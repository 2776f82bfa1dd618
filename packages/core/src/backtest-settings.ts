/**
 * Every setting of a backtest, described once, under the name that it has in forms, calls and saved strategies. The form
 * of the screen, `POST /api/backtest`, saved strategies, results, passports, command line, Python client, agents and the
 * OpenAPI document are made from this list, in its order. `strategy-fields.ts` has what a kind of strategy is made of,
 * `settings-codec.ts` reads and writes the values;
 * docs/recipes/add-a-setting.md tells how one is added.
 */
import type { StrategyKindId } from './strategy-kinds.ts'

/** An end that is left out is open; `above` and `below` leave out the number itself. */
export interface Bounds {
  readonly min?: number
  readonly above?: number
  readonly max?: number
  readonly below?: number
  /** Behind the range in a refusal: `% a year`. */
  readonly unit?: string
}

/** How a value is written. Choices say for each word of forms the value that the engine has for it. */
type ValueType =
  | { readonly type: 'date' | 'flag' | 'ticker' }
  | { readonly type: 'number' | 'whole'; readonly bounds?: Bounds }
  | { readonly type: 'choice'; readonly choices: Readonly<Record<string, string>> }
  /** One of some words, or a percentage. */
  | { readonly type: 'choice or percent'; readonly choices: Readonly<Record<string, string>>; readonly bounds: Bounds }

export interface Described {
  /** How a refusal names it, at the beginning of a sentence. */
  readonly what: string
  /** Beside the field on the screen. */
  readonly label: string
  /** Behind the value on the screen; `$` stands before it. */
  readonly unit?: string
  /** The term of the glossary that explains it. */
  readonly term?: string
  /** Under the field on the screen. */
  readonly hint?: string
  /** What an empty field stands for, shown in it. */
  readonly empty?: string
  /** What the documentation of the call says beside the field. */
  readonly note?: string
  /** Names of choices on the screen, where they are not the words themselves. */
  readonly choiceLabels?: Readonly<Record<string, string>>
}

/** A setting that the engine's request has under `key`. */
export type BacktestSetting = ValueType &
  Described & {
    /** In the engine and in passports: never changed. */
    readonly key: string
    /** Among `settings` of a result; left out where the result tells it in another place. */
    readonly result?: string
    /** The value in a new form, in the engine's words; undefined: may stay empty, which stands for none. Dates have none. */
    readonly default?: number | boolean | string | undefined
    /**
     * Strategies were saved before the setting existed: it is absent there. `requests`: from requests and passports as
     * well. A new setting is of these.
     */
    readonly mayLack?: 'saved' | 'requests'
    /** The end of the code of a refusal: `costs` of `backtest.costs`. Left out: the key. */
    readonly problem?: string
    /** What its absence from a request means, where that is not the default. */
    readonly absent?: string
    /** Values of the engine that no form offers. */
    readonly unoffered?: readonly string[]
    /** The part of the screen that has its field, where the screen has no other place for it. */
    readonly section: 'money' | 'data' | 'trading'
    /** Kinds of strategy that have it; left out: all. */
    readonly kinds?: readonly StrategyKindId[]
    /** Counts only beside these choices of another setting. */
    readonly beside?: Readonly<Record<string, readonly string[]>>
    /** A deployment trades from the day on which it is started, so what belongs to a tested period is not taken over. */
    readonly isOfTestOnly?: true
  }

/** Each word as its own value. */
const words = <const Word extends string>(...list: readonly Word[]) =>
  Object.fromEntries(list.map((word) => [word, word])) as { readonly [One in Word]: One }

/** In dollars. Sums of far larger ones are no numbers. */
const MAX_AMOUNT = 1e15

const RULED: readonly StrategyKindId[] = ['ml', 'rules', 'external']

/** In the order of passports, whose bytes depend on it. */
export const backtestSettings = {
  /** The first session date, included. */
  startDate: {
    key: 'from',
    section: 'money',
    type: 'date',
    what: 'The start date',
    label: 'Start date',
    note: 'YYYY-MM-DD',
  },
  /** The last session date, included. */
  endDate: { key: 'to', section: 'money', type: 'date', what: 'The end date', label: 'End date', note: 'YYYY-MM-DD' },
  /**
   * An allocation is invested at the close before the start date, so that the first session's return counts, as in most
   * printed tables. Else it is invested at the first close. An ML strategy begins with its first prediction either way.
   */
  includeFirstReturn: {
    key: 'includeFirstReturn',
    section: 'money',
    result: 'include_first_return',
    type: 'flag',
    default: false,
    mayLack: 'saved',
    kinds: ['allocation'],
    what: "Include the first session's return",
    label: "Include the first session's return",
    hint: 'Starts at the close before the start date, as most published tables do.',
    isOfTestOnly: true,
  },
  dataGranularity: {
    key: 'granularity',
    section: 'data',
    type: 'choice',
    choices: { daily: '1d', hourly: '1h', '15minute': '15m', '5minute': '5m', minute: '1m' },
    unoffered: ['30m'],
    default: '1d',
    what: 'The data granularity',
    label: 'Data granularity',
    term: 'granularity',
    note: 'daily (default), hourly, 15minute, 5minute or minute',
  },
  startValue: {
    key: 'startValue',
    section: 'money',
    result: 'start_value',
    problem: 'start-value',
    type: 'number',
    bounds: { above: 0, max: MAX_AMOUNT },
    default: 10_000,
    what: 'The starting value',
    label: 'Starting value',
    unit: '$',
    note: 'Above 0; default 10000',
  },
  /** Paid in (or, negative, out) at the end of each period, in the unit of its kind. */
  cashflow: {
    key: 'cashflow',
    section: 'money',
    result: 'cashflow',
    type: 'number',
    bounds: { min: -MAX_AMOUNT, max: MAX_AMOUNT },
    default: 0,
    what: 'The cashflow',
    label: 'Cashflow',
    term: 'cashflow',
    unit: '$',
    note: 'Default 0; negative withdraws',
    isOfTestOnly: true,
  },
  cashflowFreq: {
    key: 'cashflowFrequency',
    section: 'money',
    result: 'cashflow_freq',
    type: 'choice',
    choices: { Yearly: 'yearly', Monthly: 'monthly', Quarterly: 'quarterly' },
    default: 'yearly',
    what: 'The cashflow frequency',
    label: 'Cashflow frequency',
    note: 'Yearly (default), Monthly or Quarterly',
    isOfTestOnly: true,
  },
  /**
   * What a cash flow is counted in: dollars (those of the start where inflation is adjusted for), percent of the account's
   * balance at that close, or dollars of the start that grow with consumer prices while results stay in dollars as they were.
   */
  cashflowKind: {
    key: 'cashflowKind',
    section: 'money',
    result: 'cashflow_kind',
    type: 'choice',
    choices: words('dollars', 'percent', 'inflation'),
    choiceLabels: {
      dollars: 'Dollars',
      percent: 'Percent of the balance',
      inflation: 'Dollars that grow with inflation',
    },
    default: 'dollars',
    mayLack: 'requests',
    what: 'The kind of cashflow',
    label: 'Cashflow in',
    note: 'dollars (default), percent of the balance, or inflation: dollars of the start that grow with consumer prices',
    isOfTestOnly: true,
  },
  adjustInflation: {
    key: 'adjustInflation',
    section: 'money',
    result: 'adjust_inflation',
    type: 'flag',
    default: false,
    what: 'Adjust for inflation',
    label: 'Adjust for inflation',
    term: 'inflation adjustment',
    isOfTestOnly: true,
  },
  investDividends: {
    key: 'reinvestDividends',
    section: 'money',
    result: 'invest_dividends',
    type: 'flag',
    default: true,
    what: 'Reinvest dividends',
    label: 'Reinvest dividends',
  },
  referenceTicker: {
    key: 'referenceTicker',
    section: 'data',
    result: 'reference_ticker',
    type: 'ticker',
    default: undefined,
    what: 'The reference ticker',
    label: 'Reference ticker',
    term: 'benchmark',
    empty: 'None',
    isOfTestOnly: true,
  },
  rebalanceFrequency: {
    key: 'rebalanceFrequency',
    section: 'trading',
    result: 'rebalance_frequency',
    type: 'choice',
    choices: words('none', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'),
    choiceLabels: {
      none: 'None',
      daily: 'Daily',
      weekly: 'Weekly',
      monthly: 'Monthly',
      quarterly: 'Quarterly',
      yearly: 'Yearly',
    },
    default: 'yearly',
    what: 'The rebalance frequency',
    label: 'Rebalance',
    term: 'rebalancing',
    note: 'none, daily, weekly, monthly, quarterly or yearly (default)',
    isOfTestOnly: true,
  },
  rebalanceBandPct: {
    key: 'rebalanceBandPct',
    section: 'trading',
    result: 'rebalance_band_pct',
    problem: 'band',
    type: 'number',
    bounds: { above: 0, max: 100 },
    default: undefined,
    what: 'The rebalance band',
    label: 'Rebalance band',
    term: 'rebalance band',
    empty: 'None',
    unit: ' pp',
    note: 'Absolute band in percentage points; left out: none',
    isOfTestOnly: true,
  },
  tradingCostBps: {
    key: 'tradingCostBps',
    section: 'trading',
    result: 'trading_cost_bps',
    problem: 'costs',
    type: 'number',
    bounds: { min: 0, below: 10_000, unit: ' basis points' },
    default: 1,
    what: 'The trading cost',
    label: 'Trading cost',
    term: 'trading cost',
    unit: ' bps',
    note: 'Default 1',
  },
  commission: {
    key: 'commission',
    section: 'trading',
    result: 'commission',
    problem: 'costs',
    type: 'number',
    bounds: { min: 0 },
    default: 0,
    what: 'The commission',
    label: 'Commission per trade',
    unit: '$',
    note: 'Dollars per trade, default 0',
  },
  /** Half of the distance of bid and ask, which each trade pays beside the cost. */
  halfSpreadBps: {
    key: 'halfSpreadBps',
    section: 'trading',
    result: 'half_spread_bps',
    problem: 'costs',
    type: 'number',
    bounds: { min: 0, below: 10_000, unit: ' basis points' },
    default: 0,
    mayLack: 'requests',
    what: 'The half-spread',
    label: 'Half-spread',
    term: 'half-spread',
    unit: ' bps',
    note: 'Half of the bid-ask spread in basis points, beside the trading cost; default 0',
  },
  /** Times the square-root law of market impact: 1 is usual, 0 charges none. */
  impactFactor: {
    key: 'impactFactor',
    section: 'trading',
    result: 'impact_factor',
    problem: 'costs',
    type: 'number',
    bounds: { min: 0, max: 100 },
    default: 0,
    mayLack: 'requests',
    what: 'The factor of market impact',
    label: 'Market impact',
    term: 'market impact',
    unit: '×',
    note: 'Market impact: this times the volatility of a bar times the root of the order over the volume; default 0, usual 1',
  },
  /** When decisions by a model or by rules are filled; allocations trade at closes. */
  fillTiming: {
    key: 'fillTiming',
    section: 'trading',
    result: 'fill_timing',
    type: 'choice',
    choices: words('next_open', 'next_close', 'same_close'),
    choiceLabels: {
      next_open: 'Next open',
      next_close: 'Next close',
      same_close: 'Same close (optimistic)',
    },
    default: 'next_open',
    kinds: RULED,
    what: 'The fill timing',
    label: 'Order fill',
    term: 'order fill',
    note: 'next_open (default), next_close or same_close, of decisions by a model or by rules',
  },
  seed: {
    key: 'seed',
    section: 'trading',
    type: 'whole',
    default: 42,
    what: 'The seed',
    label: 'Seed',
    term: 'seed',
    note: 'Whole number, default 42',
  },
  /** What borrowed shares cost, in percent of their value a year; without it negative allocations are refused. */
  shortBorrowPct: {
    key: 'shortBorrowPct',
    section: 'trading',
    result: 'short_borrow_pct',
    problem: 'short',
    type: 'number',
    bounds: { min: 0, max: 1000, unit: '% a year' },
    default: undefined,
    mayLack: 'requests',
    what: 'The borrow rate of short positions',
    label: 'Borrow rate of short positions',
    hint: 'Allows negative allocations',
    empty: 'None',
    unit: '% a year',
    note: 'Cost of borrowed shares in percent a year, 0 to 1000; left out: no short positions',
  },
  /** How the stop of a position is measured: from the average price that was paid, or from the best price since then. */
  stopType: {
    key: 'stopType',
    section: 'trading',
    result: 'stop_type',
    type: 'choice',
    choices: words('fixed', 'trailing'),
    choiceLabels: { fixed: 'From its entry price', trailing: 'From its best price' },
    default: undefined,
    mayLack: 'requests',
    what: 'The kind of stop',
    label: 'Stop of every position',
    empty: 'None',
    note: 'Closes a position that falls by stopPct: fixed, from its entry price, or trailing, from its best price; left out: none',
  },
  /** A position that falls by so many percent is closed. */
  stopPct: {
    key: 'stopPct',
    section: 'trading',
    result: 'stop_pct',
    problem: 'stop',
    type: 'number',
    bounds: { above: 0, below: 100, unit: '%' },
    default: undefined,
    mayLack: 'requests',
    beside: { stopType: ['fixed', 'trailing'] },
    what: 'The stop',
    label: 'Distance of the stop',
    unit: '%',
    empty: 'None',
    note: 'Percent, above 0 and below 100, with stopType',
  },
  /** What positions on borrowed money or shares must be covered by. */
  maintenanceMargin: {
    key: 'maintenanceMargin',
    section: 'trading',
    result: 'maintenance_margin',
    problem: 'margin',
    type: 'choice or percent',
    choices: words('us', 'off'),
    choiceLabels: { us: 'As at US brokers', off: 'Off' },
    bounds: { above: 0, max: 100, unit: '%' },
    default: 'us',
    mayLack: 'requests',
    absent: 'off',
    what: 'The maintenance margin',
    label: 'Maintenance margin',
    term: 'maintenance margin',
    note: 'Of accounts that borrow: us (default, as US brokers ask for), off, or percent of every position',
  },
  /** Whose returns count as free of risk; none is the 3-month T-bill where its rate is at hand. */
  riskFreeTicker: {
    key: 'riskFreeTicker',
    section: 'trading',
    result: 'risk_free_ticker',
    type: 'ticker',
    default: undefined,
    what: 'The risk-free ticker',
    label: 'Risk-free ticker',
    term: 'risk-free rate',
    empty: '3-month T-bill',
    note: 'Left out: the 3-month T-bill where it is available',
    isOfTestOnly: true,
  },
  /** Without it a run that would trade real prices of one ticker and synthetic ones of another is refused. */
  allowMixedPrices: {
    key: 'allowMixedPrices',
    section: 'data',
    result: 'allow_mixed_prices',
    type: 'flag',
    default: false,
    mayLack: 'saved',
    what: 'Allow mixed prices',
    label: 'Allow real and synthetic prices in one result',
    hint: 'Off: refused when only some tickers have real prices.',
  },
  /** What becomes of a traded ticker whose prices end before those of the others. */
  endedTicker: {
    key: 'endedTicker',
    section: 'data',
    result: 'ended_ticker',
    type: 'choice',
    choices: words('stop', 'cash', 'replace'),
    choiceLabels: { stop: 'Stop there', cash: 'Then hold cash', replace: 'Then hold another ticker' },
    default: 'stop',
    mayLack: 'saved',
    what: 'The choice for ended tickers',
    label: 'If prices end early',
    note: 'When the prices of a ticker end early: stop (default), cash or replace',
  },
  /** What is held in its place. */
  replacementTicker: {
    key: 'replacementTicker',
    section: 'data',
    result: 'replacement_ticker',
    type: 'ticker',
    default: undefined,
    mayLack: 'saved',
    beside: { endedTicker: ['replace'] },
    what: 'The replacement of an ended ticker',
    label: 'Replacement ticker',
    note: 'Held in place of a ticker that ended, with endedTicker replace',
  },
  /** What a ticker that ended still changed by after its last price, in percent of it: -100 is a total loss. */
  delistingReturnPct: {
    key: 'delistingReturnPct',
    section: 'data',
    result: 'delisting_return_pct',
    problem: 'final-value',
    type: 'number',
    bounds: { min: -100, max: 1000, unit: '% off the last price' },
    default: 0,
    mayLack: 'requests',
    beside: { endedTicker: ['cash', 'replace'] },
    what: 'The final value of ended tickers',
    label: 'Final value of ended tickers',
    unit: '%',
    note:
      'Final value of a ticker that ended, in percent off its last price, with endedTicker cash or replace: 0 (default), ' +
      '-100 for a total loss, -30 as is usual for delisted shares',
  },
} as const satisfies Record<string, BacktestSetting>

type Settings = typeof backtestSettings
export type SettingName = keyof Settings

/** A value as the engine has it. */
type EngineValue<One> = One extends { type: 'number' | 'whole' | 'date' }
  ? number
  : One extends { type: 'flag' }
    ? boolean
    : One extends { type: 'ticker' | 'word' }
      ? string
      : | (One extends { choices: infer Choices } ? Choices[keyof Choices] : never)
        | (One extends { type: 'choice or percent' } ? number : never)
        | (One extends { unoffered: readonly (infer Value)[] } ? Value : never)

type OrNone<One, Value> = One extends { default: undefined } ? Value | undefined : Value

/** What a request may lack is the same as its default, or as `absent`. */
type InRequest = { readonly [Name in SettingName as IfMayLack<Name, never, Settings[Name]['key']>]: ValueOf<Name> } & {
  readonly [Name in SettingName as IfMayLack<Name, Settings[Name]['key'], never>]?: ValueOf<Name>
}
type IfMayLack<Name extends SettingName, Yes, No> = Settings[Name] extends { mayLack: 'requests' } ? Yes : No
type ValueOf<Name extends SettingName> = OrNone<Settings[Name], EngineValue<Settings[Name]>>

/** All settings of a run in the engine's words, under its keys. */
export type BacktestSettings = { readonly [Key in keyof InRequest]: InRequest[Key] }

/** The value of one setting in the engine's words. */
type SettingValue<Name extends SettingName> = Exclude<ValueOf<Name>, undefined>
export type FillTiming = SettingValue<'fillTiming'>
export type RebalanceFrequency = SettingValue<'rebalanceFrequency'>
export type StopType = SettingValue<'stopType'>
export type MaintenanceMargin = SettingValue<'maintenanceMargin'>
export type EndedTickerChoice = SettingValue<'endedTicker'>

/** Every setting with its name, in order, for what is done to all of them. */
export const settingEntries: readonly (readonly [SettingName, BacktestSetting])[] = Object.entries(
  backtestSettings,
) as never

/** The words that forms have for a choice, in their order. */
export const choicesOf = <Name extends ChoiceName>(name: Name) =>
  Object.keys(backtestSettings[name].choices) as unknown as readonly [ChoiceWord<Name>, ...ChoiceWord<Name>[]]
type ChoiceName = { [Name in SettingName]: Settings[Name] extends { type: 'choice' } ? Name : never }[SettingName]
type ChoiceWord<Name extends ChoiceName> = keyof Settings[Name]['choices'] & string

/** How a screen names a choice. */
export function choiceLabel(name: SettingName, word: string): string {
  const { choiceLabels }: BacktestSetting = backtestSettings[name]
  return choiceLabels?.[word] ?? word
}

/** Values of a new form in the engine's words; dates have none. */
export const defaultSettings = Object.fromEntries(
  settingEntries.flatMap(([, one]) => (one.type === 'date' ? [] : [[one.key, one.default]])),
) as unknown as Omit<BacktestSettings, 'from' | 'to'>
