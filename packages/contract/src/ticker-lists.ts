import { z } from 'zod'
import { LeftOutCount, Success } from './answers.ts'
import { PathId } from './ids.ts'
import { route } from './route.ts'

/** Target lists and feature lists (related assets). */
const LIST_TYPES = ['target', 'feature'] as const
export type ListType = (typeof LIST_TYPES)[number]

const LIST_NAME_MAX_LENGTH = 100

/** The sentence for a list without tickers, by kind. */
export const NO_TICKERS = {
  target: 'Add at least one target ticker before saving a list.',
  feature: 'Add at least one related asset before saving a list.',
} as const satisfies Record<ListType, string>
export const NO_LIST_NAME = 'List name cannot be empty.'

export const TickerList = z.object({
  id: z.int(),
  name: z.string(),
  list_type: z.enum(LIST_TYPES),
  tickers: z.array(z.string()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type TickerList = z.infer<typeof TickerList>

/** Tickers as a list or as one comma-separated text: trimmed, upper-cased, each once. */
export const TickerListBody = z.object({
  name: z
    .string(NO_LIST_NAME)
    .trim()
    .min(1, NO_LIST_NAME)
    .max(LIST_NAME_MAX_LENGTH, `List name is too long (at most ${LIST_NAME_MAX_LENGTH} characters).`),
  list_type: z.enum(LIST_TYPES, 'list_type must be target or feature.'),
  tickers: z
    .union([z.array(z.string().max(1_000)).max(5_000), z.string().max(100_000)], 'tickers must be a list of tickers.')
    .default([]),
})
export type TickerListBody = z.input<typeof TickerListBody>

const tag = 'Ticker lists'
const params = z.object({ id: PathId })
const ListAnswer = Success.extend({ list: TickerList })

export const listTickerLists = route({
  method: 'GET',
  path: '/api/ticker-lists',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: "The signed-in user's ticker lists, by name.",
  answer: z.object({ lists: z.array(TickerList), left_out: LeftOutCount }),
})

export const createTickerList = route({
  method: 'POST',
  path: '/api/ticker-lists',
  access: 'signed in',
  scope: 'research',
  addsRows: true,
  tag,
  summary: 'Save a new list. A name that a list of the same kind has already answers 409.',
  body: TickerListBody,
  answer: ListAnswer,
})

export const updateTickerList = route({
  method: 'PUT',
  path: '/api/ticker-lists/:id',
  access: 'signed in',
  scope: 'research',
  addsRows: true,
  tag,
  summary: 'Replace a list.',
  params,
  body: TickerListBody,
  answer: ListAnswer,
})

export const deleteTickerList = route({
  method: 'DELETE',
  path: '/api/ticker-lists/:id',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Delete a list. Runs that used it keep their tickers.',
  params,
  answer: Success,
})
