/** What a test runner reported. Every skipped test is named, with its reason where the runner knows one. */
export interface Counts {
  passed: number
  failed: number
  skipped: string[]
  /** Failed first, then passed: counted as passed, and named so that somebody looks at it. */
  unsteady: string[]
}

interface VitestReport {
  testResults: { status: string; assertionResults: { status: string; fullName: string; meta?: unknown }[] }[]
}

export function vitestCounts(report: unknown): Counts {
  const { testResults } = report as VitestReport
  const counts: Counts = { passed: 0, failed: 0, skipped: [], unsteady: [] }
  for (const file of testResults) {
    // A file that could not be loaded has no tests to count, and is no success.
    if (file.status === 'failed' && file.assertionResults.length === 0) counts.failed += 1
    for (const test of file.assertionResults) {
      if (test.status === 'passed') counts.passed += 1
      else if (test.status === 'failed') counts.failed += 1
      else counts.skipped.push(test.fullName)
    }
  }
  return counts
}

interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: { status: string; annotations: { type: string; description?: string }[] }[] }[]
}

export function playwrightCounts(report: unknown): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: [], unsteady: [] }
  const visit = (suite: PlaywrightSuite): void => {
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        const reason = test.annotations.find(({ type }) => type === 'skip')?.description
        if (test.status === 'skipped') counts.skipped.push(reason ? `${spec.title} (${reason})` : spec.title)
        else if (test.status === 'unexpected') counts.failed += 1
        else counts.passed += 1
        if (test.status === 'flaky') counts.unsteady.push(spec.title)
      }
    }
    suite.suites?.forEach(visit)
  }
  const { suites, errors } = report as { suites: PlaywrightSuite[]; errors: unknown[] }
  suites.forEach(visit)
  counts.failed += errors.length
  return counts
}
