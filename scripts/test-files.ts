/**
 * The files that each runner reads; its configuration and `npm test -- <path>` use the same patterns. `.rest.` in a name
 * leaves a test to `npm run test:rest`.
 */
export const UNIT_TEST_FILES = '{packages,apps,scripts,bench,reference}/**/*.test.{ts,tsx}'
export const COMPONENT_TEST_FILES = 'apps/web/src/**/*.component.test.tsx'
export const STORY_FILES = 'e2e/*.spec.ts'
