import type { SharedPicture } from './picture.ts'

/** The size that social networks and messengers ask for. */
export const PICTURE_SIZE = { width: 1200, height: 630 }

const CHART = { left: 64, right: 1136, top: 262, bottom: 540 }
const MAX_TITLE = 44
// Colours of the light theme (apps/web/src/ui/theme/tokens.ts).
const [PAGE, CARD, LINE, TEXT, TEXT_2, ACCENT, REFERENCE] = [
  '#f5f6f8',
  '#ffffff',
  '#e2e6ec',
  '#151a22',
  '#465063',
  '#3450cf',
  '#707b8c',
]

/** The picture as SVG. Names come from users: nothing of them is markup. */
export function drawPicture({ title, period, figures, values, reference, note }: SharedPicture): string {
  const y = scaleOf([...values, ...(reference?.values ?? [])])
  const text = (x: number, at: number, size: number, words: string, style = `fill="${TEXT_2}"`) =>
    `<text x="${x}" y="${at}" font-size="${size}" ${style}>${escaped(words)}</text>`
  const legend = reference ? `${shortened(reference.ticker, 20)} for comparison` : ''
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_SIZE.width}" height="${PICTURE_SIZE.height}" font-family="Inter">`,
    `<rect width="100%" height="100%" fill="${PAGE}"/>`,
    `<rect x="32" y="32" width="1136" height="566" rx="16" fill="${CARD}" stroke="${LINE}" stroke-width="2"/>`,
    text(64, 100, 42, shortened(title, MAX_TITLE), `font-weight="600" fill="${TEXT}"`),
    text(64, 140, 24, period),
    ...figures.flatMap(({ label, value }, i) => [
      text(64 + i * 260, 186, 20, label),
      text(64 + i * 260, 228, 36, value, `font-weight="600" fill="${TEXT}"`),
    ]),
    reference ? curve(reference.values, y, REFERENCE, 3) : '',
    curve(values, y, ACCENT, 5),
    text(64, 580, 20, note),
    text(1136, 580, 20, legend ? `${legend} · Tradewright` : 'Tradewright', `fill="${TEXT_2}" text-anchor="end"`),
    '</svg>',
  ].join('')
}

type Scale = (value: number) => number

/** Places values by their logarithm, so that the same growth is the same rise; linear where an account was emptied. */
function scaleOf(values: readonly number[]): Scale {
  const known = values.filter(Number.isFinite)
  const isPositive = known.every((value) => value > 0)
  const level = (value: number) => (isPositive ? Math.log(value) : value)
  const levels = known.map(level)
  const [low, high] = [Math.min(...levels), Math.max(...levels)]
  const range = high - low || 1
  return (value) => CHART.bottom - ((level(value) - low) / range) * (CHART.bottom - CHART.top)
}

function curve(values: readonly number[], y: Scale, colour: string, width: number): string {
  const step = (CHART.right - CHART.left) / Math.max(1, values.length - 1)
  const points = values.flatMap((value, i) =>
    Number.isFinite(value) ? [`${(CHART.left + i * step).toFixed(1)},${y(value).toFixed(1)}`] : [],
  )
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linejoin="round"/>`
}

const shortened = (words: string, length: number): string => {
  const letters = Array.from(new Intl.Segmenter().segment(words), ({ segment }) => segment)
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : words
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for an attribute or an element; characters that XML does not allow are left out. */
export const escaped = (words: string): string =>
  words
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark]!)
