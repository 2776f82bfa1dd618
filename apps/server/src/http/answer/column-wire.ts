/** One value per bar, null where there is none. */
export function columnToWire(column: ArrayLike<number | null>): (number | null)[] {
  const list: (number | null)[] = []
  for (let at = 0; at < column.length; at++) {
    const value = column[at] ?? null
    list.push(value === null || Number.isFinite(value) ? value : null)
  }
  return list
}

/** A column that has a value everywhere. */
export const fullColumnToWire = (column: ArrayLike<number | null>) => columnToWire(column) as number[]

/** Signals inside are -1 where nothing was predicted. */
export const signalsToWire = (signals: ArrayLike<number | null>): (0 | 1 | null)[] =>
  Array.from(signals, (signal) => (signal === 1 || signal === 0 ? signal : null))

export const lastOf = (column: ArrayLike<number | null>): number => column[column.length - 1]!
