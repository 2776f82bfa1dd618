import * as contract from '@tradewright/contract/data-stores'
import type { DataStore, SeriesQuality } from '@tradewright/contract/data-stores'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { SeriesQuality as Quality } from '@tradewright/engine/market/quality/series-quality'
import type { z } from 'zod'
import {
  clearStore,
  createStore,
  deleteStore,
  type ListedStore,
  listStores,
  type StoreDeps,
  type StoreForm,
  updateStore,
  storeQuality,
  type StoreQualityDeps,
} from '../../market-data/stores/change-stores.ts'
import { readableRows } from '../answer/readable-rows.ts'
import type { Handle } from '../server/handle.ts'
import { turnsPerUser } from '../../turn-queue.ts'

const success = true as const
const MAX_WAITING = 4

export function serveDataStores(handle: Handle, deps: StoreDeps & StoreQualityDeps): void {
  handle(contract.listDataStores, async ({ user, request: { log } }) => {
    const rows = await listStores(deps, user.id)
    const told = { list: 'data_stores', schema: contract.DataStore, toWire, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { success, data_stores: entries, ...leftOut }
  })
  handle(contract.createDataStore, async ({ user, body }) => ({
    success,
    data_store: toWire(await createStore(deps, user.id, toForm(body))),
  }))
  handle(contract.updateDataStore, async ({ user, params, body }) => ({
    success,
    data_store: toWire(await updateStore(deps, user.id, params.id, toForm(body))),
  }))
  handle(contract.deleteDataStore, async ({ user, params }) => {
    await deleteStore(deps, user.id, params.id)
    return { success }
  })
  handle(contract.clearDataStore, async ({ user, params }) => {
    const { name, removed } = await clearStore(deps, user.id, params.id)
    const message = `Removed ${removed.toLocaleString('en-US')} records from "${name}".`
    return { success, message, records_removed: removed }
  })
  const turns = turnsPerUser(MAX_WAITING)
  handle(contract.getStoreQuality, async ({ user, params, query }) => {
    const found = await turns(user.id, () => storeQuality(deps, user.id, params.id, query.layer))
    return { success, series: found.map(toWireQuality) }
  })
}

const toForm = (body: z.output<typeof contract.DataStoreBody>): StoreForm => ({
  name: body.name ?? undefined,
  storeType: body.store_type,
  isDefault: body.is_default,
  defaultFormat: body.default_format,
  partitionStrategy: body.partition_strategy,
  compression: body.compression,
  connectionConfig: body.connection_config,
})

const toWire = (store: ListedStore): DataStore => ({
  id: store.id,
  name: store.name,
  store_type: store.storeType,
  is_system: store.isSystem,
  is_default: store.isDefault,
  default_format: store.defaultFormat,
  partition_strategy: store.partitionStrategy,
  compression: store.compression,
  created_at: store.createdAt.toISOString(),
  connection_config: { ...store.connectionConfig },
  stored_secrets: [...store.storedSecrets],
  unverified_reason: store.unverifiedReason,
  enter_again: store.isUnreadable,
})

const iso = (stamp: number): string => new Date(stamp).toISOString()

const toWireQuality = (quality: Quality): SeriesQuality => ({
  ticker: quality.ticker,
  data_granularity: quality.granularity,
  providers: [...quality.providers],
  rows: quality.rows,
  first: quality.first === undefined ? null : iso(quality.first),
  last: quality.last === undefined ? null : iso(quality.last),
  missing_rows: quality.missingRows,
  gaps: quality.gaps.map(({ from, last, rows }) => ({ start: iso(from), end: iso(last), rows })),
  unexpected_rows: quality.unexpectedRows,
  duplicates: quality.duplicates,
  contradictions: quality.contradictions,
  suspicious_jumps: quality.jumps.map(({ timestamp, change }) => ({ timestamp: iso(timestamp), change })),
  sessions_behind: quality.sessionsBehind,
  is_stale: quality.isStale,
  synthetic: quality.providers.includes(SAMPLE_PROVIDER_ID),
})
