const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400

/** `in 2 d 4 h`, `in 3 h 12 min`, `in 4 min 05 s`; a run that is due is `now`. */
export function countdownText(when: string, now: number): string {
  const seconds = Math.floor((Date.parse(when) - now) / 1000)
  if (seconds <= 0) return 'now'
  if (seconds >= DAY_S) return `in ${Math.floor(seconds / DAY_S)} d ${Math.floor((seconds % DAY_S) / HOUR_S)} h`
  if (seconds >= HOUR_S) return `in ${Math.floor(seconds / HOUR_S)} h ${Math.floor((seconds % HOUR_S) / MINUTE_S)} min`
  if (seconds < MINUTE_S) return `in ${seconds} s`
  return `in ${Math.floor(seconds / MINUTE_S)} min ${String(seconds % MINUTE_S).padStart(2, '0')} s`
}
