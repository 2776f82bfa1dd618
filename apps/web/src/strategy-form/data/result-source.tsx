import type { DataSources, SeriesSource } from '@tradewright/contract/backtest-figures'
import { SourceBadge } from '../../ui/feedback/source-badge.tsx'
import { providerBadges } from './provider-badges.ts'

interface ResultSourceProps {
  result: { synthetic: boolean; synthetic_tickers: readonly string[]; series_sources: readonly SeriesSource[] }
  /** For results of earlier versions, which do not know where each series came from. */
  otherwise: readonly DataSources[]
}

/** Which series came from where: synthetic traded prices first, then each provider with its tickers. */
export function ResultSource({ result, otherwise }: ResultSourceProps) {
  const badges = providerBadges(result.series_sources)
  const names = new Set(otherwise.flatMap(({ providers }) => providers.map(({ provider }) => provider)))
  return (
    <>
      {result.synthetic && <SourceBadge synthetic tickers={result.synthetic_tickers} />}
      {badges.map((badge) => (
        <SourceBadge key={badge} synthetic={false} provider={badge} />
      ))}
      {result.series_sources.length === 0 &&
        !result.synthetic &&
        [...names].map((provider) => <SourceBadge key={provider} synthetic={false} provider={provider} />)}
    </>
  )
}
