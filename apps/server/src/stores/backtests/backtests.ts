import { mayBeRowId } from '@tradewright/core/row-id'
import { sql } from 'kysely'
import { type SplicedTicker, splicedSince } from '@tradewright/engine/backtest/stand-ins'
import { isAvailable, type Figure } from '@tradewright/engine/performance/figure'
import type { BacktestStore } from '../../backtests/ports.ts'
import type { StoredReport } from '../../backtests/report.ts'
import type { StoredBoard } from '../../backtests/robustness/stored-board.ts'
import type { SavedBacktestItem } from '../../backtests/saved-backtest.ts'
import type { StrategyConfig } from '../../strategies/strategy.ts'
import { removeForUndo } from '../deletions/deleted-rows.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

/** The stored form has the run by its earlier name. */
function fromStored(stored: unknown): StoredReport {
  const { order, ...rest } = stored as Omit<StoredReport, 'run'> & { order: StoredReport['run'] }
  return { ...rest, run: order }
}

const toStored = ({ run, ...rest }: StoredReport) => ({ ...rest, order: run })

export function createBacktestStore(database: Database | DatabaseTransaction): BacktestStore {
  const items = (userId: number) =>
    database
      .selectFrom('backtests')
      .leftJoin('strategies', 'strategies.id', 'backtests.strategy_id')
      .select((row) => [
        'backtests.id',
        'backtests.name',
        'backtests.strategy_id as strategyId',
        row.fn.coalesce('strategies.name', 'backtests.strategy_name').as('strategyName'),
        'backtests.created_at as createdAt',
        'backtests.is_saved as isSaved',
      ])
      .where('backtests.user_id', '=', userId)
      .orderBy('backtests.created_at', 'desc')
      .orderBy('backtests.id', 'desc')
  const saved = (userId: number) => items(userId).where('backtests.is_saved', '=', true)
  return {
    list: (userId): Promise<SavedBacktestItem[]> => saved(userId).execute(),
    listOfStrategy: async (userId, strategyId) =>
      mayBeRowId(strategyId) ? saved(userId).where('backtests.strategy_id', '=', strategyId).execute() : [],

    recent: (userId, limit, only) =>
      items(userId)
        .$if(only !== undefined, (all) => all.where('backtests.is_saved', '=', only!.isSaved))
        .select(['backtests.cagr', 'backtests.sharpe', 'backtests.max_drawdown as maxDrawdown'])
        .select(['backtests.synthetic', 'backtests.spliced'])
        .limit(limit)
        .execute(),

    async find(userId, id) {
      if (!mayBeRowId(id)) return undefined
      const row = await items(userId)
        .select(['backtests.config', 'backtests.report'])
        .where('backtests.id', '=', id)
        .executeTakeFirst()
      return row && { ...row, config: row.config as StrategyConfig, report: fromStored(row.report) }
    },

    async save(userId, { name, strategyId, strategyName, config, report, runId, createdAt, isSaved }) {
      const { metrics, synthetic } = report.result
      const inserted = await database
        .insertInto('backtests')
        .values({
          user_id: userId,
          strategy_id: strategyId,
          strategy_name: strategyName,
          name,
          config: JSON.stringify(config),
          report: JSON.stringify(toStored(report)),
          cagr: numberOrNull(metrics.cagr),
          sharpe: numberOrNull(metrics.sharpe),
          total_return: metrics.totalReturn,
          max_drawdown: metrics.maxDrawdown.depth,
          synthetic,
          spliced: splicedOf(report.result),
          run_id: runId,
          created_at: createdAt,
          is_saved: isSaved,
        })
        .onConflict((conflict) => conflict.column('run_id').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (inserted) return inserted.id
      const earlier = database.selectFrom('backtests').select('id').where('run_id', '=', runId)
      return (await earlier.executeTakeFirstOrThrow()).id
    },

    async change(userId, id, { name, strategyId, strategyName, isSaved }) {
      if (!mayBeRowId(id)) return undefined
      const changed = {
        ...(name !== undefined && { name }),
        ...(strategyId !== undefined && { strategy_id: strategyId }),
        ...(strategyName !== undefined && { strategy_name: strategyName }),
        ...(isSaved && { is_saved: true }),
      }
      await database.updateTable('backtests').set(changed).where('id', '=', id).where('user_id', '=', userId).execute()
      return items(userId).where('backtests.id', '=', id).executeTakeFirst()
    },

    async removeOldRuns(userId, { runs, bytes, at }) {
      await lockKeptRuns(database, userId)
      // The newest one stays, however large it is: its page is open.
      await sql`
        DELETE FROM backtests USING (
          SELECT id, row_number() OVER newest AS place, sum(pg_column_size(report)) OVER newest AS bytes
          FROM backtests
          WHERE user_id = ${userId} AND NOT is_saved
            AND NOT EXISTS (SELECT FROM result_links WHERE backtest_id = backtests.id AND expires_at > ${at})
          WINDOW newest AS (ORDER BY created_at DESC, id DESC)
        ) AS run
        WHERE backtests.id = run.id AND run.place > 1 AND (run.place > ${runs} OR run.bytes > ${bytes})
          -- Asked again of the row itself: it may have been saved since the runs were counted.
          AND NOT backtests.is_saved`.execute(database)
    },

    async findBoard(userId, id) {
      if (!mayBeRowId(id)) return undefined
      const row = await database
        .selectFrom('backtests')
        .select(['robustness', sql<number>`(report #> '{order,request,seed}')::double precision`.as('seed')])
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { board: row.robustness as StoredBoard | null, runSeed: row.seed }
    },

    async saveBoard(userId, id, board) {
      await database
        .updateTable('backtests')
        .set({ robustness: JSON.stringify(board) })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .execute()
    },

    remove: (userId, id) => removeForUndo(database, 'backtest', userId, id),
  }
}

/** One of the numbers that advisory locks of this program begin with. */
const RECENT_RUNS_LOCK = 1_918

/** Until the transaction ends: a run is not removed while it is being shared, and links are counted one after another. */
export async function lockKeptRuns(database: Database | DatabaseTransaction, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${RECENT_RUNS_LOCK}, ${userId})`.execute(database)
}

/** As JSON; null where every ticker has its own prices on every day. */
function splicedOf({ spliced = [], curve, ml, actualStart }: StoredReport['result']): string | null {
  // Columns and lists are packed from thousands on, which no list of tickers has.
  const first = Array.isArray(curve.days) ? curve.days[0] : ml?.test.from
  const shown = splicedSince(spliced as readonly SplicedTicker[], first ?? actualStart)
  return shown.length > 0 ? JSON.stringify(shown) : null
}

const numberOrNull = (figure: Figure): number | null => (isAvailable(figure) ? figure : null)
