import type { VisitorMessage } from "../src/VisitorMessage.js"
import { type Api, Refused } from "./Api.js"
import { makeBackoff } from "./backoff.js"

/** The server says something every 15 s. In ms. */
const longestSilence = 40_000

/**
 * Follows the feed from a place on, for as long as the page is there, and comes back where it stopped whenever the connection is
 * lost. `EventSource` would do the same, but for the token, which it could only put into the URL.
 */
export const followFeed = async (
  api: Api,
  from: number,
  told: {
    readonly message: (sequence: number, message: VisitorMessage) => void
    readonly connected: (is: boolean) => void
  }
): Promise<never> => {
  let place = from
  const backoff = makeBackoff()
  for (;;) {
    let retryAfter = 0
    const ended = new AbortController()
    try {
      const response = await api.call("/stream", { headers: { "last-event-id": String(place) }, signal: ended.signal })
      told.connected(true)
      for await (const event of eventsOf(response, ended)) {
        backoff.reset()
        if (event.id === undefined || event.data === undefined) continue
        place = Number(event.id)
        told.message(place, JSON.parse(event.data))
      }
    } catch (error) {
      if (error instanceof Refused) retryAfter = error.retryAfter
      told.connected(false)
    } finally {
      ended.abort()
    }
    await backoff.pause(retryAfter)
  }
}

/** The fields of each event, comments too as events without any. Throws where the server falls silent. */
async function* eventsOf(response: Response, ended: AbortController): AsyncGenerator<{ [field: string]: string }> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ""
  for (;;) {
    const timer = setTimeout(() => ended.abort(), longestSilence)
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
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (field !== undefined && value !== undefined) fields[field] = value
  }
  return fields
}
