import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '../../../../lib/format.ts'
import { Card } from '../../../../ui/layout/card.tsx'
import classes from '../results.module.css'

/** In a narrow panel no more than these, with a button for the rest. */
const FEW = 2

export function NotesCard({ notes }: { notes: readonly string[] }) {
  const [isAll, setAll] = useState(false)
  if (notes.length === 0) return null
  return (
    <Card title="Notes">
      <div className={`${classes.body} ${classes.notes}`} data-all={isAll || notes.length <= FEW}>
        <ul className={classes.list}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        <Button className={classes.allNotes ?? ''} variant="default" onClick={() => setAll(true)}>
          Show all {formatCount(notes.length)} notes
        </Button>
      </div>
    </Card>
  )
}
