import type { RecordView } from '@tradewright/contract/forward-records'
import { formatCount, formatNumber, formatPercent, formatRatio } from '../../../lib/format.ts'
import { formatMoment, formatDate } from '../../../lib/format-time.ts'
import { Fact, Facts } from '../../../ui/table/figure.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import classes from './record.module.css'

export function RecordSummary({ record }: { record: RecordView }) {
  return (
    <>
      {record.first_bad !== null && (
        <Banner
          kind="error"
          text={`The chain is broken at entry ${record.first_bad}: it, the one before it or the header was changed, removed, added or moved. Nothing from there on is proven.`}
        />
      )}
      <Facts>
        <Fact label="Entries">{record.entry_count}</Fact>
        <Fact label="Since">{formatDate(record.created_at)}</Fact>
        <Fact label="State">
          <StatusPill {...(record.is_open ? { shape: 'disc', word: 'Open' } : { shape: 'square', word: 'Ended' })} />
        </Fact>
        {record.schedule && record.is_open && <Fact label="Next">{formatDate(record.schedule.due_at)}</Fact>}
        {record.schedule && <Fact label="Missed">{record.schedule.missed.length}</Fact>}
      </Facts>
      {record.schedule?.problem && <Banner kind="warning" text={record.schedule.problem} />}
      {record.schedule && record.schedule.missed.length > 0 && (
        <p className={classes.text}>Sessions without a decision: {missedOf(record.schedule.missed)}.</p>
      )}
      <p className={classes.head}>
        Head <code>{record.head}</code>
      </p>
      {record.imported_entries > 0 && (
        <p className={classes.text}>
          {record.imported_entries === 1 ? 'The first entry was' : `The first ${record.imported_entries} entries were`}{' '}
          imported from another server: this one cannot vouch for when they were written.
        </p>
      )}
      <CalibrationTable {...record} />
      <p className={classes.text}>{record.proves}</p>
    </>
  )
}

const NAMED_DAYS = 10

const missedOf = (missed: readonly string[]): string =>
  missed.length <= NAMED_DAYS
    ? missed.map(formatDate).join(', ')
    : `${missed.slice(-NAMED_DAYS).map(formatDate).join(', ')} and ${missed.length - NAMED_DAYS} before; the file names all`

function CalibrationTable({ calibration, predicts }: Pick<RecordView, 'calibration' | 'predicts'>) {
  if (!calibration && predicts) {
    return <p className={classes.text}>Calibration: n/a, since the chain is broken.</p>
  }
  if (!calibration) {
    return <p className={classes.text}>Calibration: n/a, since this strategy predicts no probability.</p>
  }
  if (calibration.count === 0) {
    return <p className={classes.text}>Calibration: n/a until the first outcome of a prediction is known.</p>
  }
  return (
    <div className={classes.calibration}>
      <h3 className={classes.heading}>
        Calibration of {formatCount(calibration.count)} {calibration.count === 1 ? 'prediction' : 'predictions'} with
        known outcome
      </h3>
      <Table label="Calibration">
        <thead>
          <tr>
            <th>Said</th>
            <th className={numeric}>Happened</th>
            <th className={numeric}>95% interval</th>
          </tr>
        </thead>
        <tbody>
          {calibration.bins.map((bin) => (
            <tr key={bin.from}>
              <td>{formatPercent(bin.said)}</td>
              <td className={numeric}>
                {formatPercent(bin.happened)} of {formatCount(bin.count)}
              </td>
              <td className={numeric}>
                {formatPercent(bin.low)} to {formatPercent(bin.high)}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {calibration.brier !== null && (
        <p className={classes.text}>
          Brier score {formatNumber(calibration.brier, { decimals: 3 })} ({formatRatio(0.25)} is a coin, lower is
          better). Predictions whose periods overlap are not independent, so the intervals are rather too narrow.
        </p>
      )}
    </div>
  )
}

export function RecordEntries({ record }: { record: RecordView }) {
  if (record.entries.length === 0) {
    return <p className={classes.none}>No decision has been written down yet.</p>
  }
  return (
    <Table label="Entries">
      <thead>
        <tr>
          <th className={numeric}>No.</th>
          <th>Written</th>
          <th>Signal</th>
          <th className={numeric}>Probability</th>
          <th>Weights</th>
          <th>Outcome</th>
          <th>Hash</th>
        </tr>
      </thead>
      <tbody>
        {record.entries.map((entry) => (
          <tr key={entry.seq}>
            <td className={numeric}>{entry.seq}</td>
            <td className={classes.line}>{formatMoment(entry.at, 'seconds')}</td>
            <td>{entry.signal}</td>
            <td className={numeric}>{entry.probability === null ? 'n/a' : formatPercent(entry.probability)}</td>
            <td className={classes.line}>
              {Object.entries(entry.weights)
                .map(([ticker, weight]) => `${formatPercent(weight)} ${ticker}`)
                .join(', ') || 'cash'}
            </td>
            <td className={classes.line}>
              {entry.happened === null
                ? entry.probability === null
                  ? 'n/a'
                  : 'open'
                : entry.happened
                  ? 'came true'
                  : 'did not'}
            </td>
            <td>
              <code>{entry.hash.slice(0, 12)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
