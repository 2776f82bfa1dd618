/** Empty is no limit. */
export const limitValue = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed))

export function limitProblem(typed: string): string | null {
  const limit = limitValue(typed)
  if (limit === null || (limit > 0 && limit <= 100)) return null
  return 'Please enter a percent above 0 and at most 100, or leave it empty.'
}
