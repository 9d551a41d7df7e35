import type { FedMessage, InboundEvent, Message, ProviderContext, Receipt } from "@parley/core"
import { StorageUnavailable } from "@parley/core"
import { aMessage } from "@parley/testkit/rows"
import { Effect, Stream } from "effect"

/** An in-memory provider context. */
export interface MemoryContext extends ProviderContext {
  /** Sends a message to a handle: appends it to the feed at once. */
  readonly push: (handle: string, body: string, given?: Partial<Message>) => Message
  readonly stored: (handle: string) => ReadonlyArray<Message>
  /** All received events. */
  readonly events: ReadonlyArray<InboundEvent>
  /** The bytes of received files, by the id of the attachment. */
  readonly files: Map<string, { readonly contentType: string; readonly bytes: Uint8Array }>
  readonly erase: (handle: string) => void
  /** Whether the storage is unavailable. */
  broken: boolean
}

export const memoryContext = (): MemoryContext => {
  const conversations = new Map<string, Array<Message>>()
  const feeds = new Map<string, Array<string>>()
  let erasures = 0
  const watching = new Set<() => void>()
  const events: Array<InboundEvent> = []
  const files: MemoryContext["files"] = new Map()
  let count = 0

  const of = <A>(map: Map<string, Array<A>>, handle: string): Array<A> => {
    const present = map.get(handle) ?? []
    map.set(handle, present)
    return present
  }
  const nextId = () => `01900000-0000-7000-8000-${(++count).toString(16).padStart(12, "0")}`
  const up = Effect.suspend(() =>
    context.broken ? Effect.fail(new StorageUnavailable({ cause: new Error("gone") })) : Effect.void
  )
  const fedOf = (handle: string): ReadonlyArray<FedMessage> =>
    of(feeds, handle).flatMap((id, place) =>
      of(conversations, handle)
        .filter((message) => message.id === id)
        .map((message) => ({ sequence: place + 1, message }))
    )

  const take = (event: InboundEvent): void => {
    events.push(event)
    if (event._tag === "Receipt") {
      for (const messages of conversations.values()) {
        const at = messages.findIndex(({ id }) => id === event.messageId)
        const message = messages[at]
        if (message !== undefined) messages[at] = { ...message, status: further(message.status, event.receipt.status) }
      }
    }
    if (event._tag !== "Message") return
    const { attachments, providerMessageId, from, body, quoted } = event
    const messages = of(conversations, from)
    const answered = messages.find((message) => message.providerMessageId === quoted?.providerMessageId)
    if (messages.some((message) => message.providerMessageId === providerMessageId)) return
    const stored = attachments.map(({ type, contentType, fileName, content }) => {
      const bytes = content instanceof Uint8Array ? content : new Uint8Array()
      const file = { id: nextId(), type, contentType: contentType ?? "", fileName, size: bytes.length }
      files.set(file.id, { contentType: file.contentType, bytes })
      return file
    })
    messages.push(
      aMessage({
        id: nextId(),
        direction: "inbound",
        status: "delivered",
        providerMessageId,
        body,
        content: event.content ?? null,
        envelope: answered === undefined ? null : quoting(answered),
        attachments: stored
      })
    )
  }

  const context: MemoryContext = {
    broken: false,
    events,
    files,
    push: (handle, body, given = {}) => {
      const id = nextId()
      const message = aMessage({ id, providerMessageId: id, body, status: "sent", ...given })
      of(conversations, handle).push(message)
      if (message.status !== "queued" && message.status !== "failed") of(feeds, handle).push(message.id)
      for (const listener of watching) listener()
      return message
    },
    stored: (handle) => of(conversations, handle),
    erase: (handle) => {
      conversations.delete(handle)
      feeds.delete(handle)
      erasures++
    },
    receive: (events) => Effect.andThen(up, () => events.forEach(take)),
    history: (handle, before, limit) =>
      Effect.map(up, () => {
        const all = [...of(conversations, handle)].reverse()
        return all.slice(before === null ? 0 : all.findIndex(({ id }) => id === before) + 1).slice(0, limit)
      }),
    messages: (handle, ids) =>
      Effect.map(
        up,
        () => new Map(of(conversations, handle).flatMap((one) => (ids.includes(one.id) ? [[one.id, one]] : [])))
      ),
    fed: (handle, after, limit) =>
      Effect.map(up, () => ({
        feed: feeds.has(handle) ? `${handle} ${erasures}` : null,
        messages: fedOf(handle).slice(after, after + limit)
      })),
    latestFed: (handle) => Effect.map(up, () => of(feeds, handle).length),
    news: () => Stream.die("web chat watches"),
    // An agent whose image is among the files has it as the avatar.
    agents: (ids, now) =>
      Effect.succeed(
        new Map(
          ids.map((id) => [
            id,
            { name: `Agent ${id}`, avatarUrl: files.has(id) ? `../media/${id}?expires=${now}` : null }
          ])
        )
      ),
    fileUrl: (id, now) => `../media/${id}?expires=${now}`,
    watch: (_handle, _length, listener) => {
      watching.add(listener)
      return () => watching.delete(listener)
    }
  }
  return context
}

/** The envelope of a message that answers another one. */
export const quoting = ({ applicationId, id, providerMessageId }: Message): Message["envelope"] => ({
  ...{ forwarded: false, referral: null, groupId: null, mail: null },
  quoted: { messageId: id, providerMessageId, applicationId, body: null }
})

const order = ["queued", "sent", "delivered", "read"]

const further = (present: Message["status"], next: Receipt["status"]): Message["status"] =>
  order.indexOf(next) > order.indexOf(present) ? next : present
