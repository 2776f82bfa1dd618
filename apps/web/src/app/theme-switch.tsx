import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useEffect } from 'react'
import { PALETTES } from '../ui/theme/tokens.ts'
import classes from './navigation.module.css'

/** Follows the system until the user chooses; the choice is kept in this browser. */
export function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const theme = useComputedColorScheme('light')
  const other = theme === 'light' ? 'dark' : 'light'
  const Glyph = theme === 'light' ? IconSun : IconMoon

  useEffect(() => {
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PALETTES[theme].bg)
  }, [theme])

  return (
    <button
      type="button"
      className={classes.iconButton}
      aria-label={`Switch to ${other} theme`}
      title={`Switch to ${other} theme`}
      onClick={() => setColorScheme(other)}
    >
      <Glyph size={17} stroke={1.7} aria-hidden />
    </button>
  )
}
