import { Sentence } from '@tradewright/contract/answers'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { choosePlaces, DEFAULT_PLACES } from './format.ts'
import { inChosenFormats, withChosenFormats } from './sentences.ts'

afterEach(() => choosePlaces(DEFAULT_PLACES))

const german = {
  ...DEFAULT_PLACES,
  numbers: 'point-comma',
  dates: 'dots',
  clock: '24',
  timeZone: 'Europe/Berlin',
} as const

describe('a sentence of the server', () => {
  it('has its dates as everywhere else on the screen', () => {
    const sentence = 'There is no data for TLT between 2001-01-02 and 2002-07-29.'
    expect(inChosenFormats(sentence)).toBe('There is no data for TLT between 2 Jan 2001 and 29 Jul 2002.')
    choosePlaces({ ...DEFAULT_PLACES, dates: 'iso' })
    expect(inChosenFormats(sentence)).toBe(sentence)
    choosePlaces(german)
    expect(inChosenFormats(sentence)).toBe('There is no data for TLT between 02.01.2001 and 29.07.2002.')
  })

  it('has its moments in the chosen zone', () => {
    choosePlaces(german)
    expect(inChosenFormats('Firefox at 10.0.0.5, signed in 2026-11-12 08:00 UTC')).toBe(
      'Firefox at 10.0.0.5, signed in 12.11.2026, 09:00 GMT+1',
    )
    expect(inChosenFormats('received 2026-11-12T08:00:05.123Z')).toBe('received 12.11.2026, 09:00:05 GMT+1')
  })

  it("has moments of the exchange's clock in the chosen zone, in winter and in summer", () => {
    const winter = 'Started. The first check is at Nov 18, 2026, 9:45 AM ET.'
    expect(inChosenFormats(winter)).toBe('Started. The first check is at 18 Nov 2026, 9:45 AM ET.')
    choosePlaces({ ...german, timeZone: 'Asia/Tokyo' })
    expect(inChosenFormats(winter)).toBe('Started. The first check is at 18.11.2026, 23:45 GMT+9.')
    expect(inChosenFormats('at Jul 1, 2026, 3:30 PM ET')).toBe('at 02.07.2026, 04:30 GMT+9')
    expect(inChosenFormats('at Foo 41, 2026, 3:30 PM ET')).toBe('at Foo 41, 2026, 3:30 PM ET')
  })

  it('has its numbers with the chosen marks, and leaves versions and addresses alone', () => {
    choosePlaces(german)
    expect(inChosenFormats('It earned $1,234,567.80 or −12.5% in 2024, 3 of 1,000 runs.')).toBe(
      'It earned $1.234.567,80 or −12,5% in 2024, 3 of 1.000 runs.',
    )
    for (const kept of ['Node.js v26.10.0 at 10.0.0.5', 'tickers A,B', 'data-2024-01-02.csv', 'on 2024-99-01'])
      expect(inChosenFormats(kept)).toBe(kept)
  })

  it.each([
    'The database is PostgreSQL 18.4, this program needs version 14.0 or newer.',
    'Made by Tradewright 0.1, read by release 1.10; versions 1.2 are too old.',
    'The server speaks HTTP/1.1 and TLS 1.2.',
    'The model gpt-4.1 is not known, nor is gemini-2.5-pro.',
    'The address 192.168.0.10:3000 refused, as did 10.0.0.5.',
    'The file prices-1.5.csv, or model-2.0.bin.',
    'Tickers 7203.T, 0700.HK and BRK.B; order 3f2a-1.2b.',
  ])('has no number in a version, an address, a file or a ticker: %s', (kept) => {
    choosePlaces(german)
    expect(inChosenFormats(kept)).toBe(kept)
  })

  it('has numbers beside versions all the same', () => {
    choosePlaces(german)
    expect(inChosenFormats('PostgreSQL 18.4 holds 1,200.5 MB; -3.5% to 2.5x, 60.5/39.5.')).toBe(
      'PostgreSQL 18.4 holds 1.200,5 MB; -3,5% to 2,5x, 60,5/39,5.',
    )
  })

  it('keeps what a user named', () => {
    choosePlaces(german)
    expect(inChosenFormats('“Test 2024-01-02” and "1,000 shares" end on 2024-01-02.')).toBe(
      '“Test 2024-01-02” and "1,000 shares" end on 02.01.2024.',
    )
  })
})

describe('an answer of the server', () => {
  const Row = z.object({ name: z.string(), problem: Sentence.nullable() })
  const Answer = z.object({
    day: z.string(),
    rows: z.array(Row),
    notes: z.record(z.string(), Sentence),
    either: z.union([z.object({ error: Sentence }), z.object({ weights: z.array(z.number()) })]).optional(),
  })

  it('has its sentences in the chosen formats, and every other text as it was', () => {
    const answer: z.infer<typeof Answer> = {
      day: '2024-01-02',
      rows: [
        { name: 'Run of 2024-01-02', problem: 'Missed on 2024-01-02.' },
        { name: 'b', problem: null },
      ],
      notes: { sharpe: 'No price before 2024-01-02' },
      either: { error: 'Failed on 2024-01-02' },
    }
    expect(withChosenFormats(Answer, answer)).toEqual({
      day: '2024-01-02',
      rows: [
        { name: 'Run of 2024-01-02', problem: 'Missed on 2 Jan 2024.' },
        { name: 'b', problem: null },
      ],
      notes: { sharpe: 'No price before 2 Jan 2024' },
      either: { error: 'Failed on 2 Jan 2024' },
    })
  })
})
