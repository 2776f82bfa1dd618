import { glossaryEntries, type GuideSection, guideSections, plainWords, usersGlossary } from '@tradewright/core/guide'
import { textSearch } from '@tradewright/core/text-search'
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

export const INDEX = 'README'

const pages = new Map([
  ...Object.entries(guide).map(([path, text]) => [nameOf(path), text] as const),
  ['glossary', usersGlossary(glossary)] as const,
])

/** Text of a page that is here already; undefined for the reference and for what does not exist. */
export const pageText = (page: string): string | undefined => pages.get(page)

/** Text of a page of the reference: `../method`. */
export async function referenceText(page: string): Promise<string> {
  const load = Object.entries(reference).find(([path]) => `../${nameOf(path)}` === page)?.[1]
  if (!load) throw new Error('This page is not part of the help.')
  return load()
}

export const hasPage = (page: string): boolean =>
  pages.has(page) || Object.keys(reference).some((path) => `../${nameOf(path)}` === page)

/** The built file of a picture of the guide, by its name in docs/images. */
export const pictureUrl = (href: string): string | undefined =>
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
export function searchHelp(query: string): HelpHit[] {
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
