import {
  type GlossaryEntry,
  glossaryEntries,
  type GuideSection,
  guideSections,
  plainWords,
} from '@tradewright/core/guide'
import { textSearch, wordsIn } from '@tradewright/core/text-search'
import { tickersIn } from '../topics/tickers-in.ts'

/** The files of docs/guide and docs/glossary.md, as Markdown. */
export interface GuideTexts {
  readonly pages: readonly { readonly page: string; readonly markdown: string }[]
  readonly glossary: string
}

interface Found {
  readonly section: GuideSection
  /** Whether the section is about what was asked, and not only has some words of it. */
  readonly isSure: boolean
}

export interface GuideSearch {
  find(question: string): Found[]
  /**
   * The section with the steps: the one of the introduction's page whose title has words of the question, else the
   * page's first.
   */
  stepsOf(introduction: GuideSection, question: string): GuideSection | undefined
  /** The entry that a question such as "What is the Sharpe ratio?" asks for. */
  termIn(question: string): GlossaryEntry | undefined
  /** The entries that "What is the difference between Sharpe and Sortino?" asks for; none where it is not such a question. */
  termsCompared(question: string): GlossaryEntry[]
}

/** Found by trying the questions of guide-topics.test.ts: a sure answer has most of the question's weight. */
const SURE_COVERAGE = 0.62
const SURE_SCORE = 4

const ASKS_FOR_MEANING =
  /^(?:please )?(?:what(?:'s|’s| is| are| does| do| is meant by)|how (?:is|are) .*(?:calculated|computed|measured)|is an? |define|explain|describe|tell me (?:about|what)|meaning of)\b/

/** Beside the term itself; any other word makes it a question about something else, such as the best strategy. */
const FILLERS =
  /^(?:please|what|what's|what’s|whats|how|is|are|does|do|define|explain|describe|tell|me|about|the|a|an|mean|means|meant|meaning|by|of|in|here|it|this|exactly|term|word|stand|for|good|bad|high|low|great|enough|normal|realistic|worth|above|over|below|under|than|more|less|you|to|calculated|computed|measured|figure|ratio|trading|portfolio|strategy|used|useful|test|testing|sample|data|layer|[\d.]+%?)$/

/** The guide is read and indexed with the first question: most starts of the program end without one. */
export function guideSearch(read: () => GuideTexts): GuideSearch {
  let made: GuideIndex | undefined
  const index = () => (made ??= indexOf(read()))
  return {
    find: (question) =>
      index()
        .search(question)
        .map(({ text: { section }, score, coverage }) => ({
          section,
          isSure: (coverage >= SURE_COVERAGE && score >= SURE_SCORE) || asksTitle(question, section.title),
        }))
        .toSorted(
          (a, b) => Number(asksTitle(question, b.section.title)) - Number(asksTitle(question, a.section.title)),
        ),
    stepsOf: ({ page }, question) => {
      const asked = new Set(wordsIn(question))
      const parts = index().sections.filter((section) => section.page === page && section.anchor !== '')
      return parts.find(({ title }) => wordsIn(title).some((word) => asked.has(word))) ?? parts[0]
    },
    termIn: (question) => termIn(question, index().entries),
    termsCompared: (question) => termsCompared(question, index().entries),
  }
}

/** Whether the question is a title of the guide, such as "Which tickers can I use?", or one of two in a title that are joined by "or" or "and". */
const asksTitle = (question: string, title: string): boolean =>
  [title, ...title.split(/, (?:or|and) /)].some((one) => wordsOf(one) === wordsOf(question))

type GuideIndex = ReturnType<typeof indexOf>

function indexOf({ pages, glossary }: GuideTexts) {
  // The index page has nothing but links.
  const sections = pages
    .filter(({ page }) => page !== 'README')
    .flatMap(({ page, markdown }) => guideSections(page, markdown))
  const search = textSearch(
    sections.map((section) => ({
      section,
      title: section.title,
      // The page's title tells what a section such as "Read the result" is about.
      body: `${section.pageTitle} ${plainWords(section.body)}`,
    })),
  )
  return { sections, search, entries: glossaryEntries(glossary) }
}

const COMPARES =
  /^(?:what(?:'s|’s| is) the difference between|how (?:do|does)|compare)? ?(.+?) (?:and|vs\.?|versus|differ from) (.+?)(?: differ)?$/

function termsCompared(question: string, entries: readonly GlossaryEntry[]): GlossaryEntry[] {
  const [, ...sides] = COMPARES.exec(wordsOf(question)) ?? []
  const found = sides.map((side) => termIn(`define ${side}`, entries)).filter((entry) => entry !== undefined)
  return found.length === 2 && found[0] !== found[1] ? found : []
}

const wordsOf = (question: string): string =>
  question
    .toLowerCase()
    .replaceAll(/[?!"“”]|\.(?!\d)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

function termIn(question: string, entries: readonly GlossaryEntry[]): GlossaryEntry | undefined {
  const words = wordsOf(question)
  const isBare = words.split(' ').length <= 3
  if ((!ASKS_FOR_MEANING.test(words) && !isBare) || /\bmy\b/.test(words)) return undefined
  const named = entries
    .flatMap((entry) => entry.names.map((name) => ({ entry, name })))
    .filter(({ name }) => isOnly(words, name) || isOnly(words, `${name}s`))
    .toSorted((a, b) => b.name.length - a.name.length)[0]
  return named && (isBare || tickersIn(question).every((ticker) => named.name.includes(ticker.toLowerCase())))
    ? named.entry
    : undefined
}

/** Whether the question has the name and nothing else that carries a meaning. */
function isOnly(words: string, name: string): boolean {
  const at = ` ${words} `.indexOf(` ${name} `)
  if (at < 0) return false
  const rest = ` ${words} `.replace(` ${name} `, ' ').trim()
  return rest === '' || rest.split(' ').every((word) => FILLERS.test(word))
}
