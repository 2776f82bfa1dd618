import type { TickerSuccessor } from '@tradewright/engine/market/successors'
import type { TickerChangeStore } from '../../live-trading/ports/ticker-changes.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

export function createTickerChangeStore(database: Database | DatabaseTransaction): TickerChangeStore {
  return {
    async of(deploymentIds) {
      if (deploymentIds.length === 0) return []
      const rows = await database
        .selectFrom('deployment_ticker_changes')
        .selectAll()
        .where('deployment_id', 'in', [...deploymentIds])
        .orderBy('created_at')
        .orderBy('from_ticker')
        .execute()
      return rows.map(({ deployment_id, from_ticker, to_ticker, sentence, successors }) => ({
        deploymentId: deployment_id,
        from: from_ticker,
        to: to_ticker,
        sentence,
        successors: successors as TickerSuccessor[],
      }))
    },

    async put({ deploymentId, from, to, sentence, successors }, at) {
      const changed = { to_ticker: to, sentence, created_at: at, successors: JSON.stringify(successors) }
      await database
        .insertInto('deployment_ticker_changes')
        .values({ deployment_id: deploymentId, from_ticker: from, ...changed })
        .onConflict((conflict) => conflict.columns(['deployment_id', 'from_ticker']).doUpdateSet(changed))
        .execute()
    },

    async remove({ deploymentId, from, to }) {
      const { numDeletedRows } = await database
        .deleteFrom('deployment_ticker_changes')
        .where('deployment_id', '=', deploymentId)
        .where('from_ticker', '=', from)
        .where('to_ticker', '=', to)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
