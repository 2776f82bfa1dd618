import { Passport, PASSPORT_VERSION, PassportVerdict } from '@tradewright/contract/passports'
import { BacktestAnswer } from '@tradewright/contract/backtests'
import { BacktestForm } from '@tradewright/contract/backtest-form'
import { modelLabels } from '@tradewright/core/model-catalogue'
import { Problem } from '@tradewright/core/problem'
import { Random } from '@tradewright/core/random'
import { allocationRequest } from '@tradewright/engine/backtest/test-support/requests'
import { DuckDBInstance } from '@duckdb/node-api'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { MULTIPART, multipartBody } from '../../../test-support/fuzz/wire.ts'
import { dataFor, fileOf, FROM, verdictOn, wrongPassports } from '../../../test-support/passports.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'
import { packRows } from '../../backtests/passport/packed-rows.ts'
import { writeParquetTable } from '../../backtests/passport/parquet-table.ts'
import { sealOf } from '../../backtests/passport/seal.ts'
import { modelChoice } from '../strategies/strategy-forms.ts'
import type { toWire } from './passport.ts'

const SAME = { changed: [], data: [], figures: [] }

describe('a passport', () => {
  it('of random strategies is verified to the last bit, with rows and without', async () => {
    expect(await wrongPassports(11)).toEqual([])
  })

  it('names the series, the date and both values where one bit of the own data is another', async () => {
    const request = allocationRequest({ SPY: 60, TLT: 40 }, { from: FROM, to: FROM + 300 })
    const file = await fileOf(request, undefined, dataFor(request), true)
    const ours = dataFor(request)
    const { columns, timestamps } = ours.series.get('TLT')!
    const row = timestamps.length - 100
    const before = columns['close']![row]!
    flipLastBit(columns['close']!, row)
    const day = new Date(timestamps[row]!).toISOString().slice(0, 10)
    const { data, figures, changed } = await verdictOn(file, ours)
    expect(data).toEqual([`TLT close on ${day}: ${before} in the passport, ${columns['close']![row]} here.`])
    // It was run on its own rows.
    expect({ figures, changed }).toEqual({ figures: [], changed: [] })

    const bare = await fileOf(request, undefined, dataFor(request), false)
    const verdict = await verdictOn(bare, ours)
    expect(verdict.data[0]).toMatch(/^TLT: [\d,]+ rows in both, with other values\./)
    expect(verdict.figures.length).toBeGreaterThan(0)
  })

  it('names what was changed in the file: a row, a figure, an account value or the seed', async () => {
    const request = allocationRequest({ SPY: 60, TLT: 40 }, { from: FROM, to: FROM + 300 })
    const data = dataFor(request)
    const file = await fileOf(request, undefined, data, false)
    const changed = (change: (wire: ReturnType<typeof toWire>) => void) => {
      const wire = JSON.parse(file) as ReturnType<typeof toWire>
      change(wire)
      return verdictOn(JSON.stringify(wire), data)
    }
    expect(await changed(() => {})).toMatchObject(SAME)

    const figure = await changed(({ result }) => (result.figures['actualStart'] = 1))
    expect(figure.changed).toEqual([
      'The figures were changed after the passport was made: they do not match its digest.',
    ])
    expect(figure.figures[0]).toMatch(/^actualStart: 1 in the passport, \d+ in the new run\.$/)

    const account = await changed(({ account: curve }) => (curve!.values[7] = 1))
    expect(account.figures[0]).toMatch(/^Account value on 2019-01-\d\d: 1 in the passport, /)

    const later = await changed(({ account: curve }) => (curve!.days = curve!.days.map((day) => day + 3652)))
    expect(later.changed).toEqual(['account.days was changed after the passport was made.'])
    expect(later.figures[0]).toBe('Day 1 of the account: 2029-01-01 in the passport, 2019-01-02 in the new run.')

    const other = await changed(({ request: asked }) => (asked.startValue = 12_345))
    expect(other.changed).toEqual(['request.startValue was changed after the passport was made.'])
    expect(other.figures.length).toBeGreaterThan(0)

    const rows = dataFor(request)
    flipLastBit(rows.series.get('SPY')!.columns['close']!, 5)
    const forged = JSON.parse(await fileOf(request, undefined, data, true)) as ReturnType<typeof toWire>
    const { parquet, hasKnownAt: has_known_at, actions } = packRows(rows).get('SPY')!
    forged.series.find(({ ticker }) => ticker === 'SPY')!.data = { parquet, has_known_at, actions } as never
    const verdict = await verdictOn(JSON.stringify(forged), data)
    expect(verdict.changed[0]).toMatch(
      /^The rows of SPY were changed after the passport was made\. SPY close on \S+: \S+ in the passport, \S+ it was made from\.$/,
    )
  })
})

describe('a passport that was sealed again after a change', () => {
  const request = allocationRequest({ SPY: 60, TLT: 40 }, { from: FROM, to: FROM + 300 })
  const forged = async (change: (wire: ReturnType<typeof toWire>) => void) => {
    const wire = JSON.parse(await fileOf(request, undefined, dataFor(request), true)) as ReturnType<typeof toWire>
    change(wire)
    return JSON.stringify({ ...wire, seal: sealOf(wire) })
  }

  it('does not get away with rows of the sample market that it calls real', async () => {
    const file = await forged(({ series }) => series.forEach((one) => (one.synthetic = false)))
    const { changed } = await verdictOn(file, undefined)
    expect(changed).toContain('The passport calls SPY real data, but the rows are those of the sample market.')
  })

  it('does not get away with other days of the account', async () => {
    const file = await forged(({ account }) => (account!.days = account!.days.map((day) => day + 3652)))
    expect((await verdictOn(file, undefined)).figures[0]).toMatch(/^Day 1 of the account: 2029-01-01 in the passport/)
  })

  it('is refused with a field that no passport has', async () => {
    const file = await forged((wire) => Object.assign(wire.request, { taxPct: 25 }))
    const refusal: unknown = await verdictOn(file, undefined).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      message: expect.stringMatching(/request\.taxPct, which no passport has\.$/) as string,
    })
  })
})

it.each(modelLabels)('a passport holds the largest %s that a form can ask for', (mlModelType) => {
  const most = {
    n_estimators: '5000',
    max_features: 'all',
    min_samples_leaf: '1000000000',
    min_samples_split: '1000000000',
  }
  const model = modelChoice(BacktestForm.parse({ mlModelType, ...most }))
  expect(model).toMatchObject(Passport.shape.model.parse(model)!)
})

type Columns = Record<string, Float64Array>
interface Rows {
  timestamps: Float64Array
  columns: Columns
}

const dataOf = ({ timestamps, columns }: Rows) => ({
  parquet: writeParquetTable({ timestamps, columns: Object.entries(columns) }).toString('base64'),
  has_known_at: false,
})

describe('rows of a passport', () => {
  const request = allocationRequest({ SPY: 60, TLT: 40 }, { from: FROM, to: FROM + 300 })

  it('are Parquet files that other programs read, to the last bit', async () => {
    const { timestamps, columns } = dataFor(request).series.get('SPY')!
    const odd = Float64Array.from(timestamps, (_, row) => [-0, 5e-324, 0.1 + 0.2, Infinity, Number.NaN][row % 5]!)
    const folder = await mkdtemp(join(tmpdir(), 'tradewright-passport-'))
    try {
      const file = writeParquetTable({ timestamps, columns: [...Object.entries(columns), ['odd', odd]] })
      await writeFile(join(folder, 'rows.parquet'), file)
      const connection = await (await DuckDBInstance.create(':memory:')).connect()
      const source = `'${join(folder, 'rows.parquet')}'`
      const types = await connection.runAndReadAll(`DESCRIBE SELECT timestamp, close, odd FROM ${source}`)
      expect(types.getRows().map(([, type]) => type)).toEqual(['TIMESTAMP WITH TIME ZONE', 'DOUBLE', 'DOUBLE'])
      const read = await connection.runAndReadAll(`SELECT epoch_ms(timestamp)::DOUBLE, close, odd FROM ${source}`)
      const rows = read.getRows() as number[][]
      const column = (index: number) => rows.map((row) => row[index]!)
      expect(column(0)).toEqual([...timestamps])
      expect(column(1)).toEqual([...columns['close']!])
      expect(column(2).every((value, row) => Object.is(value, odd[row]))).toBe(true)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('with any bit flipped are found out', async () => {
    const data = dataFor(request)
    const wire = JSON.parse(await fileOf(request, undefined, data, true)) as ReturnType<typeof toWire>
    const spy = wire.series.find(({ ticker }) => ticker === 'SPY')!
    const { parquet } = spy.data as { parquet: string }
    const random = new Random(7)
    for (let flip = 0; flip < 15; flip++) {
      const bytes = Buffer.from(parquet, 'base64')
      const at = Math.floor(random.float() * bytes.length)
      bytes[at]! ^= 1 << Math.floor(random.float() * 8)
      Object.assign(spy.data!, { parquet: bytes.toString('base64') })
      const outcome = await verdictOn(JSON.stringify(wire), undefined).catch((error: unknown) => error)
      if (outcome instanceof Problem) expect(outcome.message).toMatch(/SPY/)
      // Some bits of the metadata mean nothing to a reader: then the rows are the same.
      else
        expect(outcome).toSatisfy(
          (verdict: PassportVerdictOf) => isUnharmed(verdict) || verdict.changed[0]!.includes('SPY'),
        )
    }
  })
})

type PassportVerdictOf = Awaited<ReturnType<typeof verdictOn>>
const isUnharmed = ({ changed, figures }: PassportVerdictOf): boolean => changed.length + figures.length === 0

describe('rows of a passport that no store would have let in', () => {
  it.each<[string, (rows: Rows) => Partial<Rows>, RegExp]>([
    [
      'times before all dates',
      ({ timestamps }) => ({ timestamps: timestamps.map((_, row) => row - 9e15) }),
      /rows of SPY .* damaged/,
    ],
    ['no prices', () => ({ columns: {} }), /^Impossible data from the passport for SPY, row 0: is not a number/],
    ['no close', (rows) => ({ columns: { volume: filled(rows, 1) } }), /^The data of SPY has no close/],
    ['an infinite price', (rows) => ({ columns: { close: filled(rows, Infinity) } }), /close Infinity is not a/],
    ['a negative price', (rows) => ({ columns: { close: filled(rows, -5) } }), /close -5 is zero or negative/],
    ['fewer rows', (rows) => ({ timestamps: rows.timestamps.slice(1) }), /rows of SPY .* damaged/],
  ])('are refused: %s', async (_, change, sentence) => {
    const request = allocationRequest({ SPY: 60, TLT: 40 }, { from: FROM, to: FROM + 300 })
    const data = dataFor(request)
    const wire = JSON.parse(await fileOf(request, undefined, data, true)) as ReturnType<typeof toWire>
    const spy = wire.series.find(({ ticker }) => ticker === 'SPY')!
    const rows = data.series.get('SPY')!
    Object.assign(spy, { data: dataOf({ ...rows, ...change(rows) }) })
    const file = JSON.stringify({ ...wire, seal: sealOf(wire) })
    const refusal: unknown = await verdictOn(file, undefined).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Problem)
    expect((refusal as Problem).message).toMatch(sentence)
  })
})

const filled = ({ timestamps }: Rows, value: number): Float64Array => new Float64Array(timestamps.length).fill(value)

/** The smallest change that a number can have. */
function flipLastBit(column: Float64Array, row: number): void {
  const words = new Uint32Array(column.buffer, column.byteOffset + row * 8, 2)
  words[0]! ^= 1
}

describe('the server', () => {
  let server: TestServer
  let user: RegisteredUser
  beforeAll(async () => {
    server = await sharedTestApp()
    user = await register(server)
  })

  const download = (id: number, query = '', owner = user) =>
    server.app.inject({ url: `/api/backtests/${id}/passport${query}`, headers: headersOf(owner) })
  const upload = (file: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/passports/verify',
      headers: { ...headersOf(user), 'content-type': MULTIPART },
      payload: multipartBody({ file }),
    })

  it('gives the passport of a result, without anything about its owner, and verifies it', async () => {
    const form = { ...allocationForm, startDate: '2022-01-03', strategyName: 'My secret plan' }
    const { result_id: id } = BacktestAnswer.parse((await postBacktest(server, user, form)).json())
    const bare = await download(id)
    expect(bare.statusCode, bare.body).toBe(200)
    expect(bare.headers['content-disposition']).toBe(`attachment; filename="passport-${id}.json"`)
    const withRows = await download(id, '?rows=true')
    for (const { body } of [bare, withRows]) {
      for (const own of [user.username, 'My secret plan', server.dataDir, user.token]) expect(body).not.toContain(own)
      expect(PassportVerdict.parse((await upload(body)).json())).toMatchObject({
        identical: true,
        verdict: 'Identical to the last bit',
        differences: [],
        data_differences: [],
      })
    }
    expect((await download(id, '', await register(server))).statusCode).toBe(404)
  })

  it.each([
    ['not a file of ours', 'This file is not a passport'],
    ['{"format":"tradewright-passport","version":1,"se', 'This passport is incomplete or damaged'],
    ['{"some":"json"}', 'This file is not a passport: it was not written by Tradewright.'],
    [
      `{"format":"tradewright-passport","version":${PASSPORT_VERSION + 1}}`,
      'This passport has version 4, and this program reads version 3. Update Tradewright to verify it.',
    ],
    [`{"format":"tradewright-passport","version":${PASSPORT_VERSION}}`, 'This passport is damaged: '],
  ])('says what is wrong with %s', async (file, sentence) => {
    const answer = await upload(file)
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ error: string }>().error).toContain(sentence)
  })
  it.each([
    ['nests a list ten thousand times', `"x":${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'nests them too deeply'],
    [
      'has a million values',
      `"x":"\\\\\\"[[","y":[${'1,'.repeat(1_000_000)}1]`,
      'more values than a passport can have',
    ],
  ])('refuses a file that %s before it reads it', async (_, fields, sentence) => {
    const answer = await upload(`{"format":"tradewright-passport","version":1,${fields}}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ error: string }>().error).toContain(sentence)
  })
})
