import { Problem } from '@tradewright/core/problem'
import { errorCode } from '../system-error.ts'

/** The error code of the trigger that limits the rows of an owner. */
const TOO_MANY_ROWS = 'TWROW'

const DELETE = 'Delete some that you no longer need.'

/** By the tables that have such a trigger. */
export const LIMITED_ROWS: Readonly<Record<string, { readonly words: string; readonly cure: string }>> = {
  strategies: { words: 'saved strategies', cure: DELETE },
  ticker_lists: { words: 'ticker lists', cure: DELETE },
  saved_queries: { words: 'saved queries', cure: DELETE },
  collection_jobs: { words: 'collection jobs', cure: DELETE },
  custom_providers: { words: 'custom providers', cure: DELETE },
  data_stores: { words: 'data stores', cure: DELETE },
  brokerage_accounts: { words: 'brokerage accounts', cure: DELETE },
  deployments: { words: 'deployments', cure: DELETE },
  optimization_runs: { words: 'optimizer runs', cure: DELETE },
  parameter_studies: { words: 'parameter studies', cure: DELETE },
  portfolio_constructions: { words: 'searches for better weights', cure: DELETE },
  factor_files: { words: 'factor files', cure: DELETE },
  conversations: { words: 'conversations', cure: DELETE },
  conversation_messages: { words: 'messages in a conversation', cure: 'Begin a new one.' },
  backtests: { words: 'saved backtests', cure: DELETE },
}

/** The refusal of a row too many as a Problem; any other failure as it is. */
export function withRowLimit(error: unknown): unknown {
  if (errorCode(error) !== TOO_MANY_ROWS) return error
  const { table, detail } = error as { table?: string; detail?: string }
  const { words, cure } = LIMITED_ROWS[table ?? ''] ?? { words: 'entries of this kind', cure: DELETE }
  return new Problem(
    'conflict',
    'rows.limit',
    `At most ${Number(detail).toLocaleString('en-US')} ${words} are allowed. ${cure}`,
  )
}
