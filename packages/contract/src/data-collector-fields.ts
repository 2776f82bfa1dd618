import { z } from 'zod'
import { freeRecord } from './bounds.ts'
import { PathId } from './ids.ts'

export const GRANULARITIES = ['1m', '5m', '15m', '30m', '1h', '1d'] as const
export const LAYERS = ['gold', 'silver', 'bronze'] as const

export const idParams = z.object({ id: PathId })

const words = (limit: number) => z.array(z.string().trim().max(200)).max(limit)
const wordsWithin = (characters: number) =>
  z
    .union([z.string().max(100_000), words(10_000)])
    .nullish()
    .transform((value) => (typeof value === 'string' ? value.split(',') : (value ?? [])))
    .transform((list) => [...new Set(list.map((word) => word.trim()).filter(Boolean))])
    .refine((list) => list.join().length <= characters, {
      error: `must have at most ${characters.toLocaleString('en-US')} characters in all`,
    })

/** A list, or the comma-separated text of a form. Empty entries are dropped. */
export const wordList = wordsWithin(100_000)
/** A shorter limit for lists that are stored, and listed with many others. */
export const shortWordList = wordsWithin(10_000)

/** Settings of any form, as JSON. */
export const smallObject = freeRecord('The settings').refine((value) => JSON.stringify(value).length <= 20_000, {
  error: 'must have at most 20,000 characters as JSON',
})
