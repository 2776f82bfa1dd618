/** The first, the last and those around the current one; a gap is named by its side. Up to seven pages are all shown. */
export function pageNumbers(current: number, count: number): (number | 'gap before' | 'gap after')[] {
  const all = Array.from({ length: count }, (_, index) => index + 1)
  if (count <= 7) return all
  const shown = all.filter((page) => page === 1 || page === count || Math.abs(page - current) <= 1)
  return shown.flatMap((page, index) =>
    index > 0 && page - shown[index - 1]! > 1 ? [page <= current ? 'gap before' : 'gap after', page] : [page],
  )
}

/** So many neighbours at most, with the current one in the middle where there is room on both sides. */
export function pageWindow(current: number, count: number, atMost: number): number[] {
  const length = Math.min(count, atMost)
  const first = Math.min(Math.max(1, current - Math.floor(atMost / 2)), count - length + 1)
  return Array.from({ length }, (_, index) => first + index)
}
