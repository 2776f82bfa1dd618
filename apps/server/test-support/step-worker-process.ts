import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { programFile } from './program-files.ts'

/** A worker in a process of its own that takes step jobs; resolves when it does. */
export async function startStepWorker(databaseUrl: string): Promise<ChildProcess> {
  const worker = fork(programFile('step-worker'), [databaseUrl], { execArgv: [] })
  await once(worker, 'message')
  return worker
}
