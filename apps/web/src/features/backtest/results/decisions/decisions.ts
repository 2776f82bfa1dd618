import { type RulesTree, titleOf } from '@tradewright/core/rules/tree'
import { formatNumber } from '../../../../lib/format.ts'
import { readTree } from '../../rules/exchange.ts'
import { ruleKinds, type RuleNode } from '../../rules/kinds.ts'
import { allCards } from '../../rules/tree-edits.ts'
import { formatBarDate } from '../bar-date.ts'
import type { AnswerWords } from '../../rules/editing.ts'
import type { StudioResult } from '../../answer/studio-result.ts'

export type RulesSection = NonNullable<StudioResult['rules']>

/** Names of the blocks of a result, by their ids. */
export interface BlockNames {
  readonly nodeOf: (id: string) => RuleNode | undefined
  readonly titleOf: (id: string) => string
  /** Blocks in the order of the tree, outer ones first. */
  readonly orderOf: (id: string) => number
  readonly root: string
  /** The ticker of cash. */
  readonly cash: string
}

export function blockNames(section: RulesSection): BlockNames {
  const read = readTree(section.tree)
  const tree: RulesTree | undefined = 'value' in read ? read.value : undefined
  const nodes = new Map((tree ? allCards(tree) : []).map(({ node }) => [node.id, node]))
  const nodeOf = (id: string) => nodes.get(id)
  const order = new Map([...nodes.keys()].map((id, position) => [id, position]))
  return {
    nodeOf,
    titleOf: (id) => titleOf(nodes.get(id) ?? { id }),
    orderOf: (id) => order.get(id) ?? nodes.size,
    root: tree ? titleOf(tree.root) : 'The strategy',
    cash: tree?.cash ?? '',
  }
}

/** `calm no, trend yes` in words, from the outside in: `Trend: then · Calm: else Stocks`. */
export function wayWords(way: string, names: BlockNames): string {
  if (way === '') return names.root
  const steps = way
    .split(', ')
    .map((step) => step.split(' '))
    .map(([id = '', answer = '']) => ({ id, answer }))
    .sort((a, b) => names.orderOf(a.id) - names.orderOf(b.id))
  return steps
    .map(({ id, answer }) => {
      const node = names.nodeOf(id)
      const block = node?.kind === 'if' ? (answer === 'yes' ? node.yes : node.no) : undefined
      const isNext = steps.some((other) => other.id === block?.id)
      return `${names.titleOf(id)}: ${answer === 'yes' ? 'then' : 'else'}${block && !isNext ? ` ${titleOf(block)}` : ''}`
    })
    .join(' · ')
}

interface Segment {
  /** First check, and the one after the last. */
  readonly from: number
  readonly to: number
  readonly way: number
}

/** Runs of checks that took the same way. */
export function segmentsOf(ways: readonly number[]): Segment[] {
  const segments: { from: number; to: number; way: number }[] = []
  ways.forEach((way, i) => {
    const last = segments.at(-1)
    if (last?.way === way) last.to = i + 1
    else segments.push({ from: i, to: i + 1, way })
  })
  return segments
}

/** Parts of a row of the timeline: `to` in percent of its width, and the weight up to there. */
export interface WeightStop {
  readonly to: number
  readonly weight: number
}

/** Few enough for a browser to draw, more than a screen has points for. */
const MAX_COLUMNS = 400
/** Weights that look the same. */
const STEPS = 20

export function weightStops(history: readonly (number | null)[]): WeightStop[] {
  const columns = Math.min(history.length, MAX_COLUMNS)
  const stops: { to: number; weight: number }[] = []
  for (let column = 0; column < columns; column++) {
    // The newest check of the column.
    const at = Math.floor(((column + 1) * history.length) / columns) - 1
    // A short position counts by its size.
    const weight = Math.round(Math.min(1, Math.abs(history[at] ?? 0)) * STEPS) / STEPS
    const to = ((column + 1) * 100) / columns
    const last = stops.at(-1)
    if (last?.weight === weight) last.to = to
    else stops.push({ to, weight })
  }
  return stops
}

const MAX_ROWS = 12

/** Tickers of the timeline: those held most, cash last; the rest only counts. */
export function timelineRows(section: RulesSection): { ticker: string; history: readonly (number | null)[] }[] {
  const { weights, check_dates } = section
  const cash = check_dates.map((_, i) => Math.max(0, 1 - sumAt(section, i)))
  const held = weights
    .map(({ ticker, history }) => ({
      ticker,
      history,
      total: history.reduce<number>((sum, weight) => sum + Math.abs(weight ?? 0), 0),
    }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total)
    .slice(0, MAX_ROWS)
    .map(({ ticker, history }) => ({ ticker, history }))
  return cash.some((share) => share > CASH_SHOWN) ? [...held, { ticker: 'Cash', history: cash }] : held
}

/** A cash weight below this is rounding, and is not shown. */
const CASH_SHOWN = 0.0005

const sumAt = ({ weights }: RulesSection, i: number): number =>
  weights.reduce((sum, { history }) => sum + (history[i] ?? 0), 0)

/** What was held at a check, the largest first, cash among it; a short position is negative. */
export function weightsAt(section: RulesSection, i: number): { ticker: string; weight: number }[] {
  const held = section.weights.map(({ ticker, history }) => ({ ticker, weight: history[i] ?? 0 }))
  return [...held, { ticker: 'cash', weight: 1 - sumAt(section, i) }]
    .filter(({ weight }) => Math.abs(weight) > CASH_SHOWN)
    .sort((a, b) => b.weight - a.weight)
}

/** `SPY 60.0%, AGG 40.0%`. */
export const holdingsAt = (section: RulesSection, i: number): string =>
  weightsAt(section, i)
    .map(({ ticker, weight }) => `${ticker} ${percent(weight)}`)
    .join(', ')

export const percent = (share: number) => formatNumber(share * 100, { decimals: 1, minDecimals: 0, suffix: '%' })

type Change = RulesSection['changes'][number]

export function changesByDate({ changes }: RulesSection): ReadonlyMap<string, readonly Change[]> {
  const byDate = new Map<string, Change[]>()
  for (const change of changes) {
    const known = byDate.get(change.date)
    if (known) known.push(change)
    else byDate.set(change.date, [change])
  }
  return byDate
}

/** Why a check traded, or what changed at it, in sentences: what the account turned to first, then what it followed from. */
export function reasonsOf(changes: readonly Change[], isTrade: boolean, names: BlockNames): string[] {
  const reasons = (['branch', 'choice', 'answer'] as const)
    .flatMap((kind) => changes.filter(({ what }) => what === kind))
    .map((change) => changeWords(change, names))
  const divided = changes
    .filter(({ what, now }) => what === 'rebalance' && now !== 'change')
    .map((change) => changeWords(change, names))
  const all = [...reasons, ...divided]
  if (all.length > 0) return all
  return isTrade ? ['Rebalanced to the weights of this check.'] : []
}

const REBALANCED: Readonly<Record<string, string>> = {
  entered: 'is held from here on',
  calendar: 'was rebalanced by its calendar',
  band: 'was rebalanced: a weight had left its band',
  change: 'was rebalanced: what it holds changed',
}

function changeWords({ block, ticker, what, before, now, left, right }: Change, names: BlockNames): string {
  const title = names.titleOf(block)
  if (what === 'rebalance') return `${title} ${REBALANCED[now] ?? 'was rebalanced'}.`
  if (what === 'choice') {
    const isOrder = now !== '' && now.split(', ').sort().join() === before.split(', ').sort().join()
    if (isOrder) return `${title} ranked ${now} in this order.`
    return `${title} picked ${now === '' ? 'nothing' : now}${before ? ` instead of ${before}` : ''}.`
  }
  if (what === 'branch') {
    const node = names.nodeOf(block)
    const inside = node?.kind === 'if' ? (now === 'yes' ? node.yes : node.no) : undefined
    if (now === '') return `${title} is no longer held.`
    return `${title} turned to ${inside ? titleOf(inside) : now}.`
  }
  const whose = ticker === null ? '' : ` for ${ticker}`
  const values = left === null || right === null ? '' : ` (${value(left)} against ${value(right)})`
  return `${title}${whose} ${now === '' ? 'has no answer' : `became ${now === 'yes' ? 'true' : 'false'}`}${values}.`
}

const value = (number: number) =>
  number === 0 ? '0' : formatNumber(number, { decimals: Math.abs(number) < 1 ? 4 : 2 })

interface ConditionState {
  readonly key: string
  readonly block: string
  readonly title: string
  readonly kind: string
  readonly ticker: string | null
  readonly answer: boolean | null
  /** The date of its last change; null where that is not known. */
  readonly since: string | null
}

/** Each condition after the last check; those that keep a state come first. */
export function conditionStates(section: RulesSection, names: BlockNames): ConditionState[] {
  const last = new Map<string, string>()
  for (const { what, block, ticker, date } of section.changes) {
    if (what === 'answer') last.set(`${block} ${ticker ?? ''}`, date)
  }
  const states = section.answers.map(({ block, ticker, answer }) => {
    const node = names.nodeOf(block)
    const isLatched = node?.kind === 'compare' && (node.tolerance?.latched ?? false)
    const kind = node ? ruleKinds[node.kind].label : ''
    const key = `${block} ${ticker ?? ''}`
    const state: ConditionState = {
      key,
      block,
      title: names.titleOf(block),
      kind: isLatched ? 'Compare, latched' : kind,
      ticker,
      answer,
      since: last.get(key) ?? null,
    }
    return { state, keeps: node?.kind === 'latch' || node?.kind === 'streak' || isLatched }
  })
  return states.sort((a, b) => Number(b.keeps) - Number(a.keeps)).map(({ state }) => state)
}

/** `True since 31 Jan 2023` of each condition that is not asked for every member of a pick, by its id. */
export function answerWords(section: RulesSection): ReadonlyMap<string, AnswerWords> {
  return new Map(
    conditionStates(section, blockNames(section))
      .filter(({ ticker, answer }) => ticker === null && answer !== null)
      .map(({ block, answer, since }) => [
        block,
        {
          isTrue: answer === true,
          words: `${answer ? 'true' : 'false'}${since === null ? '' : ` since ${formatBarDate(since)}`}`,
        },
      ]),
  )
}

/** Years along a row of dates: where each begins, in percent of its width. Few enough to be read. */
export function yearTicks(dates: readonly string[]): { year: string; at: number }[] {
  const ticks: { year: string; at: number }[] = []
  for (const [i, date] of dates.entries()) {
    const year = date.slice(0, 4)
    if (i > 0 && year !== dates[i - 1]!.slice(0, 4)) ticks.push({ year, at: (i * 100) / dates.length })
  }
  const step = Math.ceil(ticks.length / MAX_TICKS)
  return ticks.filter(({ at }, i) => i % step === 0 && at < LAST_TICK)
}

const MAX_TICKS = 8
/** A year that begins further right has no room for its name. */
const LAST_TICK = 95
