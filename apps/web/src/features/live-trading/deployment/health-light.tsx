import { IconCircleCheckFilled, IconClockFilled, IconAlertOctagonFilled } from '@tabler/icons-react'
import type { Overview } from '../queries.ts'
import classes from './deployment-screen.module.css'

/** Each light has a shape and a word of its own. */
const LIGHTS = {
  green: { Glyph: IconCircleCheckFilled, word: 'Healthy' },
  yellow: { Glyph: IconClockFilled, word: 'Waiting' },
  red: { Glyph: IconAlertOctagonFilled, word: 'Not trading' },
} as const

export function HealthLight({ health: { light } }: { health: Overview['health'] }) {
  const { Glyph, word } = LIGHTS[light]
  return (
    <span className={classes.light} data-light={light}>
      <Glyph size={18} aria-hidden />
      {word}
    </span>
  )
}
