import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A worker in a process of its own that takes step jobs; resolves when it does. */
export async function startStepWorker(databaseUrl: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('./step-worker.ts', import.meta.url))
  const worker = fork(program, [databaseUrl], { execArgv: [] })
  await once(worker, 'message')
  return worker
}
