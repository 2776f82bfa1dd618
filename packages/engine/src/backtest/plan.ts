import { isFixed } from '@tradewright/core/strategy-kinds'
import { boundedTarget, checkBounds as checkSignalBounds, MAX_SIGNALS } from '@tradewright/core/external-signal'
import { refuseForeignExchanges } from '@tradewright/core/exchange'
import { Problem } from '@tradewright/core/problem'
import { checkBounds } from '@tradewright/core/settings-codec'
import { strategyLimits } from '@tradewright/core/strategy-limits'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { TBILLX } from '@tradewright/core/ticker-kind'
import { formatDate } from '@tradewright/core/time'
import { shortProblems } from '@tradewright/core/rules/problems'
import type { RulesTree } from '@tradewright/core/rules/tree'
import {
  type Planned,
  planFeature,
  type PlannedFeature,
  type PlannedTarget,
  planTarget,
} from '../features/catalogue.ts'
import type { Feature, Target } from '../features/feature.ts'
import { type Allocation, investedPct, readAllocation } from '../trading/allocation.ts'
import { compileRules, rulesProblem } from '../rules/compile.ts'
import type { RulesProgram } from '../rules/program.ts'
import type { BacktestRequest, BacktestSettings, ExternalStrategy, MlStrategy } from './request.ts'

export interface AllocationPlan {
  readonly kind: 'allocation'
  readonly allocation: Allocation
}

export interface MlPlan {
  readonly kind: 'ml'
  readonly strategy: MlStrategy
  readonly features: readonly PlannedFeature[]
  readonly target: PlannedTarget
  readonly horizon: number
  readonly buy: Allocation
  readonly sell: Allocation
}

export interface RulesPlan {
  readonly kind: 'rules'
  readonly tree: RulesTree
  readonly program: RulesProgram
}

export interface ExternalPlan {
  readonly kind: 'external'
  readonly strategy: ExternalStrategy
}

/** A request that makes sense: everything is read, nothing is fetched or computed yet. */
export interface BacktestPlan {
  readonly settings: BacktestSettings
  readonly strategy: AllocationPlan | MlPlan | RulesPlan | ExternalPlan
  /** In one writing, each once; without CASHX. */
  readonly tradedTickers: readonly string[]
  readonly referenceTicker: string | undefined
  readonly riskFreeTicker: string | undefined
  /** Held in place of a traded ticker that ends; undefined where none is. */
  readonly replacementTicker: string | undefined
}

/** Reads a request; a Problem says what is wrong with it, in a sentence that names the field. */
export function planBacktest(request: BacktestRequest): BacktestPlan {
  checkSettings(request)
  const { strategy: asked, ...given } = request
  const settings = { ...given, includeFirstReturn: given.includeFirstReturn && isFixed(asked) }
  const strategy = planStrategy(asked, { mayShort: settings.shortBorrowPct !== undefined })
  const replacementTicker = replacementOf(settings)
  const plan = {
    settings: { ...settings, replacementTicker },
    strategy,
    tradedTickers: tradedBy(strategy),
    referenceTicker: oneWriting(settings.referenceTicker),
    riskFreeTicker: oneWriting(settings.riskFreeTicker),
    replacementTicker,
  }
  refuseForeignExchanges(tickersOf(plan))
  return plan
}

/** Every ticker that a plan names, whatever for. */
function tickersOf({ strategy, tradedTickers, ...others }: BacktestPlan): string[] {
  const decided = decidesBy(strategy).flatMap(({ ticker, otherTicker }) => [ticker, otherTicker])
  const { referenceTicker, riskFreeTicker, replacementTicker } = others
  return [...tradedTickers, ...decided, referenceTicker, riskFreeTicker, replacementTicker].filter(
    (ticker) => ticker !== undefined,
  )
}

interface Kinds {
  readonly allocation: AllocationPlan
  readonly ml: MlPlan
  readonly rules: RulesPlan
  readonly external: ExternalPlan
}
type Kind = keyof Kinds
type AskedOf<One extends Kind> = Extract<BacktestRequest['strategy'], { kind: One }>

/** What a kind of strategy is, as far as a plan knows it. */
interface KindOfPlan<One extends Kind> {
  /** Reads what was asked for, or refuses it. */
  readonly plan: (asked: AskedOf<One>, shorts: Shorts) => Kinds[One]
  /** The fixed percentages that it may hold, as sentences name them. */
  readonly allocations: (plan: Kinds[One]) => readonly (readonly [name: string, allocation: Allocation])[]
  /** At most so many percent are invested, whatever its percentages are. */
  readonly maxInvestedPct?: number
  readonly features?: (plan: Kinds[One]) => readonly Planned<Feature | Target>[]
  readonly target?: (plan: Kinds[One]) => PlannedTarget
  /** Tickers of a strategy whose percentages are not fixed. */
  readonly tickers?: (plan: Kinds[One]) => readonly string[]
  readonly shortTickers?: (plan: Kinds[One]) => readonly string[]
}

const KINDS: { readonly [One in Kind]: KindOfPlan<One> } = {
  allocation: {
    plan: ({ allocation }, shorts) => planAllocation(allocation, shorts),
    allocations: ({ allocation }) => [['allocation', allocation]],
  },
  ml: {
    plan: planMl,
    allocations: ({ buy, sell }) => [
      ['Buy allocation', buy],
      ['Sell allocation', sell],
    ],
    features: ({ features }) => features,
    target: ({ target }) => target,
  },
  rules: {
    plan: ({ tree }, shorts) => planRules(tree, shorts),
    // Blocks say themselves what takes their rest.
    allocations: () => [],
    maxInvestedPct: 100,
    features: ({ program }) => program.features,
    tickers: ({ program }) => program.tickers,
    shortTickers: ({ program }) => program.shortTickers,
  },
  external: {
    plan: planExternal,
    allocations: ({ strategy }) =>
      strategy.allocations.flatMap(({ name, rows }) => {
        const named = `allocation “${name}”`
        return rows.length === 0 ? [] : [[named, readAllocation(rows, named)] as const]
      }),
    maxInvestedPct: 100,
  },
}

/** A plan and its definition have the same kind, which the compiler cannot see of a union. */
const definitionOf = ({ kind }: BacktestPlan['strategy']) => KINDS[kind] as unknown as KindOfPlan<Kind>

/** How many percent the strategy invests at most; above 100, money is borrowed. */
export const maxInvestedPct = ({ strategy }: Pick<BacktestPlan, 'strategy'>): number =>
  definitionOf(strategy).maxInvestedPct ?? Math.max(...allocationsOf(strategy).map(investedPct))

/** The fixed percentages that a strategy may hold, as sentences name them; rules have none. */
export const namedAllocations = (strategy: BacktestPlan['strategy']) => definitionOf(strategy).allocations(strategy)

export const allocationsOf = (strategy: BacktestPlan['strategy']): Allocation[] =>
  namedAllocations(strategy).map(([, allocation]) => allocation)

/** What its model or its rules read of the past. */
export const featuresOf = (strategy: BacktestPlan['strategy']): readonly Planned<Feature | Target>[] =>
  definitionOf(strategy).features?.(strategy) ?? []

/** What a strategy decides by: features, and the target of a model. */
export function decidesBy(strategy: BacktestPlan['strategy']): Planned<Feature | Target>[] {
  const target = definitionOf(strategy).target?.(strategy)
  return [...featuresOf(strategy), ...(target ? [target] : [])]
}

interface Shorts {
  readonly mayShort: boolean
}

const planStrategy = <One extends Kind>(asked: AskedOf<One>, shorts: Shorts): Kinds[One] =>
  KINDS[asked.kind].plan(asked, shorts)

function planRules(tree: RulesTree, { mayShort }: Shorts): RulesPlan {
  const program = compileRules(tree)
  if (program.shortTickers.length > 0 && !mayShort) throw rulesProblem(shortProblems(tree))
  return { kind: 'rules', tree, program }
}

function planExternal(strategy: ExternalStrategy): ExternalPlan {
  checkSignalBounds(strategy)
  const { signals } = strategy
  if (signals.length > MAX_SIGNALS) {
    throw invalid('signals', `At most ${MAX_SIGNALS} signals are allowed, these are ${signals.length}.`)
  }
  const bounded = signals.map(({ at, target }, i) => {
    if (!Number.isFinite(at) || at < (signals[i - 1]?.at ?? -Infinity))
      throw invalid('signals', 'The signals must be in order of time.')
    return { at, target: boundedTarget(strategy, target) }
  })
  return { kind: 'external', strategy: { ...strategy, signals: bounded } }
}

/** What the strategy may sell short. */
export function shortTickers(strategy: BacktestPlan['strategy']): readonly string[] {
  const own = definitionOf(strategy).shortTickers?.(strategy)
  if (own) return own
  const held = allocationsOf(strategy).flatMap((allocation) => Array.from(allocation))
  return [...new Set(held.flatMap(([ticker, pct]) => (pct < 0 && ticker !== TBILLX ? [ticker] : [])))]
}

/** Bonds made of yields that a plan holds or decides by; as fallbacks they are of the past alone. */
export function bondsOfYields({ strategy, tradedTickers }: Pick<BacktestPlan, 'strategy' | 'tradedTickers'>): string[] {
  const asked = decidesBy(strategy).flatMap(({ ticker, otherTicker }) => [ticker, otherTicker ?? ticker])
  return [...new Set([...tradedTickers, ...asked])].filter((ticker) => parseTicker(ticker).maturityYears !== undefined)
}

function tradedBy(strategy: BacktestPlan['strategy']): readonly string[] {
  const own = definitionOf(strategy).tickers?.(strategy)
  if (own) return own
  return [...new Set(allocationsOf(strategy).flatMap((allocation) => Array.from(allocation.keys())))]
}

function replacementOf({ endedTicker, replacementTicker }: BacktestSettings): string | undefined {
  if (endedTicker !== 'replace') return undefined
  const ticker = oneWriting(replacementTicker)
  if (ticker === undefined) throw invalid('replacement', 'Choose the ticker to hold when another one ends.')
  return ticker
}

const oneWriting = (ticker: string | undefined): string | undefined =>
  ticker === undefined || ticker.trim() === '' ? undefined : formatTicker(parseTicker(ticker))

const planAllocation = (rows: Parameters<typeof readAllocation>[0], shorts: Shorts): AllocationPlan => ({
  kind: 'allocation',
  allocation: readAllocation(rows, 'allocation', shorts),
})

function planMl(strategy: MlStrategy, shorts: Shorts): MlPlan {
  const { features, target, trainPct, walkForward } = strategy
  if (features.length === 0) throw invalid('features', 'Add at least one feature: a model has nothing to learn from.')
  if (features.length > strategyLimits.features) {
    throw invalid(
      'features',
      `${features.length} features are too many: at most ${strategyLimits.features} are allowed.`,
    )
  }
  if (!walkForward && !(trainPct > 0 && trainPct < 100)) {
    throw invalid('train-size', `The train size must be above 0% and below 100%, was ${trainPct}%.`)
  }
  const planned = planTarget(target)
  return {
    kind: 'ml',
    strategy,
    features: features.map(planFeature),
    target: planned,
    horizon: planned.definition.horizon(planned.values),
    buy: readAllocation(strategy.buy, 'Buy allocation', shorts),
    sell: strategy.sell.length === 0 ? new Map() : readAllocation(strategy.sell, 'Sell allocation', shorts),
  }
}

function checkSettings(settings: BacktestSettings): void {
  const { from, to, startValue, cashflow, tradingCostBps, halfSpreadBps = 0 } = settings
  if (!(from <= to)) {
    throw invalid('dates', `The end date ${formatDate(to)} is before the start date ${formatDate(from)}.`)
  }
  if (!(Number.isFinite(startValue) && startValue > 0)) {
    throw invalid('start-value', `The starting value must be a number above 0, was ${startValue}.`)
  }
  checkBounds(settings)
  if (settings.cashflowKind === 'percent' && !(Math.abs(cashflow) <= 100)) {
    throw invalid('cashflow', `A cashflow in percent of the balance must be from -100 to 100, was ${cashflow}.`)
  }
  if ((settings.stopType === undefined) !== (settings.stopPct === undefined)) {
    throw invalid('stop', 'A stop needs both its kind, fixed or trailing, and its percentage.')
  }
  if (!(tradingCostBps + halfSpreadBps < 10_000)) {
    throw invalid('costs', `The half-spread must be from 0 to below 10000 basis points, was ${halfSpreadBps}.`)
  }
}

const invalid = (field: string, message: string) => new Problem('invalid', `backtest.${field}`, message)
