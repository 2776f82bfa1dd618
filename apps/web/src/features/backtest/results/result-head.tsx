import { Button } from '@mantine/core'
import { IconDatabase, IconDownload, IconFileText } from '@tabler/icons-react'
import type { StudioResult } from '../answer/studio-result.ts'
import { useState } from 'react'
import { downloadFile } from '../../../lib/download.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { ResultSource } from '../../../strategy-form/result-source.tsx'
import { UNNAMED } from '../kept/names.ts'
import type { KeptProps } from '../kept/kept-run.ts'
import { KeptName, ResultActions } from '../kept/result-actions.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { csvFile, csvName, jsonName } from './csv.ts'
import { DataSourcesModal } from './data-sources-modal.tsx'
import classes from './results.module.css'
import { startSentence } from './start-sentence.ts'

interface ResultHeadProps extends KeptProps {
  result: StudioResult
  onDuplicate: () => void
  /** The whole result as JSON. */
  file: Blob
  onReport: () => void
}

/** The strategy box: name, kind, period and where the data came from. */
export function ResultHead({ result, kept, file, onReport, onKept, onDuplicate }: ResultHeadProps) {
  const [isOpen, setOpen] = useState(false)
  const [isWriting, setWriting] = useState(false)
  const today = () => new Date().toISOString().slice(0, 10)
  const downloadCsv = async () => {
    setWriting(true)
    downloadFile(csvName(today()), await csvFile(result))
    setWriting(false)
  }
  return (
    <header className={classes.head}>
      <div>
        <h2 className={classes.title} id="result-title">
          {result.strategy || UNNAMED}
        </h2>
        <KeptName kept={kept} onKept={onKept} />
        <p className={classes.facts}>
          <Tag tone={result.strategy_type === 'ML' ? 'accent' : 'plain'}>{result.strategy_type}</Tag>
          {result.ml_model_type && <span>{result.ml_model_type}</span>}
          <span>{periodOf(result)}</span>
          <ResultSource result={result} otherwise={[result.data_sources.simulation, result.data_sources.features]} />
        </p>
        <p className={classes.start}>{startSentence(result)}</p>
      </div>
      <div className={classes.actions}>
        <ResultActions kept={kept} result={result} onKept={onKept} onDuplicate={onDuplicate} />
        <Button variant="default" leftSection={<IconDatabase size={16} aria-hidden />} onClick={() => setOpen(true)}>
          Data Sources
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={isWriting}
          onClick={() => void downloadCsv()}
        >
          CSV
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => downloadFile(jsonName(today()), file)}
        >
          JSON
        </Button>
        <Button variant="default" leftSection={<IconFileText size={16} aria-hidden />} onClick={onReport}>
          Report
        </Button>
      </div>
      <DataSourcesModal result={result} opened={isOpen} onClose={() => setOpen(false)} />
    </header>
  )
}

export function periodOf({ test_dates, test_period }: StudioResult): string {
  if (!test_period) return formatDateRange(test_dates[0], test_dates.at(-1))
  return `${formatDateRange(test_period.start_date, test_period.end_date)}, out of sample`
}
