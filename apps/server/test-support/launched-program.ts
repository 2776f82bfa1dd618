import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../src/config.ts'
import { compileCache, type Environment } from './program.ts'

/** A program under the real launcher, as `npm start` and `npm run worker` run it. */
export interface LaunchedProgram {
  launcher: ChildProcess
  /** Everything that launcher and program wrote so far. */
  output(): string
  /** The process number of the program that runs now; undefined between two lives. */
  pid(): number | undefined
  /** Asks the launcher to stop and waits for it; gives its exit code. */
  stop(): Promise<number | null>
}

export function launchProgram(file: string, environment: Environment): LaunchedProgram {
  const launcher = spawn(process.execPath, [join(projectFolder, 'scripts/run.mjs'), file], {
    env: {
      PATH: process.env['PATH'] ?? '',
      LOG_LEVEL: 'warn',
      MAX_CALLS_PER_MINUTE: '1000000',
      MAX_THREAD_PCT_PER_USER: '100',
      ...compileCache,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [launcher.stdout, launcher.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const ended = new Promise<number | null>((resolve) => {
    launcher.once('close', resolve)
  })
  return {
    launcher,
    output: () => output,
    pid: () => childOf(launcher.pid!),
    stop() {
      launcher.kill('SIGTERM')
      return ended
    },
  }
}

/** Linux lists the children of a process. */
function childOf(pid: number): number | undefined {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return child ? Number(child) : undefined
  } catch {
    return undefined
  }
}
