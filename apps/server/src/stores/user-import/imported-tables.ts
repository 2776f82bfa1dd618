import { isBuiltIn, type BrokerId, brokerIds } from '@tradewright/core/broker-catalogue'
import { RECORD_FORMAT, RECORD_VERSION, verifyRecord } from '@tradewright/core/forward-record'
import { hash, randomUUID, createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { StartupFailure } from '../../startup-failure.ts'
import { SealedSecretSchema, unsealSecret } from '../backup/archive.ts'

export type Row = Readonly<Record<string, unknown>>

/** The rows of the file that a row of it names. */
export interface FoundRows {
  readonly idOf: (table: string, oldId: unknown) => string
  readonly rowOf: (table: string, oldId: unknown) => Row
  /** Rows of a table whose column holds an id. */
  readonly partsOf: (table: string, column: string, oldId: unknown) => readonly Row[]
}

/** How the rows of a table come over. What is not in the list of tables stays where it was. */
export interface ImportedTable {
  readonly name: string
  /** The column whose number the target gives anew; without it, a row is known by the row that it hangs on. */
  readonly id?: string
  /** Columns that hold the id of a row of another table. */
  readonly references: Readonly<Record<string, string>>
  /** The column by which a row is a part of another: it comes with that one or not at all. Rows of the user are none. */
  readonly partOf?: string
  /** The values of these columns, whatever the file says. */
  readonly forced?: (row: Row) => Row
  /** Replaces ids that are inside of texts, where no foreign key leads: the parties of the ledger. */
  readonly rewritten?: (row: Row, found: FoundRows) => Row
  /** Columns that exports of earlier versions do not have. */
  readonly added?: (userId: unknown) => Row
  /** Rows are results of computations, which may be larger than what a user can send. */
  readonly hasResults?: boolean
  /** Why a row does not come over; rows that hang on it do not either. */
  readonly leftOut?: (row: Row) => string | undefined
}

const owned = { user_id: 'users' }
const ofAccount = { account_id: 'brokerage_accounts' }
const ofBooks = { account_id: 'account_books' }
const ofPaper = { account_id: 'paper_accounts' }
const ofDeployment = { deployment_id: 'deployments' }

const notEnded = (row: Row) => (row['ended_as'] === null ? 'had not ended' : undefined)
const MUST_ENTER_KEYS = 'Imported without its keys. Enter them with "Replace keys" in Settings.'

/** Ordered so that each row finds the rows that it refers to. */
export const IMPORTED_TABLES: readonly ImportedTable[] = [
  { name: 'ticker_lists', id: 'id', references: owned },
  { name: 'saved_queries', id: 'id', references: owned, forced: () => ({ is_default: false }) },
  { name: 'strategies', id: 'id', references: owned },
  { name: 'external_signals', id: 'id', references: { ...owned, strategy_id: 'strategies' }, partOf: 'strategy_id' },
  {
    name: 'backtests',
    hasResults: true,
    id: 'id',
    references: { ...owned, strategy_id: 'strategies' },
    // Names the job that made it, which stays behind.
    forced: () => ({ run_id: randomUUID() }),
  },
  // Clients choose that name, and it has to be the only one of its user.
  { name: 'conversations', id: 'id', references: owned, forced: () => ({ conversation_id: randomUUID() }) },
  { name: 'conversation_messages', id: 'id', references: { conversation: 'conversations' } },
  {
    name: 'optimization_runs',
    hasResults: true,
    id: 'id',
    references: owned,
    forced: () => ({ job_id: null }),
    leftOut: notEnded,
  },
  { name: 'optimization_generations', hasResults: true, references: { run_id: 'optimization_runs' } },
  {
    name: 'parameter_studies',
    hasResults: true,
    id: 'id',
    references: owned,
    forced: () => ({ job_id: null }),
    leftOut: notEnded,
  },
  { name: 'parameter_study_results', hasResults: true, references: { study_id: 'parameter_studies' } },
  {
    name: 'portfolio_constructions',
    hasResults: true,
    id: 'id',
    references: owned,
    forced: () => ({ job_id: null }),
    leftOut: notEnded,
  },
  { name: 'factor_files', hasResults: true, id: 'id', references: owned },
  { name: 'custom_providers', id: 'provider_id', references: owned },
  {
    name: 'data_stores',
    id: 'id',
    references: owned,
    forced: () => ({ is_default: false, unverified_reason: 'Imported; not tried since.' }),
    // The system store of the target takes its place.
    leftOut: ({ is_system }) => (is_system === true ? '' : undefined),
  },
  {
    name: 'collection_jobs',
    id: 'id',
    references: { ...owned, data_store_id: 'data_stores' },
    // Nothing starts by itself until its user saves the schedule again.
    forced: () => ({ next_run_at: null, depends_on_job_ids: [] }),
    leftOut: ({ is_system }) => (is_system === true ? '' : undefined),
  },
  {
    name: 'brokerage_accounts',
    id: 'id',
    references: owned,
    forced: ({ broker }) =>
      isPaper(broker)
        ? { is_default: false }
        : { is_default: false, status: 'not_verified', status_reason: MUST_ENTER_KEYS },
    leftOut: ({ broker }) =>
      brokerIds.some((id) => id === broker) ? undefined : 'is at a broker that is not known here',
  },
  { name: 'account_activities', hasResults: true, references: ofAccount },
  { name: 'activity_progress', references: ofAccount },
  { name: 'lot_methods', references: ofAccount },
  { name: 'lot_choices', references: ofAccount },
  { name: 'portfolio_snapshots', hasResults: true, references: ofAccount },
  { name: 'paper_accounts', id: 'account_id', references: ofAccount },
  { name: 'paper_positions', references: ofPaper },
  { name: 'paper_orders', references: ofPaper },
  { name: 'paper_fills', references: ofPaper },
  { name: 'paper_cash_activities', id: 'id', references: ofPaper },
  { name: 'paper_closes', references: ofPaper },
  {
    name: 'deployments',
    id: 'id',
    references: { ...owned, strategy_id: 'strategies', account_id: 'brokerage_accounts' },
    partOf: 'account_id',
    // Two instances that trade for one account would each send its orders.
    forced: ({ status, deleted_at }) => ({
      status: status === 'created' ? 'created' : 'stopped',
      next_run_at: null,
      retrain_at: null,
      liquidating_since: null,
      liquidating_by: null,
      deleted_at,
    }),
    // What the account is, is not for the file to say twice.
    rewritten: (row, { rowOf }) => {
      const { is_paper, broker } = rowOf('brokerage_accounts', row['account_id'])
      return { ...row, is_paper, may_trade_synthetic: isPaper(broker) }
    },
  },
  { name: 'deployment_decisions', hasResults: true, id: 'id', references: ofDeployment },
  {
    name: 'order_intents',
    references: { ...ofDeployment, account_id: 'brokerage_accounts', decision_id: 'deployment_decisions' },
    forced: ({ state }) => (ENDED_ORDERS.has(state) ? {} : { state: 'abandoned' }),
  },
  { name: 'deployment_activity', id: 'id', references: ofDeployment },
  { name: 'deployment_log', id: 'id', references: ofDeployment },
  { name: 'deployment_snapshots', id: 'id', references: ofDeployment },
  { name: 'deployment_replays', hasResults: true, references: ofDeployment },
  // The link stays behind, and nothing is written until its user goes on.
  {
    name: 'forward_records',
    id: 'id',
    references: { ...owned, ...ofDeployment, strategy_id: 'strategies' },
    added: (userId) => ({ user_id: userId, strategy_id: null, missed: [] }),
    forced: () => ({ is_open: false, token_hash: null, link_expires_at: null }),
    rewritten: (row, { partsOf }) => {
      const entries = partsOf('forward_entries', 'record_id', row['id'])
      checkChain(row, entries)
      return { ...row, imported_entries: entries.length }
    },
  },
  { name: 'forward_entries', references: { record_id: 'forward_records' } },
  {
    name: 'deployment_pauses',
    id: 'id',
    references: ofDeployment,
    forced: ({ paused_at, resumed_at }) => ({ resumed_at: resumed_at ?? paused_at }),
  },
  { name: 'account_books', id: 'account_id', references: { ...owned, account_id: 'brokerage_accounts' } },
  { name: 'account_events', references: ofBooks },
  {
    name: 'book_balances',
    references: ofBooks,
    rewritten: (row, found) => ({ ...row, party: partyHere(row['party'], found) }),
  },
  // Triggers of the table check that each entry balances, and number the entries anew.
  {
    name: 'ledger_entries',
    id: 'id',
    references: { ...ofBooks, ...ofDeployment },
    rewritten: (row, found) => ({
      ...row,
      legs: (row['legs'] as Row[]).map((leg) => Object.assign({}, leg, { party: partyHere(leg['party'], found) })),
    }),
  },
]

/** A record that does not fit its own chain would be shown as broken for ever. */
function checkChain({ header }: Row, entries: readonly Row[]): void {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  const links = entries
    .toSorted((a, b) => Number(a['seq']) - Number(b['seq']))
    .map(({ content, previous, hash: own }) => ({ content: text(content), previous: text(previous), hash: text(own) }))
  const sha256 = (value: string) => hash('sha256', value)
  const file = { format: RECORD_FORMAT, version: RECORD_VERSION, header: text(header), entries: links } as const
  const { isWhole, sentence } = verifyRecord({ ...file, head: links.at(-1)?.hash ?? sha256(file.header) }, sha256)
  if (!isWhole) throw new Error(sentence)
}

function partyHere(party: unknown, { idOf }: FoundRows): unknown {
  const id = typeof party === 'string' ? /^deployment:(\d+)$/.exec(party)?.[1] : undefined
  return id === undefined ? party : `deployment:${idOf('deployments', id)}`
}

const ENDED_ORDERS: ReadonlySet<unknown> = new Set([
  'filled',
  'canceled',
  'expired',
  'rejected',
  'replaced',
  'abandoned',
])

const isPaper = (broker: unknown): boolean => brokerIds.some((id) => id === broker) && isBuiltIn(broker as BrokerId)

/** Columns of sealed keys without which a row would be of no use; the others may be empty. */
export const PLACEHOLDER_SECRETS: Readonly<Record<string, string>> = {
  // Opens as no keys at all, and the program asks for them again.
  brokerage_accounts: '[]',
}

/** It is read as a whole. */
const MAX_BYTES = 256 * 1024 * 1024

const Envelope = z.object({
  application: z.literal('Tradewright'),
  schema: z.string().max(200).optional(),
  secrets: SealedSecretSchema.optional(),
  data: z.record(z.string().max(100), z.array(z.record(z.string().max(100), z.unknown()))),
})
const Owner = z.object({ id: z.int(), username_key: z.string(), created_at: z.string() })
/** By table, then by the row's id there. */
const Secrets = z.record(z.string(), z.record(z.string(), z.string()))

export interface UserExport {
  readonly schema: string | undefined
  /** Tells the user of that instance from all others, in every export of theirs. */
  readonly origin: string
  readonly userId: number
  readonly data: Readonly<Record<string, readonly Row[]>>
  /** Undefined: none in the file, or no passphrase. */
  readonly secrets: z.infer<typeof Secrets> | undefined
  readonly hasSealedSecrets: boolean
}

/** Reads an export of a user, whatever the file is. */
export async function readExport(file: string, passphrase: string | undefined): Promise<UserExport> {
  const { size } = await stat(file).catch((cause: unknown) => {
    throw new StartupFailure(`${file} cannot be read.`, { cause })
  })
  if (size > MAX_BYTES) throw new StartupFailure(`${file} is larger than ${MAX_BYTES / 1024 ** 2} MB.`)
  const envelope = Envelope.safeParse(parsedExactly(await readFile(file, 'utf8'), file))
  if (!envelope.success) throw notAnExport(file)
  const { schema, secrets, data } = envelope.data
  const owners = z.array(Owner).length(1).safeParse(data['users'])
  if (!owners.success) throw notAnExport(file)
  const [{ id, username_key, created_at }] = owners.data as [z.infer<typeof Owner>]
  const opened =
    secrets && passphrase !== undefined ? Secrets.parse(JSON.parse(await unsealSecret(secrets, passphrase))) : undefined
  return {
    schema,
    origin: createHash('sha256')
      .update(JSON.stringify([id, username_key, created_at]))
      .digest('hex'),
    userId: id,
    data,
    secrets: opened,
    hasSealedSecrets: secrets !== undefined,
  }
}

interface ExactJson {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/** Decimals stay as they are written: a binary float would round an amount of money. */
function parsedExactly(text: string, file: string): unknown {
  const exact = JSON as unknown as ExactJson
  try {
    return exact.parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined && String(value) !== source ? exact.rawJSON(source) : value,
    )
  } catch (cause) {
    throw notAnExport(file, cause)
  }
}

const notAnExport = (file: string, cause?: unknown): StartupFailure =>
  new StartupFailure(`${file} is not an export of a user's data.`, { cause })
