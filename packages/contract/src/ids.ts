import { z } from 'zod'

/** An integer id in a path. Digits that no row can have are a missing object, not a malformed call. */
export const PathId = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,15}$/, 'The id must be a whole number.'))
  .transform(Number)
