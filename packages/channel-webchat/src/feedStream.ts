import type { Instant, ProviderContext } from "@parley/core"
import { Chunk, Clock, Effect, Option, type Scope, Stream } from "effect"
import type { Heartbeat, HeartbeatTimer } from "./HeartbeatTimer.js"
import { visitorMessageOf } from "./visitorMessageOf.js"

/** In ms. Proxies and browsers close a connection that is silent for too long. */
const keepAlive = 15_000
const pageLength = 100
const bytes = new TextEncoder()

/** What a reader of a feed gets. */
export interface FeedReader {
  readonly context: Pick<ProviderContext, "fed" | "watch">
  readonly handle: string
  /** Position in the feed. */
  readonly after: number
  readonly endsAt: Instant
  readonly heartbeats: HeartbeatTimer
  /** Counts the stream when it starts. Returns null if it may not start, else what to do when it ends. */
  readonly start: () => (() => void) | null
}

/** A stream, and how to end it early. */
export interface FeedStream {
  readonly body: Stream.Stream<Uint8Array>
  readonly end: () => void
}

/**
 * The messages of a handle's feed after a position, and all that follow, as server-sent events: `id` is the position,
 * `data` the message. Ends if the feed cannot be read, so that the reader reconnects.
 *
 * The fiber that reads the stream is its only one, and waits in one place for messages, heartbeats and the end: thousands
 * of visitors have a stream each.
 */
export const feedStream = (reader: FeedReader): FeedStream => {
  const { context, handle, endsAt, heartbeats, start } = reader
  let position = reader.after
  let isFirst = true
  let hasNews = true
  let heartbeatIsDue = false
  let ends = false
  let resume = () => {}
  let interrupt = () => {}

  const wake = (): void => resume()
  const wait = Effect.async<void>((resumed) => {
    resume = () => {
      resume = () => {}
      resumed(Effect.void)
    }
  })
  const noticed = (): void => {
    hasNews = true
    wake()
  }
  const end = (): void => {
    ends = true
    wake()
  }
  const heartbeat: Heartbeat = (now) => {
    if (ends) {
      // Its client reads nothing, so that it never comes to its end.
      interrupt()
      return null
    }
    if (now >= endsAt) {
      end()
      return now + keepAlive
    }
    heartbeatIsDue = true
    wake()
    return Math.min(now + keepAlive, endsAt)
  }

  const page = Effect.flatMap(
    Effect.suspend(() => context.fed(handle, position, pageLength)),
    (fed) => {
      position = fed.at(-1)?.sequence ?? position
      if (fed.length === pageLength) hasNews = true
      const events = fed.map(({ sequence, message }) => event(sequence, visitorMessageOf(handle, message)))
      return events.length === 0 ? pull : emit(events.join(""))
    }
  )
  const pull: Effect.Effect<Chunk.Chunk<Uint8Array>, Option.Option<never>> = Effect.suspend(() => {
    if (ends) return over
    if (isFirst) {
      isFirst = false
      return emit("retry: 1000\n\n")
    }
    if (hasNews) {
      hasNews = false
      return Effect.catchAll(page, () => over)
    }
    if (heartbeatIsDue) {
      heartbeatIsDue = false
      return emit(":\n\n")
    }
    return Effect.zipRight(wait, pull)
  })

  const opened: Effect.Effect<typeof pull, never, Scope.Scope> = Effect.map(
    Effect.acquireRelease(
      Effect.withFiberRuntime<(() => void) | null>((fiber) => {
        interrupt = () => fiber.unsafeInterruptAsFork(fiber.id())
        const ended = start()
        if (ended === null) return Effect.succeed(null)
        const unwatch = context.watch(handle, noticed)
        const close = () => {
          unwatch()
          heartbeats.remove(heartbeat)
          ended()
        }
        return Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.as(heartbeats.add(heartbeat, Math.min(now + heartbeats.firstAfter(keepAlive), endsAt)), close)
        )
      }),
      (close) => Effect.sync(() => close?.())
    ),
    (close) => (close === null ? over : pull)
  )
  return { body: Stream.fromPull(opened), end }
}

const over = Effect.fail(Option.none<never>())

const emit = (text: string) => Effect.succeed(Chunk.of(bytes.encode(text)))

const event = (id: number, data: object): string => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`
