import type { NamedLine } from './draw-line-chart.ts'

interface LegendValue {
  readonly name: string
  readonly value: number | null
  /** Where the last value of the line is earlier than the time of the legend. */
  readonly endedAt: number | null
}

/** The values at a time, or the last ones, which a line may have had before the others. */
export function legendOf(
  lines: readonly NamedLine[],
  hovered: number | null,
): { time: number; values: readonly LegendValue[] } {
  if (hovered !== null) {
    const valueAt = ({ points }: NamedLine) => points.find(({ time }) => time === hovered)?.value ?? null
    return { time: hovered, values: lines.map((line) => ({ name: line.name, value: valueAt(line), endedAt: null })) }
  }
  const last = lines.map(({ points }) => points.findLast(({ value }) => value !== null))
  const time = Math.max(0, ...last.map((point) => point?.time ?? 0))
  return {
    time,
    values: lines.map(({ name }, i) => ({
      name,
      value: last[i]?.value ?? null,
      endedAt: last[i] && last[i].time < time ? last[i].time : null,
    })),
  }
}
