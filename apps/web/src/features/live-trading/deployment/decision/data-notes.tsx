import classes from './data-notes.module.css'

/** What is odd about the data behind a decision or a model: ticker, dates and effect. */
export function DataNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <ul className={classes.notes} aria-label="About the data">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
