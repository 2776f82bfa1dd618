import { useCallback, useEffect, useState } from 'react'
import { HOW_TO_SPEAK, preferredVoice } from './speech.ts'
import { sentencesOf, spokenText } from './spoken-text.ts'

/** Reads answers aloud while it is on; a new one, or leaving, ends the one before. */
export function useSpokenReplies() {
  const [isOn, setOn] = useState(false)
  const isSupported = 'speechSynthesis' in window

  const hush = useCallback(() => {
    if (isSupported) window.speechSynthesis.cancel()
  }, [isSupported])
  useEffect(() => hush, [hush])

  const speak = (content: string) => {
    if (!isOn || !isSupported) return
    hush()
    // Chrome knows its voices only some time after the page began, so they are asked for now.
    const voice = preferredVoice(window.speechSynthesis.getVoices())
    for (const sentence of sentencesOf(spokenText(content))) {
      const utterance = Object.assign(new SpeechSynthesisUtterance(sentence), HOW_TO_SPEAK)
      if (voice) utterance.voice = voice
      window.speechSynthesis.speak(utterance)
    }
  }

  const toggle = () => {
    if (isOn) hush()
    setOn(!isOn)
  }

  return { isSupported, isOn, toggle, speak, hush }
}
