import { marketText } from './market-text.ts'
import classes from './market-line.module.css'
import { useGlance } from './queries.ts'

/** Shows nothing until the market's state is known. */
export function MarketLine() {
  const { data } = useGlance()
  if (!data) return null
  const { is_open } = data.market
  return (
    <p className={classes.line} data-open={is_open}>
      <span className={classes.dot} aria-hidden />
      {marketText(data.market)}
    </p>
  )
}
