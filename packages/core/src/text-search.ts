/** A text that can be found: what stands in the title counts more than what stands in the body. */
interface SearchableText {
  readonly title: string
  readonly body: string
}

interface TextHit<Text> {
  readonly text: Text
  readonly score: number
  /** The part of the query's weight whose words are in the text, from 0 to 1: rare words weigh more. */
  readonly coverage: number
}

/**
 * Constants of Okapi BM25 (Robertson and Zaragoza, 2009): how soon repetition stops to count, and how much length is
 * held against a text.
 */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.6
const TITLE_WEIGHT = 3

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all am an and any are as at be been but by can could did do does for from get had has have how i if in ' +
    'into is it its me mean my no not of on or our shall should so tell than that the their them then there these they ' +
    'this to use was we were what when where which who why will with would you your please explain define'
  ).split(' '),
)

/** What users write for a word of the guide. */
const SYNONYMS: Readonly<Record<string, string>> = {
  leveraged: 'leverage',
  lever: 'leverage',
  levered: 'leverage',
  margin: 'leverage',
  fake: 'synthetic',
  demo: 'synthetic',
  'made-up': 'synthetic',
  genuine: 'real',
  actual: 'real',
  store: 'save',
  keep: 'save',
  weekend: 'weekends',
  saturday: 'weekends',
  sunday: 'weekends',
  upload: 'import',
  email: 'mail',
  login: 'sign-in',
  logout: 'sign-out',
  stocks: 'stock',
  coins: 'coin',
  crypto: 'coin',
}

/** Content words of a text, in lower case, without their plural and verb endings. */
export function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+(?:[-/][a-z0-9]+)*/g) ?? []
  return words
    .flatMap((word) => (/[-/]/.test(word) ? [word].concat(word.split(/[-/]/)) : [word]))
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => stemOf(SYNONYMS[word] ?? word))
}

/** Crude on purpose: the same ending is cut off in query and text, so that it need not be right. */
function stemOf(word: string): string {
  if (word.length <= 3) return word
  const stem = word.replace(/(ies)$/, 'y').replace(/(ings?|ed|es|s)$/, '')
  return stem.length < 3 ? word : stem.replace(/([bdgmnprt])\1$/, '$1').replace(/e$/, '')
}

interface Indexed<Text> {
  readonly text: Text
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

/** Ranks texts by BM25; texts without any word of the query are left out, the best is first. */
export function textSearch<Text extends SearchableText>(texts: readonly Text[]): (query: string) => TextHit<Text>[] {
  const indexed = texts.map(indexOf)
  const meanLength = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(indexed.length, 1)
  const weightOf = (word: string): number => {
    const holders = indexed.filter(({ counts }) => counts.has(word)).length
    return Math.log(1 + (indexed.length - holders + 0.5) / (holders + 0.5))
  }
  return (query) => {
    const weights = new Map([...new Set(wordsIn(query))].map((word) => [word, weightOf(word)]))
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
    return indexed
      .map(({ text, counts, length }) => {
        let [score, covered] = [0, 0]
        for (const [word, weight] of weights) {
          const count = counts.get(word)
          if (count === undefined) continue
          const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / meanLength)
          score += (weight * count * (SATURATION + 1)) / (count + norm)
          covered += weight
        }
        return { text, score, coverage: total === 0 ? 0 : covered / total }
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
  }
}

function indexOf<Text extends SearchableText>(text: Text): Indexed<Text> {
  const counts = new Map<string, number>()
  const add = (words: readonly string[], weight: number) => {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight)
  }
  const body = wordsIn(text.body)
  add(wordsIn(text.title), TITLE_WEIGHT)
  add(body, 1)
  return { text, counts, length: body.length }
}
