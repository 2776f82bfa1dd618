import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { Button, Drawer } from '@mantine/core'
import { IconArrowLeft, IconListDetails, IconSearch, IconSearchOff } from '@tabler/icons-react'
import { useState, type ReactNode, useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  guideLink,
  guideSections,
  glossaryEntries,
  type GuideSection,
  plainWords,
  usersGlossary,
} from '@tradewright/core/guide'
import { Link } from 'react-router'
import { textSearch } from '@tradewright/core/text-search'
import { TextField } from '../ui/form/fields.tsx'
import { NO_LANDMARK } from '../ui/layout/confirm-modal.tsx'
import classes from './help-panel.module.css'
import { closeHelp, type HelpPlace, openHelp } from './help-link.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PUBLIC } from '../lib/public-queries.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { Markdown } from '../ui/feedback/markdown.tsx'
import { CardSkeleton } from '../ui/feedback/skeletons.tsx'
import link from './help-link.module.css'
import glossary from '../../../../docs/glossary.md?raw'

/** Bundled into the panel's own chunk, which is fetched when it is first opened. */
const guide = import.meta.glob<string>('../../../../docs/guide/*.md', { query: '?raw', import: 'default', eager: true })
/** The reference is longer: each page is fetched when it is opened. */
const reference = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default' })
const pictures = import.meta.glob<string>('../../../../docs/images/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
})

const INDEX = 'README'

const pages = new Map([
  ...Object.entries(guide).map(([path, text]) => [nameOf(path), text] as const),
  ['glossary', usersGlossary(glossary)] as const,
])

/** Text of a page that is here already; undefined for the reference and for what does not exist. */
const pageText = (page: string): string | undefined => pages.get(page)

/** Text of a page of the reference: `../method`. */
async function referenceText(page: string): Promise<string> {
  const load = Object.entries(reference).find(([path]) => `../${nameOf(path)}` === page)?.[1]
  if (!load) throw new Error('This page is not part of the help.')
  return load()
}

const hasPage = (page: string): boolean =>
  pages.has(page) || Object.keys(reference).some((path) => `../${nameOf(path)}` === page)

/** The built file of a picture of the guide, by its name in docs/images. */
const pictureUrl = (href: string): string | undefined =>
  Object.entries(pictures).find(([path]) => fileOf(path) === fileOf(href))?.[1]

interface HelpHit {
  readonly page: string
  readonly pageTitle: string
  readonly title: string
  readonly anchor: string
  readonly body: string
}

const sections: readonly GuideSection[] = Object.entries(guide)
  .filter(([path]) => nameOf(path) !== INDEX)
  .flatMap(([path, text]) => guideSections(nameOf(path), text))
const terms: readonly HelpHit[] = glossaryEntries(glossary).map(({ term, names, meaning }) => ({
  page: 'glossary',
  pageTitle: 'Glossary',
  title: names.length > 1 && names[1] !== undefined ? `${term} (${names.slice(1).join(', ')})` : term,
  anchor: '',
  body: meaning,
}))
const MAX_HITS = 12

const search = textSearch<HelpHit>(
  [...sections, ...terms].map(({ page, pageTitle, title, anchor, body }) => ({
    page,
    pageTitle,
    title,
    anchor,
    body: plainWords(body),
  })),
)

/** Best first; a term whose name was typed goes before everything. */
function searchHelp(query: string): HelpHit[] {
  const name = query.trim().toLowerCase()
  const hits = search(query).map(({ text }) => text)
  const named = hits.filter(({ page, title }) => page === 'glossary' && title.toLowerCase().split(' (')[0] === name)
  return [...named, ...hits.filter((hit) => !named.includes(hit))].slice(0, MAX_HITS)
}

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function nameOf(path: string): string {
  return fileOf(path).replace(/\.md$/, '')
}

/** The guide over the page: at the side where there is room, else over all of it. */
export function HelpPanel({ place }: { place: HelpPlace }) {
  const [query, setQuery] = useState('')
  const [before, setBefore] = useState<readonly HelpPlace[]>([])
  const go = ({ page, anchor }: HelpPlace) => {
    setBefore([...before, place])
    setQuery('')
    openHelp(page, anchor)
  }
  const back = () => {
    const last = before.at(-1)
    setBefore(before.slice(0, -1))
    if (last) openHelp(last.page, last.anchor)
  }
  return (
    <Drawer
      opened
      onClose={closeHelp}
      title="Help"
      position="right"
      size={500}
      closeButtonProps={{ 'aria-label': 'Close help' }}
      transitionProps={{ duration: 200 }}
      overlayProps={{ backgroundOpacity: 0.25 }}
      attributes={{ header: NO_LANDMARK }}
      classNames={{
        content: classes.content ?? '',
        header: classes.header ?? '',
        title: classes.title ?? '',
        body: classes.body ?? '',
        inner: classes.inner ?? '',
      }}
    >
      <div className={classes.tools}>
        <TextField
          label="Search the guide"
          hideLabel
          type="search"
          placeholder="Search the guide and the glossary"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={query}
          onChange={setQuery}
        />
        <div className={classes.buttons}>
          {before.length > 0 && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconArrowLeft size={15} aria-hidden />}
              onClick={back}
            >
              Back
            </Button>
          )}
          {(place.page !== INDEX || query !== '') && (
            <Button
              className={classes.all ?? ''}
              variant="subtle"
              size="compact-sm"
              leftSection={<IconListDetails size={15} aria-hidden />}
              onClick={() => go({ page: INDEX, anchor: '' })}
            >
              All pages
            </Button>
          )}
        </div>
      </div>
      {query.trim() === '' ? (
        <HelpPage key={`${place.page}#${place.anchor}`} place={place} onGo={go} />
      ) : (
        <HelpResults query={query} onGo={go} />
      )}
    </Drawer>
  )
}

const SNIPPET_LENGTH = 150

interface HelpResultsProps {
  query: string
  onGo: (place: HelpPlace) => void
}

function HelpResults({ query, onGo }: HelpResultsProps) {
  const hits = searchHelp(query)
  return (
    <>
      <output className={classes.count}>
        {hits.length === 0 ? '' : `${hits.length} ${hits.length === 1 ? 'result' : 'results'}`}
      </output>
      {hits.length === 0 ? (
        <EmptyState
          icon={IconSearchOff}
          title="Nothing found"
          titleAs="p"
          text="Try another word, such as leverage, import or drawdown, or look under All pages."
        />
      ) : (
        <ul className={classes.hits}>
          {hits.map((hit) => (
            <li key={`${hit.page} ${hit.title}`}>
              <button type="button" onClick={() => onGo(hit)}>
                <span className={classes.hitTitle}>{hit.title}</span>
                {hit.title !== hit.pageTitle && <span className={classes.hitPage}>{hit.pageTitle}</span>}
                <span className={classes.hitText}>{snippetOf(hit.body)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const snippetOf = (body: string): string =>
  body.length <= SNIPPET_LENGTH ? body : `${body.slice(0, body.lastIndexOf(' ', SNIPPET_LENGTH))} …`

interface HelpPageProps {
  place: HelpPlace
  onGo: (place: HelpPlace) => void
}

function HelpPage({ place, onGo }: HelpPageProps) {
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
