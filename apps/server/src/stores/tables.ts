import type { TableOf } from './columns.ts'
import { alertTables } from './alert-tables.ts'
import { assistantTables } from './assistant-tables.ts'
import { authTables } from './auth-tables.ts'
import { backtestTables } from './backtest-tables.ts'
import { brokerageTables } from './brokerage-tables.ts'
import { callAllowanceTables } from './call-allowance-tables.ts'
import { constructionTables } from './construction-tables.ts'
import { deletionTables } from './deletion-tables.ts'
import { factorFileTables } from './factor-file-tables.ts'
import { homeTables } from './home-tables.ts'
import { jobTables } from './job-tables.ts'
import { liveTradingTables } from './live-trading-tables.ts'
import { marketDataTables } from './market-data-tables.ts'
import { operatorTables } from './operator-tables.ts'
import { optimizerTables } from './optimizer-tables.ts'
import { studyTables } from './study-tables.ts'
import { proposalTables } from './proposal-tables.ts'
import { storeFileTables } from './store-file-tables.ts'

/** Every table of the database, each described in the file of its area. */
export const tables = {
  ...authTables,
  ...jobTables,
  ...marketDataTables,
  ...backtestTables,
  ...deletionTables,
  ...homeTables,
  ...brokerageTables,
  ...callAllowanceTables,
  ...liveTradingTables,
  ...alertTables,
  ...assistantTables,
  ...optimizerTables,
  ...studyTables,
  ...constructionTables,
  ...factorFileTables,
  ...proposalTables,
  ...storeFileTables,
  ...operatorTables,
}

export type Tables = { [Name in keyof typeof tables]: TableOf<(typeof tables)[Name]> }
