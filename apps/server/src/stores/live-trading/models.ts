import type { ModelStore } from '../../live-trading/ports/models.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

export function createModelStore(database: Database | DatabaseTransaction): ModelStore {
  const about = (deploymentId: number) =>
    database
      .selectFrom('deployment_models')
      .select([
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
  return {
    find: (deploymentId) => about(deploymentId).select('bytes').executeTakeFirst(),
    about: (deploymentId) => about(deploymentId).executeTakeFirst(),
    async remove(deploymentId) {
      await database.deleteFrom('deployment_models').where('deployment_id', '=', deploymentId).execute()
    },
    async save(deploymentId, model) {
      const columns = {
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
      }
      await database
        .insertInto('deployment_models')
        .values({ deployment_id: deploymentId, ...columns })
        .onConflict((conflict) => conflict.column('deployment_id').doUpdateSet(columns))
        .execute()
    },
  }
}
