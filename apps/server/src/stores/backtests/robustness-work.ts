import { sql } from 'kysely'
import { boardPieceJob } from '../../backtests/robustness/piece-job.ts'
import { robustnessJob } from '../../backtests/robustness/robustness-job.ts'
import type { BoardWorkStore } from '../../backtests/ports.ts'
import type { Database } from '../database.ts'

export function createBoardWorkStore(database: Database): BoardWorkStore {
  /** Their results are in the board. */
  const endedPieces = () =>
    database.deleteFrom('jobs').where('kind', '=', boardPieceJob.kind).where('finished_at', 'is not', null)
  return {
    async keep(workId, backtestId, material) {
      await database.transaction().execute(async (transaction) => {
        // An attempt whose process died may have left its work.
        await transaction.deleteFrom('robustness_work').where('backtest_id', '=', backtestId).execute()
        await transaction
          .insertInto('robustness_work')
          .values({ id: workId, backtest_id: backtestId, material: Buffer.from(material) })
          .execute()
      })
    },

    async material(workId) {
      const row = await database
        .selectFrom('robustness_work')
        .select('material')
        .where('id', '=', workId)
        .executeTakeFirst()
      return row?.material
    },

    async forget(workId, backtestId) {
      await database.deleteFrom('robustness_work').where('id', '=', workId).execute()
      await endedPieces().where('subject', '=', String(backtestId)).execute()
    },

    async forgetRemains() {
      const unfinished = database
        .selectFrom('jobs')
        .where('kind', '=', robustnessJob.kind)
        .where('finished_at', 'is', null)
      await database
        .deleteFrom('robustness_work')
        .where(sql<string>`backtest_id::text`, 'not in', unfinished.select('subject'))
        .execute()
      await endedPieces().where('subject', 'not in', unfinished.select('subject')).execute()
    },
  }
}
