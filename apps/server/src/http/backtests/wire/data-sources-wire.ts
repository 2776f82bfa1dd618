import type { DataSources as WireSources } from '@tradewright/contract/backtest-figures'
import { toStudioGranularity } from '@tradewright/core/granularity'
import { type EpochDay, formatDate } from '@tradewright/core/time'
import type { DataSources } from '@tradewright/engine/backtest/data-sources'

const span = <Span extends { start: EpochDay; end: EpochDay }>({ start, end, ...rest }: Span) => ({
  ...rest,
  start: formatDate(start),
  end: formatDate(end),
})

export const dataSourcesToWire = ({ requested, combined, providers }: DataSources): WireSources => ({
  requested: {
    ...span(requested),
    granularity: toStudioGranularity(requested.granularity) ?? requested.granularity,
  },
  combined: combined ? span(combined) : null,
  providers: providers.map((one) => ({ ...span(one), tickers: [...one.tickers] })),
})
