import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { formatPercent, formatRatio, formatSignedPercent } from '../../../../lib/format.ts'
import { BoundedNumberField } from '../../../../ui/form/fields/bounded-number-field.tsx'
import { SplicedNote, splicedDays } from '../../../../strategy-form/data/spliced-days.tsx'
import { SelectField } from '../../../../ui/form/fields.tsx'
import { Card } from '../../../../ui/layout/card.tsx'
import type { StudioResult } from '../../answer/studio-result.ts'
import { pointsOf, SYNTHETIC_WATERMARK } from '../curve/curve-points.ts'
import classes from '../results.module.css'
import risk from './risk.module.css'
import { barsOf, ROLLING_MEASURES, rollingLines, type RollingMeasure } from './rolling-lines.ts'

const LineChart = lazy(() => import('../../../../ui/chart/line-chart.tsx'))

const HEIGHT = 200
const SECONDS_PER_MONTH = (365.25 / 12) * 86_400
const MAX_MONTHS = 240
/** The window of the Sharpe ratios that come with the result. */
const SHARPE_MONTHS = 6

const FORMATS: Record<RollingMeasure, (value: number) => string> = {
  return: (value) => formatSignedPercent(value),
  volatility: (value) => formatPercent(value),
  beta: formatRatio,
  drawdown: (value) => formatPercent(value),
  sharpe: formatRatio,
}

const HINTS: Record<RollingMeasure, string> = {
  return: 'Total return of the window that ends at each date',
  volatility: 'Yearly, of the bar returns of the window that ends at each date',
  beta: 'Slope of the bar returns on those of the reference in the window, risk-free return not deducted',
  drawdown: 'Below the highest value of the window that ends at each date',
  sharpe: 'Above the risk-free return, over the six months before each date',
}

/** Any window: the page computes it from the growth of one dollar. */
export function RollingCard({ result, barsPerYear }: { result: StudioResult; barsPerYear: number }) {
  const [measure, setMeasure] = useState<RollingMeasure>('return')
  const [typed, setTyped] = useState('12')
  const isSharpe = measure === 'sharpe'
  const months = useDeferredValue(isSharpe ? SHARPE_MONTHS : Number(typed))
  const isWindow = Number.isInteger(months) && months >= 1 && months <= MAX_MONTHS
  return (
    <Card title="Rolling figures" hint={HINTS[measure]}>
      <div className={classes.body}>
        <div className={risk.fields}>
          <SelectField
            label="Figure"
            value={measure}
            options={Object.entries(ROLLING_MEASURES).map(([value, label]) => ({ value, label }))}
            onChange={(value) => setMeasure(value as RollingMeasure)}
          />
          <BoundedNumberField
            label="Window in months"
            value={isSharpe ? String(SHARPE_MONTHS) : typed}
            disabled={isSharpe}
            min={1}
            max={MAX_MONTHS}
            step={1}
            error={isWindow ? null : `Whole months, 1 to ${MAX_MONTHS}`}
            onChange={setTyped}
          />
        </div>
        {isWindow && <RollingChart result={result} measure={measure} months={months} barsPerYear={barsPerYear} />}
      </div>
    </Card>
  )
}

interface RollingChartProps {
  result: StudioResult
  measure: RollingMeasure
  months: number
  barsPerYear: number
}

function RollingChart({ result, measure, months, barsPerYear }: RollingChartProps) {
  const { growth_history: growth, reference_growth_history: reference, test_dates: dates, synthetic } = result
  const { rolling_sharpe_history: sharpe, spliced_tickers: splicedTickers } = result
  const spliced = useMemo(() => splicedDays(splicedTickers, dates[0]), [splicedTickers, dates])
  const name = result.reference_backtest_name
  const drawing = useMemo(() => {
    const window = barsOf(months, barsPerYear)
    const lines =
      measure === 'sharpe'
        ? { own: sharpe, reference: null }
        : rollingLines({ measure, window, barsPerYear, growth, reference })
    const drawn = [{ name: 'Strategy', points: pointsOf(dates, lines.own) }]
    if (lines.reference) drawn.push({ name: name ?? 'Reference', points: pointsOf(dates, lines.reference) })
    return {
      known: lines.own.filter((value) => value !== null),
      lines: drawn,
      format: FORMATS[measure],
      baseline: measure === 'beta' ? 1 : 0,
      watermark: synthetic ? SYNTHETIC_WATERMARK : null,
      isLogScale: false,
      // A window has days that are not the ticker's own until all of it lies after them.
      shadedUntil: spliced ? spliced.until + months * SECONDS_PER_MONTH : undefined,
    }
  }, [measure, months, barsPerYear, growth, reference, sharpe, dates, name, synthetic, spliced])
  if (measure === 'beta' && !reference) return <p className={classes.absent}>{withoutBeta(name)}</p>
  const { known, format } = drawing
  if (known.length === 0) {
    return <p className={classes.absent}>Not available: the run is shorter than a window of {months} months.</p>
  }
  const lowest = known.reduce((a, b) => Math.min(a, b))
  const highest = known.reduce((a, b) => Math.max(a, b))
  return (
    <>
      <Suspense fallback={<div style={{ height: HEIGHT + 24 }} />}>
        <LineChart
          drawing={drawing}
          height={HEIGHT}
          summary={`${ROLLING_MEASURES[measure]} over ${months} months: between ${format(lowest)} and ${format(highest)}, at the end ${format(known.at(-1)!)}.`}
        />
      </Suspense>
      <SplicedNote spliced={spliced} />
    </>
  )
}

const withoutBeta = (name: string | null): string =>
  name === null
    ? 'Not available: no reference was chosen.'
    : 'Not available: this result was saved before the growth of its reference was kept. Run it again.'
