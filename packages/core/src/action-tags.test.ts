import { describe, expect, it } from 'vitest'
import { actionTagsIn, unfinishedTagAt } from './action-tags.ts'

describe('tags', () => {
  it('are found in each of the three forms, with brackets inside their texts', () => {
    const object = { label: 'a ] b } c [/ACTION] "d"', type: 'x' }
    const json = JSON.stringify(object)
    for (const text of [`[ACTION:${json}]`, `[ACTION] ${json} [/ACTION]`, `<ACTION>${json}</ACTION>`]) {
      expect(actionTagsIn(`before ${text} after`).map((tag) => JSON.parse(tag.json) as unknown)).toEqual([object])
    }
  })

  it.each([
    '[ACTION:{"label":"x"]',
    '[ACTION:x]',
    '[ACTION:{"a":1}',
    '[ACTION]{"a":1}',
    '<ACTION>{</ACTION>',
    '[action:{"label":"x"}]',
  ])('that are malformed are no tags: %s', (text) => {
    expect(actionTagsIn(text)).toEqual([])
  })

  it.each(['[ACTION:{', '[ACTION:{}', '<ACTION>{"', '[ACTION:   '])(
    'that are opened a hundred thousand times and never closed are none: %s',
    (opening) => {
      expect(actionTagsIn(opening.repeat(100_000 / opening.length))).toEqual([])
    },
  )

  it.each(['Look: [ACTION:{"label":"R', 'Look: [ACT', 'Look: <', 'Look: [ACTION]{"label":"Run"}[/ACT'])(
    'that are still coming are known by their beginning: %s',
    (text) => {
      expect(text.slice(0, unfinishedTagAt(text))).toBe('Look: ')
    },
  )

  it.each(['All of it.', '[ACTION:{"label":"Run"}] and more', 'a [b] c'])(
    'that are complete hold nothing back: %s',
    (text) => {
      expect(unfinishedTagAt(text)).toBe(text.length)
    },
  )
})
