import type { Clock } from '@tradewright/core/clock'
import { FACTOR_LIMITS } from '@tradewright/core/factor-sets'
import { Problem } from '@tradewright/core/problem'
import type { EpochDay } from '@tradewright/core/time'
import type { FactorTable } from '@tradewright/engine/backtest/factor-file'
import type { Compute } from '../../studies/study.ts'

/** A file in a list, without its returns: twenty files may have 80 MB of them. */
export interface ListedFactorFile {
  readonly id: number
  readonly name: string
  readonly frequency: FactorTable['frequency']
  readonly factors: readonly string[]
  readonly from: EpochDay
  readonly to: EpochDay
  readonly rows: number
  readonly createdAt: Date
}

/** The files of one user at a time: another's do not exist. */
export interface FactorFileStore {
  /** Newest first. */
  list(userId: number): Promise<ListedFactorFile[]>
  find(userId: number, id: number): Promise<FactorTable | undefined>
  add(userId: number, name: string, table: FactorTable, at: Date): Promise<ListedFactorFile>
  remove(userId: number, id: number): Promise<boolean>
}

export interface FactorFileDeps {
  readonly factorFiles: FactorFileStore
  readonly compute: Compute
  readonly clock: Clock
}

interface Upload {
  readonly path: string
  readonly name: string
  readonly signal: AbortSignal
}

/** Read on a compute thread; a Problem names the line that is wrong. */
export async function importFactorFile(
  { factorFiles, compute, clock }: FactorFileDeps,
  userId: number,
  { path, name, signal }: Upload,
): Promise<ListedFactorFile> {
  const known = await factorFiles.list(userId)
  if (known.length >= FACTOR_LIMITS.files) {
    throw new Problem(
      'invalid',
      'factors.files',
      `At most ${FACTOR_LIMITS.files} factor files are kept: delete one first.`,
    )
  }
  const table = await compute.run('backtests/read-factor-file', { path }, { owner: String(userId), signal })
  return factorFiles.add(userId, name, table, clock.now())
}

export async function findFactorFile(
  { factorFiles }: Pick<FactorFileDeps, 'factorFiles'>,
  userId: number,
  id: number,
): Promise<FactorTable> {
  return (await factorFiles.find(userId, id)) ?? missing()
}

export async function removeFactorFile({ factorFiles }: FactorFileDeps, userId: number, id: number): Promise<void> {
  if (!(await factorFiles.remove(userId, id))) missing()
}

function missing(): never {
  throw new Problem('missing', 'factors.missing', 'There is no such factor file.')
}
