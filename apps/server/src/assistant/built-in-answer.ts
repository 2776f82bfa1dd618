import type { Abilities } from './area.ts'
import type { Caller } from './tool.ts'
import { NOT_UNDERSTOOD, paragraphs } from './words.ts'

const CONNECT = '[connect an OpenAI key or a compatible server in Settings](/settings#openai)'

/** Under each of its answers, so that a template is not taken for a model. */
const SIGNATURE = `*This is the built-in assistant: it answers from your own data and the guide, without an AI model. For open-ended questions, ${CONNECT}.*`

/** Topics look for words by patterns, whose time grows with the square of the text. */
const MAX_QUESTION_LENGTH = 1_000

export const signed = (answer: string): string => paragraphs(answer, SIGNATURE)

const ASKS_FOR_HELP =
  /^(?:help|hi|hello|hey|good (?:morning|afternoon|evening)|what can (?:you|i) (?:do|ask).*|what do you know.*|who are you.*)[?!. ]*$/
const THANKS = /^(?:many )?(?:thanks|thank you|thx|cheers)(?: a lot| very much)?[?!. ]*$/

/** The first topic that recognises the question; what none does is not answered by a guess. */
export async function answerBuiltIn({ topics }: Abilities, caller: Caller, asked: string): Promise<string> {
  const question = asked.slice(0, MAX_QUESTION_LENGTH).replaceAll(/\s+/g, ' ').trim()
  const words = question.toLowerCase()
  if (ASKS_FOR_HELP.test(words)) return signed(whatItCanDo(topics))
  if (THANKS.test(words)) return signed('You are welcome.')
  const topic = topics.find((one) => one.matches(words, question))
  return signed(topic ? await topic.answer(caller, question) : NOT_UNDERSTOOD)
}

const whatItCanDo = (topics: Abilities['topics']): string =>
  paragraphs(
    'I answer from your own data and from the guide. Ask, for example:',
    topics.flatMap(({ example }) => (example === undefined ? [] : [`- ${example}`])).join('\n'),
  )
