import { Button } from '@mantine/core'
import { formatCount } from '../../lib/format.ts'
import classes from './pagination.module.css'

interface PaginationProps {
  /** From 1. */
  page: number
  pageSize: number
  total: number
  onChange: (page: number) => void
  /** The content that is paged, for screen readers: `Full Results pages`. */
  label: string
  /** Shows so many numbered pages at most, those around the current one. */
  numbersAtMost?: number
}

/** `1–10 of 14`, then Previous, numbered pages, Next. Nothing where one page holds all. */
export function Pagination({ page, pageSize, total, onChange, label, numbersAtMost }: PaginationProps) {
  const pages = Math.ceil(total / pageSize)
  if (pages <= 1) return null
  const last = Math.min(total, page * pageSize)
  const numbers = numbersAtMost ? pageWindow(page, pages, numbersAtMost) : pageNumbers(page, pages)
  return (
    <nav className={classes.pagination} aria-label={label}>
      <span className={`${classes.count} tabular`}>
        {formatCount((page - 1) * pageSize + 1)}–{formatCount(last)} of {formatCount(total)}
      </span>
      <span className={classes.buttons}>
        <Button variant="default" disabled={page === 1} onClick={() => onChange(page - 1)}>
          Previous
        </Button>
        {numbers.map((number) =>
          typeof number === 'string' ? (
            <span key={number} className={classes.gap}>
              …
            </span>
          ) : (
            <button
              key={number}
              type="button"
              className={`${classes.page} tabular`}
              aria-label={`Page ${number}`}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onChange(number)}
            >
              {number}
            </button>
          ),
        )}
        <Button variant="default" disabled={page === pages} onClick={() => onChange(page + 1)}>
          Next
        </Button>
      </span>
    </nav>
  )
}

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
