import type { TableOf } from './columns.ts'
import { alertTables } from './alerts/alert-tables.ts'
import { assistantTables } from './assistant/assistant-tables.ts'
import { authTables } from './auth/auth-tables.ts'
import { backtestTables } from './backtests/backtest-tables.ts'
import { brokerageTables } from './brokerage/brokerage-tables.ts'
import { callAllowanceTables } from './call-allowance-tables.ts'
import { constructionTables } from './construction/construction-tables.ts'
import { deletionTables } from './deletions/deletion-tables.ts'
import { factorFileTables } from './backtests/factor-file-tables.ts'
import { homeTables } from './home/home-tables.ts'
import { jobTables } from './jobs/job-tables.ts'
import { liveTradingTables } from './live-trading/live-trading-tables.ts'
import { marketDataTables } from './market-data/market-data-tables.ts'
import { operatorTables } from './observe/operator-tables.ts'
import { optimizerTables } from './optimizer/optimizer-tables.ts'
import { studyTables } from './studies/study-tables.ts'
import { proposalTables } from './proposals/proposal-tables.ts'
import { storeFileTables } from './market-data/store-file-tables.ts'

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
