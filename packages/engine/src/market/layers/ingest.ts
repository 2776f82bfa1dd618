import {
  revisionsCategory,
  UNKNOWN_RELEASE,
  type Category,
  observationCategory,
  releaseCategories,
} from '@tradewright/core/category'
import { actionsBlock } from '../corporate-actions.ts'
import type { TickerResult } from '../provider.ts'
import { type RefusedRow, byPrecedence, providerPrecedence, takeRows } from './rows.ts'
import type { Layer, SeriesBlock, SeriesTable, CategoryColumns } from '../series.ts'
import type { SeriesStore, SeriesSummary, WriteCounts } from '../series-store.ts'

export type Delivery = Extract<TickerResult, { outcome: 'delivered' }>

export interface IngestCounts {
  readonly written: Readonly<Record<Layer, WriteCounts>>
  /** Values on which two providers disagree, among the rows of this delivery. */
  readonly conflicts: number
  /** Rows that cannot be true, and are left out. */
  readonly refused: readonly RefusedRow[]
}

interface IngestRules {
  /** Made-up rows never stand beside real ones of the same ticker in gold. */
  readonly isSynthetic: (provider: string) => boolean
}

/**
 * Carries deliveries of one granularity through all three layers. Each layer's write is all or nothing, and doing it
 * again changes nothing, so a run that died in between is simply repeated.
 */
export async function ingest(
  store: SeriesStore,
  deliveries: readonly Delivery[],
  rules: IngestRules,
): Promise<IngestCounts> {
  const bronze = await store.write(
    'bronze',
    deliveries.map((delivery) => delivery.bronze),
  )
  const sent = await Promise.all(deliveries.flatMap(silverBlocks).map((block) => keepFirstReleases(store, block)))
  const blocks = sent.filter(hasRows)
  const revisions = deliveries.flatMap((delivery) => delivery.revisions ?? [])
  const silver = await store.write('silver', [...blocks, ...revisions])
  const { blocks: goldBlocks, conflicts } = await mergeWithStored(store, blocks, rules)
  const gold = await store.write('gold', goldBlocks)
  return { written: { bronze, silver, gold }, conflicts, refused: deliveries.flatMap((delivery) => delivery.refused) }
}

function silverBlocks({ silver, actions }: Delivery): SeriesBlock[] {
  const hasActions = actions.splits.length + actions.dividends.length > 0
  return (hasActions ? [silver, actionsBlock(silver, actions)] : [silver]).filter(hasRows)
}

const hasRows = ({ timestamps }: SeriesBlock): boolean => timestamps.length > 0

async function mergeWithStored(store: SeriesStore, blocks: readonly SeriesBlock[], { isSynthetic }: IngestRules) {
  const tickers = [...new Set(blocks.map(({ ticker }) => ticker))]
  const stored = await store.summaries({ layer: 'silver', tickers })
  const gold: SeriesBlock[] = []
  let conflicts = 0
  for (const block of blocks) {
    const rivals = rivalsOf(block, stored)
    const real = rivals.filter((provider) => !isSynthetic(provider))
    if (isSynthetic(block.provider)) {
      if (real.length === 0) gold.push(block)
      continue
    }
    const madeUp = rivals.filter((provider) => isSynthetic(provider))
    if (madeUp.length > 0) await store.clear({ layer: 'gold', tickers: [block.ticker], providers: madeUp })
    const merged = await mergeWith(store, block, real)
    gold.push(...merged.blocks)
    conflicts += merged.conflicts
  }
  return { blocks: gold, conflicts }
}

function rivalsOf(block: SeriesBlock, stored: readonly SeriesSummary[]): string[] {
  const others = stored.filter(({ ticker, provider }) => ticker === block.ticker && provider !== block.provider)
  return [...new Set(others.map(({ provider }) => provider))]
}

async function mergeWith(store: SeriesStore, block: SeriesBlock, rivals: readonly string[]) {
  if (rivals.length === 0) return mergeByPrecedence([block])
  const { ticker, granularity, type, timestamps, columns } = block
  const tables = await store.read({
    layer: 'silver',
    tickers: [ticker],
    granularity,
    range: { from: timestamps[0]!, to: timestamps.at(-1)! + 1 },
    categories: Object.keys(columns),
    providers: rivals,
  })
  const inOrder = byPrecedence(providerPrecedence(type))
  return mergeByPrecedence([block, ...tables.map(asBlock)].sort((a, b) => inOrder(a.provider, b.provider)))
}

/** A table of the silver layer has one source. */
function asBlock({ sources, ...rows }: SeriesTable): SeriesBlock {
  const [source] = sources
  if (!source || sources.length > 1) throw new Error(`a silver table of ${rows.ticker} has ${sources.length} sources`)
  return { ...rows, provider: source.provider, collectedAt: source.collectedAt }
}

/**
 * Leaves out the rows whose first release the store has from the same provider, where this block knows only what they
 * were revised to by now: without its key FRED sends nothing else.
 */
async function keepFirstReleases(store: SeriesStore, block: SeriesBlock): Promise<SeriesBlock> {
  const { ticker, granularity, provider, timestamps, columns } = block
  const revisions = columns[revisionsCategory]
  if (!revisions?.includes(UNKNOWN_RELEASE)) return block
  const [stored] = await store.read({
    layer: 'silver',
    tickers: [ticker],
    granularity,
    range: { from: timestamps[0]!, to: timestamps.at(-1)! + 1 },
    categories: [revisionsCategory],
    providers: [provider],
  })
  if (!stored) return block
  const released = new Set(stored.timestamps.filter((_, row) => stored.columns[revisionsCategory]![row]! >= 0))
  const rows = [...timestamps.keys()].filter(
    (row) => revisions[row] !== UNKNOWN_RELEASE || !released.has(timestamps[row]!),
  )
  return takeRows(block, rows)
}

interface Merged {
  /** The values each provider won: blocks of the categories that are decided together, with only the rows it won. */
  readonly blocks: readonly SeriesBlock[]
  /** Values that two providers gave differently. */
  readonly conflicts: number
}

/** Smaller differences are rounding: providers send between six and nine digits. */
const CONFLICT_TOLERANCE = 1e-5

interface Taken {
  readonly timestamps: Float64Array
  readonly columns: CategoryColumns
}

/** Prices of one bar are taken whole: the open of one provider beside the close of another was never a traded bar. */
const BAR_PRICES: ReadonlySet<Category> = new Set(['open', 'high', 'low', 'close'])

/** What is told about an observation belongs to the value of the same provider. */
const OBSERVATION: ReadonlySet<Category> = new Set([observationCategory, ...releaseCategories])

/**
 * Silver blocks of one ticker, best provider first, to gold. Other categories are decided one by one. A block in another
 * currency than that of the best provider stays in silver: its numbers would continue those of the best as if they were the same.
 */
export function mergeByPrecedence(offered: readonly SeriesBlock[]): Merged {
  const silver = offered.filter(({ currency }) => currency === offered[0]!.currency)
  const [best, ...others] = silver
  if (!best) return { blocks: [], conflicts: 0 }
  if (others.length === 0) return { blocks: [best], conflicts: 0 }
  const blocks: SeriesBlock[] = []
  const takenByGroup = new Map<string, Taken[]>()
  let conflicts = 0
  for (const block of silver) {
    for (const [group, columns] of categoryGroups(block.columns)) {
      const taken = takenByGroup.get(group) ?? []
      const won = freeRowsOf({ timestamps: block.timestamps, columns }, taken)
      conflicts += won.conflicts
      takenByGroup.set(group, [...taken, { timestamps: block.timestamps, columns: won.columns }])
      blocks.push(withoutEmptyRows({ ...block, columns: won.columns }))
    }
  }
  return { blocks: blocks.filter(({ timestamps }) => timestamps.length > 0), conflicts }
}

function categoryGroups(columns: CategoryColumns): Map<string, CategoryColumns> {
  const groups = new Map<string, Record<Category, Float64Array>>()
  for (const [category, column] of Object.entries(columns)) {
    const group = groupOf(category)
    groups.set(group, { ...groups.get(group), [category]: column })
  }
  return groups
}

function groupOf(category: Category): string {
  if (BAR_PRICES.has(category)) return 'bar'
  return OBSERVATION.has(category) ? 'observation' : category
}

/** Empties the rows that a better provider has already filled, comparing values on the way. */
function freeRowsOf(offered: Taken, taken: readonly Taken[]): { columns: CategoryColumns; conflicts: number } {
  const columns = Object.fromEntries(Object.entries(offered.columns).map(([name, column]) => [name, column.slice()]))
  let conflicts = 0
  for (const better of taken) {
    const isFilled = rowsWithValues(better)
    const pairs = Object.entries(columns).map(([category, column]) => ({ column, rival: better.columns[category] }))
    forEachSharedRow(better.timestamps, offered.timestamps, (betterRow, row) => {
      if (!isFilled[betterRow]) return
      for (const { column, rival } of pairs) {
        if (differ(rival?.[betterRow], column[row]!)) conflicts++
        column[row] = Number.NaN
      }
    })
  }
  return { columns, conflicts }
}

function forEachSharedRow(a: Float64Array, b: Float64Array, visit: (rowA: number, rowB: number) => void): void {
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    if (a[i]! < b[k]!) i++
    else if (a[i]! > b[k]!) k++
    else visit(i++, k++)
  }
}

function rowsWithValues({ timestamps, columns }: Taken): Uint8Array {
  const filled = new Uint8Array(timestamps.length)
  for (const column of Object.values(columns)) {
    for (let row = 0; row < column.length; row++) if (!Number.isNaN(column[row]!)) filled[row] = 1
  }
  return filled
}

function differ(a: number | undefined, b: number): boolean {
  if (a === undefined || Number.isNaN(a) || Number.isNaN(b)) return false
  return Math.abs(a - b) > CONFLICT_TOLERANCE * Math.max(Math.abs(a), Math.abs(b))
}

function withoutEmptyRows(block: SeriesBlock): SeriesBlock {
  const isFilled = rowsWithValues(block)
  const rows: number[] = []
  for (let row = 0; row < isFilled.length; row++) if (isFilled[row]) rows.push(row)
  return rows.length === isFilled.length ? block : takeRows(block, rows)
}
