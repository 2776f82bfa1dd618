import { messageParts } from './action-buttons.ts'

/** The part of a message to read aloud: no buttons, code, charts, tables or addresses. */
export function spokenText(content: string): string {
  return messageParts(content)
    .text.replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/^\s*\|.*\|\s*$/gm, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/\\([\\`*_{}[\]()#+!|<>~-])/g, '$1')
    .replaceAll(/[*_`#>~]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Browsers stop in the middle of long texts, so that each sentence is handed over on its own. */
export const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?:])\s+/).filter(Boolean)
