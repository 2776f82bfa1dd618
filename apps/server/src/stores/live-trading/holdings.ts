import { Decimal } from '@tradewright/core/decimal'
import { type Slice, emptySlice } from '@tradewright/engine/trading/ledger/books'
import { USD } from '@tradewright/engine/trading/ledger/entry'
import { sql, type Selectable } from 'kysely'
import { type DecidedSignal, syntheticOf } from '../../live-trading/decision.ts'
import type { DeploymentHoldings } from '../../live-trading/ports/deployments.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { type Tables, tables } from '../tables.ts'
import { toDeployment } from './deployment-row.ts'

interface Row extends Selectable<Tables['deployments']> {
  readonly balances: Readonly<Record<string, string>> | null
  readonly prices: Readonly<Record<string, string>> | null
  readonly disagreement: string | null
  readonly snapshot_at: Date | null
  readonly snapshot_value: string
  readonly snapshot_cash: string
  readonly snapshot_contributions: string
  readonly snapshot_growth: number
  readonly snapshot_account_value: string
  readonly synthetic: DecidedSignal['synthetic'] | null
}

/** Columns are named: a prepared statement must not find other columns after another process's migration. */
const own = sql.join(Object.keys(tables.deployments).map((column) => sql.ref(`deployments.${column}`)))

/** Cards, pages and their polls ask for this all the time: one question, whatever is shown. */
export async function holdingsOf(
  database: Database | DatabaseTransaction,
  userId: number,
  id: number | undefined,
): Promise<DeploymentHoldings[]> {
  const name = sql.raw(`/* prepared: holdings-of-${id === undefined ? 'all' : 'one'} */`)
  const { rows } = await sql<Row>`${name}
    SELECT ${own}, account_books.prices, account_books.disagreement,
      (SELECT json_object_agg(asset, amount::text) FROM book_balances
        WHERE account_id = deployments.account_id AND party = 'deployment:' || deployments.id) AS balances,
      latest.at AS snapshot_at, latest.value AS snapshot_value, latest.cash AS snapshot_cash,
      latest.net_contributions AS snapshot_contributions, latest.growth AS snapshot_growth,
      latest.account_value AS snapshot_account_value,
      (SELECT signal->'synthetic' FROM deployment_decisions
        -- A sale of everything looks at no data: what its positions earned is as synthetic as before.
        WHERE deployment_id = deployments.id AND signal->>'dataAsOf' IS NOT NULL
        ORDER BY decided_for DESC LIMIT 1) AS synthetic
    FROM deployments
    LEFT JOIN account_books ON account_books.account_id = deployments.account_id
    LEFT JOIN LATERAL (
      SELECT * FROM deployment_snapshots WHERE deployment_id = deployments.id ORDER BY at DESC, id DESC LIMIT 1
    ) AS latest ON true
    WHERE deployments.user_id = ${userId} AND deployments.deleted_at IS NULL
      ${id === undefined ? sql`` : sql`AND deployments.id = ${id}`}
    ORDER BY deployments.id DESC`.execute(database)
  return rows.map(toHoldings)
}

const toHoldings = (row: Row): DeploymentHoldings => ({
  deployment: toDeployment(row),
  slice: toSlice(row.balances),
  prices: new Map(Object.entries(row.prices ?? {}).map(([ticker, price]) => [ticker, Decimal.parse(price)])),
  disagreement: row.disagreement,
  ...syntheticOf({ synthetic: row.synthetic ?? false }),
  snapshot:
    row.snapshot_at === null
      ? undefined
      : {
          at: row.snapshot_at,
          value: Decimal.parse(row.snapshot_value),
          cash: Decimal.parse(row.snapshot_cash),
          netContributions: Decimal.parse(row.snapshot_contributions),
          growth: row.snapshot_growth,
          accountValue: Decimal.parse(row.snapshot_account_value),
        },
})

function toSlice(balances: Row['balances']): Slice {
  if (balances === null) return emptySlice
  const positions = new Map<string, Decimal>()
  for (const [asset, text] of Object.entries(balances)) {
    const amount = Decimal.parse(text)
    if (asset !== USD && !amount.isZero) positions.set(asset, amount)
  }
  return { cash: Decimal.parse(balances[USD] ?? '0'), positions }
}
