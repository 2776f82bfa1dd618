import { Button } from '@mantine/core'
import { IconArrowRight, IconDatabase, IconDownload, IconRefresh } from '@tabler/icons-react'
import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { exportOptimizationRun } from '@tradewright/contract/optimizer'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { pathOf } from '../../../lib/http.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { FetchedData } from '../../../strategy-form/data/fetched-data.tsx'
import { ResultSource } from '../../../strategy-form/data/result-source.tsx'
import { SeriesSources } from '../../../strategy-form/data/series-sources.tsx'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { statusWord } from '../run-status.ts'
import classes from './results.module.css'

interface ResultHeadProps {
  run: OptimizationRunItem
  results: OptimizationResults
  onRerun: () => void
  isRerunning: boolean
}

export function ResultHead({ run, results, onRerun, isRerunning }: ResultHeadProps) {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  return (
    <header className={classes.head}>
      <div>
        <h2 className={classes.title} id="optimizer-result-title">
          Run #{run.id}: {results.best_target_asset}
        </h2>
        <p className={classes.facts}>
          <Tag tone={run.status === 'completed' ? 'accent' : 'plain'}>{statusWord(run)}</Tag>
          <span>{run.ml_config.model}</span>
          <span>{periodOf(run, results)}</span>
          <ResultSource result={results} otherwise={[results.data_sources]} />
        </p>
      </div>
      <div className={classes.actions}>
        <Button variant="default" leftSection={<IconDatabase size={16} aria-hidden />} onClick={() => setOpen(true)}>
          Data Sources
        </Button>
        <Button
          variant="default"
          component="a"
          href={pathOf(exportOptimizationRun.path, { id: run.id })}
          download={`optimization_run_${run.id}.json`}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          JSON
        </Button>
        <Button
          variant="default"
          title="The same request and seed; on the same data it finds the same winner"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={isRerunning}
          onClick={onRerun}
        >
          Rerun
        </Button>
        <Button
          rightSection={<IconArrowRight size={16} aria-hidden />}
          onClick={() => void navigate('/backtest', { state: { optimizedStrategy: results.optimized_strategy } })}
        >
          Load into Backtest
        </Button>
      </div>
      <ContentModal opened={isOpen} onClose={() => setOpen(false)} title="Data Sources">
        <SeriesSources series={results.series_sources} />
        <FetchedData title="Features and simulation prices fetch" sources={results.data_sources} />
      </ContentModal>
    </header>
  )
}

/** The days that were tested, which may be fewer than asked for. */
function periodOf({ date_range }: OptimizationRunItem, { actual_period }: OptimizationResults): string {
  const { start_date, end_date } = actual_period ?? date_range
  return formatDateRange(start_date, end_date)
}
