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
import { IconButton } from '../../ui/form/icon-button.tsx'
import classes from './composer.module.css'
import { NO_SPOKEN_REPLIES, NO_VOICE_INPUT } from './messages.ts'
import { listeningProblem, prepare, type Recognition, recognitionOf, transcriptOf } from './speech.ts'

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
