import { formatSignedPercent } from '../../../../lib/format.ts'
import type { StudioResult } from '../../answer/studio-result.ts'
import { annualPlot } from './annual-bars.ts'
import classes from './periods.module.css'

type Annual = NonNullable<StudioResult['analysis']>['annual']

interface YearBarsProps {
  annual: Annual
  referenceName: string | null
}

/** The table below has the same numbers for readers who cannot see the bars. */
export function YearBars({ annual, referenceName }: YearBarsProps) {
  const { bars, ticks } = annualPlot(
    annual.map(({ year, nominal, reference_nominal }) => ({ year, own: nominal, reference: reference_nominal })),
  )
  return (
    <div aria-hidden>
      <p className={classes.legend}>
        <span data-line="own">Strategy</span>
        {referenceName !== null && <span data-line="reference">{referenceName}</span>}
      </p>
      <div className={classes.plot}>
        {ticks.map(({ value, top }) => (
          <span
            key={value}
            className={classes.tick}
            style={{ top: `${top * 100}%` }}
            data-zero={Math.abs(value) < 1e-9}
          >
            <span className="tabular">{Math.abs(value) < 1e-9 ? '0%' : formatSignedPercent(value, 0)}</span>
          </span>
        ))}
        <div className={classes.bars}>
          {bars.map(({ year, own, reference, hasLabel }) => (
            <span key={year} className={classes.year}>
              {own && <i data-line="own" style={styleOf(own)} />}
              {reference && <i data-line="reference" style={styleOf(reference)} />}
              {hasLabel && <span className="tabular">’{String(year).slice(2)}</span>}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}

const styleOf = ({ top, height }: { top: number; height: number }) => ({
  top: `${top * 100}%`,
  height: `max(1px, ${height * 100}%)`,
})
