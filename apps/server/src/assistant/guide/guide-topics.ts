import {
  type GlossaryEntry,
  type GuideSection,
  guideLink,
  glossaryEntries,
  guideSections,
  plainWords,
} from '@tradewright/core/guide'
import { z } from 'zod'
import { textSearch, wordsIn } from '@tradewright/core/text-search'
import { actionTag, defineTool, type AssistantArea, type Topic } from '../action.ts'
import { NOT_UNDERSTOOD, paragraphs } from '../words.ts'
import { tickersIn } from '../topics/market-topics.ts'

const MAX_HITS = 3
const MAX_ANSWER_LENGTH = 1_400
const SHORT_INTRODUCTION = 400

const CAPABILITIES = 'What can you do?'

/** Asks how the program works, not how the user's own things are doing. */
const PRODUCT_QUESTION =
  /^(?:how (?:do|can|to|does|should|would|often|long|many|much) |how (?:is|are) .*\b(?:calculated|charged|checked|chosen|computed|filled|measured|made|stored)\b|what happens |what .*\ban? (?:backtest|deployment|result|strategy)\b|where |why |can (?:i|you|it|tradewright)\b|will |do (?:i|you)\b|does |is (?:it|there|this|my (?:data|key|api key|password|money))\b|are there )/

/** Answered by the topics of the user's own data, although asked in the same way. */
const OWN_DATA =
  /^why .*\bmy (?:portfolio|holdings|positions|equity|account)\b|^how (?:do|does) (?!i\b).*\b(?:doing|correlat|compare)|^how (?:can|should) i (?:balance|diversify|optimi[sz]e|rebalance) /

const ASKS_FOR_ADVICE =
  /^(?:should|shall) i (?:buy|sell|hold|short|invest)|\b(?:what|which) .*\bshould i (?:buy|sell|hold)/

/**
 * Questions about the program and its terms, answered from the guide and the glossary. `first` goes before the topics of
 * the user's own data and takes what is clearly meant for it; `last` takes what none of them knows.
 */
export function guideAreas(search: GuideSearch): { first: AssistantArea; last: AssistantArea } {
  const term: Topic = {
    example: 'What is the Sharpe ratio?',
    matches: (_, question) => search.termIn(question) !== undefined,
    answer: async (_, question) => termWords(search.termIn(question)!, search),
  }
  const comparedTerms: Topic = {
    matches: (_, question) => search.termsCompared(question).length > 0,
    answer: async (_, question) => paragraphs(...search.termsCompared(question).map(meaningWords)),
  }
  const product: Topic = {
    example: 'How do I save a backtest?',
    matches: (words) => PRODUCT_QUESTION.test(words) && !OWN_DATA.test(words),
    answer: async (_, question) => guideWords(question, search),
  }
  const advice: Topic = {
    matches: (words) => ASKS_FOR_ADVICE.test(words),
    answer: async () =>
      'I give no investment advice. I can compute what a portfolio would have done, for example: What if I held 60% SPY and 40% TLT?',
  }
  const anythingElse: Topic = {
    matches: () => true,
    answer: async (_, question) => guideWords(question, search),
  }
  return {
    first: { tools: [helpTool(search)], topics: [term, comparedTerms, advice, product] },
    last: { tools: [], topics: [anythingElse] },
  }
}

const meaningWords = ({ term, meaning }: GlossaryEntry): string =>
  `**${capitalised(term)}**: ${withPanelLinks(meaning, 'glossary')}`

function termWords(entry: GlossaryEntry, search: GuideSearch): string {
  const related = search.find(entry.term).filter(({ isSure }) => isSure)
  return paragraphs(meaningWords(entry), moreWords(related.map(({ section }) => section).slice(0, MAX_HITS)))
}

function guideWords(question: string, search: GuideSearch): string {
  const [best, ...others] = search.find(question)
  if (!best?.isSure) return notUnderstood(question, search)
  const sure = others.filter(({ isSure }) => isSure).map(({ section }) => section)
  // An introduction names the subject; how it is done stands in the sections under it.
  const isIntroduction = best.section.anchor === '' && best.section.body.length < SHORT_INTRODUCTION
  const steps = isIntroduction ? search.stepsOf(best.section, question) : undefined
  const told = steps ? [best.section, steps] : [best.section]
  return paragraphs(
    ...told.flatMap(({ title, body, page }) => [`**${title}**`, withPanelLinks(shortened(body), page)]),
    moreWords([...new Set([...told, ...sure])].slice(0, MAX_HITS)),
  )
}

/** What it did not understand it does not answer; a section that may help is only named. */
function notUnderstood(question: string, search: GuideSearch): string {
  const near = search.find(question).slice(0, 2)
  return paragraphs(
    `${NOT_UNDERSTOOD} I can look up your own strategies, backtests, portfolio and prices, and explain this program and its terms.`,
    near.length > 0 && `The guide may help: ${near.map(({ section }) => linkTo(section)).join(', ')}.`,
    actionTag({ label: CAPABILITIES, type: 'ask' }),
  )
}

const moreWords = (sections: readonly GuideSection[]): string =>
  sections.length === 0 ? '' : `In the guide: ${sections.map(linkTo).join(', ')}`

/** The screen opens the help panel there. */
const linkTo = ({ page, pageTitle, title, anchor }: GuideSection): string =>
  `[${title === pageTitle ? title : `${pageTitle}: ${title}`}](/help/${page}${anchor === '' ? '' : `#${anchor}`})`

/** Links between the files as links into the help panel; pictures are left out. */
const withPanelLinks = (markdown: string, page: string): string =>
  markdown
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n*/gm, '')
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (whole, text: string, href: string) => {
      const link = guideLink(href, page)
      if (!link) return whole
      return `[${text}](/help/${link.page}${link.anchor === '' ? '' : `#${link.anchor}`})`
    })

/** Whole paragraphs up to the limit. */
function shortened(body: string): string {
  const kept: string[] = []
  let length = 0
  for (const part of body.split(/\n\n/)) {
    length += part.length
    if (kept.length > 0 && length > MAX_ANSWER_LENGTH) break
    kept.push(part)
  }
  return kept.join('\n\n')
}

const capitalised = (term: string): string => term.charAt(0).toUpperCase() + term.slice(1)

const helpTool = (search: GuideSearch) =>
  defineTool({
    name: 'get_help',
    description:
      'The user guide and the glossary of this program: how to do something in it, what a screen, a setting or a term means.',
    note: 'Reading the guide',
    input: z.object({ question: z.string().min(1).max(400) }),
    async run(_, { question }) {
      const term = search.termIn(question)
      return {
        ...(term ? { term: term.term, meaning: term.meaning } : {}),
        sections: search
          .find(question)
          .slice(0, MAX_HITS)
          .map(({ section: { pageTitle, title, body } }) => ({ page: pageTitle, title, text: body })),
      }
    },
  })

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

interface GuideSearch {
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
