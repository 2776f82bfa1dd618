/* oxlint-disable jsx-a11y/prefer-tag-over-role -- these drawings are made of elements, which `img` cannot hold */
import '@mantine/core/styles/SegmentedControl.layer.css'
import type { RobustnessBar, RobustnessDetails, RobustnessUnit } from '@tradewright/contract/robustness'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { formatShortMoney } from '../../../../lib/format.ts'
import { numeric, Table } from '../../../../ui/table/table.tsx'
import classes from './robustness.module.css'
import { lineThrough, scaleOf, ticksOf } from './scale.ts'
import { decimalsOf, formatReturn, formatValue } from './words.ts'

type Shape<Kind extends RobustnessDetails['kind']> = Extract<RobustnessDetails, { kind: Kind }>

/** One drawing per shape of a finding, so that a new check needs none of its own. */
export function Plot({ details, label }: { details: RobustnessDetails; label: string }) {
  if (details.kind === 'fan') return <Fan details={details} label={label} />
  if (details.kind === 'histogram') return <Histogram details={details} label={label} />
  if (details.kind === 'bars') return <Bars details={details} label={label} />
  if (details.kind === 'lines') return <Lines details={details} label={label} />
  if (details.kind === 'dots') return <Dots details={details} label={label} />
  return <Rows details={details} label={label} />
}

const HORIZONS = [10, 30]

function Fan({ details, label }: { details: Shape<'fan'>; label: string }) {
  const [horizon, setHorizon] = useState(HORIZONS[0]!)
  const points = details.years.filter((year) => year <= horizon).length
  const bands = details.bands.map(({ share, values }) => ({ share, values: values.slice(0, points) }))
  // Growth compounds: on a scale of logarithms thirty years are as easy to read as ten.
  const log = (value: number) => Math.log(Math.max(value, details.start / 100))
  const scale = scaleOf([log(details.start), ...bands.flatMap(({ values }) => values.map(log))])
  const x = (point: number) => (100 * point) / (points - 1)
  const through = (values: readonly number[]) => values.map((value, i) => [x(i), scale.at(log(value))] as const)
  const area = (low: number, high: number) =>
    lineThrough([...through(bands[low]!.values), ...through(bands[high]!.values).toReversed()])
  const ends = spread(
    bands.map(({ share, values }) => ({ share, value: values.at(-1)!, at: scale.at(log(values.at(-1)!)) })),
  )
  const years = horizon === 10 ? [0, 2, 4, 6, 8, 10] : [0, 5, 10, 15, 20, 25, 30]
  const said = ends.map(({ share, value }) => `${Math.round(100 * share)}%: ${formatShortMoney(value)}`).join(', ')
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Years ahead"
        data={HORIZONS.map((one) => ({ value: String(one), label: `${one} years` }))}
        value={String(horizon)}
        onChange={(value) => setHorizon(Number(value))}
      />
      <div
        className={classes.plot}
        data-side="wide"
        role="img"
        aria-label={`${label}, after ${horizon} years: ${said}.`}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          <line
            className={classes.start}
            x1="0"
            x2="100"
            y1={100 - scale.at(log(details.start))}
            y2={100 - scale.at(log(details.start))}
          />
          <polygon className={classes.outer} points={area(0, 4)} />
          <polygon className={classes.inner} points={area(1, 3)} />
          <polyline className={classes.own} points={lineThrough(through(bands[2]!.values))} />
        </svg>
        {ends.map(({ share, value, at }) => (
          <span
            key={share}
            className={`${classes.side} tabular`}
            data-strong={share === 0.5}
            style={{ bottom: `${at}%` }}
          >
            {formatShortMoney(value)}
          </span>
        ))}
        {years.map((year) => (
          <span key={year} className={`${classes.below} tabular`} style={{ left: `${(100 * year) / horizon}%` }}>
            {year === 0 ? 'now' : year === horizon ? `${year} y` : year}
          </span>
        ))}
      </div>
      <p className={classes.key}>
        Line: median. Inner band: half of the paths. Outer band: nine in ten. Logarithmic scale.
      </p>
    </>
  )
}

/** Labels at least this far apart, in percent of the plot's height. */
const LABEL_GAP = 9

function spread<Label extends { readonly at: number }>(labels: readonly Label[]): Label[] {
  let below = Number.NEGATIVE_INFINITY
  return labels.map((label) => {
    below = Math.max(label.at, below + LABEL_GAP)
    return { ...label, at: below }
  })
}

function Histogram({ details, label }: { details: Shape<'histogram'>; label: string }) {
  const { unit, from, step, counts, actual, mean, marked } = details
  const isMarked = (low: number) => ('from' in marked ? low >= marked.from : low + step / 2 <= marked.to)
  const [low, high] = [from - step, from + step * (counts.length + 1)]
  const x = (value: number) => (100 * (value - low)) / (high - low)
  const most = Math.max(...counts)
  const bins = counts.map((count, i) => ({ count, at: from + i * step }))
  const isRight = x(actual) > 55
  const ticks = ticksOf({ low, high }, 5)
  const decimals = decimalsOf(ticks, unit)
  return (
    <div
      className={classes.plot}
      data-head="true"
      role="img"
      aria-label={`${label}: this strategy ${formatValue(actual, unit)}, mean of the others ${formatValue(mean, unit)}.`}
    >
      {bins.map(({ count, at }) => (
        <i
          key={at}
          className={classes.bin}
          data-marked={isMarked(at)}
          style={{
            left: `${x(at)}%`,
            width: `${(84 * step) / (high - low)}%`,
            height: `${(100 * count) / most}%`,
          }}
        />
      ))}
      <i className={classes.mean} style={{ left: `${x(mean)}%` }} />
      <i className={classes.actual} style={{ left: `${x(actual)}%` }} />
      <span
        className={`${classes.flag} tabular`}
        data-right={isRight}
        style={isRight ? { right: `${100 - x(actual)}%` } : { left: `${x(actual)}%` }}
      >
        This strategy {formatValue(actual, unit, decimals)}
      </span>
      {ticks.map((tick) => (
        <span key={tick} className={`${classes.below} tabular`} style={{ left: `${x(tick)}%` }}>
          {formatValue(tick, unit, decimals)}
        </span>
      ))}
    </div>
  )
}

/** Above so many the figures over them are written smaller. */
const MAX_WIDE_BARS = 6

function Bars({ details, label }: { details: Shape<'bars'>; label: string }) {
  const { unit, bars, line } = details
  const values = bars.flatMap(({ value }) => (value === null ? [] : [value]))
  const scale = scaleOf([...values, ...(line ? [line.value] : []), ...(values.length === 0 ? [0] : [])], { zero: true })
  const zero = scale.at(0)
  return (
    <>
      <div className={classes.plot} data-head="true" role="img" aria-label={`${label}: ${saidBars(bars, unit)}.`}>
        {zero > 0 && <i className={classes.zero} style={{ bottom: `${zero}%` }} />}
        <div className={classes.bars} data-many={bars.length > MAX_WIDE_BARS}>
          {bars.map(({ label: name, value, is_base }) => {
            const at = value === null ? zero : scale.at(value)
            return (
              <span key={name} className={classes.bar} data-base={is_base}>
                <i style={{ bottom: `${Math.min(at, zero)}%`, height: `max(1px, ${Math.abs(at - zero)}%)` }} />
                <b className="tabular" style={{ bottom: `${Math.max(at, zero)}%` }}>
                  {formatReturn(value, unit)}
                </b>
                <span>{name}</span>
              </span>
            )
          })}
        </div>
        {line && <i className={classes.level} style={{ bottom: `${scale.at(line.value)}%` }} />}
      </div>
      {line && (
        <p className={classes.key}>
          Dashed: {line.label}, {formatReturn(line.value, unit)}
        </p>
      )}
    </>
  )
}

const saidBars = (bars: readonly RobustnessBar[], unit: RobustnessUnit): string =>
  bars.map(({ label, value }) => `${label} ${formatReturn(value, unit)}`).join(', ')

function Lines({ details, label }: { details: Shape<'lines'>; label: string }) {
  const { unit, labels, lines } = details
  const scale = scaleOf(lines.flatMap(({ values }) => values.filter((value) => value !== null)))
  const ticks = ticksOf(scale, 4)
  const decimals = decimalsOf(ticks, unit)
  const x = (i: number) => (100 * i) / Math.max(1, labels.length - 1)
  // Months need more room than years.
  const every = Math.ceil(labels.length / (labels.every((text) => text.endsWith('-01')) ? 6 : 4))
  const said = lines
    .map(({ name, values }) => `${name} ${formatReturn(values[0] ?? null, unit)} from ${labels[0]}`)
    .join(', ')
  return (
    <>
      <p className={classes.legend}>
        {lines.map(({ name }, i) => (
          <span key={name} data-line={i}>
            {name}
          </span>
        ))}
      </p>
      <div className={classes.plot} data-side="true" role="img" aria-label={`${label}: ${said}.`}>
        {ticks.map((tick) => (
          <span key={tick} className={classes.grid} style={{ bottom: `${scale.at(tick)}%` }}>
            <span className="tabular">{formatReturn(tick, unit, decimals)}</span>
          </span>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          {lines.map(({ name, values }, line) => (
            <polyline
              key={name}
              className={classes.line}
              data-line={line}
              points={lineThrough(
                values.flatMap((value, i) => (value === null ? [] : [[x(i), scale.at(value)] as const])),
              )}
            />
          ))}
        </svg>
        {labels.map((text, i) =>
          i % every === 0 ? (
            <span key={text} className={`${classes.below} tabular`} style={{ left: `${x(i)}%` }}>
              {text.endsWith('-01') ? text.slice(0, 4) : text}
            </span>
          ) : null,
        )}
      </div>
    </>
  )
}

function Dots({ details, label }: { details: Shape<'dots'>; label: string }) {
  const { unit, dots, median } = details
  const known = dots.filter((dot): dot is RobustnessBar & { value: number } => dot.value !== null)
  const scale = scaleOf(known.map(({ value }) => value))
  const base = known.find(({ is_base }) => is_base)
  const ticks = ticksOf(scale, 4)
  const decimals = decimalsOf(ticks, unit)
  const written = (value: number | null) => formatReturn(value, unit, decimals)
  return (
    <div
      className={classes.dots}
      role="img"
      aria-label={`${label}: as run ${written(base?.value ?? null)}, median ${written(median)}.`}
    >
      <span className={`${classes.dotLabel} tabular`} style={labelAt(scale.at(median))}>
        median {written(median)}
      </span>
      {base && (
        <span className={`${classes.dotLabel} tabular`} data-base="true" style={labelAt(scale.at(base.value))}>
          as run {written(base.value)}
        </span>
      )}
      <div className={classes.track}>
        {known.map(({ label: name, value, is_base }) => (
          <i
            key={name}
            data-base={is_base}
            title={`${name}: ${written(value)}`}
            style={{ left: `${scale.at(value)}%` }}
          />
        ))}
        <b style={{ left: `${scale.at(median)}%` }} />
      </div>
      {ticks.map((tick) => (
        <span key={tick} className={`${classes.below} tabular`} style={{ left: `${scale.at(tick)}%` }}>
          {written(tick)}
        </span>
      ))}
    </div>
  )
}

/** Inside the plot at either end. */
const labelAt = (at: number) =>
  at > 50 ? { right: `${Math.max(0, 100 - at - 8)}%` } : { left: `${Math.max(0, at - 8)}%` }

function Rows({ details, label }: { details: Shape<'table'>; label: string }) {
  const { row_label, columns, rows } = details
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th>{row_label}</th>
          {columns.map((column) => (
            <th key={column.label} className={numeric}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.label}>
            <td title={row.hint}>
              {row.label} {/^\d/.test(row.hint) && <span className={classes.hint}>{row.hint}</span>}
            </td>
            {columns.map(({ label: name, unit, is_return }, i) => (
              <td key={name} className={numeric}>
                {is_return ? (
                  <Return value={row.cells[i] ?? null} isOwn={name === 'Strategy'} />
                ) : (
                  shareOrRatio(row.cells[i] ?? null, unit)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const shareOrRatio = (value: number | null, unit: RobustnessUnit): string =>
  unit === 'percent' && value !== null ? `${Math.round(100 * value)}%` : formatValue(value, unit)

function Return({ value, isOwn }: { value: number | null; isOwn: boolean }) {
  const tone = value === null || !isOwn ? undefined : value < 0 ? 'loss' : 'gain'
  return (
    <span className={classes.return} data-tone={tone}>
      {formatReturn(value, 'percent')}
    </span>
  )
}
