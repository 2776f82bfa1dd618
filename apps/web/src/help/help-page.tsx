import { useQuery } from '@tanstack/react-query'
import { guideLink, guideSections } from '@tradewright/core/guide'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { PUBLIC } from '../lib/public-queries.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { Markdown } from '../ui/feedback/markdown.tsx'
import { CardSkeleton } from '../ui/feedback/skeletons.tsx'
import { hasPage, pageText, pictureUrl, referenceText } from './guide-pages.ts'
import link from './help-link.module.css'
import classes from './help-panel.module.css'
import { closeHelp, type HelpPlace } from './help-store.ts'

interface HelpPageProps {
  place: HelpPlace
  onGo: (place: HelpPlace) => void
}

export function HelpPage({ place, onGo }: HelpPageProps) {
  const known = pageText(place.page)
  const loaded = useQuery({
    queryKey: ['help', place.page],
    meta: PUBLIC,
    queryFn: () => referenceText(place.page),
    enabled: known === undefined,
    staleTime: Infinity,
  })
  const text = known ?? loaded.data
  if (text !== undefined) return <Page text={text} place={place} onGo={onGo} />
  if (loaded.isError) {
    return (
      <Banner
        kind="error"
        text="This page could not be loaded"
        detail="Check the connection and open it again, or choose another page under All pages."
      />
    )
  }
  return <CardSkeleton rows={8} />
}

function Page({ text, place, onGo }: HelpPageProps & { text: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const start = useRef<HTMLElement>(null)
  useEffect(() => {
    if (start.current) start.current.scrollIntoView()
    heading.current?.focus({ preventScroll: true })
  }, [])

  const drawLink = (href: string, words: ReactNode) => {
    if (/^\/(?!\/)/.test(href)) {
      return (
        <Link to={href} onClick={closeHelp}>
          {words}
        </Link>
      )
    }
    const target = guideLink(href, place.page)
    if (!target || !hasPage(target.page)) return undefined
    return (
      <button type="button" className={link.link} onClick={() => onGo(target)}>
        {words}
      </button>
    )
  }
  const drawPicture = (href: string, words: string) => {
    const url = pictureUrl(href)
    return url === undefined ? undefined : <img className={classes.picture} src={url} alt={words} loading="lazy" />
  }

  return (
    <article className={classes.page}>
      {guideSections(place.page, text).map(({ title, anchor, body }, index) => (
        <section key={anchor} ref={anchor !== '' && anchor === place.anchor ? start : null}>
          {index === 0 ? (
            // Where the reading begins, also for screen readers and the keyboard.
            <h3 ref={heading} className={classes.pageTitle} tabIndex={-1} data-autofocus>
              {title}
            </h3>
          ) : (
            <h4 className={classes.sectionTitle}>{title}</h4>
          )}
          <Markdown text={body} name={title} headingAs="h5" drawLink={drawLink} drawPicture={drawPicture} />
        </section>
      ))}
    </article>
  )
}
