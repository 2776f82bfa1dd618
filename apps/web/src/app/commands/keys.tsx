import classes from './keys.module.css'

/** Keys as they are printed on the keyboard. */
export function Keys({ names }: { names: readonly string[] }) {
  return (
    <span className={classes.keys}>
      {names.map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </span>
  )
}
