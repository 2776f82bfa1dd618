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

const [WIDTH, HEIGHT, MARGIN] = [100, 40, 3]

/** In a box of 100 by 40, from the lowest to the highest value; a flat line lies in the middle. */
export function sparklinePoints(values: readonly number[]): { line: string; start: number } {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const y = (value: number) =>
    highest === lowest ? HEIGHT / 2 : round(MARGIN + ((highest - value) / (highest - lowest)) * (HEIGHT - 2 * MARGIN))
  const x = (i: number) => round((i / Math.max(1, values.length - 1)) * WIDTH)
  return { line: values.map((value, i) => `${x(i)},${y(value)}`).join(' '), start: y(values[0] ?? 0) }
}

const round = (value: number) => Math.round(value * 100) / 100
