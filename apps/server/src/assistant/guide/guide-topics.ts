import type { GlossaryEntry, GuideSection } from '@tradewright/core/guide'
import { guideLink } from '@tradewright/core/guide'
import { z } from 'zod'
import { actionTag } from '../action-tags.ts'
import type { AssistantArea, Topic } from '../area.ts'
import { defineTool } from '../tool.ts'
import { NOT_UNDERSTOOD, paragraphs } from '../words.ts'
import type { GuideSearch } from './guide-search.ts'

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
