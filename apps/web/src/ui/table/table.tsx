import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import classes from './table.module.css'
import { formatCount } from '../../lib/format.ts'
import paginationClasses from './pagination.module.css'
import showAllClasses from './show-all.module.css'
import sortHeaderClasses from './sort-header.module.css'

/** Scrolls sideways inside itself where it must, so that the page never does. `label` names it for screen readers. */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    // The keyboard must be able to scroll what does not fit.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.scroll} aria-label={`${label} table`} tabIndex={0}>
      <table className={classes.table} aria-label={label}>
        {children}
      </table>
    </section>
  )
}

/** Words over a column of numbers. */
export const atRight = classes.numeric ?? ''
/** A heading or a cell of numbers or dates stands at the right, in tabular numerals. */
export const numeric = `${classes.numeric} tabular`
/** A column that narrow panels leave out. */
export const secondary = classes.secondary ?? ''

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
    <nav className={paginationClasses.pagination} aria-label={label}>
      <span className={`${paginationClasses.count} tabular`}>
        {formatCount((page - 1) * pageSize + 1)}–{formatCount(last)} of {formatCount(total)}
      </span>
      <span className={paginationClasses.buttons}>
        <Button variant="default" disabled={page === 1} onClick={() => onChange(page - 1)}>
          Previous
        </Button>
        {numbers.map((number) =>
          typeof number === 'string' ? (
            <span key={number} className={paginationClasses.gap}>
              …
            </span>
          ) : (
            <button
              key={number}
              type="button"
              className={`${paginationClasses.page} tabular`}
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

interface ShowAllProps {
  total: number
  /** What they are: `rows`. */
  of: string
  onShow: () => void
}

/**
 * Under the first few of a long list; pressing it is what brings the rest into the page. The focus goes from the button,
 * which is gone then, to the table.
 */
export function ShowAll({ total, of, onShow }: ShowAllProps) {
  return (
    <div className={showAllClasses.more}>
      <Button
        variant="default"
        onClick={({ currentTarget }) => {
          const card = currentTarget.closest('section')
          onShow()
          card?.querySelector<HTMLElement>('section[tabindex]')?.focus({ preventScroll: true })
        }}
      >
        Show all {formatCount(total)} {of}
      </Button>
    </div>
  )
}

export interface Sorting<Column extends string> {
  column: Column
  isDescending: boolean
}

interface SortHeaderProps<Column extends string> {
  column: Column
  label: string
  sorting: Sorting<Column>
  onSort: (sorting: Sorting<Column>) => void
  isNumeric?: boolean
  className?: string
}

/** A column's heading that sorts by it; pressed again, the other way round. The arrow shows on the active one only. */
export function SortHeader<Column extends string>(props: SortHeaderProps<Column>) {
  const { column, label, sorting, onSort, isNumeric = false, className = '' } = props
  const isActive = sorting.column === column
  const Arrow = sorting.isDescending ? IconArrowDown : IconArrowUp
  return (
    <th
      className={`${isNumeric ? numeric : ''} ${className}`}
      {...(isActive ? { 'aria-sort': sorting.isDescending ? 'descending' : 'ascending' } : {})}
    >
      <button
        type="button"
        className={sortHeaderClasses.button}
        onClick={() => onSort({ column, isDescending: isActive ? !sorting.isDescending : isNumeric })}
      >
        {label}
        {isActive && <Arrow size={12} stroke={2} aria-hidden />}
      </button>
    </th>
  )
}
