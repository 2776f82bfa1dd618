import { IconArrowRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './quick-link-card.module.css'
import type { QuickLink } from './quick-links.ts'

/** The whole card is the target of its one link. */
export function QuickLinkCard({ link }: { link: QuickLink }) {
  const { icon: Glyph, nextStep } = link
  return (
    <article className={classes.card}>
      <div className={classes.head}>
        <span className={classes.tile} aria-hidden>
          <Glyph size={18} stroke={1.7} />
        </span>
        <h2 className={classes.title}>
          <Link to={link.path} className={classes.link}>
            {link.title}
          </Link>
        </h2>
        <IconArrowRight className={classes.arrow} size={16} stroke={1.7} aria-hidden />
      </div>
      <p className={classes.text}>{link.text}</p>
      <div className={classes.foot}>
        <p className={classes.label}>Next step</p>
        <p className={classes.step}>{nextStep.title}</p>
        <p className={classes.hint}>{nextStep.text}</p>
      </div>
    </article>
  )
}
