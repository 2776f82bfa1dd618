import { kindNamed } from '@tradewright/core/strategy-kinds'
import type { StudioResult } from '../answer/studio-result.ts'
import { ResultSource } from '../../../strategy-form/data/result-source.tsx'
import { UNNAMED } from '../kept/names.ts'
import type { KeptProps } from '../kept/kept-run.ts'
import { MoreActions } from '../kept/more-actions.tsx'
import { KeptName, ResultActions } from '../kept/result-actions.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { formatBarDays } from './bar-date.ts'
import { downloadCsv, downloadJson } from './csv.ts'
import classes from './results.module.css'
import { startSentence } from './start-sentence.ts'

interface ResultHeadProps extends KeptProps {
  result: StudioResult
  onDuplicate: () => void
  onConstruct: () => void
  /** The whole result as JSON. */
  file: Blob
  onReport: () => void
}

/** The strategy box: name, kind, period and where the data came from. */
export function ResultHead({ result, kept, file, onReport, onKept, onDuplicate, onConstruct }: ResultHeadProps) {
  return (
    <header className={classes.head}>
      <div>
        <h2 className={classes.title} id="result-title">
          {result.strategy || UNNAMED}
        </h2>
        <KeptName kept={kept} onKept={onKept} />
        <p className={classes.facts}>
          <Tag tone={kindNamed(result.strategy_type).learns ? 'accent' : 'plain'}>{result.strategy_type}</Tag>
          {result.ml_model_type && <span>{result.ml_model_type}</span>}
          <span>{periodOf(result)}</span>
          <ResultSource result={result} otherwise={[result.data_sources.simulation, result.data_sources.features]} />
        </p>
        <p className={classes.start}>{startSentence(result)}</p>
      </div>
      <div className={classes.actions}>
        <ResultActions kept={kept} result={result} onKept={onKept} />
        <MoreActions
          kept={kept}
          onDuplicate={onDuplicate}
          onConstruct={onConstruct}
          onCsv={() => void downloadCsv(result)}
          onJson={() => downloadJson(file)}
          onReport={onReport}
        />
      </div>
    </header>
  )
}

export function periodOf({ test_dates, test_period }: StudioResult): string {
  if (!test_period) return formatBarDays(test_dates[0], test_dates.at(-1))
  return `${formatBarDays(test_period.start_date, test_period.end_date)}, out of sample`
}
