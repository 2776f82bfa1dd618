/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/interactive-supports-focus -- a table whose cells take the focus is a grid */
import { type KeyboardEvent, useRef, useState } from 'react'
import classes from './heat-map.module.css'

export interface HeatCell {
  /** Null where there is none. */
  readonly value: number | null
  readonly text: string
  /** Read out, with the names of row and column. */
  readonly label: string
  readonly isBest: boolean
  readonly isNear: boolean
  readonly isPresent: boolean
}

interface HeatPlace {
  readonly row: number
  readonly column: number
}

interface HeatMapProps {
  label: string
  rowTitle: string
  columnTitle: string
  rows: readonly string[]
  columns: readonly string[]
  /** By row. */
  cells: readonly (readonly HeatCell[])[]
  selected: HeatPlace | null
  onSelect: (place: HeatPlace) => void
}

const STEPS = 6
/** More columns than this leave no room for numbers in the cells; they are read out and shown when selected. */
const MAX_WITH_TEXT = 16

/** How strong the tint of a value is, from 0 to 5. */
export function heatStep(value: number, least: number, most: number): number {
  if (!(most > least)) return STEPS - 1
  return Math.min(STEPS - 1, Math.floor(((value - least) / (most - least)) * STEPS))
}

/** A grid of values, the stronger the higher. One cell has the focus; arrow keys move it, Enter selects. */
export function HeatMap(props: HeatMapProps) {
  const { label, rowTitle, columnTitle, rows, columns, cells, selected, onSelect } = props
  const grid = useRef<HTMLTableElement>(null)
  const [focused, setFocused] = useState<HeatPlace | null>(null)
  const known = cells.flatMap((row) => row.flatMap(({ value }) => value ?? []))
  const [least, most] = known.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)] as const, [
    Infinity,
    -Infinity,
  ] as const)
  const current = inside(focused ?? selected ?? bestPlace(cells), rows.length, columns.length)
  const isDense = columns.length > MAX_WITH_TEXT

  const onKeyDown = (event: KeyboardEvent) => {
    const place = moved(event.key, current, rows.length, columns.length)
    if (event.key === 'Enter' || event.key === ' ') onSelect(current)
    else if (!place) return
    event.preventDefault()
    if (!place) return
    setFocused(place)
    grid.current?.querySelector<HTMLElement>(`[data-place='${place.row} ${place.column}']`)?.focus()
  }
  return (
    <div className={classes.frame}>
      <p className={classes.rowTitle}>{rowTitle} (down)</p>
      <div className={classes.scroll}>
        {/* Its cells have the focus, one at a time. */}
        <table
          ref={grid}
          role="grid"
          aria-label={label}
          className={classes.grid}
          data-dense={isDense}
          onKeyDown={onKeyDown}
        >
          <tbody>
            {cells.map((row, r) => (
              <tr key={rows[r]}>
                <th scope="row" className={`${classes.rowHead} tabular`}>
                  {rows[r]}
                </th>
                {row.map((cell, c) => (
                  // The keys are those of the grid.
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
                  <td
                    key={columns[c]}
                    className={`${classes.cell} tabular`}
                    data-place={`${r} ${c}`}
                    data-step={cell.value === null ? 'none' : heatStep(cell.value, least, most)}
                    data-best={cell.isBest}
                    data-near={cell.isNear}
                    aria-label={`${cell.label}${cell.isBest ? ', best' : ''}${cell.isPresent ? ', your numbers' : ''}`}
                    aria-selected={selected?.row === r && selected.column === c}
                    tabIndex={current.row === r && current.column === c ? 0 : -1}
                    title={isDense ? cell.label : undefined}
                    onFocus={() => setFocused({ row: r, column: c })}
                    onClick={() => onSelect({ row: r, column: c })}
                  >
                    {cell.isPresent && <span className={classes.present} aria-hidden />}
                    <span aria-hidden>{isDense ? '' : cell.text}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="col" className={classes.corner} aria-label={rowTitle} />
              {columns.map((name) => (
                <th key={name} scope="col" className={`${classes.columnHead} tabular`}>
                  {name}
                </th>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={classes.columnTitle}>{columnTitle} (across)</p>
    </div>
  )
}

const clamp = (value: number, length: number) => Math.max(0, Math.min(length - 1, value))

const inside = ({ row, column }: HeatPlace, rows: number, columns: number): HeatPlace => ({
  row: clamp(row, rows),
  column: clamp(column, columns),
})

function bestPlace(cells: HeatMapProps['cells']): HeatPlace {
  const row = cells.findIndex((one) => one.some(({ isBest }) => isBest))
  return row < 0 ? { row: 0, column: 0 } : { row, column: cells[row]!.findIndex(({ isBest }) => isBest) }
}

/** Where a key leads; undefined where it leads nowhere. */
export function moved(key: string, { row, column }: HeatPlace, rows: number, columns: number): HeatPlace | undefined {
  const places: Readonly<Record<string, HeatPlace>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
    PageUp: { row: 0, column },
    PageDown: { row: rows - 1, column },
  }
  const place = places[key]
  return place && inside(place, rows, columns)
}

/** What the marks and tints mean. */
export function HeatLegend({ least, most }: { least: string; most: string }) {
  return (
    <div className={classes.legend}>
      <span className={classes.entry}>
        <span className={classes.bestMark} aria-hidden /> Best
      </span>
      <span className={classes.entry}>
        <span className={classes.nearMark} aria-hidden /> Neighbourhood
      </span>
      <span className={classes.entry}>
        <span className={classes.presentMark} aria-hidden /> Your numbers
      </span>
      <span className={`${classes.scale} tabular`}>
        {least}
        {Array.from({ length: STEPS }, (_, step) => (
          <span key={step} className={classes.swatch} data-step={step} aria-hidden />
        ))}
        {most}
      </span>
    </div>
  )
}
