interface Box {
  width: number
  height: number
  min: number
  max: number
}

/** An SVG path through the values, spread evenly over the box's width. */
export function linePath(values: number[], { width, height, min, max }: Box): string {
  const x = (index: number) => ((index / (values.length - 1)) * width).toFixed(1)
  const y = (value: number) => (height - ((value - min) / (max - min)) * height).toFixed(1)
  return values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('')
}

/** The same line, closed along the bottom. */
export function areaPath(values: number[], box: Box): string {
  return `${linePath(values, box)}L${box.width} ${box.height}L0 ${box.height}Z`
}
