import { Either } from "effect"
import type { Conversation } from "../conversations/Conversation.js"
import { type Opened, openConversation } from "../conversations/openConversation.js"
import { type Instant, second } from "../Instant.js"
import { optOutProblems } from "../messages/optOutProblems.js"
import { permitContent } from "../messages/permitContent.js"
import { queueMessage } from "../messages/queueMessage.js"
import { readText } from "../messages/readContent.js"
import type { Parts } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { BotSession } from "./BotSession.js"
import { type BotWorld, serviceWindowOf } from "./BotWorld.js"

/** What a bot said, and its conversation after it. */
export interface Spoken {
  readonly conversation: Conversation
  readonly parts: ReadonlyArray<Parts>
}

/** Why a bot may not say something; for the administrators, null where they can do nothing about it. */
export interface Unsaid {
  readonly reason: string | null
}

/** What keeps the order of several messages at providers that are not asked to keep it. */
const apart = second

/**
 * Puts what a bot says into its conversation, by the rules of a reply (decisions.md §7): nothing to a contact who has opted out,
 * outside the service window or through a connection that is not active. Their ids are in order, and each but the first is
 * handed over a second after the one before.
 */
export const speak = (
  world: BotWorld,
  session: BotSession,
  texts: ReadonlyArray<string>,
  now: Instant,
  ids: Ids
): Either.Either<Spoken, Unsaid> =>
  Either.gen(function* () {
    const { capabilities, connection, contact, conversation, subscribers, textProblem } = world
    if (texts.length === 0) return { conversation, parts: [] }
    const { channel } = connection
    const { handle } = conversation
    const against = { channel, capabilities, textProblem, templates: [], defaultLanguage: null }
    const contents = texts.map((body) => readText(against, { body }))
    const wrong = contents.flatMap(({ problems }) => problems.body ?? [])
    const [content] = contents.flatMap((read) => read.content ?? [])
    if (content === undefined || wrong.length > 0) {
      return yield* Either.left({ reason: `Something that it says ${wrong[0]}.` })
    }
    yield* Either.mapLeft(permitContent(connection, capabilities, conversation, content, now), () => silent)
    if (Object.keys(optOutProblems("contact_id", contact, content)).length > 0) return yield* Either.left(silent)
    const opened = openConversation(
      { contact, conversation },
      {
        connection,
        handle,
        direction: "outbound",
        displayName: null,
        serviceWindowHours: serviceWindowOf(world)
      },
      now,
      ids
    )
    const { applicationId, id: botSessionId, workflowRunId } = session
    const sender = { applicationId, botSessionId, workflowRunId }
    const parts = contents.flatMap(({ content }, index) => {
      if (content === null) return []
      const queued = { sender, handle, content, opened: index === 0 ? opened : known(opened), subscribers }
      return queueMessage({ ...queued, handOverAt: now + index * apart }, null, now, ids).parts
    })
    return { conversation: opened.conversation, parts }
  })

const silent: Unsaid = { reason: null }

/** The first message opened it. */
const known = (opened: Opened): Opened => ({ ...opened, parts: [], events: [] })
