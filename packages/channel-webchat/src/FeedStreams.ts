import type { FedMessage, Instant, ProviderContext, PushClient, PushedBody, PushWriter, ReadError } from "@parley/core"
import { Clock, Effect, Exit, FiberRef, HashMap, Runtime } from "effect"
import { type Heartbeat, type HeartbeatTimer, makeHeartbeatTimer, slotMs } from "./HeartbeatTimer.js"
import type { OpenStreams } from "./openStreams.js"
import { visitorMessageOf } from "./visitorMessageOf.js"

/** In ms. Proxies and browsers close a connection that is silent for too long. */
const keepAlive = 15_000
/** In ms. A client that takes nothing for so long is disconnected: what it was sent is held in memory. */
const maxStalled = 60_000
/** Messages in one read of a feed. */
const pageLength = 100
/** Characters after which events are written. */
const chunkLength = 16_384

/** The stream of a feed. */
export interface FeedStream {
  readonly connectionId: string
  readonly context: Pick<ProviderContext, "fed" | "watch" | "fileUrl">
  readonly handle: string
  /** Position after which it begins. */
  readonly after: number
  /** The feed's length when it was read last. */
  readonly length: number
  readonly endsAt: Instant
  /** Keys of the limits. */
  readonly visitor: string
  readonly address: string | undefined
}

/**
 * All streams of a process. They hold no fiber: one loop is their timer, and a fiber reads a feed while there is
 * something to read.
 */
export interface FeedStreams {
  /**
   * The messages of a handle's feed after a position, and all that follow, as server-sent events: `id` is the position,
   * `data` the message. Counts from when it is opened; above the limits it ends at once. Ends if the feed cannot be read,
   * so that the client reconnects.
   */
  readonly body: (stream: FeedStream) => Effect.Effect<PushedBody>
}

/** What the streams of a connection share. A context holds the connection's row, and each request has its own. */
interface Shared {
  context: FeedStream["context"]
  streams: number
}

type ReadFeed = (
  read: Effect.Effect<ReadonlyArray<FedMessage>, ReadError>,
  use: (fed: Fed | null, now: Instant) => void
) => void
type Fed = ReadonlyArray<FedMessage>

/** The part of the table that its streams use. */
interface Table {
  readonly heartbeats: HeartbeatTimer
  readonly limits: OpenStreams
  readonly readFeed: ReadFeed
  readonly leave: (connectionId: string) => void
}

/**
 * One open stream.
 *
 * ```
 *            news, opened                 fed
 *   idle ──────────────────▶ reading ───────────▶ writing ──▶ idle
 *                               ▲                    │ client is full
 *                               └────── drained ── full ── a minute ──▶ destroyed
 * ```
 *
 * A class with few fields, because thousands of them are open at once.
 */
class OpenStream implements PushWriter, Heartbeat {
  private readonly connectionId: string
  private readonly handle: string
  private readonly visitor: string
  private readonly address: string | undefined
  private readonly endsAt: Instant
  private position: number
  private hasNews = true
  private isReading = false
  /** Whether the client has not taken all that was written. */
  private isFull = false
  /** The first heartbeat at which the client was full; null while it takes. */
  private fullSince: Instant | null = null
  private isOver = false
  private unwatch: () => void = () => {}

  constructor(
    private readonly table: Table,
    private readonly shared: Shared,
    private readonly client: PushClient,
    stream: FeedStream
  ) {
    this.connectionId = stream.connectionId
    this.handle = stream.handle
    this.visitor = stream.visitor
    this.address = stream.address
    this.endsAt = stream.endsAt
    this.position = stream.after
  }

  start(length: number, now: Instant): void {
    const { heartbeats } = this.table
    this.unwatch = this.shared.context.watch(this.handle, length, () => this.noticed())
    heartbeats.add(this, Math.min(now + heartbeats.firstAfter(keepAlive), this.endsAt))
    this.write("retry: 1000\n\n")
    this.read()
  }

  noticed(): void {
    this.hasNews = true
    this.read()
  }

  drained(): void {
    this.isFull = false
    this.fullSince = null
    this.read()
  }

  stop(): void {
    this.end()
  }

  closed(): void {
    this.isOver = true
    this.unwatch()
    this.table.heartbeats.remove(this)
    this.table.limits.close(this.visitor, this.address)
    this.table.leave(this.connectionId)
  }

  beat(now: Instant): Instant | null {
    if (this.isFull) {
      this.fullSince ??= now
      if (now >= this.fullSince + maxStalled || now >= this.endsAt) {
        this.isOver = true
        this.client.destroy()
        return null
      }
    } else if (now >= this.endsAt) {
      this.end()
      return null
    } else if (!this.isReading) {
      this.write(":\n\n")
    }
    return Math.min(now + keepAlive, this.endsAt)
  }

  private end(): void {
    if (this.isOver) return
    this.isOver = true
    this.client.end()
  }

  private write(text: string): void {
    this.isFull = !this.client.write(text)
  }

  private read(): void {
    if (this.isReading || this.isFull || this.isOver || !this.hasNews) return
    this.isReading = true
    this.hasNews = false
    this.table.readFeed(this.shared.context.fed(this.handle, this.position, pageLength), (fed, now) => {
      this.isReading = false
      if (this.isOver) return
      if (fed === null) return this.end()
      this.send(fed, now)
      this.read()
    })
  }

  /** Writes as much as the client takes. The rest is read again. */
  private send(fed: Fed, now: Instant): void {
    if (fed.length === pageLength) this.hasNews = true
    let text = ""
    for (const [n, { sequence, message }] of fed.entries()) {
      text += event(sequence, visitorMessageOf(this.shared.context, this.handle, message, now))
      this.position = sequence
      if (text.length < chunkLength && n < fed.length - 1) continue
      this.write(text)
      text = ""
      if (this.isFull) {
        this.hasNews ||= n < fed.length - 1
        return
      }
    }
  }
}

export const makeFeedStreams = (limits: OpenStreams): FeedStreams => {
  const heartbeats = makeHeartbeatTimer()
  const connections = new Map<string, Shared>()
  let runtime = Runtime.defaultRuntime
  let isRunning = false

  const run = Effect.sleep(slotMs).pipe(
    Effect.zipRight(Clock.currentTimeMillis),
    Effect.map(heartbeats.advance),
    Effect.repeat({ while: () => heartbeats.size() > 0 }),
    Effect.ensuring(
      Effect.sync(() => {
        isRunning = false
      })
    )
  )
  const table: Table = {
    heartbeats,
    limits,
    readFeed: (read, use) =>
      Runtime.runFork(runtime)(Effect.zip(read, Clock.currentTimeMillis)).addObserver((exit) =>
        Exit.isSuccess(exit) ? use(...exit.value) : use(null, 0)
      ),
    leave: (connectionId) => {
      const shared = connections.get(connectionId)
      if (shared !== undefined && --shared.streams === 0) connections.delete(connectionId)
    }
  }
  const join = ({ connectionId, context }: FeedStream): Shared => {
    const shared = connections.get(connectionId) ?? { context, streams: 0 }
    shared.context = context
    shared.streams += 1
    connections.set(connectionId, shared)
    return shared
  }

  const open = (stream: FeedStream, client: PushClient, now: Instant): PushWriter => {
    if (!limits.open(stream.visitor, stream.address)) {
      client.end()
      return notStarted
    }
    const opened = new OpenStream(table, join(stream), client, stream)
    if (!isRunning) {
      isRunning = true
      heartbeats.advance(now)
      Runtime.runFork(runtime)(run)
    }
    opened.start(stream.length, now)
    return opened
  }

  return {
    body: (stream) =>
      Effect.zipWith(Effect.runtime<never>(), Effect.clock, (current, clock): PushedBody => {
        runtime = current
        return { _tag: "PushedBody", open: (client) => open(stream, client, clock.unsafeCurrentTimeMillis()) }
      }).pipe(
        // The fibers of all streams do not log as this request.
        Effect.locally(FiberRef.currentLogAnnotations, HashMap.empty())
      )
  }
}

const notStarted: PushWriter = { drained: () => {}, closed: () => {}, stop: () => {} }

const event = (id: number, data: object): string => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`
