import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import S3rver from 's3rver'
import { startEmbeddedPostgres } from '../../apps/server/src/adapters/postgres/embedded-postgres.ts'
import { compileCache } from '../../apps/server/test-support/program.ts'
import { openNetwork } from './network-namespaces.ts'

const ROOT = join(import.meta.dirname, '../..')
const START_WITHIN_MS = 120_000

type Program = 'main' | 'worker'

/** A process of the program on a machine of its own. */
export interface Machine {
  readonly process: ChildProcess
  /** The address of a web process. */
  readonly url: string
  output(): string
  /** Gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Machines that share a PostgreSQL and a bucket, each in a network namespace with a data folder of its own. */
export interface Machines {
  start(at: number, program: Program, environment?: Record<string, string>): Promise<Machine>
  close(): Promise<void>
}

const WEB_PORT = 3000

export async function openMachines(count: number): Promise<Machines> {
  const folder = mkdtempSync(join(tmpdir(), 'tradewright-scale-'))
  const network = openNetwork(count)
  const database = await startEmbeddedPostgres(join(folder, 'database'))
  const storage = new S3rver({
    port: 0,
    address: network.hostAddress,
    silent: true,
    directory: join(folder, 'bucket'),
    configureBuckets: [{ name: 'series', configs: [] }],
  })
  const { port: bucketPort } = await storage.run()
  const address = new URL(database.url)
  const relay = await relayTo(Number(address.port), network.hostAddress)
  address.host = `${network.hostAddress}:${(relay.address() as { port: number }).port}`
  const shared = {
    DATABASE_URL: address.href,
    APP_SECRET: 'only for measuring, not for users',
    SERIES_BUCKET: 's3://series',
    SERIES_BUCKET_ENDPOINT: `http://${network.hostAddress}:${bucketPort}`,
    SERIES_BUCKET_KEY_ID: 'S3RVER',
    SERIES_BUCKET_SECRET: 'S3RVER',
  }
  const running = new Set<Machine>()
  return {
    async start(at, program, environment = {}) {
      const namespace = network.namespaces[at]!
      const dataDir = join(folder, `machine-${at}-${program}`)
      mkdirSync(dataDir, { recursive: true })
      const file = join(ROOT, `apps/server/src/${program}.ts`)
      const child = spawn('ip', ['netns', 'exec', namespace.name, process.execPath, file], {
        env: {
          PATH: process.env['PATH'] ?? '',
          LOG_LEVEL: 'warn',
          COMPUTE_THREADS: '1',
          HOST: '0.0.0.0',
          PORT: String(WEB_PORT),
          ALLOWED_HOSTS: network.namespaces.map((each) => each.address).join(','),
          DATA_DIR: dataDir,
          ...compileCache,
          ...shared,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => (output += text.toString()))
      const ended = once(child, 'close') as Promise<[number | null]>
      const machine: Machine = {
        process: child,
        url: `http://${namespace.address}:${WEB_PORT}`,
        output: () => output,
        async stop(signal = 'SIGTERM') {
          child.kill(signal)
          running.delete(machine)
          return (await ended)[0]
        },
      }
      running.add(machine)
      const deadline = performance.now() + START_WITHIN_MS
      while (!/taking jobs|running at/.test(output)) {
        if (child.exitCode !== null || performance.now() > deadline)
          throw new Error(`${program} does not start: ${output}`)
        await pause(20)
      }
      return machine
    },
    async close() {
      for (const machine of running) await machine.stop('SIGKILL')
      relay.close()
      await storage.close()
      await database.stop()
      network.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The program's own PostgreSQL listens on the loopback address alone. */
async function relayTo(port: number, host: string): Promise<Server> {
  const relay = createServer((socket) => {
    const upstream = connect(port, '127.0.0.1')
    for (const one of [socket, upstream]) one.setNoDelay(true)
    socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy())
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((resolve) => relay.listen(0, host, resolve))
  return relay
}
