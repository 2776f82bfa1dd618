/** Each browser has its own words for a part of the app that could not be fetched. */
const SENTENCES = [
  /failed to fetch dynamically imported module/i, // Chromium
  /error loading dynamically imported module/i, // Firefox
  /importing a module script failed/i, // Safari
  /unable to preload css/i, // the bundler's own
]

export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && SENTENCES.some((sentence) => sentence.test(error.message))
}
