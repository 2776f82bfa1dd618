// Not by `/\/+$/`, which takes the square of the time for many slashes in the middle of a text.

export function trimTrailingSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

export function trimSlashes(text: string): string {
  const trimmed = trimTrailingSlashes(text)
  let start = 0
  while (trimmed[start] === '/') start += 1
  return trimmed.slice(start)
}
