import * as contract from '@tradewright/contract/collected-data'
import type { SavedQuery } from '@tradewright/contract/collected-data'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { DataRecord } from '@tradewright/engine/market/series'
import { starterTransforms } from '@tradewright/engine/transforms/starter-transforms'
import type { z } from 'zod'
import {
  availableData,
  browseData,
  type DataFilters,
  transformView,
  type TransformView,
  type TransformViewDeps,
  deleteSavedQuery,
  type SavedQuery as Query,
  type SavedQueryFilters,
  type SavedQueryStore,
  useSavedQuery,
} from '../../market-data/browse/browse.ts'
import { readableRows } from '../answer/readable-rows.ts'
import type { Handle } from '../server/handle.ts'
import { turnsPerUser } from '../../turn-queue.ts'

const success = true as const
const MAX_WAITING = 4

interface CollectedDataDeps extends TransformViewDeps {
  readonly queries: SavedQueryStore
  /** The first so many tickers of the SEC's list, asked for in the name of that user. */
  readonly secTickers: (limit: number, userEmail: string) => Promise<string[]>
}

export function serveCollectedData(handle: Handle, deps: CollectedDataDeps): void {
  handle(contract.getAvailableData, async ({ user, query }) => {
    const { tickers, categories, providers, granularities, stamps } = await availableData(
      deps,
      user.id,
      query.store_id,
      query.layer,
    )
    const date_range = { min: stamps ? dateText(stamps.min) : null, max: stamps ? dateText(stamps.max) : null }
    return {
      success,
      tickers: [...tickers],
      categories: [...categories],
      providers: [...providers],
      granularities: [...granularities],
      date_range,
    }
  })
  handle(contract.browseData, async ({ user, body }) => {
    const { page, per_page: perPage, sort_by: sortBy, sort_order: sortOrder, search } = body
    const wanted = { page, perPage, sortBy, sortOrder, ...(search ? { search } : {}) }
    const { records, total } = await browseData(deps, user.id, filtersOf(body), wanted)
    return { success, records: records.map(toWireRecord), page, pages: Math.max(1, Math.ceil(total / perPage)), total }
  })
  handle(contract.listStarterTransforms, async () => ({
    success,
    transforms: starterTransforms.map(({ name, description, requiredCategories, computedColumns }) => ({
      name,
      description,
      required_categories: [...requiredCategories],
      computed_columns: computedColumns.map((column) => ({ name: column.name, description: column.description })),
    })),
  }))
  const turns = turnsPerUser(MAX_WAITING)
  handle(contract.browseWithTransforms, async ({ user, body }) => {
    const request = {
      ...filtersOf(body),
      transform: body.starter_transform ?? undefined,
      granularity: body.data_granularity ?? undefined,
    }
    return turns(user.id, async () => ({ success, ...toWireTable(await transformView(deps, user.id, request)) }))
  })
  handle(contract.getSecTickers, async ({ user, query }) => ({
    success,
    tickers: await deps.secTickers(query.limit, user.email),
  }))
  serveSavedQueries(handle, deps.queries)
}

function serveSavedQueries(handle: Handle, queries: SavedQueryStore): void {
  handle(contract.listSavedQueries, async ({ user, request: { log } }) => {
    const rows = await queries.list(user.id)
    const told = { list: 'saved_queries', schema: contract.SavedQuery, toWire: toWireQuery, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { success, queries: entries, ...leftOut }
  })
  handle(contract.saveQuery, async ({ user, body }) => ({
    success,
    query: toWireQuery(await queries.insert(user.id, toQueryFilters(body))),
  }))
  handle(contract.applySavedQuery, async ({ user, params, body }) => {
    const { name } = body
    const filters = name === undefined ? undefined : toQueryFilters({ ...body, name })
    return { success, query: toWireQuery(await useSavedQuery(queries, user.id, params.id, filters)) }
  })
  handle(contract.deleteSavedQuery, async ({ user, params }) => {
    await deleteSavedQuery(queries, user.id, params.id)
    return { success }
  })
}

const dateText = (stamp: number): string => formatDate(epochDayOf(stamp))

export const filtersOf = (body: z.output<typeof contract.Filters>): DataFilters => ({
  storeId: body.store_id,
  layer: body.layer,
  tickers: body.tickers,
  categories: body.categories,
  providers: body.providers,
  startDate: body.start_date,
  endDate: body.end_date,
  asOf: body.as_of === undefined ? undefined : Date.parse(body.as_of),
})

const toWireRecord = (record: DataRecord): contract.DataRecord => ({
  ticker: record.ticker,
  timestamp: new Date(record.timestamp).toISOString(),
  category: record.category,
  type: record.type,
  value: record.value,
  currency: record.currency,
  provider: record.provider,
  collected_at: new Date(record.collectedAt).toISOString(),
  granularity: record.granularity,
  synthetic: record.provider === SAMPLE_PROVIDER_ID,
})

function toWireTable({ tickers, timestamps, columns, isSynthetic }: TransformView) {
  const data = tickers.map((ticker, row) => {
    const cells = columns.map(
      ({ name, values }) => [name, Number.isFinite(values[row]!) ? values[row]! : null] as const,
    )
    return { ticker, timestamp: new Date(timestamps[row]!).toISOString(), ...Object.fromEntries(cells) }
  })
  const names = ['ticker', 'timestamp', ...columns.map(({ name }) => name)]
  return { row_count: data.length, columns: names.map((name) => ({ name })), data, synthetic: isSynthetic }
}

const toQueryFilters = (body: z.output<typeof contract.SavedQueryBody>): SavedQueryFilters => ({
  name: body.name,
  description: body.description,
  tickers: body.tickers,
  categories: body.categories,
  providers: body.providers,
  startDate: body.start_date,
  endDate: body.end_date,
})

const toWireQuery = (query: Query): SavedQuery => ({
  id: query.id,
  name: query.name,
  description: query.description,
  tickers: [...query.tickers],
  categories: [...query.categories],
  providers: [...query.providers],
  start_date: query.startDate,
  end_date: query.endDate,
  is_default: query.isDefault,
  use_count: query.useCount,
})
