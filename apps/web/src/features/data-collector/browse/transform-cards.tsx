import { Button } from '@mantine/core'
import type { StarterTransform } from '@tradewright/contract/collected-data'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { NotLoaded } from '../load-failure.tsx'
import layout from '../layout.module.css'
import { useStarterTransforms } from './browse-queries.ts'
import classes from './transform.module.css'

const SHOWN_COLUMNS = 3

interface TransformCardsProps {
  /** The name of the one that is being applied. */
  running: string | null
  onApply: (name: string) => void
}

export function TransformCards({ running, onApply }: TransformCardsProps) {
  const transforms = useStarterTransforms()
  if (transforms.isPending) return <CardSkeleton rows={6} />
  if (transforms.isError) return <NotLoaded onRetry={() => void transforms.refetch()} />
  return (
    <ul className={classes.cards}>
      {transforms.data.map((transform) => (
        <li key={transform.name}>
          <h3>{transform.name}</h3>
          <p className={layout.hint}>{transform.description}</p>
          <ComputedColumns transform={transform} />
          <div className={classes.cardFoot}>
            <span className={classes.needs}>
              Needs{' '}
              {transform.required_categories.map((category) => (
                <Tag key={category}>{category}</Tag>
              ))}
            </span>
            <Button
              variant="default"
              aria-label={`Apply ${transform.name}`}
              disabled={running !== null}
              onClick={() => onApply(transform.name)}
            >
              {running === transform.name ? 'Applying...' : 'Apply'}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

function ComputedColumns({ transform: { computed_columns: columns } }: { transform: StarterTransform }) {
  const more = columns.length - SHOWN_COLUMNS
  return (
    <ul className={classes.columns}>
      {columns.slice(0, SHOWN_COLUMNS).map(({ name, description }) => (
        <li key={name}>
          <code>{name}</code> {description}
        </li>
      ))}
      {more > 0 && <li>+ {more} more</li>}
    </ul>
  )
}
