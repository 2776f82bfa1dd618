/** Runs the same work in Python, when Debian's python3-sklearn and python3-xgboost are there. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPython, runScript } from '../peers/python.ts'
import type { Table, Window } from './market-data.ts'

export type PeerScript = 'sklearn_forest' | 'sklearn_linear' | 'xgboost_boosting'

interface PeerWork {
  readonly windows: readonly Window[]
  /** Column lists, one per evaluation; null for a single evaluation of all columns. */
  readonly picks: readonly (readonly number[])[] | null
  readonly settings: Readonly<Record<string, number | string>>
}

interface PeerAnswer {
  readonly name: string
  readonly wallMs: number
  readonly cpuMs: number
  /** All test rows of all windows of all evaluations, one after the other. */
  readonly probabilities: Float64Array
}

/** A table written once, for any number of runs. Null when the library is not installed. */
export class Peer {
  readonly #python: string
  readonly #script: PeerScript
  readonly #directory: string

  private constructor(python: string, script: PeerScript, directory: string) {
    this.#python = python
    this.#script = script
    this.#directory = directory
  }

  static async open(script: PeerScript, table: Table): Promise<Peer | null> {
    const python = await findPython(script.split('_')[0]!)
    if (python === null) return null
    const directory = mkdtempSync(join(tmpdir(), 'peer-'))
    const rows = table.labels.length
    const values = new Float64Array(rows * table.columns.length)
    table.columns.forEach((column, index) => values.set(column, index * rows))
    writeFileSync(join(directory, 'columns.f64'), values)
    writeFileSync(join(directory, 'labels.u8'), Uint8Array.from(table.labels))
    writeFileSync(join(directory, 'table.json'), JSON.stringify({ rows, columns: table.columns.length }))
    return new Peer(python, script, directory)
  }

  async run(work: PeerWork): Promise<PeerAnswer> {
    const stdout = await runScript(this.#python, this.#script, this.#directory, work)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own script
    const answer = JSON.parse(stdout) as { name: string; wall_ms: number; cpu_ms: number }
    const bytes = readFileSync(join(this.#directory, 'probabilities.f64'))
    const probabilities = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
    return { name: answer.name, wallMs: answer.wall_ms, cpuMs: answer.cpu_ms, probabilities }
  }

  close(): void {
    rmSync(this.#directory, { recursive: true })
  }
}
