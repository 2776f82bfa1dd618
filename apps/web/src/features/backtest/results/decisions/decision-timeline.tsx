import { useId, useMemo, useState } from 'react'
import { formatBarDate } from '../bar-date.ts'
import {
  type BlockNames,
  type changesByDate,
  holdingsAt,
  reasonsOf,
  type RulesSection,
  segmentsOf,
  timelineRows,
  wayWords,
  weightStops,
  type WeightStop,
} from './decisions.ts'
import classes from './decisions.module.css'

interface DecisionTimelineProps {
  rules: RulesSection
  names: BlockNames
  changes: ReturnType<typeof changesByDate>
}

/** The way taken and the weights at every check, and one check in words: the last one until another is chosen. */
export function DecisionTimeline({ rules, names, changes }: DecisionTimelineProps) {
  const { check_dates: dates, trades_history: trades, ways, way_history } = rules
  const [chosen, setChosen] = useState(dates.length - 1)
  const label = useId()
  const segments = useMemo(() => segmentsOf(way_history), [way_history])
  const rows = useMemo(
    () => timelineRows(rules).map(({ ticker, history }) => ({ ticker, stops: weightStops(history) })),
    [rules],
  )
  const date = dates[chosen] ?? ''
  const reasons = reasonsOf(changes.get(date) ?? [], trades[chosen] ?? false, names)
  const share = (checks: number) => `${(checks * 100) / dates.length}%`
  return (
    <div className={classes.timeline}>
      <p className={classes.check} aria-live="polite">
        <strong className="tabular">{formatBarDate(date)}</strong>{' '}
        {wayWords(ways[way_history[chosen] ?? -1] ?? '', names)}
        {'. '}Holds {holdingsAt(rules, chosen) || 'nothing'}.{' '}
        {trades[chosen] ? `Traded. ${reasons.join(' ')}` : `No trade. ${reasons.join(' ')}`}
      </p>
      <div className={classes.grid}>
        <span className={classes.rowName}>Block</span>
        <div className={classes.ways}>
          {segments.map(({ from, to, way }) => (
            <span
              key={from}
              className={classes.way}
              data-way={way % WAY_TONES}
              style={{ width: share(to - from) }}
              title={`${wayWords(ways[way] ?? '', names)}, ${formatBarDate(dates[from] ?? '')} to ${formatBarDate(dates[to - 1] ?? '')}`}
            >
              {(to - from) / dates.length > MIN_NAMED_SHARE ? lastWord(wayWords(ways[way] ?? '', names)) : ''}
            </span>
          ))}
        </div>
        {rows.map(({ ticker, stops }) => (
          <WeightRow key={ticker} ticker={ticker} stops={stops} />
        ))}
        <span className={classes.rowName} id={label}>
          Check
        </span>
        <input
          className={classes.slider}
          type="range"
          aria-labelledby={label}
          aria-valuetext={formatBarDate(date)}
          min={0}
          max={dates.length - 1}
          value={chosen}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        />
        <span />
        <div className={`${classes.ends} tabular`}>
          <span>{formatBarDate(dates[0] ?? '')}</span>
          <span>darker is a larger weight</span>
          <span>{formatBarDate(dates.at(-1) ?? '')}</span>
        </div>
      </div>
    </div>
  )
}

const WAY_TONES = 4
/** Narrower segments have no room for a word. */
const MIN_NAMED_SHARE = 0.08

/** `Trend: then Stocks` is `Stocks` in the strip. */
const lastWord = (words: string): string => words.split(/: (?:then|else) ?/).at(-1) ?? words

function WeightRow({ ticker, stops }: { ticker: string; stops: readonly WeightStop[] }) {
  return (
    <>
      <span className={classes.rowName}>{ticker}</span>
      <div className={classes.weights} style={{ backgroundImage: gradientOf(stops) }} aria-hidden />
    </>
  )
}

function gradientOf(stops: readonly WeightStop[]): string {
  const parts = stops.map(({ to, weight }, i) => {
    const from = i === 0 ? 0 : stops[i - 1]!.to
    const colour =
      weight === 0
        ? 'transparent'
        : `color-mix(in srgb, var(--tw-accent) ${20 + Math.round(weight * 80)}%, transparent)`
    return `${colour} ${from}% ${to}%`
  })
  return `linear-gradient(to right, ${parts.join(', ')})`
}
