import { FONT_FAMILY, MONO_FAMILY, PALETTES, type Palette } from './tokens.ts'

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
