import { describe, expect, it } from 'vitest'
import {
  HOW_TO_SPEAK,
  listeningProblem,
  preferredVoice,
  prepare,
  type Recognition,
  recognitionOf,
  transcriptOf,
} from './composer.tsx'
import { sentencesOf, spokenText } from './ai-assistant-screen.tsx'

class Fake implements Recognition {
  lang = ''
  continuous = true
  interimResults = true
  maxAlternatives = 5
  onresult = null
  onerror = null
  onend = null
  start = () => undefined
  abort = () => undefined
}

describe('voice input', () => {
  it('is found under either name, or not at all', () => {
    expect(recognitionOf({ webkitSpeechRecognition: Fake })).toBe(Fake)
    expect(recognitionOf({ SpeechRecognition: Fake })).toBe(Fake)
    expect(recognitionOf({})).toBeUndefined()
  })

  it('listens in American English, to one utterance [AI-041]', () => {
    expect(prepare(new Fake())).toMatchObject({ lang: 'en-US', continuous: false })
  })

  it('takes the final results that are new', () => {
    const result = (transcript: string, isFinal: boolean) => Object.assign([{ transcript }], { isFinal })
    const results = [result('old', true), result('compare', true), result('my last', true), result('two', false)]
    expect(transcriptOf({ resultIndex: 1, results })).toBe('compare my last')
  })

  it('explains what went wrong, but not what the user did', () => {
    expect(listeningProblem('not-allowed')).toContain('does not allow the microphone')
    expect(listeningProblem('something-new')).toBe('Voice input failed.')
    expect(listeningProblem('aborted')).toBeNull()
  })
})

describe('spoken replies', () => {
  it('have the pace, pitch and volume of the specification [AI-042]', () => {
    expect(HOW_TO_SPEAK).toEqual({ lang: 'en-US', rate: 0.9, pitch: 1, volume: 0.8 })
  })

  it('prefer a natural American voice', () => {
    const voice = (name: string, lang: string) => ({ name, lang })
    const [german, british, american, natural] = [
      voice('Anna', 'de-DE'),
      voice('Daniel', 'en-GB'),
      voice('Fred', 'en-US'),
      voice('Microsoft Jenny Online (Natural) - English', 'en-US'),
    ]
    expect(preferredVoice([german, british, american, natural])).toBe(natural)
    expect(preferredVoice([german, british, american])).toBe(american)
    expect(preferredVoice([german, british])).toBe(british)
    expect(preferredVoice([german])).toBeUndefined()
  })

  it('leave out what cannot be listened to', () => {
    const content =
      '**Mine** made +8.5%.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```chart\n{}\n```\n\n[Strategies](/strategies) \\*x\\* https://a.b [ACTION:{"label":"Run"}]'
    expect(spokenText(content)).toBe('Mine made +8.5%. Strategies x')
  })

  it('come sentence by sentence, and keep numbers whole', () => {
    expect(sentencesOf('It made 8.5% a year. Is that much? Yes')).toEqual([
      'It made 8.5% a year.',
      'Is that much?',
      'Yes',
    ])
  })
})
