import { FetchedData } from '../../../strategy-form/fetched-data.tsx'
import { ContentModal } from '../../../ui/content-modal.tsx'
import { SourceBadge } from '../../../ui/source-badge.tsx'
import type { StudioResult } from '../answer/studio-result.ts'

interface DataSourcesModalProps {
  result: StudioResult
  opened: boolean
  onClose: () => void
}

export function DataSourcesModal({ result, opened, onClose }: DataSourcesModalProps) {
  const badge = result.synthetic ? <SourceBadge synthetic /> : null
  return (
    <ContentModal opened={opened} onClose={onClose} title="Data Sources" badge={badge}>
      <FetchedData title="Features fetch" sources={result.data_sources.features} />
      <FetchedData title="Simulation prices fetch" sources={result.data_sources.simulation} />
    </ContentModal>
  )
}
