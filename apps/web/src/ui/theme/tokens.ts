/**
 * The design's values, once: the build writes them as CSS variables (`--tw-text-2`), and charts read them from here,
 * because a chart that asks the page for a CSS variable while mounting may find the theme not yet set.
 */
export interface Palette {
  bg: string
  surface: string
  raised: string
  hover: string
  sunken: string
  border: string
  borderStrong: string
  field: string
  fieldBorder: string
  text: string
  text2: string
  text3: string
  accent: string
  accentFill: string
  accentFillHover: string
  accentSoft: string
  gain: string
  gainSoft: string
  loss: string
  lossSoft: string
  warn: string
  warnSoft: string
  warnLine: string
  ref: string
  grid: string
  dangerFill: string
  dangerFillHover: string
  /** Lines around banners: the colour of the message, thinned. */
  gainLine: string
  lossLine: string
  accentLine: string
  shadowCard: string
  shadowPopover: string
  /** The navigation bar once the page is scrolled: the surface, let through a little. */
  navScrolled: string
}

export type ThemeName = 'light' | 'dark'

export const PALETTES: Record<ThemeName, Palette> = {
  dark: {
    bg: '#0b0e13',
    surface: '#12161d',
    raised: '#1a202a',
    hover: '#181e27',
    sunken: '#0e1218',
    border: '#222934',
    borderStrong: '#38424f',
    field: '#171d26',
    fieldBorder: '#5f6b7d',
    text: '#e8ebf0',
    text2: '#aab3c0',
    text3: '#8590a1',
    accent: '#8aa0ff',
    accentFill: '#4a63e0',
    accentFillHover: '#3f57d2',
    accentSoft: 'rgba(110,135,255,.14)',
    gain: '#35c2a0',
    gainSoft: 'rgba(53,194,160,.13)',
    loss: '#ff8062',
    lossSoft: 'rgba(255,128,98,.13)',
    warn: '#e3b74a',
    warnSoft: 'rgba(227,183,74,.11)',
    warnLine: 'rgba(227,183,74,.36)',
    ref: '#98a3b4',
    grid: '#1a2029',
    dangerFill: '#c5331d',
    dangerFillHover: '#ab2a17',
    gainLine: 'rgba(53,194,160,.4)',
    lossLine: 'rgba(255,128,98,.4)',
    accentLine: 'rgba(138,160,255,.4)',
    shadowCard: '0 1px 2px rgba(0,0,0,.35)',
    shadowPopover: '0 12px 32px rgba(0,0,0,.5)',
    navScrolled: 'rgba(18,22,29,.86)',
  },
  light: {
    bg: '#f5f6f8',
    surface: '#ffffff',
    raised: '#ffffff',
    hover: '#f3f5f9',
    sunken: '#f5f6f8',
    border: '#e2e6ec',
    borderStrong: '#c3cad5',
    field: '#ffffff',
    fieldBorder: '#8a94a3',
    text: '#151a22',
    text2: '#465063',
    text3: '#626d7e',
    accent: '#3450cf',
    accentFill: '#3450cf',
    accentFillHover: '#2b44b5',
    accentSoft: '#e9edfc',
    gain: '#07745c',
    gainSoft: '#e2f4ef',
    loss: '#bf3d14',
    lossSoft: '#fdeae3',
    warn: '#7d5700',
    warnSoft: '#fff6df',
    warnLine: '#ecd08a',
    ref: '#707b8c',
    grid: '#eef1f5',
    dangerFill: '#b92f1a',
    dangerFillHover: '#9c2514',
    gainLine: '#86c8b6',
    lossLine: '#eba88f',
    accentLine: '#a9b6ee',
    shadowCard: '0 1px 2px rgba(16,24,40,.05)',
    shadowPopover: '0 12px 32px rgba(16,24,40,.16)',
    navScrolled: 'rgba(255,255,255,.86)',
  },
}

/** Mantine's `dark` tuple in slate, so that its inputs and menus match the surfaces above. */
export const DARK_TUPLE = [
  '#e8ebf0',
  '#aab3c0',
  '#8590a1',
  '#5b6675',
  '#38424f',
  '#222934',
  '#1a202a',
  '#12161d',
  '#0e1218',
  '#0b0e13',
] as const

export const FONT_FAMILY =
  "'Inter Variable', Inter, -apple-system, BlinkMacSystemFont, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
export const MONO_FAMILY = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

/** `accentSoft` becomes `--tw-accent-soft`, `text2` becomes `--tw-text-2`. */
export function variableName(token: string): string {
  return `--tw-${token.replace(/([A-Z])/g, (letter) => `-${letter.toLowerCase()}`).replace(/(\d)/g, '-$1')}`
}

/** The tokens as CSS, written into the style sheet by the build, so that the first paint has its colours. Paper is light. */
export function tokenStylesheet(): string {
  return [
    `:root { --tw-font: ${FONT_FAMILY}; --tw-mono: ${MONO_FAMILY}; }`,
    `:root { color-scheme: light; ${declarations(PALETTES.light)} }`,
    `@media screen { :root[data-mantine-color-scheme='dark'] { color-scheme: dark; ${declarations(PALETTES.dark)} } }`,
  ].join('\n')
}

function declarations(palette: Palette): string {
  return Object.entries(palette)
    .map(([token, value]) => `${variableName(token)}: ${value};`)
    .join(' ')
}

type Rgb = [red: number, green: number, blue: number]

/** WCAG 2's contrast ratio of a text colour on a stack of backgrounds, the lowest first; tints are laid over it. */
export function contrast(text: string, ...backgrounds: string[]): number {
  const ground = backgrounds.reduce<Rgb>((under, colour) => laidOver(colour, under), [255, 255, 255])
  const [light, dark] = [luminance(laidOver(text, ground)), luminance(ground)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

function laidOver(colour: string, under: Rgb): Rgb {
  const { rgb, alpha } = parse(colour)
  const mix = (index: 0 | 1 | 2) => rgb[index] * alpha + under[index] * (1 - alpha)
  return [mix(0), mix(1), mix(2)]
}

function parse(colour: string): { rgb: Rgb; alpha: number } {
  const hex = /^#(..)(..)(..)$/.exec(colour)
  const parts = hex
    ? hex.slice(1).map((pair) => Number.parseInt(pair, 16))
    : (/^rgba\((.+)\)$/.exec(colour)?.[1] ?? '').split(',').map(Number)
  const [red, green, blue, alpha = 1] = parts
  if (red === undefined || green === undefined || blue === undefined) throw new Error(`not a colour: ${colour}`)
  return { rgb: [red, green, blue], alpha }
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
