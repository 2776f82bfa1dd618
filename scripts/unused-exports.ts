import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** An exported name and the files that import it; `inside` counts its other uses in its own file. */
export interface Exported {
  file: string
  name: string
  importers: string[]
  inside: number
}

interface Use {
  target: string
  names: string[]
  /** Imported as a whole: any name of it that the importer mentions counts. */
  isWhole: boolean
}

/** Exports of the given files, which are all files that may import them; paths are relative to `root`. */
export function exportsOf(root: string, files: readonly string[]): Exported[] {
  const texts = new Map(files.map((file) => [file, withoutComments(readFileSync(join(root, file), 'utf8'))]))
  const importers = new Map<string, Set<string>>()
  for (const [file, text] of texts) {
    for (const { target, names, isWhole } of usesOf(root, file, text)) {
      const used = isWhole ? namesIn(texts.get(target) ?? '').filter((name) => mentions(text, name)) : names
      for (const name of used) {
        const key = `${target} ${name}`
        importers.set(key, (importers.get(key) ?? new Set()).add(file))
      }
    }
  }
  return [...texts].flatMap(([file, text]) =>
    namesIn(text).map((name) => ({
      file,
      name,
      importers: [...(importers.get(`${file} ${name}`) ?? [])],
      inside: countUses(text, name) - 1,
    })),
  )
}

const DECLARED =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+(\w+)/gm
const LISTED = /^export\s+(?:type\s+)?\{([^}]*)\}/gm

function namesIn(text: string): string[] {
  const declared = [...text.matchAll(DECLARED)].map(([, name]) => name!)
  const listed = [...text.matchAll(LISTED)].flatMap(([, list]) => membersOf(list!).map(({ outer }) => outer))
  return [...declared, ...listed]
}

const FROM = /^(?:import|export)\s+(?:type\s+)?([^'"`;=()]*?)\bfrom\s+['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

function usesOf(root: string, file: string, text: string): Use[] {
  const fixed = [...text.matchAll(FROM)].map(([, what, specifier]) => ({
    target: targetOf(root, file, specifier!),
    names: membersOf(/\{([^}]*)\}/.exec(what!)?.[1] ?? '').map(({ inner }) => inner),
    isWhole: what!.includes('*'),
  }))
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, specifier]) => ({
    target: targetOf(root, file, specifier!),
    names: [],
    isWhole: true,
  }))
  return [...fixed, ...dynamic]
}

/** `a, type b, c as d`: the name in its own module, and the one outside. */
function membersOf(list: string): { inner: string; outer: string }[] {
  return list
    .split(',')
    .map((member) => member.trim().replace(/^type\s+/, ''))
    .filter((member) => member !== '')
    .map((member) => {
      const [inner = '', outer = inner] = member.split(/\s+as\s+/)
      return { inner, outer }
    })
}

function targetOf(root: string, file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(file), specifier)).replaceAll('\\', '/')
  const own = /^@tradewright\/(\w+)\/(.+)$/.exec(specifier)
  return own ? `packages/${own[1]}/src/${own[2]}.ts` : specifier
}

/** Whether a text has the name, as a property too. */
function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(text)
}

/** Counts uses as a name alone: `...name` is one, `thing.name` is not. */
function countUses(text: string, name: string): number {
  return text.match(new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name}(?![\\w$])`, 'g'))?.length ?? 0
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1')
}
