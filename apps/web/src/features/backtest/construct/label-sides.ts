/** A dot of a plot, in percent of its width and height, from the lower left. */
interface Dot {
  readonly x: number
  readonly y: number
}

interface LabelledDot extends Dot {
  readonly label: string
}

type Side = 'right' | 'left' | 'above' | 'below'

interface Box {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/** In pixels: a plot on a phone and on a desktop. Labels that keep clear of each other on both do so in between. */
const WIDTHS = [270, 640]
const HEIGHT = 300
const LETTER_WIDTH = 8
const LINE_HEIGHT = 16
/** From the middle of a dot to its label, and to its own edge. */
const GAP = 7
const RADIUS = 5

/**
 * On which side of its dot each label stands: the first on which it covers no other label and no dot and is not cut off, else
 * the one on which it covers the fewest.
 */
export function labelSides(labelled: readonly LabelledDot[], others: readonly Dot[]): Side[] {
  const placed: Box[][] = WIDTHS.map(() => [])
  return labelled.map((dot) => {
    const covered = (side: Side) =>
      WIDTHS.reduce((sum, width, i) => {
        const box = labelBox(dot, side, width)
        const around = [...labelled, ...others].filter((one) => one !== dot).map((one) => dotBox(one, width))
        const isCut = box.left < 0 || box.right > width || box.bottom < 0 || box.top > HEIGHT
        return sum + [...placed[i]!, ...around].filter((one) => overlap(box, one)).length + (isCut ? 1 : 0)
      }, 0)
    const counts = SIDES.map(covered)
    const side = SIDES[counts.indexOf(Math.min(...counts))]!
    WIDTHS.forEach((width, i) => placed[i]!.push(labelBox(dot, side, width)))
    return side
  })
}

const SIDES: readonly Side[] = ['right', 'left', 'above', 'below']

function labelBox({ x, y, label }: LabelledDot, side: Side, width: number): Box {
  const [middle, level, length] = [(x / 100) * width, (y / 100) * HEIGHT, label.length * LETTER_WIDTH]
  if (side === 'right' || side === 'left') {
    const left = side === 'right' ? middle + GAP : middle - GAP - length
    return { left, right: left + length, bottom: level - LINE_HEIGHT / 2, top: level + LINE_HEIGHT / 2 }
  }
  const bottom = side === 'above' ? level + GAP : level - GAP - LINE_HEIGHT
  return { left: middle - length / 2, right: middle + length / 2, bottom, top: bottom + LINE_HEIGHT }
}

function dotBox({ x, y }: Dot, width: number): Box {
  const [middle, level] = [(x / 100) * width, (y / 100) * HEIGHT]
  return { left: middle - RADIUS, right: middle + RADIUS, bottom: level - RADIUS, top: level + RADIUS }
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top
