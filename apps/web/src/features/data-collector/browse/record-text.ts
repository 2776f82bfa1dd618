import type { DataRecord } from '@tradewright/contract/collected-data'
import { formatNumber } from '../../../lib/format.ts'
import { formatDate, formatMarketMoment } from '../../../lib/format-time.ts'

/** Volumes without decimals, everything else with two. */
export const formatValue = (value: number | null, category: string): string =>
  formatNumber(value, { decimals: category === 'volume' ? 0 : 2 })

/** A daily row belongs to a date, the others to a moment. */
export const recordTime = ({ timestamp, granularity }: Pick<DataRecord, 'timestamp' | 'granularity'>): string =>
  granularity === '1d' ? formatDate(timestamp) : formatMarketMoment(timestamp)
