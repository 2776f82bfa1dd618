import { Problem } from '@tradewright/core/problem'
import { dateOf, dayStamp, epochDayOf, formatDate } from '@tradewright/core/time'
import { ingest } from '@tradewright/engine/market/layers/ingest'
import { memorySeriesStore } from '@tradewright/engine/market/memory-store/memory-series-store'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, numbers, readShared, readSharedCsv, someFiles } from '../../../../../scripts/shared-data.ts'
import { type CsvFile, importCsv } from './csv-import.ts'

const limits = { rows: 1_000_000, columns: 100, values: 5_000_000, cellCharacters: 10_000 }
const inOnePiece = (text: string) => () => [Buffer.from(text)]

const upload = (text: string, more: Partial<CsvFile> = {}) =>
  importCsv({ bytes: inOnePiece(text), ticker: 'SPY', granularity: '1d', collectedAt: 0, limits, ...more })

const read = async (text: string) =>
  new Date((await upload(text, { granularity: '1h' })).silver.timestamps[0]!).toISOString()

/** -1 when all doubles are the same, bit by bit. */
const firstDifference = (a: Float64Array | undefined, b: Float64Array): number =>
  a?.length === b.length ? b.findIndex((value, i) => !Object.is(a[i], value)) : Number.NaN

const dates = (stamps: Float64Array) => [...stamps].map((stamp) => formatDate(epochDayOf(stamp)))

async function problemOf(action: () => Promise<unknown>): Promise<string> {
  try {
    await action()
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
  throw new Error('it was accepted')
}

describe('importing a CSV file', () => {
  it('finds the columns by their header', async () => {
    const { silver, notes } = await upload(
      'Date,Open,High,Low,Close,Adj Close,Volume,Sector\n2024-01-02,10,12,9,11,10.5,1000,Tech\n',
    )
    expect(Object.fromEntries(Object.entries(silver.columns).map(([name, column]) => [name, column[0]]))).toEqual({
      open: 10,
      high: 12,
      low: 9,
      close: 11,
      adj_close: 10.5,
      volume: 1000,
    })
    expect(notes).toEqual(['These columns were left out: Sector.'])
    expect(silver).toMatchObject({ provider: 'csv', ticker: 'SPY', type: 'security' })
  })

  it('leaves out headers that every object has', async () => {
    const { silver, notes } = await upload('date,close,constructor,__proto__\n2024-01-02,10,1,2\n')
    expect(silver.columns).toEqual({ close: Float64Array.of(10) })
    expect(notes).toEqual(['These columns were left out: constructor, __proto__.'])
  })

  describe('in another currency or of another exchange', () => {
    const currencyOf = async (text: string, more: Partial<CsvFile> = {}) => {
      const { silver, notes } = await upload(text, { ticker: 'MYFUND', ...more })
      return [silver.currency, notes.join(' ')] as const
    }

    it('takes the currency of a column, a header or the form, and says that nothing is converted', async () => {
      const told = 'The series is in EUR and is not converted'
      expect(await currencyOf('date,close,currency\n2024-01-02,10,eur\n')).toEqual([
        'EUR',
        expect.stringContaining(told),
      ])
      expect(await currencyOf('date,Close (EUR)\n2024-01-02,10\n')).toEqual(['EUR', expect.stringContaining(told)])
      expect((await currencyOf('date,close\n2024-01-02,10\n', { currency: 'EUR' }))[0]).toBe('EUR')
      expect((await currencyOf('date,close,ccy\n2024-01-02,10,GBp\n'))[0]).toBe('GBX')
      expect(await currencyOf('date,close,currency\n2024-01-02,10,USD\n')).toEqual(['USD', ''])
    })

    it('refuses a file that names two', async () => {
      const two = 'date,close,currency\n2024-01-02,10,EUR\n2024-01-03,10,USD\n'
      expect(await problemOf(() => upload(two))).toContain('the currency is USD, and EUR in rows before it')
      const one = 'date,close,currency\n2024-01-02,10,EUR\n'
      expect(await problemOf(() => upload(one, { currency: 'USD' }))).toBe('The file is in EUR, and USD was chosen.')
    })

    it('refuses an exchange outside the United States, unless its column is left out', async () => {
      const file = (place: string) => `date,close,exchange\n2024-01-02,10,${place}\n`
      expect(await problemOf(() => upload(file('XETR')))).toContain('The file names the exchange XETR')
      expect((await upload(file('XETR'), { columns: { exchange: '' } })).notes).toEqual([])
      expect((await upload(file('NasdaqGS'))).silver.columns['close']).toEqual(Float64Array.of(10))
    })
  })

  describe('of values that are no prices', () => {
    const known = async (text: string, more: Partial<CsvFile> = {}) => {
      const { silver, notes } = await upload(text, { ticker: 'NAPM', ...more })
      return { knownAt: [...silver.knownAt!].map((instant) => new Date(instant).toISOString().slice(0, 16)), notes }
    }

    it('uses each from its known_at on, a date alone from its end on', async () => {
      const { knownAt } = await known(
        'date,value,release date\n2024-02-01,49,2024-03-01\n2024-01-01,50,2024-02-01T15:00:00Z\n',
      )
      expect(knownAt).toEqual(['2024-02-01T15:00', '2024-03-02T00:00'])
    })

    it('uses each so many days after its date', async () => {
      const { knownAt, notes } = await known('date,value\n2024-01-01,50\n2024-02-01,49\n', { knownAfterDays: 33 })
      expect(knownAt).toEqual(['2024-02-03T00:00', '2024-03-05T00:00'])
      expect(notes).toEqual(['Each value is used from 33 days after its date on.'])
    })

    it.each([
      [
        'monthly, stamped at the beginning',
        ['2024-10-01', '2024-11-01', '2024-12-01'],
        ['2024-12-01', '2025-01-01', '2025-02-01'],
      ],
      ['monthly, stamped at the end', ['2023-12-31', '2024-01-31'], ['2024-02-01', '2024-03-01']],
      ['weekly', ['2024-01-05', '2024-01-12', '2024-01-19'], ['2024-01-15', '2024-01-22', '2024-01-29']],
      ['daily, over a weekend', ['2024-01-04', '2024-01-05', '2024-01-08'], ['2024-01-06', '2024-01-09', '2024-01-10']],
      ['quarterly', ['2024-01-01', '2024-04-01', '2024-07-01'], ['2024-07-01', '2024-10-01', '2025-01-01']],
      ['yearly', ['2022-12-31', '2023-12-31'], ['2024-01-01', '2025-01-01']],
    ])('uses each from the end of the next period on where nothing is said: %s', async (_, days, instants) => {
      const { knownAt, notes } = await known(`date,value\n${days.map((day) => `${day},1`).join('\n')}\n`)
      expect(knownAt).toEqual(instants.map((day) => `${day}T00:00`))
      expect(notes[0]).toContain('When the values were published is not said')
    })

    it('does so under the name of a FRED series, too, and leaves rates of an exchange as they are', async () => {
      expect((await known('date,value\n2024-01-01,1\n2024-02-01,2\n', { ticker: 'PAYEMS' })).knownAt[0]).toBe(
        '2024-03-01T00:00',
      )
      expect((await upload('date,value\n2024-01-01,1\n', { ticker: 'BTC-FR' })).silver.knownAt).toBeUndefined()
    })

    it.each([
      ['date,NAPM\n2024-01-01,50\n', {}, 'What is the column "NAPM"? Name it close where it is a price'],
      ['2024-01-01,50\n2024-02-01,51\n', {}, 'The file has no header that says what its numbers are.'],
      ['date,close,value\n2024-01-01,50,1\n', {}, 'Import the prices alone, and the values as a series of their own'],
      ['date,close,known_at\n2024-01-01,50,2024-01-02\n', {}, 'Import the prices alone'],
      ['date,close\n2024-01-01,50\n', { knownAfterDays: 3 }, 'Prices are known at their close'],
      ['date,value,known_at\n2024-01-01,50,\n', {}, 'line 2: known_at is missing'],
      ['date,value,known_at\n2024-01-01,50,soon\n', {}, 'line 2: known_at is "soon", which is not a date'],
    ])('asks or refuses: %j', async (text, more, sentence) => {
      expect(await problemOf(() => upload(text, { ticker: 'NAPM', ...more }))).toContain(sentence)
    })
  })

  it('takes the columns that the user names', async () => {
    const { silver } = await upload('when,settle\n2024-01-02,10\n', { columns: { when: 'date', settle: 'close' } })
    expect(silver.columns).toEqual({ close: Float64Array.of(10) })
    expect(await problemOf(() => upload('date,close\n2024-01-02,1\n', { columns: { settle: 'close' } }))).toContain(
      '"settle"',
    )
  })

  it('takes the one column of a FRED file, whatever its name', async () => {
    const { silver } = await upload('observation_date,CPIAUCSL\n2025-09-01,324.368\n2025-10-01,\n', {
      ticker: 'CPIAUCSL',
    })
    expect(silver.columns).toEqual({ value: Float64Array.of(324.368) })
  })

  it('understands a file without a header', async () => {
    expect(
      Object.keys((await upload('2024-01-02,10,12,9,11,1000\n2024-01-03,10,12,9,11,1000')).silver.columns),
    ).toEqual(['open', 'high', 'low', 'close', 'volume'])
  })

  it.each([
    ['2024-02-29', '2024-03-31'],
    ['20240229', '20240331'],
    ['2024/2/29', '2024/3/31'],
    ['02/29/2024', '03/31/2024'],
    ['29/02/2024', '31/03/2024'],
    ['29.2.2024', '31.3.2024'],
    ['29-Feb-2024', '31-Mar-2024'],
    ['"Feb 29, 2024"', '"March 31, 2024"'],
    ['2024-02-29T00:00:00Z', '2024-03-31 00:00:00'],
    ['1709164800', '1711843200'],
    ['1709164800000', '1711843200000'],
  ])('reads %s as a date', async (first, second) => {
    expect(dates((await upload(`date,close\n${first},1\n${second},2\n`)).silver.timestamps)).toEqual([
      '2024-02-29',
      '2024-03-31',
    ])
  })

  it('asks instead of guessing when days and months cannot be told apart', async () => {
    expect(await problemOf(() => upload('date,close\n03/04/2024,1\n05/06/2024,2\n'))).toContain(
      '03/04/2024 can be read in two ways',
    )
  })

  it('reads instants with a zone, without one as UTC, and in two columns', async () => {
    expect(await read('time,close\n2024-03-05T09:30:00-05:00,1\n')).toBe('2024-03-05T14:30:00.000Z')
    expect(await read('time,close\n2024-03-05 14:30,1\n')).toBe('2024-03-05T14:30:00.000Z')
    expect(await read('date,time,close\n2024-03-05,14:30,1\n')).toBe('2024-03-05T14:30:00.000Z')
    expect(await problemOf(() => read('date,close\n2024-03-05,1\n'))).toContain('has no time of day')
  })

  it.each([
    ['date;close\n02.01.2024;1234,5\n', 1234.5],
    ['date,close\n2024-01-02,"1,234.5"\n', 1234.5],
    ['date\tclose\n2024-01-02\t$1234.5\n', 1234.5],
    ['\uFEFFdate,close\r\n2024-01-02,1.2345e3\r\n', 1234.5],
  ])('reads the numbers of other countries and spreadsheets: %j', async (text, value) => {
    expect((await upload(text)).silver.columns['close']).toEqual(Float64Array.of(value))
  })

  it('turns a file around that begins with the newest row', async () => {
    const { silver } = await upload('date,close\n2024-01-03,2\n2024-01-02,1\n')
    expect(silver.columns['close']).toEqual(Float64Array.of(1, 2))
  })

  it('takes a row without its main value as a gap', async () => {
    expect(dates((await upload('date,close\n2024-01-02,1\n2024-01-03,\n2024-01-04,3\n')).silver.timestamps)).toEqual([
      '2024-01-02',
      '2024-01-04',
    ])
  })

  it.each([
    ['date,close\n2024-01-02,1\n2024-01-03,abc\n', 'line 3: close is "abc", which is not a number'],
    ['date,close\n2024-01-02,1\n2024-02-30,1\n', 'line 3: "2024-02-30" is not a date'],
    ['date,close\n0001-01-01T00:00+23:59,1\n', 'line 2: "0001-01-01T00:00+23:59" is not a date'],
    ['date,close\n2024-01-02,1\n2100-01-01,1\n', 'line 3: "2100-01-01" is not a date'],
    ['date,close\n2024-01-02,1\n\n2024-01-03,-4\n', 'line 4: close -4 is zero or negative'],
    ['date,close\n2024-01-05,1\n2024-01-04,-4\n2024-01-03,1\n2024-01-02,1\n', 'line 3: close -4 is zero or negative'],
    ['date,close\n2024-01-02,1\n2024-01-02,1\n', 'line 3: the date is there twice'],
    [
      'date,close\n2024-01-02,1\n2024-01-05,1\n2024-01-03,1\n2024-01-08,1\n',
      'line 4: the date is earlier than that of the row before',
    ],
    ['date,high,low,close\n2024-01-02,1,2,1.5\n', 'line 2: high 1 is below the low of its row'],
  ])('names the line of a row that cannot be taken: %j', async (text, sentence) => {
    expect(await problemOf(() => upload(text))).toBe(`Nothing was imported. In ${sentence}.`)
  })

  it.each(['a\0b', 'Close', 'x y', "close'"])('refuses %j as the name of a category', async (name) => {
    expect(await problemOf(() => upload('when,x\n2024-01-02,1\n', { columns: { when: 'date', x: name } }))).toContain(
      'is not the name of a category',
    )
  })

  it('counts the faults it does not list', async () => {
    const rows = Array.from({ length: 8 }, (_, i) => `2024-01-0${i + 1},x`).join('\n')
    expect(await problemOf(() => upload(`date,close\n${rows}\n`))).toContain('; and 3 more.')
  })

  it.each([
    ['', 'The file has no rows of data.'],
    ['date,close\n', 'The file has no rows of data.'],
    ['open,close\n1,2\n', 'The file has no column of dates. It has open, close.'],
    ['<html>\n<body>hello</body>\n', 'The file has no column of dates. It has <html>.'],
  ])('refuses a file that is no table of data: %j', async (text, message) => {
    expect(await problemOf(() => upload(text))).toBe(message)
  })

  it('keeps the splits of raw prices and leaves out those that the prices hold already', async () => {
    const rawPrices = 'date,close,split\n2024-01-02,400,0\n2024-01-03,101,4\n'
    expect((await upload(rawPrices)).actions.splits).toEqual([{ exDay: dateOf('2024-01-03'), ratio: 4 }])
    const adjusted = await upload('date,close,split,dividend\n2024-01-02,100,0,0\n2024-01-03,101,4,0.5\n')
    expect(adjusted.actions).toEqual({ splits: [], dividends: [{ exDay: dateOf('2024-01-03'), amount: 0.5 }] })
    expect(adjusted.notes[0]).toContain('adjusted for splits already')
  })
})

describe('importing real files', () => {
  const folder = 'data/equities/daily'
  it.skipIf(!hasShared(folder))(
    claim('gives back every double of the daily files through all layers', folder),
    async () => {
      const files = someFiles(folder)
      expect(files.length).toBeGreaterThan(2)
      for (const file of files) {
        const ticker = file.replace('.csv', '')
        const { bronze, silver, actions } = await upload(readShared(`${folder}/${file}`), { ticker })
        const store = memorySeriesStore()
        await ingest(store, [{ outcome: 'delivered', ticker, bronze, silver, actions, refused: [] }], {
          isSynthetic: () => false,
        })
        const range = { from: 0, to: dayStamp(dateOf('2100-01-01')) }
        const [table] = await store.read({ layer: 'gold', tickers: [ticker], granularity: '1d', range, categories: [] })
        const csv = readSharedCsv(`${folder}/${file}`)
        for (const name of ['open', 'high', 'low', 'close', 'volume', 'adj_close']) {
          expect(firstDifference(table?.columns[name], numbers(csv[name])), `${ticker} ${name}`).toBe(-1)
        }
        expect(
          firstDifference(
            table?.timestamps,
            Float64Array.from(csv['date']!, (date) => dayStamp(dateOf(date))),
          ),
        ).toBe(-1)
      }
    },
    120_000,
  )
})
