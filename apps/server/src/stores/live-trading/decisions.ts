import { sql, type Selectable } from 'kysely'
import type { RulesMemory } from '@tradewright/engine/live/rules-follower'
import type { DecidedSignal, Decision, DecisionOutcome } from '../../live-trading/decision.ts'
import type { DecisionStore } from '../../live-trading/ports/decisions.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

interface ByBarRow {
  id: number
  bar: number
  decided_at: Date
  said: number | null
  version: number | null
  closes: Record<string, string> | null
  quotes: Record<string, string> | null
  rules: Pick<RulesMemory, 'weights' | 'trade'> | null
}

export function createDecisionStore(database: Database | DatabaseTransaction): DecisionStore {
  const of = (deploymentId: number) =>
    database.selectFrom('deployment_decisions').selectAll().where('deployment_id', '=', deploymentId)
  return {
    async insert(decisions) {
      if (decisions.length === 0) return new Map()
      const rows = await database
        .insertInto('deployment_decisions')
        .values(
          decisions.map(
            ({ deploymentId, decidedFor, decidedAt, expiresAt, outcome, reason, isPartial, waitsFor, signal }) => ({
              deployment_id: deploymentId,
              decided_for: decidedFor,
              decided_at: decidedAt,
              expires_at: expiresAt,
              outcome,
              reason,
              is_partial: isPartial,
              waits_for: waitsFor === undefined ? null : JSON.stringify(waitsFor),
              signal: JSON.stringify(signal),
            }),
          ),
        )
        .onConflict((conflict) => conflict.constraint('one_decision_per_instant').doNothing())
        .returningAll()
        .execute()
      return new Map(rows.map((row) => [row.deployment_id, toDecision(row)]))
    },

    async atWork(deploymentIds) {
      if (deploymentIds.length === 0) return new Map()
      const rows = await database
        .selectFrom('deployment_decisions')
        .selectAll()
        .where('deployment_id', 'in', [...deploymentIds])
        .where('outcome', 'in', ['selling', 'buying'])
        .orderBy('id')
        .execute()
      return new Map(rows.map((row) => [row.deployment_id, toDecision(row)]))
    },

    async latest(deploymentId) {
      const row = await of(deploymentId).orderBy('decided_for', 'desc').limit(1).executeTakeFirst()
      return row && toDecision(row)
    },

    async latestOf(deploymentIds) {
      const { rows } = await sql<Selectable<Tables['deployment_decisions']>>`
        SELECT latest.* FROM unnest(${[...deploymentIds]}::int[]) AS deployment (id)
        CROSS JOIN LATERAL (
          SELECT * FROM deployment_decisions WHERE deployment_id = deployment.id ORDER BY decided_for DESC LIMIT 1
        ) AS latest`.execute(database)
      return new Map(rows.map((row) => [row.deployment_id, toDecision(row)]))
    },

    async rulesMemory(deploymentId) {
      const row = await database
        .selectFrom('deployment_decisions')
        .select(sql<RulesMemory>`signal->'rules'`.as('memory'))
        .where('deployment_id', '=', deploymentId)
        .where(sql<boolean>`signal ? 'rules'`)
        .orderBy('decided_for', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.memory
    },

    async firstByBar(deploymentId) {
      const { rows } = await sql<ByBarRow>`
        SELECT DISTINCT ON (bar) id, bar, decided_at, said, version, closes, quotes, rules FROM (
          SELECT id, decided_at, (signal->>'dataAsOf')::float8 AS bar, (signal->'prediction'->>'signal')::int AS said,
            (signal->>'modelVersion')::int AS version, signal->'closes' AS closes, signal->'quotes' AS quotes,
            CASE WHEN signal ? 'rules' THEN jsonb_build_object('weights', signal->'rules'->'weights',
              'trade', signal->'rules'->'trade') END AS rules
          FROM deployment_decisions
          WHERE deployment_id = ${deploymentId} AND signal->>'dataAsOf' IS NOT NULL
        ) AS decided
        ORDER BY bar, decided_at`.execute(database)
      return rows.map(({ id, bar, decided_at, said, version, closes, quotes, rules }) => ({
        id,
        bar,
        decidedAt: decided_at,
        signal: said === null ? undefined : said === 1 ? 1 : 0,
        modelVersion: version ?? undefined,
        rules: rules ?? undefined,
        closes: closes ?? {},
        quotes: quotes ?? {},
      }))
    },

    async withOpenDecision(deploymentIds) {
      if (deploymentIds.length === 0) return new Set()
      const rows = await database
        .selectFrom('deployment_decisions')
        .select('deployment_id')
        .where('deployment_id', 'in', [...deploymentIds])
        .where('outcome', 'in', ['selling', 'buying'])
        .execute()
      return new Set(rows.map((row) => row.deployment_id))
    },

    async find(deploymentId, decidedFor) {
      const row = await of(deploymentId).where('decided_for', '=', decidedFor).executeTakeFirst()
      return row && toDecision(row)
    },

    async move(id, outcome, more) {
      await database
        .updateTable('deployment_decisions')
        .set({
          outcome,
          ...(more && {
            reason: more.reason,
            is_partial: more.isPartial,
            waits_for: more.waitsFor === undefined ? null : JSON.stringify(more.waitsFor),
          }),
        })
        .where('id', '=', id)
        .execute()
    },
  }
}

const toDecision = (row: Selectable<Tables['deployment_decisions']>): Decision => ({
  id: row.id,
  deploymentId: row.deployment_id,
  decidedFor: row.decided_for,
  decidedAt: row.decided_at,
  expiresAt: row.expires_at,
  outcome: row.outcome as DecisionOutcome,
  reason: row.reason,
  isPartial: row.is_partial,
  ...(row.waits_for !== null && { waitsFor: row.waits_for as string[] }),
  signal: row.signal as DecidedSignal,
})
