/** Memoizes by question. A failure is not kept. */
type Memoized<Answer> = (question: string, ask: () => Promise<Answer>) => Promise<Answer>

export function memoized<Answer>(): Memoized<Answer> {
  const answers = new Map<string, Promise<Answer>>()
  return (question, ask) =>
    answers.getOrInsertComputed(question, () =>
      ask().catch((error: unknown) => {
        answers.delete(question)
        throw error
      }),
    )
}
