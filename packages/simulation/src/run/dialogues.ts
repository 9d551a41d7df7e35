import { Effect } from "effect"
import type { Outside, Received } from "./Outside.js"
import { worldAt } from "./tenants.js"

/** A text that starts the bots of all histories. */
export const keyword = "book"

/** A bot that administrators make: its connections, its waits such as `5m`, and how its script ends. */
export interface PlannedBot {
  readonly workspaceId: string
  /** A customer's first message on them starts it. */
  readonly newConversationOn: ReadonlyArray<string>
  readonly timeOut: string
  readonly ending: "finish" | "hand_off"
}

/** Bots, agents that answer customers, and readings of both. */
export interface Dialogues {
  /** Makes a bot that asks for a text, a number and a text again, and activates it. */
  readonly publish: (bot: PlannedBot) => Effect.Effect<void>
  /** An agent replies in one of the conversations of a workspace. */
  readonly reply: (workspaceId: string, nth: number) => Effect.Effect<void>
  /** An administrator resolves one of the conversations of a workspace. */
  readonly resolve: (workspaceId: string, nth: number) => Effect.Effect<void>
  /** Reads all sessions of the bots, the messages of their conversations, and the agents' replies. */
  readonly readAll: Effect.Effect<void>
}

interface Row {
  readonly id: string
  readonly conversation_id?: string
  readonly connection_id?: string
}
interface Page {
  readonly data: ReadonlyArray<Row>
  readonly links: { readonly next: string | null }
}

const idIn = (received: Received | null, status: number): string | null =>
  received?.status === status ? (received.body as { readonly data: Row }).data.id : null

/** `read`: a GET that waits for the rate limit. `number`: unique numbers. */
export const makeDialogues = (
  { request }: Outside,
  read: (caller: string, path: string) => Effect.Effect<Received | null>,
  number: () => number
): Dialogues => {
  const botIds: Array<string> = []
  const replyIds: Array<string> = []
  const administer = (method: string, path: string, body: unknown) =>
    request("administrator", method, `/admin/v1${path}`, { body })

  const pages = (path: string): Effect.Effect<ReadonlyArray<Row>> =>
    Effect.flatMap(read("administrator", path), (received) => {
      if (received?.status !== 200) return Effect.succeed([])
      const { data, links } = received.body as Page
      if (links.next === null) return Effect.succeed(data)
      return Effect.map(pages(links.next.slice(links.next.indexOf("/admin/v1"))), (more) => [...data, ...more])
    })

  /** The nth of the conversations that a customer or an application began last; null without one. */
  const pickConversation = (workspaceId: string, nth: number): Effect.Effect<string | null> =>
    Effect.map(
      request("administrator", "GET", `/admin/v1/conversations?workspace_id=${workspaceId}&limit=10`),
      (received) => {
        const rows = received?.status === 200 ? (received.body as Page).data : []
        return rows.length === 0 ? null : (rows[nth % rows.length]?.id ?? null)
      }
    )

  const readConversation = (id: string, connectionId: string) => {
    const reader = worldAt(0).applications.find(({ connectionIds }) => connectionIds.includes(connectionId))
    return reader === undefined
      ? Effect.void
      : Effect.asVoid(read(reader.name, `/api/v1/conversations/${id}/messages?limit=100`))
  }
  const readReply = (id: string) =>
    Effect.gen(function* () {
      const found = yield* read("administrator", `/admin/v1/messages/${id}`)
      const { status } = (found?.body as { readonly data?: { readonly status?: string } } | null)?.data ?? {}
      if (status === "queued") yield* read("administrator", `/admin/v1/messages/${id}/sending`)
    })

  return {
    publish: ({ ending, newConversationOn, timeOut, workspaceId }) =>
      Effect.gen(function* () {
        const made = yield* administer("POST", "/bots", {
          workspace_id: workspaceId,
          name: "Booking",
          start: { keywords: [keyword], new_conversation_on: newConversationOn },
          greeting: "Welcome.",
          time_out: timeOut,
          time_out_text: "Good bye.",
          steps: [
            { key: "item", type: "ask", text: "What may it be?" },
            {
              key: "count",
              type: "ask",
              text: "How many of {{answers.item}}?",
              expect: { type: "number" },
              invalid: "A number, please.",
              tries: 2
            },
            { key: "noted", type: "say", text: "Noted: {{answers.count}} of {{answers.item}}" },
            { key: "note", type: "ask", text: "Anything else?" },
            { key: "end", type: ending, text: "Done: {{answers.item}} and {{answers.note}}" }
          ]
        })
        const id = idIn(made, 201)
        if (id === null) return
        botIds.push(id)
        yield* administer("PATCH", `/bots/${id}`, { status: "active" })
      }),
    reply: (workspaceId, nth) =>
      Effect.gen(function* () {
        const conversationId = yield* pickConversation(workspaceId, nth)
        if (conversationId === null) return
        const body = `reply ${number()}`
        const id = idIn(yield* administer("POST", `/conversations/${conversationId}/messages`, { body }), 202)
        if (id !== null) replyIds.push(id)
      }),
    resolve: (workspaceId, nth) =>
      Effect.gen(function* () {
        const conversationId = yield* pickConversation(workspaceId, nth)
        if (conversationId !== null)
          yield* administer("PATCH", `/conversations/${conversationId}`, { status: "resolved" })
      }),
    readAll: Effect.gen(function* () {
      const conversations = new Map<string, string>()
      for (const id of botIds) {
        for (const { connection_id = "", conversation_id } of yield* pages(`/admin/v1/bots/${id}/sessions?limit=100`)) {
          if (conversation_id !== undefined) conversations.set(conversation_id, connection_id)
        }
      }
      for (const [id, connectionId] of conversations) yield* readConversation(id, connectionId)
      for (const id of replyIds) yield* readReply(id)
    })
  }
}
