import type { Instant, ProviderContext, PushClient, PushedBody, PushWriter, ReadError } from "@parley/core"
import { Clock, Effect, Exit, FiberRef, HashMap, Runtime } from "effect"
import { type Heartbeat, type HeartbeatTimer, makeHeartbeatTimer, slotMs } from "./HeartbeatTimer.js"
import type { OpenStreams } from "./openStreams.js"
import { type VisitorFeed, visitorFeed } from "./visitorMessages.js"

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
  readonly context: Pick<ProviderContext, "agents" | "fed" | "fileUrl" | "messages" | "watch">
  readonly handle: string
  /** Whether the visitor sees the names of agents. */
  readonly showsAgents: boolean
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
   * `data` the message. Counts from when it is opened; above the limits it ends at once. Ends if the feed cannot be
   * read, so that the client reconnects.
   */
  readonly body: (stream: FeedStream) => Effect.Effect<PushedBody>
  /** Writes an event that is not kept to the streams of a handle. Returns whether there are any in this process. */
  readonly signal: (connectionId: string, handle: string, name: "typing" | "seen", data: object) => boolean
}

/** What the streams of a connection share. A context holds the connection's row, and each request has its own. */
interface Shared {
  context: FeedStream["context"]
  readonly streams: Set<OpenStream>
}

type ReadFeed = (read: Effect.Effect<VisitorFeed, ReadError>, use: (fed: VisitorFeed | null) => void) => void

/** The part of the table that its streams use. */
interface Table {
  readonly heartbeats: HeartbeatTimer
  readonly limits: OpenStreams
  readonly readFeed: ReadFeed
  readonly leave: (connectionId: string, stream: OpenStream) => void
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
  readonly handle: string
  private readonly showsAgents: boolean
  private readonly visitor: string
  private readonly address: string | undefined
  private readonly endsAt: Instant
  private position: number
  /** The feed of the position; undefined before the first read. */
  private feed: VisitorFeed["feed"] | undefined
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
    this.showsAgents = stream.showsAgents
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
    this.table.leave(this.connectionId, this)
  }

  beat(now: Instant): Instant | null {
    // The client has not taken the end, and may never take it.
    if (this.isOver) {
      this.client.destroy()
      return null
    }
    if (this.isFull) {
      this.fullSince ??= now
      if (now >= this.fullSince + maxStalled || now >= this.endsAt) {
        this.isOver = true
        this.client.destroy()
        return null
      }
    } else if (now >= this.endsAt) {
      this.end()
      return now + keepAlive
    } else if (!this.isReading) {
      this.write(":\n\n")
    }
    return Math.min(now + keepAlive, this.endsAt)
  }

  /** A client that is behind does not get it: it would be late. */
  signal(text: string): void {
    if (!this.isFull && !this.isReading) this.write(text)
  }

  private end(): void {
    if (this.isOver) return
    this.isOver = true
    this.client.end()
  }

  private write(text: string): void {
    if (this.isOver) return
    this.isFull = !this.client.write(text)
  }

  private read(): void {
    if (this.isReading || this.isFull || this.isOver || !this.hasNews) return
    this.isReading = true
    this.hasNews = false
    const { context } = this.shared
    const read = Effect.flatMap(context.fed(this.handle, this.position, pageLength), (fed) =>
      visitorFeed({ context, handle: this.handle, showsAgents: this.showsAgents }, fed)
    )
    this.table.readFeed(read, (fed) => {
      this.isReading = false
      if (this.isOver) return
      if (fed === null) return this.end()
      if (this.feed === undefined || this.feed === fed.feed) this.send(fed.messages)
      else {
        // The visitor's data was erased: the position was one of the feed before.
        this.position = 0
        this.hasNews = true
      }
      this.feed = fed.feed
      this.read()
    })
  }

  /** Writes as much as the client takes. The rest is read again. */
  private send(fed: VisitorFeed["messages"]): void {
    if (fed.length === pageLength) this.hasNews = true
    let text = ""
    for (const [n, [sequence, message]] of fed.entries()) {
      text += event(sequence, message)
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
      Runtime.runFork(runtime)(read).addObserver((exit) => use(Exit.isSuccess(exit) ? exit.value : null)),
    leave: (connectionId, stream) => {
      const shared = connections.get(connectionId)
      shared?.streams.delete(stream)
      if (shared?.streams.size === 0) connections.delete(connectionId)
    }
  }
  const join = ({ connectionId, context }: FeedStream): Shared => {
    const shared = connections.get(connectionId) ?? { context, streams: new Set() }
    shared.context = context
    connections.set(connectionId, shared)
    return shared
  }

  const open = (stream: FeedStream, client: PushClient, now: Instant): PushWriter => {
    if (!limits.open(stream.visitor, stream.address)) {
      client.end()
      return notStarted
    }
    const shared = join(stream)
    const opened = new OpenStream(table, shared, client, stream)
    shared.streams.add(opened)
    if (!isRunning) {
      isRunning = true
      heartbeats.advance(now)
      Runtime.runFork(runtime)(run)
    }
    opened.start(stream.length, now)
    return opened
  }

  return {
    signal: (connectionId, handle, name, data) => {
      const found = [...(connections.get(connectionId)?.streams ?? [])].filter((stream) => stream.handle === handle)
      for (const stream of found) stream.signal(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
      return found.length > 0
    },
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
