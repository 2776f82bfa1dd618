import type { SeriesSource } from '../backtests/ports.ts'

/**
 * Deployments that are due at one instant ask for the same series: who asks while an answer is on its way shares it.
 * Only with those who would give up together, so that nobody's stop takes the answer from another.
 */
export function shareAnswers(source: SeriesSource): SeriesSource {
  const onTheirWay = new WeakMap<AbortSignal, Map<string, ReturnType<SeriesSource>>>()
  return (request, signal) => {
    const asked = onTheirWay.getOrInsertComputed(signal, () => new Map<string, ReturnType<SeriesSource>>())
    const question = JSON.stringify(request)
    return asked.getOrInsertComputed(question, () => source(request, signal).finally(() => void asked.delete(question)))
  }
}
