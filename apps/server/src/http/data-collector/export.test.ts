import { DuckDBInstance } from '@duckdb/node-api'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importCsv } from '../../../test-support/import-prices.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'
import { projectFolder } from '../../config.ts'

/** Doubles that a careless writer rounds. */
const CLOSES = [0.1 + 0.2, 1 / 3, 123456.789012345, 5e-324, 1.7976931348623157e308]
const DAYS = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08']

let server: TestServer
let user: RegisteredUser
let other: RegisteredUser
let folder: string
beforeAll(async () => {
  server = await sharedTestApp()
  user = await register(server)
  other = await register(server)
  folder = await mkdtemp(join(tmpdir(), 'tradewright-export-'))
  const importCloses = async (ticker: string, closes: readonly number[]) => {
    const rows = DAYS.map((day, i) => `${day},${closes[i]}`).join('\n')
    const answer = await importCsv(server, { headers: headersOf(user) }, ticker, `Date,Close\n${rows}\n`)
    expect(answer.statusCode, answer.body).toBe(200)
  }
  // The files of a value that was corrected are still there.
  await importCloses('AAA', CLOSES.with(1, 7))
  await importCloses('AAA', CLOSES)
  await importCloses('BRK-B', CLOSES)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const ask = (query: string, who = user) =>
  server.app.inject({ url: `/api/data-collector/data/export?${query}`, headers: headersOf(who) })

async function downloaded(query: string, name: string): Promise<string> {
  const answer = await ask(query)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  const path = join(folder, name)
  await writeFile(path, answer.rawPayload)
  return path
}

const PYTHON = process.env['DATA_OUT_PYTHON'] ?? 'python3'
const hasPython = (library: string) => spawnSync(PYTHON, ['-c', `import ${library}`]).status === 0

/** The examples of the documentation in a language. */
function documented(language: string): string[] {
  const text = readFileSync(join(projectFolder, 'docs/data-out.md'), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code!)
}

describe('the files of a store, read where they lie', () => {
  /** As the documentation says: the catalogue names the files. */
  const paths = async () => {
    const { rows } = await server.database.pool.query<{ path: string; location: string }>(
      `SELECT path, location FROM store_files JOIN store_catalogues ON store_catalogues.id = catalogue_id
       JOIN data_stores ON data_stores.id = store_id
       WHERE user_id = $1 AND layer = 'gold' AND retired_version IS NULL`,
      [user.id],
    )
    return rows.map(({ path }) => join(server.dataDir, 'stores', `user-${user.id}`, path))
  }
  const VALUES = [...CLOSES, ...CLOSES].toSorted((a, b) => a - b)

  it('are read by DuckDB', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const list = (await paths()).map((path) => `'${path}'`).join(', ')
    const source = `read_parquet([${list}], union_by_name = true, hive_partitioning = false)`
    const read = await connection.runAndReadAll(`SELECT count(*)::INTEGER, max(timestamp)::VARCHAR FROM ${source}`)
    expect(read.getRows()).toEqual([[10, '2024-01-08 00:00:00']])
    const values = await connection.runAndReadAll(`SELECT value FROM ${source} ORDER BY value`)
    expect(values.getRows().flat()).toEqual(VALUES)
  })

  it.for<readonly [string, string]>([
    ['pandas', 'import pandas as pd; frame = pd.concat([pd.read_parquet(path) for path in paths])'],
    [
      'polars',
      'import polars as pl; frame = pl.concat([pl.read_parquet(path, hive_partitioning=False) for path in paths], how="diagonal")',
    ],
    [
      'duckdb',
      `import duckdb; frame = {"value": [row[0] for row in duckdb.sql(f"SELECT value FROM read_parquet({paths}, union_by_name = true, hive_partitioning = false)").fetchall()]}`,
    ],
  ])('are read by %s', async ([library, script], { skip }) => {
    skip(!hasPython(library), `${library} is not installed for ${PYTHON}`)
    const whole = `paths = ${JSON.stringify(await paths())}\n${script}\nprint(*frame["value"])`
    const { stdout, stderr } = spawnSync(PYTHON, ['-c', whole], { encoding: 'utf8' })
    expect(stdout, stderr).not.toBe('')
    expect(
      stdout
        .trim()
        .split(' ')
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual(VALUES)
  })
})

describe('a download of stored records', () => {
  it('is a Parquet file with instants in UTC and the very doubles', async () => {
    const path = await downloaded('format=parquet&tickers=AAA', 'aaa.parquet')
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${path}'`)
    expect(Object.fromEntries(described.getRows().map(([name, type]) => [name, type]))).toMatchObject({
      ticker: 'VARCHAR',
      timestamp: 'TIMESTAMP WITH TIME ZONE',
      value: 'DOUBLE',
      collected_at: 'TIMESTAMP WITH TIME ZONE',
      known_at: 'TIMESTAMP WITH TIME ZONE',
    })
    const read = await connection.runAndReadAll(
      `SELECT ticker, provider, category, epoch_ms(timestamp)::DOUBLE, value FROM '${path}' ORDER BY timestamp`,
    )
    expect(read.getRows()).toEqual(DAYS.map((day, i) => ['AAA', 'csv', 'close', Date.parse(day), CLOSES[i]]))
  })

  it('is a CSV file whose numbers read back to the last bit', async () => {
    const answer = await ask('format=csv&tickers=BRK-B&start_date=2024-01-03')
    expect(answer.headers['content-type']).toContain('text/csv')
    const [head, ...lines] = answer.body.trim().split('\n')
    expect(head).toBe('ticker,granularity,category,provider,type,currency,timestamp,value,collected_at,known_at')
    expect(lines.map((line) => line.split(',')).map((cells) => [cells[6], Number(cells[7])])).toEqual(
      DAYS.slice(1).map((day, i) => [`${day}T00:00:00.000Z`, CLOSES[i + 1]]),
    )
  })

  it.for<readonly [string, string]>([
    ['pandas', 'import pandas as p; d = p.read_parquet(f); print(d.timestamp.dt.tz, d.value.dtype, d.value.tolist())'],
    [
      'polars',
      'import polars as p; d = p.read_parquet(f); print(d["timestamp"].dtype.time_zone, d["value"].dtype, d["value"].to_list())',
    ],
    [
      'pyarrow',
      'import pyarrow.parquet as p; d = p.read_table(f); print(d.schema.field("timestamp").type.tz, d.schema.field("value").type, d["value"].to_pylist())',
    ],
  ])('is read by %s', async ([library, script], { skip }) => {
    skip(!hasPython(library), `${library} is not installed for ${PYTHON}`)
    const path = await downloaded('format=parquet&tickers=AAA', `${library}.parquet`)
    const { stdout } = spawnSync(PYTHON, ['-c', `f = ${JSON.stringify(path)}\n${script}`], { encoding: 'utf8' })
    const [zone, type, ...values] = stdout
      .trim()
      .replaceAll(/[[\],]/g, '')
      .split(' ')
    expect([zone, type!.toLowerCase()]).toEqual(['UTC', expect.stringMatching(/float64|double/)])
    expect(values.map(Number).toSorted((a, b) => a - b)).toEqual(CLOSES.toSorted((a, b) => a - b))
  })

  it.for(['pandas', 'polars'])('is read as the documentation says with %s', async (library, { skip }) => {
    skip(!hasPython(library), `${library} is not installed for ${PYTHON}`)
    const example = documented('python').find((code) => code.includes(`import ${library}`))!
    await downloaded('format=parquet', 'prices.parquet')
    const script = `${example}\nprint(closes.shape[0], "AAA" in closes.columns, "BRK-B" in closes.columns)`
    const { stdout, stderr } = spawnSync(PYTHON, ['-c', script], { encoding: 'utf8', cwd: folder })
    expect(stdout, stderr).toBe(`${DAYS.length} True True\n`)
  })

  it('is read as the documentation says with DuckDB', async () => {
    const path = await downloaded('format=parquet', 'prices.parquet')
    const [closes, bars] = documented('sql')
      .find((code) => code.includes('PIVOT'))!
      .replaceAll('prices.parquet', path)
      .replaceAll("'SPY'", "'AAA'")
      .split(/(?<=;)\n/)
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    expect((await connection.runAndReadAll(closes!)).getRows().map(([, close]) => close)).toEqual(CLOSES)
    expect((await connection.runAndReadAll(bars!)).columnNames()).toEqual(['ticker', 'timestamp', 'close'])
  })

  it('leaves no file on the server', async () => {
    await ask('format=csv')
    const left = await readdir(join(server.dataDir, 'exports'))
    expect(left).toEqual([])
  })

  it('refuses what it cannot do in a sentence', async () => {
    const cases = [
      ['format=xlsx', 400, 'format must be one of parquet, csv.'],
      ['tickers=NOSUCH', 404, 'There is no data for this selection.'],
      ['start_date=2024-02-01&end_date=2024-01-01', 400, 'The end date is before the start date.'],
      ['as_of=yesterday', 400, 'as_of must be a moment in UTC'],
      ['store_id=999999', 404, 'There is no such data store.'],
    ] as const
    for (const [query, status, sentence] of cases) {
      const answer = await ask(query)
      expect([query, answer.statusCode]).toEqual([query, status])
      expect(answer.json<{ error: string }>().error).toContain(sentence)
    }
  })

  it('has nothing of another user', async () => {
    expect((await ask('format=csv', other)).statusCode).toBe(404)
  })
})
