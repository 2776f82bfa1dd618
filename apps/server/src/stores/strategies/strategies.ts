import type { StrategyType } from '@tradewright/core/strategy-kinds'
import { mayBeRowId } from '@tradewright/core/row-id'
import { sql, type Selectable } from 'kysely'
import type { StrategyStore } from '../../strategies/ports.ts'
import type { Strategy, StrategyChange, StrategyConfig, StrategyItem } from '../../strategies/strategy.ts'
import { errorCode } from '../../system-error.ts'
import { removeForUndo } from '../deletions/deleted-rows.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { strategyPerformance } from './strategy-performance.ts'
import type { Tables } from '../tables.ts'

const UNIQUE_VIOLATION = '23505'

export function createStrategyStore(database: Database | DatabaseTransaction): StrategyStore {
  return {
    async list(userId) {
      const rows = await database
        .selectFrom('strategies')
        .select(['id', 'name', 'description', 'strategy_type', 'created_at', 'updated_at'])
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toItem)
    },

    async find(userId, id) {
      if (!mayBeRowId(id)) return undefined
      const row = await database
        .selectFrom('strategies')
        .selectAll()
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row && toStrategy(row)
    },

    async findMany(userId, ids) {
      if (ids.length === 0) return []
      const rows = await database
        .selectFrom('strategies')
        .selectAll()
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toStrategy)
    },

    async save(userId, { name, type, config, description }, at) {
      const row = await database
        .insertInto('strategies')
        .values({
          user_id: userId,
          name,
          strategy_type: type,
          description: description ?? null,
          config: JSON.stringify(config),
          created_at: at,
          updated_at: at,
        })
        .onConflict((conflict) =>
          conflict.constraint('one_strategy_per_name_and_type').doUpdateSet((excluded) => ({
            config: sql<string>`excluded.config`,
            updated_at: at,
            ...(description !== undefined && { description: excluded.ref('excluded.description') }),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      return toStrategy(row)
    },

    async change(userId, id, change, at) {
      if (!mayBeRowId(id)) return 'missing'
      try {
        const row = await database
          .updateTable('strategies')
          .set({ ...toColumns(change), updated_at: at })
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returningAll()
          .executeTakeFirst()
        return row ? toStrategy(row) : 'missing'
      } catch (error) {
        if (errorCode(error) === UNIQUE_VIOLATION) return 'taken'
        throw error
      }
    },

    remove: (userId, id) => removeForUndo(database, 'strategy', userId, id),

    performance: (userId) => strategyPerformance(database, userId),
  }
}

type Row = Selectable<Tables['strategies']>

function toItem(row: Omit<Row, 'config' | 'user_id'>): StrategyItem {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    // The table's check lets in nothing else.
    type: row.strategy_type as StrategyType,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const toStrategy = (row: Row): Strategy => ({ ...toItem(row), config: row.config as StrategyConfig })

const toColumns = ({ name, type, config, description }: StrategyChange) => ({
  ...(name !== undefined && { name }),
  ...(type !== undefined && { strategy_type: type }),
  ...(config !== undefined && { config: JSON.stringify(config) }),
  ...(description !== undefined && { description }),
})
