import { useCallback, useEffect, useRef, useState } from 'react'
import { listeningProblem, prepare, type Recognition, recognitionOf, transcriptOf } from './speech.ts'

/** Puts what is said into words; it is not sent by itself. */
export function useVoiceInput(onText: (text: string) => void) {
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
