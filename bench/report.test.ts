import { describe, expect, it } from 'vitest'
import { chosen, readArguments } from './arguments.ts'
import { benchRow, median } from './bench.ts'
import { jsonLine, table, verdict } from './report.ts'

const rate = benchRow({
  bench: 'http/rate',
  ours: 5000,
  unit: 'requests/s',
  peer: { name: 'bare', value: 20_000 },
  goal: { on: 'ratio', atLeast: 0.2 },
})
const time = benchRow({
  bench: 'forest/w1',
  ours: 0.5,
  unit: 's',
  peer: { name: 'scikit-learn', value: 10 },
  ratio: 'peer / ours',
  goal: { on: 'ratio', atLeast: 30 },
})
const size = benchRow({ bench: 'bundle', ours: 150.3, unit: 'kB', goal: { on: 'ours', under: 200 } })
const unmeasured = benchRow({ bench: 'forest/w2', ours: 1, unit: 's', goal: { on: 'ratio', atLeast: 50 } })

describe('a row', () => {
  it('compares with its peer and says whether the goal holds', () => {
    expect(rate).toMatchObject({ ratio: 0.25, goal: 'ratio at least 0.2', holds: true })
    expect(time).toMatchObject({ ratio: 20, goal: 'ratio at least 30', holds: false })
    expect(size).toMatchObject({ ratio: null, goal: 'under 200 kB', holds: true })
  })

  it('does not judge a comparison whose peer is not there', () => {
    expect(unmeasured).toMatchObject({ peer: null, peer_value: null, ratio: null, holds: null })
  })

  it('refuses what is no figure', () => {
    expect(() => benchRow({ bench: 'b', ours: Number.NaN, unit: 's' })).toThrow(RangeError)
    expect(() => benchRow({ bench: 'b', ours: 1, unit: 's', peer: { name: 'p', value: 0 } })).toThrow(RangeError)
  })
})

describe('the output', () => {
  it('is one object a line for programs, with exactly the promised keys', () => {
    const lines = [{ ...rate, note: 'not promised' }, size].map(jsonLine)
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object))).toEqual(
      Array.from({ length: 2 }, () => ['bench', 'ours', 'unit', 'peer', 'peer_value', 'ratio', 'goal', 'holds']),
    )
    expect(lines[1]).toBe(
      '{"bench":"bundle","ours":150.3,"unit":"kB","peer":null,"peer_value":null,"ratio":null,"goal":"under 200 kB","holds":true}',
    )
  })

  it('is a table for people', () => {
    expect(`\n${table([rate, time, size])}`).toMatchInlineSnapshot(`
      "
                  ours              peer          theirs  ratio  goal
      http/rate  5,000  requests/s  bare          20,000  0.25x  ratio at least 0.2  holds
      forest/w1    0.5  s           scikit-learn      10    20x  ratio at least 30   MISSED
      bundle       150  kB                                       under 200 kB        holds"
    `)
  })

  it('says which goals were missed', () => {
    expect(verdict([rate, size, unmeasured])).toBe('All 2 goals hold.')
    expect(verdict([rate, time])).toBe('1 of 2 goals missed: forest/w1.')
    expect(verdict([unmeasured])).toBe('No goals were set.')
  })
})

describe('the arguments', () => {
  const benches = [{ name: 'bundle' }, { name: 'http' }, { name: 'models-forest' }, { name: 'models-linear' }]

  it('choose by the beginning of a name', () => {
    expect(chosen(benches, [])).toEqual(benches)
    expect(chosen(benches, ['models', 'http']).map(({ name }) => name)).toEqual([
      'http',
      'models-forest',
      'models-linear',
    ])
    expect(() => chosen(benches, ['htpt'])).toThrow('There is no benchmark "htpt"')
  })

  it('know --json, given to us or to npm', () => {
    expect(readArguments(['http', '--json'], {})).toMatchObject({ names: ['http'], json: true })
    expect(readArguments(['http'], { npm_config_json: 'true' })).toMatchObject({ names: ['http'], json: true })
    expect(readArguments([], {})).toEqual({ names: [], json: false, minutes: undefined })
    expect(readArguments(['load', '--minutes=0.5'], {})).toMatchObject({ names: ['load'], minutes: 0.5 })
    expect(readArguments(['load'], { npm_config_minutes: '5' })).toMatchObject({ minutes: 5 })
    expect(() => readArguments(['--minutes=many'], {})).toThrow('--minutes must be a number of minutes')
    expect(() => readArguments(['--jsno'], {})).toThrow('Unknown option --jsno')
  })
})

it('takes the median of an even and an odd number', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5])
})
