import type { VisitorMessage } from "../src/VisitorMessage.js"
import { type Api, Refused } from "./Api.js"
import { makeBackoff } from "./backoff.js"

/** The server sends something every 15 s. In ms. */
const maxSilenceMs = 40_000

/**
 * Follows the feed from a position as long as the page exists, and resumes after a lost connection. `EventSource` would
 * do the same, but could send the token only in the URL. Ends if the server refuses for good, such as to the page of a
 * deleted connection.
 */
export const followFeed = async (
  api: Api,
  from: number,
  callbacks: {
    readonly message: (sequence: number, message: VisitorMessage) => void
    readonly typing: () => void
    /** The business has read the visitor's message with this id of the widget. */
    readonly seen: (clientId: string) => void
    readonly connected: (is: boolean) => void
  }
): Promise<void> => {
  let place = from
  const backoff = makeBackoff()
  for (;;) {
    let retryAfter = 0
    const ended = new AbortController()
    try {
      const response = await api.call("/stream", { headers: { "last-event-id": String(place) }, signal: ended.signal })
      callbacks.connected(true)
      for await (const event of eventsOf(response, ended)) {
        backoff.reset()
        if (event.event === "typing") callbacks.typing()
        if (event.event === "seen") callbacks.seen(JSON.parse(event.data ?? "{}").client_id)
        if (event.id === undefined || event.data === undefined) continue
        place = Number(event.id)
        callbacks.message(place, JSON.parse(event.data))
      }
    } catch (error) {
      callbacks.connected(false)
      if (error instanceof Refused) {
        if (error.isFinal) return
        retryAfter = error.retryAfter
      }
    } finally {
      ended.abort()
    }
    await backoff.pause(retryAfter)
  }
}

/** The fields of each event; a comment is an event without fields. Throws if the server is silent for too long. */
async function* eventsOf(response: Response, ended: AbortController): AsyncGenerator<{ [field: string]: string }> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ""
  for (;;) {
    const timer = setTimeout(() => ended.abort(), maxSilenceMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    text += decoder.decode(value, { stream: true })
    const events = text.split("\n\n")
    text = events.pop() ?? ""
    for (const event of events) yield fieldsOf(event)
  }
}

const fieldsOf = (event: string): { [field: string]: string } => {
  const fields: { [field: string]: string } = {}
  for (const line of event.split("\n")) {
    // A text may have U+2028, which is a line break to `.` and none to the server.
    const [, field, value] = /^(\w+): ?(.*)$/s.exec(line) ?? []
    if (field !== undefined && value !== undefined) fields[field] = value
  }
  return fields
}
