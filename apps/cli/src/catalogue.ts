import type { Command } from './command.ts'
import { backtest } from './commands/backtest.ts'
import { completion } from './commands/completion.ts'
import { dataExport, dataImport } from './commands/data.ts'
import { deployments, deploymentsStart, deploymentsStop } from './commands/deployments.ts'
import { login } from './commands/login.ts'
import { mcp } from './commands/mcp.ts'
import { optimize, optimizeFollow, optimizeList, optimizeResult } from './commands/optimize.ts'
import { verify } from './commands/verify.ts'
import { watch } from './commands/watch.ts'

export const commands: readonly Command[] = [
  login,
  backtest,
  optimize,
  optimizeFollow,
  optimizeResult,
  optimizeList,
  dataImport,
  dataExport,
  deployments,
  deploymentsStart,
  deploymentsStop,
  watch,
  mcp,
  verify,
  completion,
]
