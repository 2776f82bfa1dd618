import { describe, expect, it } from 'vitest'
import { type CsvFile, importCsv } from './csv-import.ts'

const limits = { rows: 1_000_000, columns: 100, values: 5_000_000, cellCharacters: 10_000 }

const upload = (text: string, more: Partial<CsvFile> = {}) =>
  importCsv({ bytes: () => [Buffer.from(text)], ticker: 'SPY', granularity: '1d', collectedAt: 0, limits, ...more })

const refusal = (text: string, more: Partial<CsvFile> = {}): Promise<string> =>
  upload(text, more).then(
    () => 'it was accepted',
    (error: Error) => error.message,
  )

describe('quotes', () => {
  it.each([
    ['"10"5 is not 105', 'date,close\n2024-01-02,"10"5\n', 'line 2: there is text after a closing quote'],
    ['nor with a blank between', 'date,close\n2024-01-02,"10" 5\n', 'line 2: there is text after a closing quote'],
    [
      'one that is never closed drops no rows',
      'date,close\n2024-01-02,1\n2024-01-03,"2\n2024-01-04,3\n2024-01-05,4\n',
      'line 3: a quote is opened and never closed',
    ],
    [
      'one in the middle of a cell',
      'date,close\n2024-01-02,1\n\n2024-01-03,1"0"\n',
      'line 4: there is a quote in the middle of a cell',
    ],
    [
      'one that is closed far below',
      `date,close\n2024-01-02,"1\n${'2024-01-03,1\n'.repeat(30_000)}2024-01-04,"\n`,
      'line 2: the row is longer than 256 KB, perhaps because a quote is not closed',
    ],
  ])('%s', async (_, text, sentence) => {
    expect(await refusal(text)).toBe(`Nothing was imported. In ${sentence}.`)
  })

  it('count the lines inside a cell, whatever their ends', async () => {
    const text = 'date,close,"a\r\nnote"\r\n2024-01-02,1,"x\ny"\r\n\r\n2024-01-03,abc,"z"\r\n'
    expect(await refusal(text)).toContain('In line 6: close is "abc"')
  })

  it('may hold delimiters, doubled quotes and line breaks, wherever the file is cut', async () => {
    const text = '\uFEFF "Date" ;"Close";"A ""note"""\r\n"02.01.2024"; "1234,5" ;"a;b\r\nc"\r\n03.01.2024;7;ü\r\n'
    const bytes = () => Array.from(Buffer.from(text), (byte) => Buffer.of(byte))
    const { silver, notes } = await upload(text, { bytes })
    expect(silver.columns['close']).toEqual(Float64Array.of(1234.5, 7))
    expect(notes).toEqual(['These columns were left out: A "note".'])
  })
})

describe('nothing is dropped in silence', () => {
  it('such as the second half of a number that was not quoted', async () => {
    expect(await refusal('date,close\n2024-01-02,1,234.5\n')).toBe(
      'Nothing was imported. In line 2: there are 3 cells, and 2 columns.',
    )
  })

  it('and a row that is longer by empty cells alone is taken', async () => {
    const { silver } = await upload('date,close\n2024-01-02,1,,\n2024-01-03\n')
    expect(silver.columns['close']).toEqual(Float64Array.of(1))
  })

  it('says what to do with a file that is not UTF-8', async () => {
    const bytes = () => [Buffer.from('\uFEFFdate\tclose\n2024-01-02\t1\n', 'utf16le')]
    expect(await refusal('', { bytes })).toBe('The file is written in UTF-16. Please save it as UTF-8.')
  })
})

describe('days and months', () => {
  it('are told apart by a later row', async () => {
    const { silver } = await upload('date,close\n03/04/2024,1\n04/04/2024,2\n30/04/2024,3\n')
    expect([...silver.timestamps].map((stamp) => new Date(stamp).toISOString().slice(0, 10))).toEqual([
      '2024-04-03',
      '2024-04-04',
      '2024-04-30',
    ])
  })
})

describe('limits', () => {
  const rows = (count: number, row: (i: number) => string) => Array.from({ length: count }, (_, i) => row(i)).join('\n')

  it('stop the reading after a hundred faults', async () => {
    let read = 0
    const text = `date,close\n${rows(20_000, (i) => `${i},x`)}\n`
    function* counted() {
      for (let from = 0; from < text.length; from += 1024) {
        read += 1024
        yield Buffer.from(text.slice(from, from + 1024))
      }
    }
    expect(await refusal('', { bytes: counted })).toMatch(/^Nothing was imported\. In line 2: .*; and more\.$/)
    expect(read).toBeLessThan(text.length / 2)
  })

  it('hold for rows that cannot be true as well', async () => {
    expect(await refusal(`date,close\n${rows(300, () => '2024-01-02,1')}\n`)).toContain('; and more.')
  })

  it('hold for rows, and for values over all columns', async () => {
    const five = `date,high,low\n${rows(5, (i) => `2024-01-0${i + 1},2,1`)}\n`
    expect(await refusal(five, { limits: { ...limits, rows: 4 } })).toBe(
      'The file has more than 4 rows. Please split it and import the parts.',
    )
    expect(await refusal(five, { limits: { ...limits, values: 6 } })).toContain('more than 3 rows')
    expect(await refusal(five, { limits: { ...limits, rows: 5, values: 10 } })).toBe('it was accepted')
    expect(await refusal(`date,close\n${',\n'.repeat(100)}`, { limits: { ...limits, rows: 50 } })).toContain(
      'more than 50',
    )
  })

  it('hold for the columns of a row that does not end', async () => {
    let read = 0
    function* commas() {
      for (; read < 5_000_000; read += 1024) yield Buffer.alloc(1024, ',')
    }
    expect(await refusal('', { bytes: commas })).toBe(
      'Nothing was imported. In line 1: there are more than 100 columns.',
    )
    expect(read).toBeLessThan(200_000)
  })

  it('hold for cells, and sentences do not repeat long ones', async () => {
    expect(await refusal(`date,close\n2024-01-02,${'9'.repeat(10_001)}\n`)).toContain('longer than 10,000 characters')
    const sentence = await refusal(`date,close\n2024-01-02,${'x'.repeat(9_000)}\n`)
    expect(sentence.length).toBeLessThan(200)
  })

  it('keep a column of zeros beside the prices from being read as dividends', async () => {
    const days = rows(3_000, (i) => `${new Date(i * 86_400_000).toISOString().slice(0, 10)},1,0,0`)
    const { actions } = await upload(`date,close,dividend,split\n${days}\n`)
    expect(actions).toEqual({ splits: [], dividends: [] })
  })
})
