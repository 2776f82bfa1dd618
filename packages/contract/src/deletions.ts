import { z } from 'zod'
import { Success } from './answers.ts'
import { route } from './route.ts'

const DeletionKind = z.enum(
  [
    'strategy',
    'backtest',
    'ticker-list',
    'saved-query',
    'conversation',
    'collection-job',
    'optimization-run',
    'study',
    'construction',
    'alert-channel',
  ],
  'There is no such kind of deletion.',
)
export type DeletionKind = z.infer<typeof DeletionKind>

export const undoDeletion = route({
  method: 'POST',
  path: '/api/deletions/:kind/:key/undo',
  access: 'signed in',
  addsRows: true,
  tag: 'Deletions',
  summary:
    'Bring back what was deleted in the last two minutes, under its old id and with what went with it. `key` is the id it ' +
    'was deleted by. Answers 404 when it can no longer be restored, 409 when its name is in use again.',
  params: z.object({ kind: DeletionKind, key: z.string().min(1).max(200) }),
  answer: Success,
})
