import type { FedPage, Message, ProviderContext, ReadError, ShownAgent } from "@parley/core"
import { Clock, Effect } from "effect"
import type { VisitorMessage } from "./VisitorMessage.js"
import { visitorMessageOf } from "./visitorMessageOf.js"

/** What showing messages to a visitor needs. */
export interface MessageView {
  readonly context: Pick<ProviderContext, "agents" | "fileUrl" | "messages">
  readonly handle: string
  /** Whether the visitor sees the names of agents. */
  readonly showsAgents: boolean
}

/** The messages in the wire shape for the visitor with this handle. */
export const visitorMessages = (
  { context, handle, showsAgents }: MessageView,
  messages: ReadonlyArray<Message>
): Effect.Effect<ReadonlyArray<VisitorMessage>, ReadError> => {
  const agents = showsAgents ? [...new Set(messages.flatMap(({ agentId }) => agentId ?? []))] : []
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const shown = agents.length === 0 ? new Map<string, ShownAgent>() : yield* context.agents(agents, now)
    const quotes = [...new Set(messages.flatMap((message) => quotedId(message) ?? []))]
    const quoted = quotes.length === 0 ? new Map<string, Message>() : yield* context.messages(handle, quotes)
    return messages.map((message) =>
      visitorMessageOf(message, {
        ...{ context, handle, now },
        agent: shown.get(message.agentId ?? ""),
        quoted: quoted.get(quotedId(message) ?? "")
      })
    )
  })
}

/** The message that one answers. A chosen option follows its question. */
const quotedId = ({ content, envelope }: Message): string | null =>
  content?.type === "choice" ? null : (envelope?.quoted?.messageId ?? null)

/** A part of a feed, for its visitor. */
export interface VisitorFeed {
  readonly feed: FedPage["feed"]
  readonly messages: ReadonlyArray<readonly [sequence: number, message: VisitorMessage]>
}

/** The messages of a part of a feed in their wire shape, with their positions. */
export const visitorFeed = (
  view: MessageView,
  { feed, messages: fed }: FedPage
): Effect.Effect<VisitorFeed, ReadError> =>
  Effect.map(
    visitorMessages(
      view,
      fed.map(({ message }) => message)
    ),
    (messages) => ({ feed, messages: messages.map((message, n) => [fed[n]?.sequence ?? 0, message] as const) })
  )
