import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { projectFolder } from '../../apps/server/src/config.ts'
import { MAX_ANSWER_MS } from '../../apps/server/test-support/fuzz/judge.ts'

/** The program as `npm start` runs it, in a folder of its own, with nothing but loopback to call. */
export interface FuzzedProgram {
  readonly url: string
  /** Lines of the log that a healthy program never writes. */
  readonly complaints: readonly string[]
  /** Refusals of the database that a check should have prevented, by code. */
  readonly refusals: ReadonlyMap<string, number>
  /** The memory of the server process in megabytes; undefined when it is not the process that was started. */
  memoryMb(): number | undefined
  stop(): Promise<void>
}

export async function startFuzzedProgram(environment: Readonly<Record<string, string>>): Promise<FuzzedProgram> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradewright-fuzz-'))
  const launcher = spawn(process.execPath, [join(projectFolder, 'scripts/run.mjs'), 'apps/server/src/main.ts'], {
    cwd: projectFolder,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'debug',
      MAX_CALLS_PER_MINUTE: '1000000',
      MAX_THREAD_PCT_PER_USER: '100',
      ...environment,
      NODE_OPTIONS: `--import ${join(projectFolder, 'scripts/fuzz/only-loopback.mjs')}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const complaints: string[] = []
  const refusals = new Map<string, number>()
  let isStopping = false
  const ended = new Promise<void>((resolve) => {
    launcher.once('close', (code) => {
      if (!isStopping) complaints.push(`the program ended with ${code}`)
      resolve()
    })
  })
  const url = await new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      const address = /running at (\S+)/.exec(line)?.[1]
      if (address) resolve(address)
      const complaint = complaintOf(line, refusals)
      if (complaint !== undefined) complaints.push(complaint)
    }
    createInterface(launcher.stdout).on('line', read)
    createInterface(launcher.stderr).on('line', read)
    void ended.then(() => reject(new Error(`the program did not start: ${complaints.join('\n')}`)))
  })
  const serverPid = childOf(launcher.pid!)?.pid
  return {
    url,
    complaints,
    refusals,
    memoryMb() {
      const child = childOf(launcher.pid!)
      return child && child.pid === serverPid ? child.kilobytes / 1024 : undefined
    },
    async stop() {
      isStopping = true
      launcher.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

interface LogRecord {
  readonly level: number
  readonly msg?: string
  readonly code?: string
  readonly path?: string
  readonly method?: string
  readonly ms?: number
  readonly err?: { readonly message?: string; readonly stack?: string }
}

/** A line that is no record is a trace or a warning of Node itself. */
function complaintOf(line: string, refusals: Map<string, number>): string | undefined {
  const record = parsed(line)
  if (!record) return /unhandled|uncaught|Error:|^\s+at |warning/i.test(line) ? line : undefined
  if (record.code?.startsWith('database.')) {
    const what = `${record.code}: ${record.err?.message ?? ''}`
    refusals.set(what, (refusals.get(what) ?? 0) + 1)
  }
  if (record.msg === 'request' && (record.ms ?? 0) > MAX_ANSWER_MS) {
    return `${record.method} ${record.path} took the server ${record.ms} ms`
  }
  const isUnhandled = /unhandled|uncaught|unexpected failure/i.test(record.msg ?? '')
  return isUnhandled ? `${record.msg}: ${record.err?.stack ?? line}` : undefined
}

function parsed(line: string): LogRecord | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as LogRecord
  } catch {
    return undefined
  }
}

/** The server is the one process that the launcher started. */
function childOf(parent: number): { pid: number; kilobytes: number } | undefined {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n')
  const processes = rows.map((row) => row.trim().split(/\s+/).map(Number))
  const [pid, , kilobytes] = processes.find(([, ppid]) => ppid === parent) ?? []
  return pid === undefined || kilobytes === undefined ? undefined : { pid, kilobytes }
}
