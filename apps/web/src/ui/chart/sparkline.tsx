import { sparklinePoints } from './sparkline-points.ts'
import classes from './sparkline.module.css'

/** A bare line beside a number that says the same in words; the dotted line is where it began. */
export function Sparkline({ values, height = 44 }: { values: readonly number[]; height?: number }) {
  const { line, start } = sparklinePoints(values)
  const direction = values.at(-1)! < values[0]! ? 'loss' : 'gain'
  return (
    <svg
      className={classes.sparkline}
      style={{ height }}
      data-direction={direction}
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      aria-hidden
    >
      <line className={classes.start} x1="0" x2="100" y1={start} y2={start} />
      <polyline className={classes.line} points={line} />
    </svg>
  )
}
