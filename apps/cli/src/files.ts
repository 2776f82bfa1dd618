import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { Failure, usage } from './failure.ts'

function readBytes(file: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(file)
  } catch (error) {
    throw usage(`${file} cannot be read: ${reasonOf(error)}.`)
  }
}

export function readJson(file: string): unknown {
  try {
    return JSON.parse(readBytes(file).toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw usage(`${file} is not JSON: ${error.message}.`)
    throw error
  }
}

export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw usage(`${file} cannot be written: ${reasonOf(error)}.`)
  }
}

/** Writes to a file beside it first: an interrupted download leaves no half of one under its name. */
export async function writeChunks(file: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  const unfinished = `${file}.part`
  let bytes = 0
  try {
    const target = openSync(unfinished, 'w')
    try {
      for await (const chunk of chunks) bytes += writeSync(target, chunk)
    } finally {
      closeSync(target)
    }
    renameSync(unfinished, file)
    return bytes
  } catch (error) {
    rmSync(unfinished, { force: true })
    if ((error as NodeJS.ErrnoException).code === undefined || error instanceof Failure) throw error
    throw usage(`${file} cannot be written: ${reasonOf(error)}.`)
  }
}

export function uploadOf(file: string, fields: Record<string, string | undefined> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value)
  form.append('file', new Blob([readBytes(file)]), basename(file))
  return form
}

export type Cell = string | number | null | undefined

/** RFC 4180, with the line ends of this machine's tools. Numbers are written so that they read back to the last bit. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\n`).join('')

function cellOf(cell: Cell): string {
  const text = String(cell ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  const known: Record<string, string> = {
    ENOENT: 'there is no such file or folder',
    EACCES: 'access is denied',
    EISDIR: 'it is a folder',
  }
  return known[code ?? ''] ?? code ?? String(error)
}
