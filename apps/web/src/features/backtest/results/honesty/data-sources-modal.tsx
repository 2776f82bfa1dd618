import { FetchedData } from '../../../../strategy-form/data/fetched-data.tsx'
import { SeriesSources, SplicedTickers } from '../../../../strategy-form/data/series-sources.tsx'
import { Card } from '../../../../ui/layout/card.tsx'
import { ContentModal } from '../../../../ui/layout/content-modal.tsx'
import type { StudioResult } from '../../answer/studio-result.ts'
import classes from '../results.module.css'

interface DataSourcesModalProps {
  result: StudioResult
  opened: boolean
  onClose: () => void
}

export function DataSourcesModal({ result, opened, onClose }: DataSourcesModalProps) {
  return (
    <ContentModal opened={opened} onClose={onClose} title="Data Sources">
      <DataSources result={result} />
    </ContentModal>
  )
}

export function DataSourcesCard({ result }: { result: StudioResult }) {
  return (
    <Card title="Data Sources">
      <div className={classes.body}>
        <DataSources result={result} />
      </div>
    </Card>
  )
}

function DataSources({ result }: { result: StudioResult }) {
  return (
    <>
      <SeriesSources series={result.series_sources} />
      <SplicedTickers spliced={result.spliced_tickers} />
      <FetchedData title="Features fetch" sources={result.data_sources.features} />
      <FetchedData title="Simulation prices fetch" sources={result.data_sources.simulation} />
    </>
  )
}
