import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { numeric } from './table.tsx'
import classes from './sort-header.module.css'

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
        className={classes.button}
        onClick={() => onSort({ column, isDescending: isActive ? !sorting.isDescending : isNumeric })}
      >
        {label}
        {isActive && <Arrow size={12} stroke={2} aria-hidden />}
      </button>
    </th>
  )
}
