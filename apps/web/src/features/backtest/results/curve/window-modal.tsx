import type { StudioResult } from '../../answer/studio-result.ts'
import type { WalkForwardWindow } from '@tradewright/contract/backtest-walk-forward'
import { formatCount, formatPercent } from '../../../../lib/format.ts'
import { ContentModal } from '../../../../ui/layout/content-modal.tsx'
import classes from '../bars.module.css'
import { CurveChart } from './curve-chart.tsx'
import { viewOf } from '../view.ts'

interface WindowModalProps {
  result: StudioResult
  /** Null: closed. */
  window: WalkForwardWindow | null
  onClose: () => void
}

export function WindowModal({ result, window, onClose }: WindowModalProps) {
  return (
    <ContentModal
      opened={window !== null}
      onClose={onClose}
      title={window ? `Window ${window.window_num}: account value over time` : ''}
    >
      {window && (
        <>
          <CurveChart result={result} view={viewOf(result, window.window_num)} choice={window.window_num} />
          <PredictionsDistribution window={window} />
        </>
      )}
    </ContentModal>
  )
}

/** Here 0 is called Sell, as the specification has it; the table of results calls it Hold. */
function PredictionsDistribution({ window }: { window: WalkForwardWindow }) {
  const total = window.predictions_buy + window.predictions_sell
  const shares = [
    { word: 'Buy', count: window.predictions_buy },
    { word: 'Sell', count: window.predictions_sell },
  ]
  return (
    <section aria-labelledby="predictions-title">
      <h3 id="predictions-title" className={classes.heading}>
        Predictions distribution
      </h3>
      <ul className={classes.rows}>
        {shares.map(({ word, count }) => (
          <li key={word}>
            <span className={classes.words}>
              <span>{word}</span>
              <b className="tabular">
                {formatCount(count)} ({total === 0 ? 'n/a' : formatPercent(count / total)})
              </b>
            </span>
            <span className={classes.track} aria-hidden>
              <span className={classes.bar} style={{ width: `${total === 0 ? 0 : (count / total) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
