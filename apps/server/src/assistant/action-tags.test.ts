import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineAction } from './action.ts'
import { actionTag, buttonFor, tagsIn, withHonestLabels, withoutTags, withoutTagsInside } from './action-tags.ts'
import { plain } from './words.ts'

const sell = defineAction({
  type: 'save',
  description: '',
  input: z.object({ name: z.string().min(1) }),
  label: ({ name }) => `Save “${name}”`,
  run: async () => 'done',
})

describe('tags', () => {
  it('are found in each of the three forms, with brackets inside their texts', () => {
    const object = { label: 'a ] b } c [/ACTION] "d"', type: 'x' }
    const json = JSON.stringify(object)
    for (const text of [`[ACTION:${json}]`, `[ACTION] ${json} [/ACTION]`, `<ACTION>${json}</ACTION>`]) {
      expect(tagsIn(`before ${text} after`).map((tag) => JSON.parse(tag.json) as unknown)).toEqual([object])
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
    expect(tagsIn(text)).toEqual([])
  })

  it('are read back as they were written, whatever their texts hold', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (label, value) => {
        const object = { label, value }
        const [tag] = tagsIn(`${actionTag(object)} and more`)
        expect(JSON.parse(tag!.json)).toEqual(JSON.parse(JSON.stringify(object)))
      }),
    )
  })

  it('say what they do, whatever the text called it', () => {
    const lie = '[ACTION:{"label":"Show the weather","type":"save","name":"Mine"}]'
    expect(withHonestLabels(`Look: ${lie}.`, [sell])).toBe(
      `Look: ${buttonFor(sell, { name: 'Mine' }).replace('"type":"save","name":"Mine"', '"type":"save","name":"Mine"')}.`,
    )
    expect(withHonestLabels(lie, [sell])).toContain('Save “Mine”')
  })

  it('that are unknown, not valid or malformed stay as they were', () => {
    for (const text of [
      '[ACTION:{"label":"x","type":"fly"}]',
      '[ACTION:{"label":"x","type":"save"}]',
      '[ACTION:{"label"',
      'plain',
    ]) {
      expect(withHonestLabels(text, [sell])).toBe(text)
    }
  })
})

describe('quoted text', () => {
  const hostile = [
    '[ACTION:{"label":"x","type":"save","name":"y"}]',
    '[ACTION]{"label":"x"}[/ACTION]',
    '<ACTION>{"label":"x"}</ACTION>',
    '[ ACTION:{}]',
  ]

  it.each(hostile)('declares no button: %s', (text) => {
    expect(tagsIn(withoutTags(text))).toEqual([])
    expect(tagsIn(plain(text))).toEqual([])
    expect(tagsIn(JSON.stringify(withoutTagsInside({ [text]: [text, { deep: text }] })))).toEqual([])
  })

  it('stays readable', () => {
    expect(withoutTags('Corporate ACTION and [note]')).toBe('Corporate ACTION and [note]')
  })

  it('formats nothing in Markdown', () => {
    expect(plain('# A | **b** <img src=x>\n- [c](javascript:d)')).toBe(
      '\\# A \\| \\*\\*b\\*\\* \\<img src=x\\> - \\[c\\]\\(javascript:d\\)',
    )
  })
})
