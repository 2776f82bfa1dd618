import { windowLayout } from './window-layout.ts'
import classes from './windows-chart.module.css'

interface WindowsChartProps {
  trainPct: number
  testPct: number
  stepPct: number | null
}

/** Draws the windows, so that train, test and step explain themselves. */
export function WindowsChart(props: WindowsChartProps) {
  const stairs = windowLayout(props.trainPct, props.testPct, props.stepPct)
  if (stairs.length === 0) return null
  const rowHeight = Math.min(13, 120 / stairs.length)
  return (
    <figure className={classes.figure}>
      <svg
        viewBox={`0 0 100 ${stairs.length * rowHeight}`}
        preserveAspectRatio="none"
        height={stairs.length * rowHeight}
        aria-hidden
      >
        {stairs.map(({ trainFrom, testFrom, testTo }, index) => (
          <g key={trainFrom}>
            <rect className={classes.train} {...bar(trainFrom, testFrom, index, rowHeight)} />
            <rect className={classes.test} {...bar(testFrom, testTo, index, rowHeight)} />
          </g>
        ))}
      </svg>
      <figcaption>
        <span className={classes.trainKey}>Train</span>
        <span className={classes.testKey}>Test</span>
        <b className="tabular">
          about {stairs.length} {stairs.length === 1 ? 'window' : 'windows'}
        </b>
      </figcaption>
    </figure>
  )
}

const bar = (from: number, to: number, index: number, rowHeight: number) => ({
  x: from + 0.3,
  width: Math.max(0.5, to - from - 0.6),
  y: index * rowHeight + rowHeight * 0.2,
  height: rowHeight * 0.6,
})
