import type { OptimizationResults, OptimizationWindow } from '@tradewright/contract/optimization-results'
import { formatCount, formatPercent, formatRatio, formatSignedPercent } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import classes from './results.module.css'

const NO_DETAILS = 'Walk-forward details not available for this run. New runs will include per-window metrics.'

export function WalkForwardCard({ results, isEnabled }: { results: OptimizationResults; isEnabled: boolean }) {
  const walkForward = results.best_performance.walk_forward
  if (!walkForward) {
    return (
      <Card title="Walk-forward windows">
        <p className={classes.note}>
          {NO_DETAILS} {!isEnabled && 'Walk-forward was off: this run has one test period.'}
        </p>
      </Card>
    )
  }
  return (
    <Card title="Walk-forward windows" hint={`${formatCount(walkForward.window_count)} windows of the winner`}>
      <Table label="Walk-forward windows">
        <thead>
          <tr>
            <th>Window</th>
            <th className={`${numeric} ${secondary}`}>Test start</th>
            <th className={numeric}>Test end</th>
            <th className={`${numeric} ${secondary}`}>Test rows</th>
            <th className={numeric}>Accuracy</th>
            <th className={numeric}>CAGR</th>
            <th className={`${numeric} ${secondary}`}>Buy and hold CAGR</th>
            <th className={`${numeric} ${secondary}`}>Sharpe</th>
          </tr>
        </thead>
        <tbody>
          {walkForward.windows.map((window) => (
            <WindowRow key={window.window_num} window={window} />
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

function WindowRow({ window }: { window: OptimizationWindow }) {
  // Half right counts as good, so the middle is where colour and arrow turn.
  const edge = window.accuracy === null ? null : window.accuracy - 0.5
  return (
    <tr>
      <td className="tabular">{window.window_num}</td>
      <td className={`${numeric} ${secondary}`}>{formatDate(window.test_start)}</td>
      <td className={numeric}>{formatDate(window.test_end)}</td>
      <td className={`${numeric} ${secondary}`}>{formatCount(window.test_rows)}</td>
      <td className={numeric}>
        <Delta value={edge} withArrow>
          {window.accuracy === null ? 'n/a' : formatPercent(window.accuracy)}
        </Delta>
      </td>
      <td className={numeric}>
        <Delta value={window.cagr}>{window.cagr === null ? 'n/a' : formatSignedPercent(window.cagr)}</Delta>
      </td>
      <td className={`${numeric} ${secondary}`}>
        {typeof window.buy_and_hold?.cagr === 'number' ? formatSignedPercent(window.buy_and_hold.cagr) : 'n/a'}
      </td>
      <td className={`${numeric} ${secondary}`}>{window.sharpe === null ? 'n/a' : formatRatio(window.sharpe)}</td>
    </tr>
  )
}
