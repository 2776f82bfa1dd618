import { Button } from '@mantine/core'
import { formatCount } from '../../lib/format.ts'
import classes from './show-all.module.css'

interface ShowAllProps {
  total: number
  /** What they are: `rows`. */
  of: string
  onShow: () => void
}

/**
 * Under the first few of a long list; pressing it is what brings the rest into the page. The focus goes from the button,
 * which is gone then, to the table.
 */
export function ShowAll({ total, of, onShow }: ShowAllProps) {
  return (
    <div className={classes.more}>
      <Button
        variant="default"
        onClick={({ currentTarget }) => {
          const card = currentTarget.closest('section')
          onShow()
          card?.querySelector<HTMLElement>('section[tabindex]')?.focus({ preventScroll: true })
        }}
      >
        Show all {formatCount(total)} {of}
      </Button>
    </div>
  )
}
