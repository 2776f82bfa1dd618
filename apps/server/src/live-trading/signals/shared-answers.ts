import type { SeriesSource } from '../../backtests/ports.ts'

/**
 * Deployments that are due at one instant ask for the same series: calls made while an answer is on its way share it.
 * Only those with the same abort signal, so that one caller's stop does not take the answer from another.
 */
export function shareAnswers(source: SeriesSource): SeriesSource {
  const onTheirWay = new WeakMap<AbortSignal, Map<string, ReturnType<SeriesSource>>>()
  return (request, signal) => {
    const asked = onTheirWay.getOrInsertComputed(signal, () => new Map<string, ReturnType<SeriesSource>>())
    const question = JSON.stringify(request)
    return asked.getOrInsertComputed(question, () => source(request, signal).finally(() => void asked.delete(question)))
  }
}
