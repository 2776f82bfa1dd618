import { type Figure, isAvailable } from '@tradewright/engine/performance/figure'
import { pValueOf, type SavedAccuracy } from '../../backtests/saved-accuracy.ts'

export const figureToWire = (figure: Figure): number | null => (isAvailable(figure) ? figure : null)

/** The reasons of those figures that have none, by name. */
export const figureNotes = (figures: Record<string, Figure>, under = ''): Record<string, string> =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([name, figure]) =>
      isAvailable(figure) ? [] : [[under + name, figure.notAvailable]],
    ),
  )

export const accuracyToWire = ({ accuracy, baseRate, pValue, labelOverlap, naive }: SavedAccuracy) => ({
  accuracy: figureToWire(accuracy),
  base_rate: figureToWire(baseRate),
  p_value: figureToWire(pValueOf({ pValue, labelOverlap })),
  label_overlap: labelOverlap ?? null,
  naive: naive ?? null,
})
