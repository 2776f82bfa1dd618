import { importCsv } from '@tradewright/contract/collected-data'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CallError } from '../../../lib/call-error.ts'
import { type AnswerOf, callForText, parsed } from '../../../lib/http.ts'
import { withChosenFormats } from '../../../lib/sentences.ts'
import { failed } from '../messages.ts'
import { refreshData } from '../queries.ts'
import type { Tell } from '../use-notice.ts'

interface Import {
  file: File
  ticker: string
  granularity: string
  storeId: string
  columns: Record<string, string>
  knownAfterDays: string
  /** Empty: what the file says. */
  currency: string
}

export function useImportCsv({ tell, onDone, onFailed }: { tell: Tell; onDone: () => void; onFailed: Tell }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: ({ message, records_stored, notes }) => {
      const stored = records_stored === 0 ? ['All rows were already stored.'] : []
      tell({ kind: 'success', text: message, detail: [...stored, ...notes].join(' ') || null })
      onDone()
      return refreshData(queries)
    },
    onError: (error) => onFailed(failed('import', error)),
  })
}

async function send({
  file,
  ticker,
  granularity,
  storeId,
  columns,
  knownAfterDays,
  currency,
}: Import): Promise<AnswerOf<typeof importCsv>> {
  const form = new FormData()
  // Fields before the file: a server that reads the parts as they come knows then what the file is.
  form.append('ticker', ticker)
  form.append('granularity', granularity)
  form.append('store', storeId)
  if (Object.keys(columns).length > 0) form.append('columns', JSON.stringify(columns))
  if (knownAfterDays.trim() !== '') form.append('known_after_days', knownAfterDays.trim())
  if (currency.trim() !== '') form.append('currency', currency.trim())
  form.append('file', file)
  const answer = importCsv.answer.safeParse(parsed(await callForText(importCsv, form)))
  if (answer.success) return withChosenFormats(importCsv.answer, answer.data)
  throw new CallError({ status: 200, code: 'answer.shape', serverMessage: null, cause: answer.error })
}
