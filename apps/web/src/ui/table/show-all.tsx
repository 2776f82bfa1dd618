import { Button } from '@mantine/core'
import { formatCount } from '../../lib/format.ts'
import classes from './show-all.module.css'

interface ShowAllProps {
  total: number
  /** What they are: `rows`. */
  of: string
  onShow: () => void
}

/** Under the first few of a long list; pressing it is what brings the rest into the page. */
export function ShowAll({ total, of, onShow }: ShowAllProps) {
  return (
    <div className={classes.more}>
      <Button variant="default" onClick={onShow}>
        Show all {formatCount(total)} {of}
      </Button>
    </div>
  )
}
