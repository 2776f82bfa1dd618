/** As a number field has it: text while it is empty or half typed. The server judges what is not a number. */
export type NumberText = number | string
export type Params = Record<string, unknown>
/** Integers from the catalogue; saved configs and the Optimizer may name a feature instead. */
export type CatalogueId = number | string

export interface ChosenTarget {
  id: CatalogueId
  params: Params
}

export const isGiven = (value: NumberText): boolean => String(value).trim() !== ''

/** Train and test size make 100 together. */
export function restOf(size: NumberText | undefined): NumberText {
  return typeof size === 'number' ? Number((100 - size).toFixed(6)) : ''
}

/** The step that "automatic" means: a quarter of the test window, at least 1. */
export function automaticStepPct(testWindowPct: NumberText): number | null {
  const test = testWindowPct === '' ? Number.NaN : Number(testWindowPct)
  return Number.isFinite(test) ? Math.max(1, test / 4) : null
}

export const plainTicker = (ticker: string): string => ticker.trim().toUpperCase()

export function numberWhereNumeric(text: string): number | string {
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** `14` becomes a number, `5, 10` a list of numbers; what is no number stays text. */
export function toParamValue(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.includes(',')) return value.split(',').map((part) => numberWhereNumeric(part.trim()))
  return numberWhereNumeric(value.trim())
}

export function typedParams(params: Params): Params {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toParamValue(value)]))
}
