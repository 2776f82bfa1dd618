/** The parts of the Web Speech API that are used here; its recognition is in no type library. */
export interface Recognition {
  lang: string
  continuous: boolean
  interimResults: boolean
  maxAlternatives: number
  onresult: ((event: RecognitionResult) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
  start: () => void
  abort: () => void
}

interface RecognitionResult {
  resultIndex: number
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>
}

type RecognitionClass = new () => Recognition

interface SpeechWindow {
  SpeechRecognition?: RecognitionClass
  webkitSpeechRecognition?: RecognitionClass
  speechSynthesis?: SpeechSynthesis
}

/** Undefined where the browser cannot listen. */
export const recognitionOf = (window: object): RecognitionClass | undefined => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a browser may or may not have
  const speech = window as SpeechWindow
  // Chrome has both and means the same; the older name is also Safari's.
  return speech.webkitSpeechRecognition ?? speech.SpeechRecognition
}

/** One utterance in American English, then it ends. */
export function prepare(recognition: Recognition): Recognition {
  recognition.lang = 'en-US'
  recognition.continuous = false
  recognition.interimResults = false
  recognition.maxAlternatives = 1
  return recognition
}

export function transcriptOf({ resultIndex, results }: RecognitionResult): string {
  return Array.from(results)
    .slice(resultIndex)
    .filter(({ isFinal }) => isFinal)
    .map((result) => result[0]?.transcript ?? '')
    .join(' ')
    .trim()
}

const ERRORS: Record<string, string> = {
  'no-speech': 'Nothing was heard. Press the microphone and speak.',
  'audio-capture': 'No microphone was found.',
  'not-allowed': 'The browser does not allow the microphone. Allow it for this page and try again.',
  'service-not-allowed': 'The browser does not allow its speech service here.',
  network: 'The browser’s speech service cannot be reached.',
  'language-not-supported': 'The browser’s speech service does not support English.',
}

/** Null for a stop by the user themselves. */
export const listeningProblem = (error: string): string | null =>
  error === 'aborted' ? null : (ERRORS[error] ?? 'Voice input failed.')

/** Natural American voices, by the names that browsers give them. */
const PREFERRED = [
  'Google US English',
  'Microsoft Aria Online (Natural)',
  'Microsoft Jenny Online (Natural)',
  'Samantha',
]

export function preferredVoice<Voice extends { name: string; lang: string }>(
  voices: readonly Voice[],
): Voice | undefined {
  const named = PREFERRED.flatMap((name) => voices.filter((voice) => voice.name.startsWith(name)))
  return named[0] ?? voices.find(({ lang }) => lang === 'en-US') ?? voices.find(({ lang }) => lang.startsWith('en'))
}

export const HOW_TO_SPEAK = { lang: 'en-US', rate: 0.9, pitch: 1, volume: 0.8 } as const
