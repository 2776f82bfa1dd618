import { VisuallyHidden } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import type { WalkForwardWindow } from '@tradewright/contract/backtest-walk-forward'
import { useState } from 'react'
import type { StudioResult } from '../../answer/studio-result.ts'
import { formatCount, formatPercent, formatSignedPercent, formatSignedRatio } from '../../../../lib/format.ts'
import { Card } from '../../../../ui/layout/card.tsx'
import { Delta } from '../../../../ui/table/figure.tsx'
import { IconButton } from '../../../../ui/form/buttons.tsx'
import { numeric, secondary, Table, ShowAll } from '../../../../ui/table/table.tsx'
import { AccuracyBar } from './accuracy-bar.tsx'
import { formatBarDay } from '../bar-date.ts'
import classes from '../results.module.css'
import { WindowModal } from './window-modal.tsx'

const FEW = 5

interface WalkForwardCardProps {
  result: StudioResult
  /** On paper, where nothing can be pressed. */
  isWhole?: boolean
}

export function WalkForwardCard({ result, isWhole = false }: WalkForwardCardProps) {
  const [isAll, setAll] = useState(isWhole)
  const [opened, setOpened] = useState<WalkForwardWindow | null>(null)
  const { walk_forward_windows: windows, walk_forward_summary: summary } = result
  if (!windows || !summary) return null
  const shown = isAll ? windows : windows.slice(0, FEW)
  return (
    <Card
      title="Walk-forward windows"
      hint={
        `${formatCount(summary.total_windows)} windows · average accuracy ${formatPercent(summary.avg_window_accuracy)}` +
        (summary.avg_base_rate === null
          ? ''
          : ` (base rate ${formatPercent(summary.avg_base_rate)}), each date counted once`) +
        ` · lowest ${formatPercent(summary.min_window_accuracy)} · highest ${formatPercent(summary.max_window_accuracy)}` +
        ` · step ${formatCount(summary.step_size)} ${result.data_granularity === 'daily' ? 'trading days' : 'bars'}` +
        otherAccuracy(result)
      }
    >
      <Table label="Walk-forward windows">
        <thead>
          <tr>
            <th>Window</th>
            <th>Test period</th>
            <th className={`${numeric} ${secondary}`}>Rows</th>
            <th className={numeric}>Accuracy</th>
            <th className={secondary}>
              <VisuallyHidden>Accuracy around 50%</VisuallyHidden>
            </th>
            <th className={numeric}>CAGR</th>
            <th className={`${numeric} ${secondary}`}>Sharpe</th>
            <th className={`${numeric} ${secondary}`}>Buy / Sell</th>
            <th>
              <VisuallyHidden>Chart</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((window) => (
            <WindowRow key={window.window_num} window={window} onOpen={() => setOpened(window)} />
          ))}
        </tbody>
      </Table>
      {shown.length < windows.length && <ShowAll total={windows.length} of="windows" onShow={() => setAll(true)} />}
      <WindowModal result={result} window={opened} onClose={() => setOpened(null)} />
    </Card>
  )
}

/** Where windows overlap, their average and the headline are two figures: why is said where both can be seen. */
function otherAccuracy({ target_accuracy, walk_forward_summary: summary }: StudioResult): string {
  const [average, traded] = [formatPercent(summary?.avg_window_accuracy), formatPercent(target_accuracy)]
  if (target_accuracy === null || average === traded) return ''
  return ` · the average counts every window that tested a date, the ${traded} above only the forecast that was traded`
}

function WindowRow({ window, onOpen }: { window: WalkForwardWindow; onOpen: () => void }) {
  // Half right counts as good, so the middle is where colour and arrow turn.
  const edge = window.accuracy === null ? null : window.accuracy - 0.5
  return (
    <tr>
      <td className="tabular">{window.window_num}</td>
      <td className="tabular">
        <span className={classes.date}>{formatBarDay(window.test_start)} –</span>{' '}
        <span className={classes.date}>{formatBarDay(window.test_end)}</span>
      </td>
      <td className={`${numeric} ${secondary}`}>{formatCount(window.test_rows)}</td>
      <td className={numeric}>
        <Delta value={edge} withArrow>
          {window.accuracy === null ? 'n/a' : formatPercent(window.accuracy)}
        </Delta>
      </td>
      <td className={secondary}>{edge !== null && <AccuracyBar edge={edge} />}</td>
      <td className={numeric}>
        <Delta value={window.cagr} zeroIsGain>
          {window.cagr === null ? 'n/a' : formatSignedPercent(window.cagr)}
        </Delta>
      </td>
      <td className={`${numeric} ${secondary}`}>
        <Delta value={window.sharpe} zeroIsGain>
          {window.sharpe === null ? 'n/a' : formatSignedRatio(window.sharpe)}
        </Delta>
      </td>
      <td className={`${numeric} ${secondary}`}>
        {formatCount(window.predictions_buy)} / {formatCount(window.predictions_sell)}
      </td>
      <td className={numeric}>
        <IconButton icon={IconChartLine} label={`Chart of window ${window.window_num}`} onClick={onOpen} />
      </td>
    </tr>
  )
}
