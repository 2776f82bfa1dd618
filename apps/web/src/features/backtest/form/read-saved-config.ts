/** Results and hand-overs come from several writers; these read one value each, undefined where it is not there. */
export type Unread = unknown

export function readRecord(value: Unread): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function readText(value: Unread): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : undefined
}

export function readNumber(value: Unread): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export const readParams = (value: Unread): Record<string, unknown> => readRecord(value)

/** A list of rows, or a map from ticker to percent. */
export function readRows(value: Unread): { ticker: string; allocation: number | string }[] | undefined {
  if (Array.isArray(value)) {
    return value.map((row: unknown) => {
      const { ticker, allocation } = readRecord(row)
      return { ticker: readText(ticker) ?? '', allocation: readNumber(allocation) ?? '' }
    })
  }
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).map(([ticker, allocation]) => ({ ticker, allocation: readNumber(allocation) ?? '' }))
}
