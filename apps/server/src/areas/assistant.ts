import { readGuide } from '../adapters/guide/guide-files.ts'
import { joinAreas } from '../assistant/area.ts'
import { guideSearch } from '../assistant/guide/guide-search.ts'
import { guideAreas } from '../assistant/guide/guide-topics.ts'
import { limitReplies } from '../assistant/reply-limit.ts'
import { serveAssistant } from '../http/assistant/routes.ts'
import type { Handle } from '../http/server/handle.ts'
import { serveOpenAi } from '../http/assistant/openai.ts'
import { createConversationStore } from '../stores/assistant/assistant.ts'
import { modelConnections } from './assistant-model.ts'
import { researchArea } from './assistant-research.ts'
import type { AssistantParts } from './assistant-parts.ts'
import { tradingArea } from './assistant-trading.ts'

const REPLIES_AT_ONCE = 3

/** The assistant joined to the areas that it reads; each brings tools, actions and topics of its own. */
export function serveAssistantArea(handle: Handle, surroundings: AssistantParts): void {
  const { config, foundation, clock, log } = surroundings
  const connection = modelConnections(config, foundation, clock)
  serveOpenAi(handle, connection)
  const ofGuide = guideAreas(guideSearch(readGuide))
  serveAssistant(handle, {
    ...connection,
    conversations: createConversationStore(foundation.database),
    // The questions of trading are the more special ones.
    abilities: joinAreas([ofGuide.first, tradingArea(surroundings), researchArea(surroundings), ofGuide.last]),
    replies: limitReplies(REPLIES_AT_ONCE),
    timeLimitMs: config.aiAnswerMs,
    onBug: (error, tool) => log.error({ err: error, tool }, 'a tool of the assistant failed'),
  })
}
