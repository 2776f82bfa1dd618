import { stripVTControlCharacters } from 'node:util'

/** The result of a test runner. Every skipped test is named, with its reason where the runner knows one. */
export interface Counts {
  passed: number
  failed: number
  /** Names and reasons of failures, so that the end of a long log is enough to know. */
  failures: string[]
  skipped: string[]
}

export function noCounts(): Counts {
  return { passed: 0, failed: 0, failures: [], skipped: [] }
}

interface VitestReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

export function vitestCounts(report: unknown): Counts {
  const { testResults } = report as VitestReport
  const counts: Counts = noCounts()
  for (const file of testResults) {
    // A file that could not be loaded has no tests to count, and is no success.
    if (file.status === 'failed' && file.assertionResults.length === 0) fail(counts, file.name, [file.message])
    // Nor may a file vanish whose table of cases is empty.
    else if (file.assertionResults.length === 0) counts.skipped.push(`${file.name}: it has no test`)
    for (const { status, fullName, failureMessages } of file.assertionResults) {
      if (status === 'failed') fail(counts, `${file.name}: ${fullName}`, failureMessages)
      else if (status === 'passed') counts.passed += 1
      else counts.skipped.push(fullName)
    }
  }
  return counts
}

interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: PlaywrightTest[] }[]
}

interface PlaywrightTest {
  status: string
  annotations: { type: string; description?: string }[]
  results: { error?: { message?: string } }[]
}

export function playwrightCounts(report: unknown): Counts {
  const counts: Counts = noCounts()
  const visit = (suite: PlaywrightSuite): void => {
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        const errors = test.results.map(({ error }) => error?.message ?? '')
        const reason = test.annotations.find(({ type }) => type === 'skip')?.description
        if (test.status === 'skipped') counts.skipped.push(reason ? `${spec.title} (${reason})` : spec.title)
        else if (test.status === 'unexpected') fail(counts, spec.title, errors)
        else counts.passed += 1
      }
    }
    suite.suites?.forEach(visit)
  }
  const { suites, errors } = report as { suites: PlaywrightSuite[]; errors: { message?: string }[] }
  suites.forEach(visit)
  for (const { message } of errors) fail(counts, 'browser stories', [message ?? ''])
  return counts
}

function fail(counts: Counts, title: string, messages: string[]): void {
  counts.failed += 1
  counts.failures.push(withReason(title, messages))
}

/** The first lines of the first error are the reason; the whole of it stands where it happened. */
function withReason(title: string, messages: string[]): string {
  const lines = stripVTControlCharacters(messages.find((message) => message !== '') ?? '').split('\n')
  return [title, ...lines.filter((line) => line.trim() !== '').slice(0, 8)].join('\n    ')
}
