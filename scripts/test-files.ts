/** The files that each runner reads; its configuration and `npm test -- <path>` use the same pattern. */
export const UNIT_TEST_FILES = '{packages,apps,scripts,bench,reference}/**/*.test.{ts,tsx}'
export const STORY_FILES = 'e2e/*.spec.ts'
