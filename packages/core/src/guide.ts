/**
 * The user guide (docs/guide) and the glossary (docs/glossary.md) as values. The help panel, the popovers and the
 * built-in assistant all read the same Markdown, so that no text is written twice.
 */

/** A part of a page: its introduction, or what stands under a heading of the second level. */
export interface GuideSection {
  /** The file's name without its ending: `backtest-studio`. */
  readonly page: string
  readonly pageTitle: string
  /** The section's heading; for the introduction, the page's own title. */
  readonly title: string
  /** Empty for the introduction. */
  readonly anchor: string
  /** Markdown without the heading. */
  readonly body: string
}

/** As GitHub makes it, so that links work there too. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

/** The sections of a page in their order; the introduction is the first. */
export function guideSections(page: string, markdown: string): GuideSection[] {
  const [head = '', ...rest] = markdown.split(/^## /m)
  const [, pageTitle = page, intro = head] = /^# (.+)\n([\s\S]*)$/.exec(head.trimStart()) ?? []
  const sections = rest.map((part) => {
    const end = part.indexOf('\n')
    const title = (end < 0 ? part : part.slice(0, end)).trim()
    return { page, pageTitle, title, anchor: anchorOf(title), body: end < 0 ? '' : part.slice(end).trim() }
  })
  return [{ page, pageTitle, title: pageTitle, anchor: '', body: intro.trim() }, ...sections]
}

/** A link of a guide page, as the panel and the assistant follow it. */
interface GuideLink {
  /** `backtest-studio`, `glossary`, or with the folder above `../method`: a page of the reference. */
  readonly page: string
  readonly anchor: string
}

/** Undefined for what leads elsewhere, such as an address of the web. Links are relative to `docs/guide`. */
export function guideLink(href: string, current: string): GuideLink | undefined {
  const [, path, anchor = ''] = /^((?:\.\.\/)?(?:guide\/)?[\w-]+)?(?:\.md)?(?:#([\w-]*))?$/.exec(href) ?? []
  if (path === undefined) return href.startsWith('#') ? { page: current, anchor } : undefined
  if (!/\.md(#|$)/.test(href)) return undefined
  return { page: pageAt(path, current), anchor }
}

/** Pages of the reference, in `docs`, link to each other without a folder, and to the guide as `guide/…`. */
function pageAt(path: string, current: string): string {
  const isReference = current.startsWith('../') || current === 'glossary'
  const page = isReference ? (path.startsWith('guide/') ? path.slice('guide/'.length) : `../${path}`) : path
  return page === '../glossary' ? 'glossary' : page
}

export interface GlossaryEntry {
  /** The first of its names, as it is written: `Sharpe ratio`. */
  readonly term: string
  /** All of its names, in lower case. */
  readonly names: readonly string[]
  /** Markdown. */
  readonly meaning: string
}

/** Words for contributors follow under this heading; users are not shown them. */
const FOR_CONTRIBUTORS = /^## In the code$/m

/** The part of docs/glossary.md that is for users. */
export const usersGlossary = (markdown: string): string => (markdown.split(FOR_CONTRIBUTORS)[0] ?? '').trim()

/** The glossary's entries: `- **Sharpe ratio** (Sharpe): What it means.`, with other names in brackets. */
export function glossaryEntries(markdown: string): GlossaryEntry[] {
  return usersGlossary(markdown)
    .split(/\n(?=- |\n)/)
    .flatMap((entry) => {
      const [, term, others = '', meaning] = /^- \*\*([^*]+)\*\*(?: \(([^)]+)\))?: ([\s\S]+)$/.exec(entry) ?? []
      if (term === undefined || meaning === undefined) return []
      const names = [term, ...others.split(', ').filter((name) => name !== '')].map((name) => name.toLowerCase())
      return [{ term, names, meaning: meaning.replaceAll(/\s+/g, ' ').trim() }]
    })
}

/** Markdown as a sentence to read where nothing is formatted: links by their words, no marks. */
export const plainWords = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(?:-|\d+\.)\s+/gm, '')
    .replaceAll(/[`*]|\b_|_\b/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
