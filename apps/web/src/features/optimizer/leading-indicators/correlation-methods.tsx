import { HOW } from './explanations.ts'
import classes from './leading-indicators.module.css'

export function CorrelationMethods() {
  return (
    <details className={classes.how}>
      <summary>How are these computed?</summary>
      {Object.values(HOW).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </details>
  )
}
