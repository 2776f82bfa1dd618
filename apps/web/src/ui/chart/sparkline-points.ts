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
