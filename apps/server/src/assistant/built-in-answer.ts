import type { Abilities } from './area.ts'
import type { Caller } from './tool.ts'
import { paragraphs } from './words.ts'

const CONNECT = '[connect an OpenAI key or a compatible server in Settings](/settings#openai)'

/** Under each of its answers, so that a template is not taken for a model. */
const SIGNATURE = `*This is the built-in assistant: it answers from your own data, without an AI model. For open-ended questions, ${CONNECT}.*`

/** Topics look for words by patterns, whose time grows with the square of the text. */
const MAX_QUESTION_LENGTH = 1_000

export const signed = (answer: string): string => paragraphs(answer, SIGNATURE)

/** The first topic that recognises the question; anything else is told what can be asked. */
export async function answerBuiltIn({ topics }: Abilities, caller: Caller, asked: string): Promise<string> {
  const question = asked.slice(0, MAX_QUESTION_LENGTH).replaceAll(/\s+/g, ' ')
  const words = question.toLowerCase()
  const topic = topics.find((one) => one.matches(words, question))
  return signed(topic ? await topic.answer(caller, question) : whatItCanDo(topics))
}

const whatItCanDo = (topics: Abilities['topics']): string =>
  paragraphs(
    'I cannot answer that on my own: an open-ended question needs a connected AI model. What I can answer from your own data:',
    topics.map(({ example }) => `- ${example}`).join('\n'),
  )
