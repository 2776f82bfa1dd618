import { revisionsCategory, UNKNOWN_RELEASE } from '@tradewright/core/category'
import { actionsBlock } from '../corporate-actions.ts'
import type { TickerResult } from '../provider.ts'
import type { Layer, SeriesBlock, SeriesTable } from '../series.ts'
import type { SeriesStore, SeriesSummary, WriteCounts } from '../series-store.ts'
import { mergeByPrecedence } from './merge.ts'
import { byPrecedence, providerPrecedence } from './precedence.ts'
import { takeRows } from './rows.ts'

export type Delivery = Extract<TickerResult, { outcome: 'delivered' }>

export interface IngestCounts {
  readonly written: Readonly<Record<Layer, WriteCounts>>
  /** Values on which two providers disagree, among the rows of this delivery. */
  readonly conflicts: number
  readonly refusedRows: number
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
  const refusedRows = deliveries.reduce((sum, { refused }) => sum + refused.length, 0)
  return { written: { bronze, silver, gold }, conflicts, refusedRows }
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
