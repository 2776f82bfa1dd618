import { IconHome } from '@tabler/icons-react'
import { describe, expect, it } from 'vitest'
import { type Command, findCommands, noteCommand, recentCommands } from './palette.tsx'

const command = (group: Command['group'], label: string, more: Partial<Command> = {}): Command => ({
  id: `${group}:${label}`,
  group,
  label,
  icon: IconHome,
  perform: () => {},
  ...more,
})

const COMMANDS = [
  command('Screens', 'Home'),
  command('Screens', 'Backtest', { words: 'studio' }),
  command('Strategies', 'Gold hedge', { detail: 'Asset Allocation' }),
  command('Results', 'Gold hedge 2020', { detail: 'Gold hedge' }),
  command('Tickers', 'GLD', { detail: 'SPDR Gold Shares' }),
  command('Actions', 'Import CSV'),
]

const found = (typed: string, recentIds: readonly string[] = []) =>
  findCommands(COMMANDS, recentIds, typed).map(({ name, found: some }) =>
    [[name], some.map(({ command: { label } }) => label)].flat(),
  )

describe('the command palette', () => {
  it('shows recent choices first, once, and forgets those that are gone', () => {
    expect(found('', ['Strategies:Gold hedge', 'Strategies:Deleted'])).toEqual([
      ['Recent', 'Gold hedge'],
      ['Screens', 'Home', 'Backtest'],
      ['Results', 'Gold hedge 2020'],
      ['Tickers', 'GLD'],
      ['Actions', 'Import CSV'],
    ])
  })

  it('puts the group with the best match first', () => {
    expect(found('gold')).toEqual([
      ['Strategies', 'Gold hedge'],
      ['Results', 'Gold hedge 2020'],
      ['Tickers', 'GLD'],
    ])
    expect(found('gld')[0]).toEqual(['Tickers', 'GLD'])
    expect(found('studio')).toEqual([
      ['Screens', 'Backtest'],
      ['Tickers', 'GLD'],
    ])
  })

  it('narrows the search by > and $', () => {
    expect(found('>')).toEqual([['Actions', 'Import CSV']])
    expect(found('> csv')).toEqual([['Actions', 'Import CSV']])
    expect(found('$gold')).toEqual([['Tickers', 'GLD']])
    expect(found('>gold')).toEqual([])
  })
})

describe('recent choices', () => {
  it('are kept latest first, each once, by user, and survive a text that is no list', () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    } as unknown as Storage
    for (const id of ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g']) noteCommand(1, id, storage)
    expect(recentCommands(1, storage)).toEqual(['g', 'f', 'e', 'd', 'c', 'a'])
    expect(recentCommands(2, storage)).toEqual([])
    kept.set([...kept.keys()][0] ?? '', '{broken')
    expect(recentCommands(1, storage)).toEqual([])
  })
})
