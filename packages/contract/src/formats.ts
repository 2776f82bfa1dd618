import { CLOCKS, DATE_FORMATS, EXCHANGE_ZONE, isTimeZone, NUMBER_FORMATS } from '@tradewright/core/formats'
import { z } from 'zod'
import { Success } from './answers.ts'
import { route } from './route.ts'

const MAX_ZONE_LENGTH = 64

const oneOf = <Id extends string>(list: readonly { readonly id: Id }[], words: string) =>
  z.enum(
    list.map(({ id }) => id),
    `${words} must be one of ${list.map(({ id }) => id).join(', ')}.`,
  )

/** How a user reads numbers, dates and times. */
const Formats = z.object({
  numbers: oneOf(NUMBER_FORMATS, 'The format of numbers'),
  dates: oneOf(DATE_FORMATS, 'The format of dates'),
  clock: oneOf(CLOCKS, 'The clock'),
  /** `exchange`, or a name such as Europe/Berlin. */
  time_zone: z
    .string('The time zone must be text.')
    .max(MAX_ZONE_LENGTH, 'There is no such time zone.')
    .refine((name) => name === EXCHANGE_ZONE || isTimeZone(name), 'There is no such time zone.'),
})
export type Formats = z.infer<typeof Formats>

const tag = 'Formats'

export const getFormats = route({
  method: 'GET',
  path: '/api/user/formats',
  access: 'signed in',
  tag,
  summary: 'The formats in which the user reads numbers, dates and times; null where none was chosen.',
  answer: z.object({ formats: Formats.nullable() }),
})

export const saveFormats = route({
  method: 'PUT',
  path: '/api/user/formats',
  access: 'signed in',
  tag,
  summary: 'Choose formats and time zone, for every browser of the user.',
  body: Formats,
  answer: Success,
})
