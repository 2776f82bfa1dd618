import { VisuallyHidden } from '@mantine/core'
import type { HomeResult } from '@tradewright/contract/home'
import { Link } from 'react-router'
import { formatPercent, formatRatio, formatSignedPercent } from '../../../lib/format.ts'
import { formatDate, formatDateRange, formatExact } from '../../../lib/format-time.ts'
import { Sparkline } from '../../../ui/chart/sparkline.tsx'
import { SplicedMark } from '../../../strategy-form/data/spliced-days.tsx'
import { SyntheticMark } from '../../../ui/feedback/source-badge.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { Nothing, Panel } from './panel.tsx'
import { useResults } from '../queries.ts'
import classes from './rows.module.css'

export function BestResultsPanel() {
  const results = useResults()
  if (results.data?.best.length === 0) return null
  return (
    <Panel
      title="Best results"
      hint="By Sharpe ratio after costs, the best of each strategy"
      link={{ to: '/strategies', text: 'All strategies' }}
      query={results}
    >
      {({ best }) => (
        <Table label="Best results">
          <thead>
            <tr>
              <th>Backtest</th>
              <GrowthHead />
              <th className={numeric}>Sharpe</th>
              <th className={numeric}>CAGR</th>
              <th className={`${numeric} ${classes.wideOnly}`}>Max drawdown</th>
            </tr>
          </thead>
          <tbody>
            {best.map((result) => (
              <tr key={result.backtest_id}>
                <Name result={result} />
                <Growth result={result} />
                <td className={numeric}>
                  <b>
                    <Sharpe result={result} />
                  </b>
                </td>
                <td className={numeric}>
                  <Cagr result={result} />
                </td>
                <td className={`${numeric} ${classes.wideOnly}`}>{formatPercent(result.max_drawdown)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  )
}

export function LatestResultsPanel() {
  return (
    <Panel
      title="Latest results"
      hint="Backtests, newest first"
      link={{ to: '/backtest', text: 'All backtests' }}
      query={useResults()}
    >
      {({ latest }) =>
        latest.length === 0 ? (
          <Nothing>
            No result yet. <Link to="/backtest">Run a backtest</Link>.
          </Nothing>
        ) : (
          <Table label="Latest results">
            <thead>
              <tr>
                <th>Backtest</th>
                <GrowthHead />
                <th className={numeric}>CAGR</th>
                <th className={numeric}>Sharpe</th>
                <th className={`${numeric} ${classes.wideOnly}`}>Run</th>
              </tr>
            </thead>
            <tbody>
              {latest.map((result) => (
                <tr key={result.backtest_id}>
                  <Name result={result} />
                  <Growth result={result} />
                  <td className={numeric}>
                    <Cagr result={result} />
                  </td>
                  <td className={numeric}>
                    <Sharpe result={result} />
                  </td>
                  <td className={`${numeric} ${classes.wideOnly}`}>
                    <time dateTime={result.created_at} title={formatExact(result.created_at)}>
                      {formatDate(result.created_at)}
                    </time>
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )
      }
    </Panel>
  )
}

function GrowthHead() {
  return (
    <th className={classes.wideOnly}>
      <VisuallyHidden>Growth</VisuallyHidden>
    </th>
  )
}

interface ResultProps {
  result: HomeResult
}

function Name({ result }: ResultProps) {
  const { backtest_id, name, start_date, end_date, synthetic, spliced_tickers } = result
  return (
    <td className={classes.name}>
      <span className={classes.marked}>
        <Link to={`/backtest?backtest_id=${backtest_id}`} title={name}>
          {withoutPeriod(name)}
        </Link>
        {synthetic && <SyntheticMark />}
        <SplicedMark spliced={spliced_tickers} firstDate={start_date} />
      </span>
      <span className={classes.below}>{formatDateRange(start_date, end_date)}</span>
    </td>
  )
}

/** A name that was given by itself ends with the period that was asked for; the line below has the one that ran. */
const withoutPeriod = (name: string): string => name.replace(/ \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/, '')

function Growth({ result: { growth } }: ResultProps) {
  return (
    <td className={classes.wideOnly}>
      {growth.length > 1 && (
        <span className={classes.spark}>
          <Sparkline values={growth} height={24} />
        </span>
      )}
    </td>
  )
}

function Sharpe({ result: { sharpe, figure_notes } }: ResultProps) {
  return sharpe === null ? <NotAvailable because={figure_notes['sharpe']} /> : <>{formatRatio(sharpe)}</>
}

function Cagr({ result: { cagr, figure_notes } }: ResultProps) {
  if (cagr === null) return <NotAvailable because={figure_notes['cagr']} />
  return <Delta value={cagr}>{formatSignedPercent(cagr)}</Delta>
}

function NotAvailable({ because = 'the result does not say why' }: { because?: string | undefined }) {
  return (
    <span className={classes.missing} title={`n/a because ${because}`}>
      n/a<VisuallyHidden> because {because}</VisuallyHidden>
    </span>
  )
}
