import { epochDayOf, formatDate, type UtcMillis } from '@tradewright/core/time'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import { z } from 'zod'
import { storeQuality, type StoreQualityDeps } from '../../market-data/stores/store-quality.ts'
import { defineTool } from '../tool.ts'

const MAX_LISTED = 30

const dateText = (stamp: UtcMillis | undefined) => (stamp === undefined ? null : formatDate(epochDayOf(stamp)))

export const dataQualityTools = (deps: StoreQualityDeps) => ({
  getDataQuality: defineTool({
    name: 'get_data_quality',
    description:
      "What is stored of market data in the user's default store, series with the most faults first: gaps, stale series, suspicious jumps.",
    note: 'Checking your stored data',
    input: z.object({}),
    async run({ userId }) {
      const { id, name } = await deps.stores.defaultOf(userId)
      const found = await storeQuality(deps, userId, id, 'gold')
      const series = found.slice(0, MAX_LISTED).map((quality) => ({
        ticker: quality.ticker,
        granularity: quality.granularity,
        providers: quality.providers,
        synthetic: quality.providers.includes(SAMPLE_PROVIDER_ID),
        rows: quality.rows,
        first: dateText(quality.first),
        last: dateText(quality.last),
        missing_rows: quality.missingRows,
        suspicious_jumps: quality.jumps.length,
        contradictions: quality.contradictions,
        sessions_behind: quality.sessionsBehind,
        is_stale: quality.isStale,
      }))
      return { store: name, total: found.length, series }
    },
  }),
})

export type DataQualityTools = ReturnType<typeof dataQualityTools>
