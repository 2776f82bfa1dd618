export const CHART_WIDTH = 600
export const CHART_HEIGHT = 120

interface ChartPaths {
  /** SVG paths in a box of the two sizes above. */
  line: string
  area: string
  lowest: number
  highest: number
}

/** Evenly spaced, lowest value at the foot and highest at the top. A flat line runs through the middle. */
export function chartPaths(values: readonly number[]): ChartPaths {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const span = highest - lowest
  const x = (index: number) => (index / Math.max(1, values.length - 1)) * CHART_WIDTH
  const y = (value: number) => (span === 0 ? CHART_HEIGHT / 2 : (1 - (value - lowest) / span) * CHART_HEIGHT)
  const at = (number: number) => number.toFixed(1)
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${at(x(index))} ${at(y(value))}`).join('')
  return { line, area: `${line}L${CHART_WIDTH} ${CHART_HEIGHT}L0 ${CHART_HEIGHT}Z`, lowest, highest }
}
