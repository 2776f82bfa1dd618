import { sql } from 'kysely'
import type { Seal } from '../../secrets/seal.ts'
import { SEALED_COLUMNS } from '../../secrets/open-seal.ts'
import { StartupFailure } from '../../startup-failure.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { newestMigration } from '../migrate.ts'
import {
  type FoundRows,
  IMPORTED_TABLES,
  type ImportedTable,
  PLACEHOLDER_SECRETS,
  type Row,
  type UserExport,
} from './imported-tables.ts'

export interface ImportSummary {
  /** Rows that were added, by table. */
  readonly added: Readonly<Record<string, number>>
  /** Rows that an earlier import had brought. */
  readonly known: number
  /** What did not come over, and why. */
  readonly leftOut: readonly string[]
}

interface Target {
  readonly database: Database
  readonly seal: Seal
  readonly userId: number
  /** The user's own, which stands for the one of the file. */
  readonly systemStoreId: number
}

const ROWS_AT_ONCE = 500
/** What a call can write: requests have at most so much. */
const MAX_ROW_MB = 1
const MAX_RESULT_MB = 32

/** Adds what an export holds to an account of this instance: all of it, or nothing where any row is refused. */
export function importUser({ database, ...target }: Target, from: UserExport): Promise<ImportSummary> {
  if (from.schema !== newestMigration) {
    throw new StartupFailure(
      `The file was made with tables of version ${from.schema ?? 'unknown'}, and this program works with ${newestMigration}. Bring both instances to the same Tradewright and export again.`,
    )
  }
  return database.transaction().execute(async (transaction) => {
    await sql`SET CONSTRAINTS ALL DEFERRED`.execute(transaction)
    const run = new ImportRun(transaction, target, from)
    for (const table of IMPORTED_TABLES) {
      await run.bring(table).catch((error: unknown) => {
        throw error instanceof StartupFailure ? error : refusal(table.name, (error as Error).message, error)
      })
    }
    return run.summary()
  })
}

interface Column {
  readonly name: string
  readonly isGenerated: boolean
}

function refuseLarge({ name, hasResults }: ImportedTable, row: Row, index: number): void {
  const megabytes = hasResults ? MAX_RESULT_MB : MAX_ROW_MB
  if (JSON.stringify(row).length > megabytes * 1e6)
    throw refusal(`${name}, row ${index + 1}`, `it is larger than ${megabytes} MB`)
}

class ImportRun {
  readonly #transaction: DatabaseTransaction
  readonly #target: Omit<Target, 'database'>
  readonly #from: UserExport
  /** The id here by table and id there; undefined for a row that did not come over. */
  readonly #ids = new Map<string, Map<string, string | undefined>>()
  readonly #rows = new Map<string, Map<string, Row>>()
  readonly #added: Record<string, number> = {}
  readonly #leftOut: string[] = []
  /** Rows of an earlier import: what hangs on them came with them. */
  readonly #known = new Map<string, Set<string>>()
  #knownCount = 0

  constructor(transaction: DatabaseTransaction, target: Omit<Target, 'database'>, from: UserExport) {
    this.#transaction = transaction
    this.#target = target
    this.#from = from
    this.#ids.set('users', new Map([[textOf(from.userId), textOf(target.userId)]]))
  }

  summary(): ImportSummary {
    return { added: this.#added, known: this.#knownCount, leftOut: this.#leftOut }
  }

  async bring(table: ImportedTable): Promise<void> {
    const columns = await this.#columnsOf(table.name)
    const ids = new Map<string, string | undefined>()
    this.#ids.set(table.name, ids)
    const known = await this.#knownRows(table.name)
    this.#known.set(table.name, new Set(known.keys()))
    const rows = this.#inOrder(table)
    if (table.id) this.#rows.set(table.name, new Map(rows.map((row) => [textOf(row[table.id!]), row])))
    const kept: { row: Row; oldId: string | undefined }[] = []
    for (const [index, row] of rows.entries()) {
      this.#refuseUnknownColumns(table, row, columns, index)
      refuseLarge(table, row, index)
      const oldId = table.id ? textOf(row[table.id]) : undefined
      if (oldId !== undefined && known.has(oldId)) {
        ids.set(oldId, known.get(oldId))
        this.#knownCount++
        continue
      }
      if (this.#isPartOfKnown(table, row)) {
        if (oldId !== undefined) ids.set(oldId, undefined)
        continue
      }
      const reason = this.#reasonToLeaveOut(table, row) ?? (await this.#conflictOf(table, row))
      if (reason !== undefined) {
        if (oldId !== undefined) ids.set(oldId, this.#standIn(table, row))
        if (reason !== '') this.#leftOut.push(`${table.name} ${labelOf(row, oldId)}: ${reason}`)
        continue
      }
      kept.push({ row, oldId })
    }
    const given = columns.some(({ name, isGenerated }) => isGenerated && name === table.id)
    const fresh = given ? await this.#freshIds(table, kept.length) : []
    const ready: Row[] = []
    for (const [at, { row, oldId }] of kept.entries()) {
      const own = table.id && given ? { [table.id]: Number(fresh[at]) } : {}
      const next = await this.#named(table, { ...this.#referring(table, row), ...table.forced?.(row), ...own })
      if (oldId !== undefined) ids.set(oldId, textOf(next[table.id!]))
      ready.push(next)
    }
    await this.#insert(table.name, ready)
    await this.#remember(
      table.name,
      kept.flatMap(({ oldId }) => (oldId === undefined ? [] : [[oldId, ids.get(oldId)!]])),
    )
    await this.#sealSecrets(
      table,
      kept.flatMap(({ oldId }) => oldId ?? []),
    )
  }

  /** Ids rise with time, and the ledger is numbered as it is written. */
  #inOrder({ name, id, added }: ImportedTable): readonly Row[] {
    const found = this.#from.data[name] ?? []
    const more = added?.(this.#from.userId)
    const rows = more ? found.map((row) => Object.assign({}, more, row)) : found
    return id ? rows.toSorted((a, b) => Number(a[id]) - Number(b[id]) || 0) : rows
  }

  #refuseUnknownColumns(table: ImportedTable, row: Row, columns: readonly Column[], index: number): void {
    const unknown = Object.keys(row).find((name) => !columns.some((column) => column.name === name))
    if (unknown !== undefined)
      throw refusal(`${table.name}, row ${index + 1}`, `it has "${unknown}", which is not a column`)
    for (const column of Object.keys(table.references)) {
      if (!(column in row)) throw refusal(`${table.name}, row ${index + 1}`, `it has no "${column}"`)
    }
  }

  /** Books and messages came with the first import: half of what was added since would not fit them. */
  #isPartOfKnown({ partOf, references }: ImportedTable, row: Row): boolean {
    const columns = partOf ? [partOf] : 'user_id' in references ? [] : Object.keys(references)
    return columns.some((column) => this.#known.get(references[column]!)?.has(textOf(row[column])))
  }

  #reasonToLeaveOut(table: ImportedTable, row: Row): string | undefined {
    for (const [column, parent] of Object.entries(table.references)) {
      const old = row[column]
      if (old === null) continue
      const ids = this.#ids.get(parent)!
      if (!ids.has(textOf(old)))
        throw refusal(table.name, `it names ${parent} ${textOf(old)}, which is not in the file or not the user's`)
      // Said once, for the row that it hangs on.
      if (ids.get(textOf(old)) === undefined) return ''
    }
    return table.leftOut?.(row)
  }

  /** What the account here has already, of which there may be only one. */
  async #conflictOf({ name }: ImportedTable, row: Row): Promise<string | undefined> {
    const has = async (where: ReturnType<typeof sql>) => {
      const found = await sql`SELECT FROM ${sql.table(name)} WHERE ${where} LIMIT 1`.execute(this.#transaction)
      return found.rows.length > 0
    }
    const { userId } = this.#target
    if (name === 'brokerage_accounts' && row['broker'] === 'paper') {
      const isTaken = await has(sql`user_id = ${userId} AND broker = 'paper'`)
      return isTaken
        ? 'the account here has a paper account already; that one stays, and deployments on the other are left out'
        : undefined
    }
    if (name === 'custom_providers') {
      const isTaken = await has(sql`user_id = ${userId} AND provider_id = ${textOf(row['provider_id'])}`)
      return isTaken ? 'there is one of this name already' : undefined
    }
    if (name === 'deployments' && (await has(sql`order_key = ${textOf(row['order_key'])}`))) {
      throw new StartupFailure(
        'A deployment of the file is on this instance already, in another account. Nothing was changed.',
      )
    }
    return undefined
  }

  #standIn({ name }: ImportedTable, row: Row): string | undefined {
    return name === 'data_stores' && row['is_system'] === true ? textOf(this.#target.systemStoreId) : undefined
  }

  #referring(table: ImportedTable, row: Row): Row {
    const mapped = Object.entries(table.references).flatMap(([column, parent]) =>
      row[column] === null ? [] : [[column, Number(this.#idOf(parent, row[column]))] as const],
    )
    const found: FoundRows = {
      idOf: (parent, oldId) => this.#idOf(parent, oldId),
      rowOf: (parent, oldId) => this.#rows.get(parent)!.get(textOf(oldId))!,
      partsOf: (part, column, oldId) =>
        (this.#from.data[part] ?? []).filter((one) => textOf(one[column]) === textOf(oldId)),
    }
    return { ...(table.rewritten?.(row, found) ?? row), ...Object.fromEntries(mapped) }
  }

  #idOf(table: string, oldId: unknown): string {
    const id = this.#ids.get(table)?.get(textOf(oldId))
    if (id === undefined) throw refusal(table, `${textOf(oldId)} is named by another row and is not in the file`)
    return id
  }

  /** Strategies and lists of one kind have different names: a second one is marked. */
  async #named({ name }: ImportedTable, row: Row): Promise<Row> {
    const kind = { strategies: 'strategy_type', ticker_lists: 'list_type' }[name]
    if (kind === undefined) return row
    for (let attempt = 0, title = textOf(row['name']); ; attempt++) {
      const { rows } = await sql`
        SELECT FROM ${sql.table(name)} WHERE user_id = ${this.#target.userId}
          AND ${sql.ref(kind)} = ${textOf(row[kind])} AND lower(name) = lower(${title})`.execute(this.#transaction)
      if (rows.length === 0) return { ...row, name: title }
      title = `${textOf(row['name'])} (imported${attempt === 0 ? '' : ` ${attempt + 1}`})`
    }
  }

  async #freshIds({ name, id }: ImportedTable, count: number): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      SELECT nextval(pg_get_serial_sequence(${name}, ${id}))::text AS id FROM generate_series(1, ${count})`.execute(
      this.#transaction,
    )
    return rows.map((row) => row.id)
  }

  /** Types and checks are the database's: what it refuses, refuses the file. */
  async #insert(table: string, rows: readonly Row[]): Promise<void> {
    for (const [columns, alike] of Map.groupBy(rows, (row) => Object.keys(row).sort().join(' '))) {
      const list = sql.join(columns.split(' ').map((name) => sql.ref(name)))
      for (let from = 0; from < alike.length; from += ROWS_AT_ONCE) {
        const portion = JSON.stringify(alike.slice(from, from + ROWS_AT_ONCE))
        await sql`
          INSERT INTO ${sql.table(table)} (${list}) OVERRIDING SYSTEM VALUE
          SELECT ${list} FROM jsonb_populate_recordset(NULL::${sql.table(table)}, ${portion}::jsonb)`.execute(
          this.#transaction,
        )
      }
    }
    if (rows.length > 0) this.#added[table] = rows.length
  }

  async #columnsOf(table: string): Promise<Column[]> {
    const { rows } = await sql<{ name: string; generated: boolean }>`
      SELECT column_name AS name, is_identity = 'YES' AS generated FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ${table} AND data_type <> 'bytea'`.execute(this.#transaction)
    return rows.map(({ name, generated }) => ({ name, isGenerated: generated }))
  }

  async #knownRows(table: string): Promise<Map<string, string>> {
    const rows = await this.#transaction
      .selectFrom('imported_rows')
      .select(['old_id', 'new_id'])
      .where('user_id', '=', this.#target.userId)
      .where('origin', '=', this.#from.origin)
      .where('table_name', '=', table)
      .execute()
    return new Map(rows.map(({ old_id, new_id }) => [old_id, new_id]))
  }

  async #remember(table: string, pairs: readonly (readonly string[])[]): Promise<void> {
    if (pairs.length === 0) return
    const [oldIds, newIds] = [pairs.map(([old]) => old!), pairs.map(([, id]) => id!)]
    await sql`
      INSERT INTO imported_rows (user_id, origin, table_name, old_id, new_id)
      SELECT ${this.#target.userId}, ${this.#from.origin}, ${table}, old_id, new_id
      FROM unnest(${oldIds}::text[], ${newIds}::text[]) AS pair(old_id, new_id)`.execute(this.#transaction)
  }

  async #sealSecrets({ name }: ImportedTable, oldIds: readonly string[]): Promise<void> {
    const place = SEALED_COLUMNS.find(({ table }) => table === name)
    if (!place) return
    for (const oldId of oldIds) {
      const isBuiltIn = name === 'brokerage_accounts' && this.#rows.get(name)!.get(oldId)!['broker'] === 'paper'
      const plain = this.#from.secrets?.[name]?.[oldId] ?? PLACEHOLDER_SECRETS[name]
      if (plain === undefined || isBuiltIn) continue
      const { userId, seal } = this.#target
      const row = this.#ids.get(name)!.get(oldId)!
      const id = place.idColumn === 'id' ? Number(row) : row
      await sql`
        UPDATE ${sql.table(name)} SET ${sql.ref(place.column)} = ${seal.seal({ table: name, row: id, userId }, plain)}
        WHERE user_id = ${userId} AND ${sql.ref(place.idColumn)} = ${id}`.execute(this.#transaction)
    }
  }
}

const refusal = (where: string, why: string, cause?: unknown): StartupFailure =>
  new StartupFailure(`The file cannot be imported: ${where}: ${why.replace(/\.$/, '')}. Nothing was changed.`, {
    cause,
  })

const labelOf = (row: Row, oldId: string | undefined): string =>
  typeof row['name'] === 'string' ? `"${row['name'].slice(0, 100)}"` : (oldId ?? '')

/** An id or a word of a row, whatever the file has in its place. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))
