import { z } from 'zod'

/** A day as models and buttons write it. */
export const IsoDate = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date like 2024-12-31')
