import { describe, expect, it } from 'vitest'
import { hear, keyNames, type Pending, type Press, SHORTCUTS } from './shortcuts.ts'

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  hasMod: false,
  hasOther: false,
  isTyping: false,
  at: 0,
  ...more,
})

function deedOf(...presses: Press[]) {
  let pending: Pending | null = null
  let deed = null
  for (const one of presses) ({ deed, pending } = hear(one, pending))
  return deed
}

describe('keyboard shortcuts', () => {
  it('open each screen by g and its letter', () => {
    expect(deedOf(press('g'), press('h'))).toBe('open /')
    expect(deedOf(press('g'), press('o'))).toBe('open /optimizer')
    expect(deedOf(press('h'))).toBeNull()
  })

  it('wait for the second key only for a moment', () => {
    expect(deedOf(press('g', { at: 0 }), press('s', { at: 1_500 }))).toBe('open /strategies')
    expect(deedOf(press('g', { at: 0 }), press('s', { at: 1_501 }))).toBeNull()
  })

  it('begin anew after a key that fits nothing', () => {
    expect(deedOf(press('g'), press('x'), press('h'))).toBeNull()
    expect(deedOf(press('g'), press('g'), press('h'))).toBe('open /')
    expect(deedOf(press('g'), press('/'))).toBe('search')
  })

  it('mean nothing while the user types, except those with Ctrl', () => {
    const isTyping = true
    expect(deedOf(press('g', { isTyping }), press('h', { isTyping }))).toBeNull()
    expect(deedOf(press('/', { isTyping }))).toBeNull()
    expect(deedOf(press('k', { isTyping, hasMod: true }))).toBe('palette')
    expect(deedOf(press('Enter', { isTyping, hasMod: true }))).toBe('run')
  })

  it('leave the browser its own', () => {
    expect(deedOf(press('K', { hasMod: true, hasOther: true }))).toBeNull()
    for (const key of ['t', 'w', 'l', 'f', 'r', 'p', 'g', 'h']) expect(deedOf(press(key, { hasMod: true }))).toBeNull()
  })

  it('have one meaning each', () => {
    const written = SHORTCUTS.map(({ keys }) => keyNames(keys, false).join(' '))
    expect(new Set(written).size).toBe(written.length)
    expect(keyNames({ mod: 'k' }, true)).toEqual(['⌘', 'K'])
  })
})
