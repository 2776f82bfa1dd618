import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react'
import { Term } from '../feedback/explanation.tsx'
import classes from './check-list.module.css'

export type CheckTone = 'good' | 'caution' | 'bad' | 'unknown'

const ICONS = { good: IconCircleCheck, caution: IconAlertTriangle, bad: IconCircleX, unknown: IconHelpCircle }

export interface CheckEntry {
  title: string
  tone: CheckTone
  /** The verdict in words, so that the icon's colour is not the only sign. */
  word: string
  sentence: string
  /** The figure that the verdict is about. */
  figure?: string
  /** Explains the title by the glossary. */
  term?: string
}

/** In two columns where there is room. */
export function CheckList({ checks }: { checks: readonly CheckEntry[] }) {
  return (
    <ul className={classes.checks}>
      {checks.map((check) => (
        <Check key={check.title} {...check} />
      ))}
    </ul>
  )
}

function Check({ title, tone, word, sentence, figure, term }: CheckEntry) {
  const Glyph = ICONS[tone]
  return (
    <li className={classes.check} data-tone={tone}>
      <Glyph className={classes.icon} data-tone={tone} size={16} stroke={1.8} aria-hidden />
      <div>
        <p className={classes.title}>
          {title}
          {term && <Term of={title} term={term} />} {!figure && <span>{word}</span>}
        </p>
        {figure && (
          <p className={`${classes.figure} tabular`}>
            {figure} <span>{word}</span>
          </p>
        )}
        <p className={classes.sentence}>{sentence}</p>
      </div>
    </li>
  )
}
