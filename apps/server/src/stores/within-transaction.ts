import type { Database, DatabaseTransaction } from './database.ts'

/** A transaction of its own, or a part of the one that is going on. */
export const withinTransaction = <Result>(
  database: Database | DatabaseTransaction,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> =>
  database.isTransaction ? work(database as DatabaseTransaction) : database.transaction().execute(work)
