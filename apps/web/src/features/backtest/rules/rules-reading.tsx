import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { describeRules } from '@tradewright/core/rules/describe'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { useMemo } from 'react'
import { useFeatures } from '../../../strategy-form/queries.ts'
import { Card } from '../../../ui/layout/card.tsx'
import classes from './rules.module.css'

interface RulesReadingProps {
  tree: RulesTree
  onTell: (notice: { kind: 'info' | 'error'; text: string }) => void
}

/** The whole tree in plain English, as it is now. */
export function RulesReading({ tree, onTell }: RulesReadingProps) {
  const features = useFeatures().data
  const lines = useMemo(
    () => describeRules(tree, (key) => features?.find((feature) => feature.key === key)?.name ?? key),
    [tree, features],
  )
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(lines.join('\n'))
      onTell({ kind: 'info', text: 'The reading was copied.' })
    } catch {
      onTell({ kind: 'error', text: 'The browser does not let this page use the clipboard.' })
    }
  }
  return (
    <Card
      title="In plain English"
      actions={
        <Button
          className={classes.quiet ?? ''}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => void copy()}
        >
          Copy
        </Button>
      }
    >
      <ReadingLines lines={lines} />
    </Card>
  )
}

/** Lines indented by two spaces a level. */
export function ReadingLines({ lines }: { lines: readonly string[] }) {
  return (
    <div className={classes.lines}>
      {lines.map((line, i) => {
        const words = line.trimStart()
        const level = (line.length - words.length) / 2
        return (
          // Lines repeat; their place is what tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <p key={i} style={{ paddingInlineStart: level * 14 }} data-head={words.endsWith(':')}>
            {words}
          </p>
        )
      })}
    </div>
  )
}
