import { Button } from '@mantine/core'
import { useFeatures } from '../../strategy-form/queries.ts'
import { ContentModal } from '../../ui/layout/content-modal.tsx'
import type { Seed } from './form/form.ts'
import { seedSummary } from './seeds.ts'
import classes from './seeds-question.module.css'

interface SeedsQuestionProps {
  /** Null: nothing is asked. */
  seeds: readonly Seed[] | null
  onAnswer: (isWanted: boolean) => void
}

/** Asked when a completed run was loaded. */
export function SeedsQuestion({ seeds, onAnswer }: SeedsQuestionProps) {
  const catalogue = useFeatures().data ?? []
  const count = seeds?.length ?? 0
  return (
    <ContentModal
      opened={seeds !== null}
      title={`Use the best ${count === 1 ? 'feature' : `${count} features`} of this run as seeds?`}
      onClose={() => onAnswer(false)}
    >
      <p className={classes.text}>
        The next run starts from them and shows how much it improves on them. You can remove them under Seed features.
      </p>
      <ul className={classes.seeds}>
        {seeds?.map((seed) => (
          <li key={`${seed.id} ${JSON.stringify(seed.params)}`}>
            {seed.name} <span>{seedSummary(seed, catalogue)}</span>
          </li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <Button variant="default" data-autofocus onClick={() => onAnswer(false)}>
          No, thanks
        </Button>
        <Button onClick={() => onAnswer(true)}>Use as seeds</Button>
      </div>
    </ContentModal>
  )
}
