import {
  IconAlertOctagonFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconClockFilled,
  IconPlayerPauseFilled,
} from '@tabler/icons-react'
import type { Overview } from '../queries.ts'
import classes from './deployment-screen.module.css'

/** Each light has a shape and a word of its own. */
const LIGHTS = {
  green: { Glyph: IconCircleCheckFilled, word: 'Healthy' },
  yellow: { Glyph: IconClockFilled, word: 'Waiting' },
  paused: { Glyph: IconPlayerPauseFilled, word: 'Paused' },
  idle: { Glyph: IconCircleDashed, word: 'Not running' },
  red: { Glyph: IconAlertOctagonFilled, word: 'Not trading' },
} as const

interface HealthLightProps {
  light: Overview['health']['light']
  status: Overview['deployment']['status']
}

export function HealthLight({ light, status }: HealthLightProps) {
  const { Glyph, word } = LIGHTS[light === 'yellow' ? waitOf(status) : light]
  return (
    <span className={classes.light} data-light={light}>
      <Glyph size={18} aria-hidden />
      {word}
    </span>
  )
}

/** Nothing may be wrong with what does not run, but that is not health. */
const waitOf = (status: Overview['deployment']['status']): keyof typeof LIGHTS =>
  status === 'running' ? 'yellow' : status === 'paused' ? 'paused' : 'idle'
