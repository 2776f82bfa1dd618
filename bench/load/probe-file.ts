import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Probe } from './probe.ts'

/** Where the process of a server, started with this environment, writes what its event loop does. */
export class ProbeFile {
  readonly #file: string

  constructor(folder: string) {
    this.#file = join(folder, 'probe.json')
  }

  get environment(): Record<string, string> {
    const program = pathToFileURL(join(import.meta.dirname, 'probe.ts')).href
    return { BENCH_PROBE: this.#file, NODE_OPTIONS: `--import=${program}` }
  }

  /** Measures from now on. */
  reset(server: ChildProcess): void {
    server.kill('SIGUSR2')
  }

  async read(): Promise<Probe> {
    // It is written once a second.
    await wait(1_500)
    return JSON.parse(readFileSync(this.#file, 'utf8')) as Probe
  }
}
