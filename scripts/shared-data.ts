import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Real prices and published results for tests, which live outside the project and are never committed to it:
 * `../shared/data`, or the folder that TRADEWRIGHT_DATA names, and the folders beside it.
 */
const dataFolder = process.env['TRADEWRIGHT_DATA'] ?? '../shared/data'

const sharedPath = (path: string) =>
  path.startsWith('data/') ? join(dataFolder, path.slice('data/'.length)) : join(dataFolder, '..', path)

/** For `it.skipIf(!hasShared(path))(claim(…, path))`: the skipped test says what it missed. */
export const hasShared = (path: string): boolean => existsSync(sharedPath(path))

export const claim = (text: string, path: string): string =>
  hasShared(path) ? text : `${text} (skipped: ${resolve(sharedPath(path))} is absent)`

/** Names of the files of a folder, some of them: `npm run campaign` takes every one. */
export function someFiles(folder: string): string[] {
  const step = process.env['EVERY_FILE'] === undefined ? 8 : 1
  return readdirSync(sharedPath(folder)).filter((_, i) => i % step === 0)
}

export const readShared = (path: string): string => readFileSync(sharedPath(path), 'utf8')

/** A CSV without quoted cells, as columns of text by header. */
export function csvColumns(text: string): Record<string, string[]> {
  const [header = '', ...lines] = text.trim().split(/\r?\n/)
  const rows = lines.map((line) => line.split(','))
  return Object.fromEntries(header.split(',').map((name, i) => [name, rows.map((row) => row[i] ?? '')]))
}

export const readSharedCsv = (path: string): Record<string, string[]> => csvColumns(readShared(path))

/** Numbers of a CSV column; an empty cell is NaN. */
export const numbers = (column: readonly string[] | undefined): Float64Array =>
  Float64Array.from(column ?? [], (text) => (text === '' ? Number.NaN : Number(text)))

/** A reference file of known shape, which the caller names: it is not checked. */
// eslint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- said above
export const readSharedJson = <Shape>(path: string): Shape => JSON.parse(readShared(path)) as Shape

/**
 * The cases of a reference file, for `it.each` in a skipped `describe`: without the file there is one case without
 * content, since a table without cases would vanish instead of being counted and named as skipped.
 */
export const sharedCases = <Case extends { id: string }>(
  path: string,
  isWanted: (one: Case) => boolean = () => true,
): Case[] =>
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- never run
  hasShared(path) ? readSharedJson<{ cases: Case[] }>(path).cases.filter(isWanted) : [{ id: 'every case' } as Case]
