import { connectNotifications } from '../src/adapters/postgres/notifications.ts'
import { openJobs, type JobsArea } from '../src/areas/jobs.ts'
import type { AnyJobKind, JobContext } from '../src/jobs/job.ts'
import { createLog } from '../src/log.ts'
import { connectDatabase } from '../src/stores/database.ts'

/** The jobs of one process, with connections of its own as a process has them. */
export async function openTestJobs(
  url: string,
  kinds: readonly AnyJobKind[],
  { run, alone = false, turnMs }: { run: boolean; alone?: boolean; turnMs?: number },
): Promise<JobsArea & AsyncDisposable> {
  const log = createLog({ logLevel: 'silent' })
  const connection = connectDatabase(url, log, 5)
  const notifications = await connectNotifications(url, connection.pool, log)
  const runtime = await openJobs({ ...connection, notifications }, log, turnMs === undefined ? {} : { turnMs })
  await runtime.begin(kinds, { run, alone })
  const close = async () => {
    await runtime.close()
    await notifications.close()
    await connection.close()
  }
  return { ...runtime, close, [Symbol.asyncDispose]: close }
}

export const untilAborted = ({ signal }: Pick<JobContext<unknown>, 'signal'>): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

/** A promise that a test resolves, or waits for, at a point it chooses. */
export const point = () => Promise.withResolvers<void>()
