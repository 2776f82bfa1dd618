import type { Clock } from '@tradewright/core/clock'

/** Everything in the database that belongs to a user, as it was at one moment. Secrets are left out. */
export interface UserRows {
  read(userId: number): AsyncIterable<UserTable>
}

interface UserTable {
  readonly name: string
  /** Each row a JSON text, so that decimals stay exact; in portions, so that no table is ever held as a whole. */
  readonly rows: AsyncIterable<readonly string[]>
}

interface ExportParts {
  readonly rows: UserRows
  readonly clock: Clock
  /** The version of the tables, which an import compares with its own. */
  readonly schema: string
  /** Keys and passwords, sealed with a passphrase; the operator alone exports them. */
  readonly secrets?: object | undefined
}

/** The pieces of one JSON text: `{"exported_at": …, "schema": …, "data": {"strategies": [{…}, …], …}}`. */
export async function* exportUserData(
  { rows, clock, schema, secrets }: ExportParts,
  userId: number,
): AsyncGenerator<string> {
  const head = { application: 'Tradewright', exported_at: clock.now(), schema, ...(secrets && { secrets }) }
  yield `${JSON.stringify(head).slice(0, -1)},"data":{`
  let isFirst = true
  for await (const table of rows.read(userId)) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(table.name)}:[`
    isFirst = false
    yield* listed(table.rows)
    yield ']'
  }
  yield '\n}}\n'
}

async function* listed(portions: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let before = '\n'
  for await (const portion of portions) {
    yield portion.map((row, index) => `${index === 0 ? before : ',\n'}${row}`).join('')
    before = ',\n'
  }
}
