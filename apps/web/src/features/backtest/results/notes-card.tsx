import { Card } from '../../../ui/layout/card.tsx'
import classes from './results.module.css'

export function NotesCard({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <Card title="Notes">
      <div className={classes.body}>
        <ul className={classes.list}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </div>
    </Card>
  )
}
