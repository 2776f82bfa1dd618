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

/** Nothing is wrong with what does not run, but that is not health. */
export function HealthLight({ overview: { health, deployment } }: { overview: Overview }) {
  const isIdle = health.light === 'green' && deployment.status !== 'running'
  const light = isIdle ? 'idle' : health.light
  const { Glyph, word } = LIGHTS[light === 'yellow' && deployment.status === 'paused' ? 'paused' : light]
  return (
    <span className={classes.light} data-light={light}>
      <Glyph size={18} aria-hidden />
      {word}
    </span>
  )
}
