import { z } from 'zod'

/** The database has no year 0. */
const calendarDate = z.iso
  .date('must be a date of the form YYYY-MM-DD')
  .refine((text) => text >= '0001', 'must be a date of the form YYYY-MM-DD')

/** Forms send an empty text for "no date". */
export const optionalDate = z
  .union([calendarDate, z.literal('')])
  .nullish()
  .transform((value) => value || null)
