import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { GuideTexts } from '../../assistant/guide/guide-topics.ts'
import { projectFolder } from '../../config.ts'

const docs = join(projectFolder, 'docs')
const read = (file: string): string => readFileSync(join(docs, file), 'utf8')

/** Reads the guide, a few dozen kilobytes. */
export const readGuide = (): GuideTexts => ({
  pages: globSync('guide/*.md', { cwd: docs })
    .toSorted()
    .map((file) => ({ page: basename(file, '.md'), markdown: read(file) })),
  glossary: read('glossary.md'),
})
