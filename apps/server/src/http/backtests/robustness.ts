import * as contract from '@tradewright/contract/robustness'
import type { Details } from '@tradewright/engine/robustness/check'
import { boardOfRun, startBoard } from '../../backtests/robustness/board-of-run.ts'
import type { StoredBoard } from '../../backtests/robustness/stored-board.ts'
import type { Handle } from '../server/handle.ts'
import { toJobEvent } from '../system/job-wire.ts'

export function serveRobustness(handle: Handle, deps: Parameters<typeof boardOfRun>[0]): void {
  handle(contract.getRobustness, async ({ user, params }) => {
    const { board, job } = await boardOfRun(deps, user.id, params.id)
    return { board: board && boardToWire(board), job: job ? toJobEvent(job) : null }
  })
  handle(contract.computeRobustness, async ({ user, params, body }) =>
    toJobEvent(await startBoard(deps, user.id, params.id, body.seed)),
  )
}

export function boardToWire({ board, ...kept }: StoredBoard): contract.RobustnessBoard {
  const { verdict, words, sentence, passed, cautions, failed } = board.verdict
  return {
    seed: board.seed,
    fingerprint: kept.fingerprint,
    changed_series: kept.changedSeries && [...kept.changedSeries],
    computed_at: kept.computedAt,
    seconds: kept.seconds,
    verdict: { verdict, words, sentence, passed, cautions, failed },
    checks: board.outcomes.map(({ key, label, explain, judgement, notAvailable, summary, figures, details }) => ({
      key,
      label,
      explain,
      judgement,
      not_available: notAvailable,
      summary,
      figures: figures.map((figure) => ({
        label: figure.label,
        unit: figure.unit,
        value: figure.value,
        reason: figure.reason ?? null,
      })),
      details: details && detailsToWire(details),
    })),
  }
}

type Bars = Extract<Details, { kind: 'bars' }>['bars']

const barsToWire = (bars: Bars) => bars.map(({ label, value, isBase }) => ({ label, value, is_base: isBase }))

function detailsToWire(details: Details): contract.RobustnessDetails {
  if (details.kind === 'bars') {
    const { kind, unit, bars, line } = details
    return { kind, unit, bars: barsToWire(bars), line }
  }
  if (details.kind === 'dots') {
    const { kind, unit, dots, median } = details
    return { kind, unit, dots: barsToWire(dots), median }
  }
  if (details.kind === 'table') {
    const { kind, rowLabel, columns, rows } = details
    return {
      kind,
      row_label: rowLabel,
      columns: columns.map(({ label, unit, isReturn }) => ({ label, unit, is_return: isReturn })),
      rows: rows.map(({ label, hint, cells }) => ({ label, hint, cells: [...cells] })),
    }
  }
  if (details.kind === 'fan') {
    const { kind, start, years, bands } = details
    return { kind, start, years: [...years], bands: bands.map(({ share, values }) => ({ share, values: [...values] })) }
  }
  if (details.kind === 'lines') {
    const { kind, unit, labels, lines } = details
    return { kind, unit, labels: [...labels], lines: lines.map(({ name, values }) => ({ name, values: [...values] })) }
  }
  const { kind, unit, from, step, counts, actual, mean, marked } = details
  return { kind, unit, from, step, counts: [...counts], actual, mean, marked }
}
