import '@mantine/core/styles/Input.layer.css'
import { Textarea } from '@mantine/core'
import {
  IconArrowUp,
  IconDownload,
  IconEraser,
  IconMicrophone,
  IconMicrophoneFilled,
  IconPlayerStopFilled,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useCallback, useEffect, useState } from 'react'
import { useKeptForm } from '../../app/use-kept-form.ts'
import { IconButton } from '../../ui/form/buttons.tsx'
import classes from './composer.module.css'
import { NO_SPOKEN_REPLIES, NO_VOICE_INPUT } from './chat-state.ts'

interface ComposerProps {
  isProcessing: boolean
  onSend: (text: string) => void
  onStop: () => void
  onClear: () => void
  /** Absent where there is nothing to export yet. */
  onExport: (() => void) | undefined
  spoken: { isSupported: boolean; isOn: boolean; toggle: () => void }
}

const DRAFT = {
  name: 'question',
  checked: (draft: unknown) => (typeof draft === 'string' ? draft : null),
  fresh: () => '',
}

export function Composer({ isProcessing, onSend, onStop, onClear, onExport, spoken }: ComposerProps) {
  const { form: text, change: setText, startOver } = useKeptForm(DRAFT)
  const field = useRef<HTMLTextAreaElement>(null)
  const voice = useVoiceInput((heard) => {
    setText((before) => (before.trim() === '' ? heard : `${before.trimEnd()} ${heard}`))
    field.current?.focus()
  })
  const canSend = text.trim() !== '' && !isProcessing

  const send = () => {
    if (!canSend) return
    onSend(text)
    startOver()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is being composed (Japanese, accents), Enter only ends it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <div className={classes.composer}>
      {voice.problem && (
        <p className={classes.note} role="alert">
          {voice.problem}
        </p>
      )}
      <div className={classes.box}>
        <Textarea
          ref={field}
          aria-label="Message"
          placeholder="Ask about a strategy or the market"
          autosize
          minRows={1}
          maxRows={8}
          value={text}
          classNames={{ input: classes.input ?? '' }}
          onChange={({ currentTarget: { value } }) => setText(() => value)}
          onKeyDown={onKeyDown}
        />
        <div className={classes.buttons}>
          <IconButton
            icon={voice.isListening ? IconMicrophoneFilled : IconMicrophone}
            label={voiceLabel(voice)}
            pressed={voice.isListening}
            disabled={!voice.isSupported}
            onClick={voice.toggle}
          />
          <IconButton
            icon={spoken.isOn ? IconVolume : IconVolumeOff}
            label={spoken.isSupported ? 'Read replies aloud' : NO_SPOKEN_REPLIES}
            pressed={spoken.isOn}
            disabled={!spoken.isSupported}
            onClick={spoken.toggle}
          />
          <IconButton
            icon={IconEraser}
            label="Clear"
            onClick={() => {
              startOver()
              onClear()
            }}
          />
          {onExport && <IconButton icon={IconDownload} label="Export chat" onClick={onExport} />}
          <span className={classes.space} />
          {isProcessing ? (
            <button type="button" className={classes.send} aria-label="Stop" title="Stop" onClick={onStop}>
              <IconPlayerStopFilled size={16} aria-hidden />
            </button>
          ) : (
            <button
              type="button"
              className={classes.send}
              aria-label="Send"
              title="Send"
              disabled={!canSend}
              onClick={send}
            >
              <IconArrowUp size={18} stroke={2} aria-hidden />
            </button>
          )}
        </div>
      </div>
      <p className={classes.hint}>
        <span className={classes.source}>Figures come from your own data. </span>Nothing is changed unless you press a
        button.
      </p>
    </div>
  )
}

function voiceLabel({ isSupported, isListening }: { isSupported: boolean; isListening: boolean }): string {
  if (!isSupported) return NO_VOICE_INPUT
  return isListening ? 'Stop voice input' : 'Voice input'
}

/** Puts what is said into words; it is not sent by itself. */
function useVoiceInput(onText: (text: string) => void) {
  const [isListening, setListening] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const active = useRef<Recognition | null>(null)
  const Recognizer = recognitionOf(window)

  const stop = useCallback(() => active.current?.abort(), [])
  useEffect(() => stop, [stop])

  const start = () => {
    if (!Recognizer) return
    const recognition = prepare(new Recognizer())
    Object.assign(recognition, {
      onresult: (event) => {
        const text = transcriptOf(event)
        if (text) onText(text)
      },
      onerror: ({ error }) => setProblem(listeningProblem(error)),
      onend: () => {
        active.current = null
        setListening(false)
      },
    } satisfies Partial<Recognition>)
    setProblem(null)
    active.current = recognition
    try {
      recognition.start()
      setListening(true)
    } catch {
      active.current = null
      setProblem('Voice input could not be started.')
    }
  }

  return { isSupported: Recognizer !== undefined, isListening, problem, toggle: isListening ? stop : start }
}

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
