import { sql } from 'kysely'
import type { ModelStore } from '../../live-trading/ports/models.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

export function createModelStore(database: Database | DatabaseTransaction): ModelStore {
  return {
    async versions(deploymentId, recipe) {
      const rows = await database
        .selectFrom('deployment_models')
        .select([
          'version',
          'decides_after as after',
          'window_number',
          'sized_on_rows',
          'recipe',
          'checksum',
          'data_fingerprint as fingerprint',
          'rows',
          'trained_from as from',
          'trained_to as to',
          'synthetic',
          'synthetic_tickers as syntheticTickers',
          'data_notes as notes',
          'trained_at as trainedAt',
        ])
        .where('deployment_id', '=', deploymentId)
        .where('recipe', '=', recipe)
        .orderBy('version')
        .execute()
      return rows.map(({ window_number: number, sized_on_rows: sizedOnRows, ...row }) =>
        Object.assign(row, { window: number === null || sizedOnRows === null ? null : { number, sizedOnRows } }),
      )
    },

    async hasAny(deploymentId) {
      const row = await database
        .selectFrom('deployment_models')
        .select('version')
        .where('deployment_id', '=', deploymentId)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    async bytes(deploymentId, version) {
      const row = await database
        .selectFrom('deployment_models')
        .select('bytes')
        .where('deployment_id', '=', deploymentId)
        .where('version', '=', version)
        .executeTakeFirst()
      return row?.bytes
    },

    async remove(deploymentId, version) {
      await database
        .deleteFrom('deployment_models')
        .where('deployment_id', '=', deploymentId)
        .where('version', '=', version)
        .execute()
    },

    async add(deploymentId, model) {
      const added = await database
        .insertInto('deployment_models')
        .values({
          deployment_id: deploymentId,
          version: sql<number>`(SELECT coalesce(max(version), 0) + 1 FROM deployment_models WHERE deployment_id = ${deploymentId})`,
          decides_after: model.after,
          window_number: model.window?.number ?? null,
          sized_on_rows: model.window?.sizedOnRows ?? null,
          recipe: model.recipe,
          bytes: Buffer.from(model.bytes),
          checksum: model.checksum,
          data_fingerprint: model.fingerprint,
          rows: model.rows,
          trained_from: model.from,
          trained_to: model.to,
          synthetic: model.synthetic,
          synthetic_tickers: [...(model.syntheticTickers ?? [])],
          data_notes: JSON.stringify(model.notes),
          trained_at: model.trainedAt,
        })
        // Another process trained the same one: it is there.
        .onConflict((conflict) => conflict.doNothing())
        .returning('version')
        .executeTakeFirst()
      return added?.version
    },
  }
}
