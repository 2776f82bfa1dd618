import { type CSSProperties, type PointerEvent, useId, useMemo, useRef, useState } from 'react'
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
  yearTicks,
} from './decisions.ts'
import { isCash } from './held-card.tsx'
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
  const slider = useRef<HTMLInputElement>(null)
  const segments = useMemo(() => segmentsOf(way_history), [way_history])
  const rows = useMemo(
    () => timelineRows(rules).map(({ ticker, history }) => ({ ticker, stops: weightStops(history) })),
    [rules],
  )
  const date = dates[chosen] ?? ''
  const reasons = reasonsOf(changes.get(date) ?? [], trades[chosen] ?? false, names)
  const share = (checks: number) => `${(checks * 100) / dates.length}%`
  const years = useMemo(() => yearTicks(dates), [dates])
  const point = ({ clientX }: PointerEvent) => {
    const { left = 0, width = 0 } = slider.current?.getBoundingClientRect() ?? {}
    const at = Math.floor(((clientX - left) / width) * dates.length)
    if (at >= 0 && at < dates.length) setChosen(at)
  }
  return (
    <div className={classes.timeline}>
      <p className={classes.check} aria-live="polite">
        <strong className="tabular">{formatBarDate(date)}</strong>{' '}
        {wayWords(ways[way_history[chosen] ?? -1] ?? '', names)}
        {'. '}Holds {holdingsAt(rules, chosen) || 'nothing'}.{' '}
        {tradeWords(trades[chosen] ?? false, chosen === dates.length - 1)} {reasons.join(' ')}
      </p>
      {/* The slider does the same by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        className={classes.grid}
        style={{ '--at': `${((chosen + 0.5) * 100) / dates.length}%` } as CSSProperties}
        onPointerMove={point}
        onPointerDown={point}
      >
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
              {nameInside(lastWord(wayWords(ways[way] ?? '', names)), (to - from) / dates.length)}
            </span>
          ))}
        </div>
        {rows.map(({ ticker, stops }) => (
          <WeightRow key={ticker} ticker={ticker} stops={stops} isCash={isCash(ticker, names)} />
        ))}
        <span className={classes.rowName} id={label}>
          Check
        </span>
        <input
          ref={slider}
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
        {years.length > 1 ? (
          <div className={`${classes.years} tabular`} aria-hidden>
            {years.map(({ year, at }) => (
              <span key={year} style={{ insetInlineStart: `${at}%` }}>
                {year}
              </span>
            ))}
          </div>
        ) : (
          <div className={`${classes.ends} tabular`} aria-hidden>
            <span>{formatBarDate(dates[0] ?? '')}</span>
            <span>{formatBarDate(dates.at(-1) ?? '')}</span>
          </div>
        )}
      </div>
    </div>
  )
}

/** What the last check decides may be filled after the end of the run. */
const tradeWords = (isTrade: boolean, isLast: boolean): string =>
  isTrade ? 'Traded.' : isLast ? 'No trade in this run.' : 'No trade.'

const WAY_TONES = 4
/** About what a letter takes of the strip on a wide screen; a narrow one cuts words short. */
const LETTER_SHARE = 0.0085

const nameInside = (name: string, share: number): string => (share > (name.length + 1) * LETTER_SHARE ? name : '')

/** `Trend: then Stocks` is `Stocks` in the strip. */
const lastWord = (words: string): string => words.split(/: (?:then|else) ?/).at(-1) ?? words

interface WeightRowProps {
  ticker: string
  stops: readonly WeightStop[]
  isCash: boolean
}

function WeightRow({ ticker, stops, isCash: isGrey }: WeightRowProps) {
  return (
    <>
      <span className={classes.rowName}>{ticker}</span>
      <div
        className={classes.weights}
        style={{ backgroundImage: gradientOf(stops, isGrey ? '--tw-text-3' : '--tw-accent') }}
        aria-hidden
      />
    </>
  )
}

function gradientOf(stops: readonly WeightStop[], token: string): string {
  const parts = stops.map(({ to, weight }, i) => {
    const from = i === 0 ? 0 : stops[i - 1]!.to
    const colour =
      weight === 0 ? 'transparent' : `color-mix(in srgb, var(${token}) ${20 + Math.round(weight * 80)}%, transparent)`
    return `${colour} ${from}% ${to}%`
  })
  return `linear-gradient(to right, ${parts.join(', ')})`
}
