import {
  createTheme,
  type CSSVariablesResolver,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core'
import { DARK_TUPLE, FONT_FAMILY, MONO_FAMILY } from './tokens.ts'

/** Ten steps around the one accent; only 6 (light) and 8 (dark) are ever filled, both from the tokens. */
const IRIS: MantineColorsTuple = [
  '#e9edfc',
  '#d3dbf8',
  '#a9b6ee',
  '#8aa0ff',
  '#6a82ee',
  '#4a63e0',
  '#3450cf',
  '#2b44b5',
  '#4a63e0',
  '#3f57d2',
]

export const theme = createTheme({
  primaryColor: 'iris',
  colors: { iris: IRIS, dark: DARK_TUPLE },
  fontFamily: FONT_FAMILY,
  fontFamilyMonospace: MONO_FAMILY,
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
})

/** The key that `public/theme.js` reads before the first paint. */
export const themeChoice = localStorageColorSchemeManager({ key: 'theme' })

const MANTINE_COLOURS = {
  '--mantine-color-body': 'var(--tw-bg)',
  '--mantine-color-text': 'var(--tw-text)',
  '--mantine-color-bright': 'var(--tw-text)',
  '--mantine-color-dimmed': 'var(--tw-text-3)',
  '--mantine-color-placeholder': 'var(--tw-text-3)',
  '--mantine-color-anchor': 'var(--tw-accent)',
  '--mantine-color-error': 'var(--tw-loss)',
  '--mantine-color-default': 'var(--tw-surface)',
  '--mantine-color-default-hover': 'var(--tw-hover)',
  '--mantine-color-default-color': 'var(--tw-text)',
  '--mantine-color-default-border': 'var(--tw-border-strong)',
  '--mantine-primary-color-filled': 'var(--tw-accent-fill)',
  '--mantine-primary-color-filled-hover': 'var(--tw-accent-fill-hover)',
  '--mantine-color-iris-filled': 'var(--tw-accent-fill)',
  '--mantine-color-iris-filled-hover': 'var(--tw-accent-fill-hover)',
  // What a quiet button or an item of a menu looks like under the pointer.
  '--mantine-color-iris-light': 'var(--tw-accent-soft)',
  '--mantine-color-iris-light-hover': 'var(--tw-accent-soft)',
  '--mantine-color-iris-light-color': 'var(--tw-accent)',
  '--mantine-color-red-light-hover': 'var(--tw-loss-soft)',
  '--mantine-color-red-light-color': 'var(--tw-loss)',
}

/** Mantine names its colours once more for each theme; both point at our tokens, which switch by themselves. */
export const mantineVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: MANTINE_COLOURS,
  dark: MANTINE_COLOURS,
})
