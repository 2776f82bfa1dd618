import { z } from 'zod'
import { Sentence, Success } from './answers.ts'
import { Provider } from './data-collector.ts'
import { route } from './route.ts'

const tag = 'Data Collector'
const params = z.object({ id: z.string().max(100) })

/** A definition as the AI model or the user wrote it, a ticker to try it with, and the key of the API. */
const Candidate = z.object({
  definition: z.unknown().meta({
    type: 'object',
    description:
      'Address, headers, paging and where in the answer the values are. The answer to a wrong one says what.',
  }),
  ticker: z.string().trim().max(100).nullish(),
  api_key: z.string().trim().max(1_000).nullish(),
})

/** A month of one ticker as it would be stored; nothing is. */
export const DryRun = z.object({
  works: z.boolean(),
  problems: z.array(Sentence),
  sample: z.array(z.record(z.string(), z.union([z.string(), z.number()]))),
  row_count: z.int(),
})
export type DryRun = z.infer<typeof DryRun>

export const tryProvider = route({
  method: 'POST',
  path: '/api/data-collector/providers/try',
  access: 'signed in',
  changesNothing: true,
  tag,
  summary: 'Try the definition of a provider on its API. Nothing is saved.',
  body: Candidate,
  answer: Success.extend({ dry_run: DryRun }),
})

export const saveProvider = route({
  method: 'POST',
  path: '/api/data-collector/providers',
  access: 'signed in',
  addsRows: true,
  tag,
  summary: 'Save a custom provider, after a dry run that worked.',
  body: Candidate,
  answer: Success.extend({ provider: Provider }),
})

export const renameProvider = route({
  method: 'PUT',
  path: '/api/data-collector/providers/:id',
  access: 'signed in',
  addsRows: true,
  tag,
  summary: 'Rename a custom provider.',
  params,
  body: z.object({ display_name: z.string().trim().max(80).nullish() }),
  answer: Success.extend({ provider: Provider }),
})

export const deleteProvider = route({
  method: 'DELETE',
  path: '/api/data-collector/providers/:id',
  access: 'signed in',
  tag,
  summary: 'Delete a custom provider. Refused while jobs use it; the data it collected is kept.',
  params,
  answer: Success,
})
