type Rgb = [red: number, green: number, blue: number]

/** WCAG 2's contrast ratio of a text colour on a stack of backgrounds, the lowest first; tints are laid over it. */
export function contrast(text: string, ...backgrounds: string[]): number {
  const ground = backgrounds.reduce<Rgb>((under, colour) => laidOver(colour, under), [255, 255, 255])
  const [light, dark] = [luminance(laidOver(text, ground)), luminance(ground)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

function laidOver(colour: string, under: Rgb): Rgb {
  const { rgb, alpha } = parse(colour)
  const mix = (index: 0 | 1 | 2) => rgb[index] * alpha + under[index] * (1 - alpha)
  return [mix(0), mix(1), mix(2)]
}

function parse(colour: string): { rgb: Rgb; alpha: number } {
  const hex = /^#(..)(..)(..)$/.exec(colour)
  const parts = hex
    ? hex.slice(1).map((pair) => Number.parseInt(pair, 16))
    : (/^rgba\((.+)\)$/.exec(colour)?.[1] ?? '').split(',').map(Number)
  const [red, green, blue, alpha = 1] = parts
  if (red === undefined || green === undefined || blue === undefined) throw new Error(`not a colour: ${colour}`)
  return { rgb: [red, green, blue], alpha }
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
