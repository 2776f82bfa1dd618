/** Why a figure has no value, as the end of the sentence "n/a because …". */
interface NotAvailable {
  readonly notAvailable: string
}

/** A number that is always finite, or the reason why there is none. NaN and Infinity never leave this folder. */
export type Figure = number | NotAvailable

export const notAvailable = (because: string): NotAvailable => ({ notAvailable: because })

export const isAvailable = (figure: Figure): figure is number => typeof figure === 'number'

/** The value where it is finite, else the reason. */
export const finiteOr = (value: number, because: string): Figure =>
  Number.isFinite(value) ? value : notAvailable(because)

/** Continues a calculation with a figure that may be missing; the reason is handed on. */
export const mapFigure = (figure: Figure, map: (value: number) => Figure): Figure =>
  isAvailable(figure) ? map(figure) : figure

/** The value of a figure that must have one here; its absence is a bug. */
export function valueOf(figure: Figure): number {
  if (isAvailable(figure)) return figure
  throw new Error(`a figure is missing because ${figure.notAvailable}`)
}
