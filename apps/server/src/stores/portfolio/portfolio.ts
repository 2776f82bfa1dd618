import { Decimal } from '@tradewright/core/decimal'
import { dateOf, dayStamp, epochDayOf, formatDate } from '@tradewright/core/time'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/rows'
import {
  type AccountActivity,
  type CashActivity,
  EXTERNAL_FLOW_TYPES,
  isCorrection,
  standingActivities,
} from '@tradewright/engine/trading/account-activity'
import { partKey } from '@tradewright/engine/trading/ledger/corporate-actions'
import { LOT_METHODS } from '@tradewright/engine/trading/lots/lot'
import type { OrderSide } from '@tradewright/engine/trading/order'
import { type Selectable, sql, type RawBuilder } from 'kysely'
import type { PortfolioStore, StoredKind } from '../../portfolio/ports.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import type { ExportRows } from '../../portfolio/export.ts'

export function createPortfolioStore(database: Database): PortfolioStore {
  const activitiesOf = (accountId: number, kind: StoredKind) =>
    database.selectFrom('account_activities').where('account_id', '=', accountId).where('kind', '=', kind)
  return {
    async snapshot(accountId) {
      const query = database.selectFrom('portfolio_snapshots').selectAll().where('account_id', '=', accountId)
      const row = await query.executeTakeFirst()
      return row && { takenAt: row.taken_at, snapshot: row.snapshot }
    },

    async keep(accountId, snapshot, takenAt) {
      const values = { snapshot: JSON.stringify(snapshot), taken_at: takenAt }
      await database
        .insertInto('portfolio_snapshots')
        .values({ account_id: accountId, ...values })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
        .execute()
    },

    async progress(accountId, kind) {
      const row = await database
        .selectFrom('activity_progress')
        .select(['page', 'is_complete'])
        .where('account_id', '=', accountId)
        .where('kind', '=', kind)
        .executeTakeFirst()
      return { page: row?.page ?? undefined, isComplete: row?.is_complete ?? false }
    },

    addActivities: (accountId, kind, activities, progress) =>
      database.transaction().execute(async (transaction) => {
        const outdated = activities.flatMap(outdatedIds)
        if (outdated.length > 0) {
          await transaction
            .deleteFrom('account_activities')
            .where('account_id', '=', accountId)
            .where('kind', '=', kind)
            .where('activity_id', 'in', outdated)
            .execute()
        }
        const valid = inParts(standingActivities(activities))
        if (valid.length > 0) {
          await transaction
            .insertInto('account_activities')
            .values(valid.map(({ activity, part }) => Object.assign(toColumns(accountId, kind, activity), { part })))
            .onConflict((conflict) =>
              conflict
                .columns(['account_id', 'kind', 'activity_id', 'part'])
                .doUpdateSet({
                  booked_at: sql`coalesce(account_activities.booked_at, excluded.booked_at)`,
                  quantity: sql`coalesce(account_activities.quantity, excluded.quantity)`,
                  order_id: sql`coalesce(account_activities.order_id, excluded.order_id)`,
                  group_id: sql`coalesce(account_activities.group_id, excluded.group_id)`,
                })
                .where(
                  sql<boolean>`(account_activities.booked_at IS NULL AND excluded.booked_at IS NOT NULL)
                    OR (account_activities.quantity IS NULL AND excluded.quantity IS NOT NULL)
                    OR (account_activities.order_id IS NULL AND excluded.order_id IS NOT NULL)
                    OR (account_activities.group_id IS NULL AND excluded.group_id IS NOT NULL)`,
                ),
            )
            .execute()
        }
        if (!progress) return
        const values = { page: progress.page ?? null, is_complete: progress.isComplete }
        await transaction
          .insertInto('activity_progress')
          .values({ account_id: accountId, kind, ...values })
          .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(values))
          .execute()
      }),

    async activities(accountId, kind, { offset, limit }) {
      const rows = await activitiesOf(accountId, kind)
        .selectAll()
        .orderBy('happened_at', 'desc')
        .orderBy('activity_id', 'desc')
        .orderBy('part', 'desc')
        .offset(offset)
        .limit(limit)
        .execute()
      return rows.map(toActivity)
    },

    async *everyActivity(accountId) {
      const query = sql`
        SELECT * FROM account_activities WHERE account_id = ${sql.lit(accountId)} ORDER BY happened_at, activity_id, part`
      for await (const rows of portions<Selectable<Tables['account_activities']>>(database, query)) {
        yield rows.map(toActivity)
      }
    },

    async lotRules(accountId) {
      const method = await database
        .selectFrom('lot_methods')
        .select('method')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      const choices = await database
        .selectFrom('lot_choices')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('purchase_id')
        .execute()
      const bySale = Map.groupBy(choices, ({ sale_id }) => sale_id)
      return {
        method: LOT_METHODS.find((known) => known === method?.method) ?? 'fifo',
        choices: new Map([...bySale].map(([sale, chosen]) => [sale, chosen.map(toChoice)])),
      }
    },

    async setLotMethod(accountId, method) {
      await database
        .insertInto('lot_methods')
        .values({ account_id: accountId, method })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ method }))
        .execute()
    },

    setLotChoice: (accountId, saleId, chosen) =>
      database.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('lot_choices')
          .where('account_id', '=', accountId)
          .where('sale_id', '=', saleId)
          .execute()
        if (chosen.length === 0) return
        const rows = chosen.map(({ purchaseId, quantity }) => ({
          account_id: accountId,
          sale_id: saleId,
          purchase_id: purchaseId,
          quantity: String(quantity),
        }))
        await transaction.insertInto('lot_choices').values(rows).execute()
      }),

    async countActivities(accountId, kind) {
      const count = activitiesOf(accountId, kind).select((expression) => expression.fn.countAll<number>().as('count'))
      return (await count.executeTakeFirstOrThrow()).count
    },

    async externalFlows(accountId) {
      const rows = await activitiesOf(accountId, 'cash')
        .select(['day', 'net_amount', 'booked_at'])
        .where('type', 'in', [...EXTERNAL_FLOW_TYPES])
        .orderBy('day')
        .orderBy('activity_id')
        .execute()
      return rows.map(({ day, net_amount, booked_at }) => ({
        day: dateOf(day),
        amount: Number(net_amount),
        at: booked_at?.getTime(),
      }))
    },
  }
}

const toChoice = ({ purchase_id, quantity }: Selectable<Tables['lot_choices']>) => ({
  purchaseId: purchase_id,
  quantity: Decimal.parse(quantity),
})

function toColumns(accountId: number, kind: StoredKind, activity: AccountActivity) {
  const common = { account_id: accountId, kind, activity_id: activity.id }
  if (activity.kind === 'trade') {
    return {
      ...common,
      happened_at: new Date(activity.at),
      day: formatDate(epochDayOf(stampAsNewYorkDay(activity.at))),
      booked_at: null,
      type: 'FILL',
      ticker: activity.ticker,
      side: activity.side,
      quantity: String(activity.quantity),
      price: String(activity.price),
      net_amount: null,
      description: '',
      order_id: activity.orderId ?? null,
      group_id: null,
    }
  }
  return {
    ...common,
    // Sorted by the day it counts for: brokers book some of them days later.
    happened_at: new Date(dayStamp(activity.day)),
    day: formatDate(activity.day),
    booked_at: activity.bookedAt === undefined ? null : new Date(activity.bookedAt),
    type: activity.type,
    ticker: activity.ticker ?? null,
    side: null,
    quantity: activity.quantity ? String(activity.quantity) : null,
    price: null,
    net_amount: String(activity.netAmount),
    description: activity.description,
    order_id: null,
    group_id: activity.group ?? null,
  }
}

function toActivity(row: Selectable<Tables['account_activities']>): AccountActivity {
  const common = { id: row.activity_id, at: row.happened_at.getTime() }
  if (row.kind === 'trades') {
    return {
      ...common,
      kind: 'trade',
      ticker: row.ticker ?? '',
      side: row.side as OrderSide,
      quantity: Decimal.parse(row.quantity ?? '0'),
      price: Decimal.parse(row.price ?? '0'),
      orderId: row.order_id ?? undefined,
    }
  }
  return {
    ...common,
    kind: 'cash',
    day: dateOf(row.day),
    ...(row.booked_at && { bookedAt: row.booked_at.getTime() }),
    type: row.type,
    netAmount: Decimal.parse(row.net_amount ?? '0'),
    description: row.description,
    ticker: row.ticker ?? undefined,
    ...(row.quantity !== null && { quantity: Decimal.parse(row.quantity) }),
    ...(row.group_id !== null && { group: row.group_id }),
  }
}

/**
 * The parts of one event may share an id, as an option and the shares it delivers: told apart by type and ticker, and by
 * their place where these are the same. What is listed twice is one part.
 */
function inParts(activities: readonly AccountActivity[]): { activity: AccountActivity; part: string }[] {
  const listed = new Map<string, AccountActivity[]>()
  const parts: { activity: AccountActivity; part: string }[] = []
  for (const activity of activities) {
    const part = activity.kind === 'trade' ? '' : `${activity.type}:${activity.ticker ?? ''}`
    const key = `${activity.id} ${part}`
    const same = listed.get(key) ?? []
    listed.set(key, same)
    if (activity.kind === 'cash' ? same.some((one) => isAlike(one, activity)) : same.length > 0) continue
    same.push(activity)
    parts.push({ activity, part: same.length === 1 ? part : `${part}:${same.length}` })
  }
  return parts
}

const isAlike = (a: AccountActivity, b: CashActivity): boolean => a.kind === 'cash' && partKey(a) === partKey(b)

/** Activities that are stored as they were before the broker corrected or cancelled them. */
const outdatedIds = (activity: AccountActivity): string[] =>
  !isCorrection(activity) ? [] : [activity.id, ...(activity.replaces === undefined ? [] : [activity.replaces])]

export function createExportRows(database: Database): ExportRows {
  return {
    orders: (accountId) =>
      portions(
        database,
        sql`
        SELECT orders.created_at, orders.sent_at, orders.updated_at, deployments.name AS deployment, orders.ticker,
          orders.side, orders.quantity, orders.notional, orders.time_in_force, orders.state, orders.filled_quantity,
          orders.average_price, orders.reason, orders.client_order_id, orders.broker_order_id
        FROM order_intents orders JOIN deployments ON deployments.id = orders.deployment_id
        WHERE orders.account_id = ${sql.lit(accountId)} ORDER BY orders.created_at, orders.client_order_id`,
      ),
    ledger: (accountId) =>
      portions(
        database,
        sql`
        SELECT entry.id, entry.recorded_at, deployments.name AS deployment, entry.entry_type, entry.direction,
          entry.amount, entry.currency, entry.note, entry.cash_after, entry.equity_after
        FROM ledger_entries entry LEFT JOIN deployments ON deployments.id = entry.deployment_id
        WHERE entry.account_id = ${sql.lit(accountId)} ORDER BY entry.id`,
      ),
    activities: (accountId, kind) =>
      portions(
        database,
        sql`
        SELECT activity_id, happened_at, day::text AS day, type, ticker, side, quantity, price, net_amount, description,
          order_id
        FROM account_activities
        WHERE account_id = ${sql.lit(accountId)} AND kind = ${sql.lit(kind)} ORDER BY happened_at, activity_id, part`,
      ),
  }
}

const ROWS_AT_ONCE = 500
const CURSOR = sql.id('portions')

/**
 * Read through a cursor: one moment of the database, and never more than a portion in memory. A cursor takes no parameters;
 * ids are whole numbers of ours.
 */
async function* portions<Row>(database: Database, query: RawBuilder<unknown>): AsyncGenerator<readonly Row[]> {
  const snapshot = await database.startTransaction().setIsolationLevel('repeatable read').execute()
  try {
    await sql`DECLARE ${CURSOR} CURSOR FOR ${query}`.execute(snapshot)
    for (;;) {
      const { rows } = await sql<Row>`FETCH ${sql.lit(ROWS_AT_ONCE)} FROM ${CURSOR}`.execute(snapshot)
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    // Also when the reader left: nothing was written.
    await snapshot.rollback().execute()
  }
}
