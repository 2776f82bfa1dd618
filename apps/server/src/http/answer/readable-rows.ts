import { firstSeen } from '@tradewright/core/first-seen'
import type { FastifyBaseLogger } from 'fastify'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'

interface RowList<Row, Schema extends z.ZodType> {
  /** The field of the answer that holds the list. */
  readonly list: string
  readonly schema: Schema
  readonly toWire: (row: Row) => unknown
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** A list that is polled has the same fault at every poll: each is one warning per process. */
const MAX_WARNED = 1_000
const isFirst = firstSeen(MAX_WARNED)

/**
 * Stored rows as the answer's entries. One that cannot be told (its JSON is of a form that this version does not know) is
 * left out and logged, so that it does not make the others unreadable; the answer says how many are missing.
 */
export function readableRows<Row extends { readonly id: number | string }, Schema extends z.ZodType>(
  rows: readonly Row[],
  { list, schema, toWire, log }: RowList<Row, Schema>,
): { entries: z.output<Schema>[]; left_out?: number } {
  const entries: z.output<Schema>[] = []
  for (const row of rows) addReadable(entries, row, { list, schema, toWire, log })
  return counted(rows, entries)
}

/** A slice of work that holds up no other call noticeably. */
const SLICE_MS = 10

/** The same of rows that take long to tell: others have their turn in between. */
export async function readableRowsInTurns<Row extends { readonly id: number | string }, Schema extends z.ZodType>(
  rows: readonly Row[],
  told: RowList<Row, Schema>,
): Promise<{ entries: z.output<Schema>[]; left_out?: number }> {
  const entries: z.output<Schema>[] = []
  let sliceBegan = performance.now()
  for (const row of rows) {
    addReadable(entries, row, told)
    if (performance.now() - sliceBegan < SLICE_MS) continue
    await nextTurn()
    sliceBegan = performance.now()
  }
  return counted(rows, entries)
}

function addReadable<Row extends { readonly id: number | string }, Schema extends z.ZodType>(
  entries: z.output<Schema>[],
  row: Row,
  { list, schema, toWire, log }: RowList<Row, Schema>,
): void {
  try {
    entries.push(schema.parse(toWire(row)))
  } catch (error) {
    warnOnce(log, list, row.id, error)
  }
}

function counted<Entry>(rows: readonly unknown[], entries: Entry[]): { entries: Entry[]; left_out?: number } {
  const count = rows.length - entries.length
  return { entries, ...(count > 0 && { left_out: count }) }
}

function warnOnce(log: Pick<FastifyBaseLogger, 'warn'>, list: string, id: number | string, error: unknown): void {
  const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
  if (!isFirst([list, id, reason].join('\n'))) return
  log.warn({ list, id, reason }, 'a stored row that cannot be read was left out of a list')
}
