import { Decimal } from '@tradewright/core/decimal'
import { dateOf, dayStamp, epochDayOf, formatDate } from '@tradewright/core/time'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/stamps'
import { type AccountActivity, EXTERNAL_FLOW_TYPES } from '@tradewright/engine/trading/account-activity'
import type { OrderSide } from '@tradewright/engine/trading/order'
import type { Selectable } from 'kysely'
import type { PortfolioStore, StoredKind } from '../portfolio/ports.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

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
        const valid = activities.filter((activity) => activity.kind === 'trade' || activity.state !== 'canceled')
        if (valid.length > 0) {
          await transaction
            .insertInto('account_activities')
            .values(valid.map((activity) => toColumns(accountId, kind, activity)))
            .onConflict((conflict) =>
              conflict
                .columns(['account_id', 'kind', 'activity_id'])
                .doUpdateSet({ booked_at: (expression) => expression.ref('excluded.booked_at') })
                .where('account_activities.booked_at', 'is', null)
                .where('excluded.booked_at', 'is not', null),
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
        .offset(offset)
        .limit(limit)
        .execute()
      return rows.map(toActivity)
    },

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
    quantity: null,
    price: null,
    net_amount: String(activity.netAmount),
    description: activity.description,
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
      orderId: undefined,
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
  }
}

/** Activities that are stored as they were before the broker corrected or cancelled them. */
const outdatedIds = (activity: AccountActivity): string[] =>
  activity.kind === 'trade' || activity.state === undefined
    ? []
    : [activity.id, ...(activity.replaces === undefined ? [] : [activity.replaces])]
