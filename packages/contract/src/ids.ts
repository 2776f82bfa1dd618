import { LARGEST_ID, mayBeRowId } from '@tradewright/core/row-id'
import { z } from 'zod'

/** No row has this id. A number that cannot be an id reads as it, so the answer is "There is no such …". */
const NO_ROW = 0

export const rowIdOf = (value: unknown): number => (mayBeRowId(Number(value)) ? Number(value) : NO_ROW)

/** An integer id in a path. Digits that no row can have are a missing object, not a malformed call. */
export const PathId = z
  .union([z.string().max(200), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,15}$/, 'The id must be a whole number.'))
  .transform(rowIdOf)

/** An id in a query or a body, as a number or as the text of a form. */
export const idField = z.coerce.number().int().min(1).max(LARGEST_ID)

/** Pages of a list, from 1. The product with the page size stays far below a bigint, which the database counts in. */
export const pageField = z.coerce
  .number('page must be a whole number.')
  .int('page must be a whole number.')
  .min(1, 'page must be 1 or more.')
  .max(10_000_000)
  .default(1)

/** How many items to answer: `name` is the field, for the sentence. */
export const limitField = (name: string, max: number, otherwise: number) =>
  z.coerce
    .number(`${name} must be a whole number.`)
    .int(`${name} must be a whole number.`)
    .min(1, `${name} must be 1 or more.`)
    .max(max, `${name} must be at most ${max}.`)
    .default(otherwise)
