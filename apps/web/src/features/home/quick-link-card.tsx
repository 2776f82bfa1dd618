import { Link } from 'react-router'
import classes from './quick-link-card.module.css'
import type { QuickLink } from './quick-links.ts'

/** The whole card is the target of its one link. */
export function QuickLinkCard({ link: { icon: Glyph, title, text, path } }: { link: QuickLink }) {
  return (
    <article className={classes.card}>
      <div className={classes.head}>
        <Glyph className={classes.glyph} size={18} stroke={1.7} aria-hidden />
        <h3 className={classes.title}>
          <Link to={path} className={classes.link}>
            {title}
          </Link>
        </h3>
      </div>
      <p className={classes.text}>{text}</p>
    </article>
  )
}
