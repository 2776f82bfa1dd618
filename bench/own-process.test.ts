import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { BenchRow } from './bench.ts'
import { runInOwnProcess } from './own-process.ts'

/** A file whose benchmark does this. */
function benchFile(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tradewright-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'some.bench.mjs')
  writeFileSync(file, `export default { name: 'some', async run(report) { ${body} } }`)
  return file
}

it('reports every row that was measured, also before a failure', async () => {
  const rows: BenchRow[] = []
  const measured = `report({ bench: 'some/first' }); report({ bench: 'some/second' });`
  await runInOwnProcess(benchFile(measured), (row) => rows.push(row))
  expect(rows.map(({ bench }) => bench)).toEqual(['some/first', 'some/second'])
  const failing = runInOwnProcess(benchFile(`${measured} throw new Error('no peer')`), (row) => rows.push(row))
  await expect(failing).rejects.toThrow('no peer')
  expect(rows).toHaveLength(4)
})

it('fails with the process of its benchmark', async () => {
  await expect(runInOwnProcess(benchFile('process.exit(3)'), () => {})).rejects.toThrow('its process ended with 3')
})
