import { describe, expect, it } from 'vitest'
import { contrast, tokenStylesheet, variableName, PALETTES, type Palette, type ThemeName } from './tokens.ts'

const TEXTS = ['text', 'text2', 'text3', 'accent', 'gain', 'loss', 'warn'] as const
const GROUNDS = ['bg', 'surface', 'raised', 'hover', 'sunken'] as const
/** Which texts are set on which tint; a tint is always laid over a card or the page. */
const ON_TINT = [
  ['gain', 'gainSoft'],
  ['loss', 'lossSoft'],
  ['warn', 'warnSoft'],
  ['accent', 'accentSoft'],
  ['text', 'accentSoft'],
  ['text2', 'accentSoft'],
  ['text', 'gainSoft'],
  ['text2', 'gainSoft'],
  ['text', 'lossSoft'],
  ['text2', 'lossSoft'],
  ['text', 'warnSoft'],
  ['text2', 'warnSoft'],
] as const satisfies [keyof Palette, keyof Palette][]

const themes: ThemeName[] = ['light', 'dark']

describe.each(themes)('the %s theme', (theme) => {
  const palette = PALETTES[theme]

  it.each(TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)))(
    '%s can be read on %s',
    (text, ground) => {
      expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each(ON_TINT)('%s can be read on %s', (text, tint) => {
    for (const under of [palette.bg, palette.surface]) {
      expect(contrast(palette[text], under, palette[tint])).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each(['accentFill', 'accentFillHover', 'dangerFill', 'dangerFillHover'] as const)('white reads on %s', (fill) => {
    expect(contrast('#ffffff', palette[fill])).toBeGreaterThanOrEqual(5)
  })

  it('draws fields with a border that can be seen', () => {
    expect(contrast(palette.fieldBorder, palette.surface)).toBeGreaterThanOrEqual(3)
    expect(contrast(palette.fieldBorder, palette.field)).toBeGreaterThanOrEqual(3)
  })

  it('has the same tokens as the other', () => {
    expect(Object.keys(palette)).toEqual(Object.keys(PALETTES.light))
  })
})

describe('the token style sheet', () => {
  it('names the variables after the tokens', () => {
    expect(variableName('accentSoft')).toBe('--tw-accent-soft')
    expect(variableName('text2')).toBe('--tw-text-2')
  })

  it('gives every token of both themes', () => {
    const css = tokenStylesheet()
    for (const theme of themes) {
      for (const [token, value] of Object.entries(PALETTES[theme])) {
        expect(css).toContain(`${variableName(token)}: ${value};`)
      }
    }
  })
})

describe('contrast', () => {
  it('agrees with the ends of the scale and lays tints over their ground', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrast('#777777', '#777777')).toBeCloseTo(1)
    expect(contrast('#000000', '#000000', 'rgba(255,255,255,.5)')).toBeCloseTo(contrast('#000000', '#808080'), 1)
  })
})
