import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'
import { COMPONENT_TEST_FILES, excludedFiles, includedFiles, UNIT_TEST_FILES } from './scripts/test-files.ts'

/** Tests that start and kill whole programs take the longest. Begun last, one of them would run on alone at the end. */
const STARTS_PROGRAMS = /(main|durability|crash|kill|killed-\w+|interrupted-run|two-\w+|backup)(\.rest)?\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const startsPrograms = ({ moduleId }: TestSpecification) => STARTS_PROGRAMS.test(moduleId)
    return [...sorted.filter(startsPrograms), ...sorted.filter((file) => !startsPrograms(file))]
  }
}

export default defineConfig({
  test: {
    globalSetup: ['apps/server/test-support/global-setup.ts'],
    include: [includedFiles(UNIT_TEST_FILES)],
    exclude: [...excludedFiles(), COMPONENT_TEST_FILES],
    sequence: { sequencer: LongestFirst },
    // One more than two cores: much of the time is waiting for a database or for a program to start.
    maxWorkers: 3,
    // Test files share what they import: reading the whole server again for each would take most of the time.
    isolate: false,
    // Long, because a busy machine must fail no test that waits for what happens: what never happens fails all the same.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
})
