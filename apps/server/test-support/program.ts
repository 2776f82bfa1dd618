import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { projectFolder } from '../src/config.ts'
import { programFile } from './program-files.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The real program in a process of its own, as `npm start` runs it. */
export interface RunningProgram {
  url: string
  process: ChildProcess
  /** Everything it wrote so far. */
  output(): string
  /** Sends the signal and waits for the end; gives the exit code, or null when the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

class ProgramEnded extends Error {
  readonly exitCode: number | null
  readonly output: string

  constructor(exitCode: number | null, output: string) {
    super(`the program ended with ${exitCode}: ${output}`)
    this.exitCode = exitCode
    this.output = output
  }
}

export type Environment = Record<string, string>

/** Where the launcher keeps compiled sources. Dozens of starts would compile the same files again. */
export const compileCache = { NODE_COMPILE_CACHE: join(projectFolder, 'node_modules', '.cache', 'compiled') }

/** Starts `main` and waits for the line with its address; throws `ProgramEnded` when it ends before that. */
export async function startProgram(environment: Environment): Promise<RunningProgram> {
  const child = spawn(process.execPath, [programFile('main')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      LOG_LEVEL: 'warn',
      MAX_CALLS_PER_MINUTE: '1000000',
      MAX_THREAD_PCT_PER_USER: '100',
      ...compileCache,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
  })
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /running at (\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then((code) => reject(new ProgramEnded(code, output)))
  })
  return {
    url,
    process: child,
    output: () => output,
    stop: (signal = 'SIGINT') => {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts a program that is expected not to start, and gives what it said. */
export async function failedStart(environment: Environment): Promise<ProgramEnded> {
  try {
    const program = await startProgram(environment)
    await program.stop()
  } catch (error) {
    if (error instanceof ProgramEnded) return error
    throw error
  }
  throw new Error('the program started, although it should not have')
}

/** The real worker program as on a machine of its own: it shares the database and no folder. Ready when this returns. */
export async function startWorkerProgram(databaseUrl: string): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [programFile('worker')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      LOG_LEVEL: 'warn',
      MAX_CALLS_PER_MINUTE: '1000000',
      MAX_THREAD_PCT_PER_USER: '100',
      ...compileCache,
      DATA_DIR: temporaryFolder(),
      DATABASE_URL: databaseUrl,
      COMPUTE_THREADS: '1',
      APP_SECRET: 'a secret that only tests know',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve) =>
    worker.stdout.on('data', (text: Buffer) => text.includes('taking jobs') && resolve()),
  )
  return worker
}
