import { z } from 'zod'

/**
 * A price or volume as a vendor sent it. What is no number becomes infinite, which row validation refuses by ticker and row
 * (`refuseImpossibleRows`): the row is told and left out, and the others of its list stay.
 */
export const sentNumber = z.union([
  z.number(),
  z.unknown().transform((value) => (value === null ? Number.NaN : Number.POSITIVE_INFINITY)),
])
