import { createHash } from "node:crypto"
import { Context, Duration, Effect, Queue, Stream } from "effect"
import { lookup, Storage } from "../../ports/Storage.js"
import { Wakeup } from "../../ports/Wakeup.js"

/** Identifies the feed of a recipient on a connection. */
export interface FeedKey {
  readonly connectionId: string
  /** Normalised. */
  readonly handle: string
}

/** Notifies the readers of a feed of new messages. */
export interface FeedUpdates {
  /** Emits immediately and whenever the feed may have new messages; never ends. */
  readonly of: (key: FeedKey) => Stream.Stream<void>
  /**
   * Calls the listener whenever the feed may have grown beyond `length`, until the returned function is called. Null:
   * the length is unknown, and the first read calls the listener. A process notices its own messages at once, and those
   * of other processes by their hint. Without the hint: within {@link pollMs} for up to {@link maxFeedsPerPoll} watched
   * feeds; one further interval for each further {@link maxFeedsPerPoll}.
   */
  readonly watch: (key: FeedKey, length: number | null, listener: () => void) => () => void
  /** Reports the feed's length after this process appended to it. */
  readonly notify: (key: FeedKey, fed: number) => void
}
export const FeedUpdates = Context.GenericTag<FeedUpdates>("@parley/core/FeedUpdates")

/** Interval of the reads of watched feeds, in ms. */
const pollMs = 500
/**
 * Number of feeds that are read in one interval; further ones are read in the following intervals, so that the cost
 * does not grow with the number of readers.
 */
const maxFeedsPerPoll = 250

interface Watched extends FeedKey {
  /** The latest known length, or null. */
  fed: number | null
  listeners: ReadonlyArray<() => void>
}

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const wakeup = yield* Wakeup
  const hints = yield* wakeup.grownFeeds
  /** By name. The first ones were read the longest time ago. */
  const feeds = new Map<string, Watched>()
  // Open while there are readers: without readers there is no polling.
  const watching = yield* Effect.makeLatch()
  /** Names of the feeds that grew and were not reported to other processes yet. */
  const grown = new Set<string>()
  const reporting = yield* Effect.makeLatch()

  const observe = (feed: Watched, fed: number): void => {
    if (fed === feed.fed) return
    feed.fed = fed
    for (const listener of feed.listeners) listener()
  }

  /** Reads the lengths of watched feeds. */
  const check = (names: ReadonlyArray<string>): Effect.Effect<void> =>
    Effect.gen(function* () {
      const some: Array<Watched> = []
      for (const name of names.slice(0, maxFeedsPerPoll)) {
        const feed = feeds.get(name)
        if (feed === undefined) continue
        some.push(feed)
        feeds.delete(name)
        feeds.set(name, feed)
      }
      if (some.length === 0) return
      const found = yield* storage.read(
        Object.fromEntries(
          some.map(({ connectionId, handle }, n) => [n, lookup("conversations", { connectionId, handle })])
        )
      )
      for (const [n, feed] of some.entries()) observe(feed, found[n]?.[0]?.fed ?? 0)
    }).pipe(Effect.catchAll((error) => Effect.logDebug(`feeds could not be read: ${error.message}`)))

  yield* Effect.suspend(() => check(first(feeds.keys(), maxFeedsPerPoll))).pipe(
    watching.whenOpen,
    Effect.zipRight(Effect.sleep(Duration.millis(pollMs))),
    Effect.forever,
    Effect.forkScoped
  )
  yield* Queue.take(hints).pipe(
    Effect.flatMap((names) => check([...names].filter((name) => feeds.has(name)))),
    Effect.forever,
    Effect.forkScoped
  )
  yield* Effect.suspend(() => {
    const names = new Set(grown)
    grown.clear()
    reporting.unsafeClose()
    return wakeup.notifyFeeds(names)
  }).pipe(reporting.whenOpen, Effect.forever, Effect.forkScoped)

  const watch: FeedUpdates["watch"] = (key, length, listener) => {
    const name = nameOf(key)
    const feed: Watched = feeds.get(name) ?? { ...key, fed: length, listeners: [] }
    feeds.set(name, feed)
    feed.listeners = [...feed.listeners, listener]
    watching.unsafeOpen()
    return () => {
      feed.listeners = feed.listeners.filter((other) => other !== listener)
      if (feed.listeners.length === 0 && feeds.get(name) === feed) feeds.delete(name)
      if (feeds.size === 0) watching.unsafeClose()
    }
  }
  /** Watches with a queue that holds one notification, the first one at once. */
  const queueOf = (key: FeedKey) =>
    Effect.map(Queue.dropping<void>(1), (queue) => {
      const unwatch = watch(key, null, () => queue.unsafeOffer(undefined))
      queue.unsafeOffer(undefined)
      return { queue, unwatch }
    })

  return FeedUpdates.of({
    of: (key) =>
      Stream.acquireRelease(queueOf(key), ({ unwatch }) => Effect.sync(unwatch)).pipe(
        Stream.flatMap(({ queue }) => Stream.fromQueue(queue))
      ),
    watch,
    notify: (key, fed) => {
      const name = nameOf(key)
      const feed = feeds.get(name)
      if (feed !== undefined) observe(feed, fed)
      grown.add(name)
      reporting.unsafeOpen()
    }
  })
})

const first = <A>(all: Iterable<A>, count: number): ReadonlyArray<A> => {
  const some: Array<A> = []
  for (const one of all) {
    if (some.length === count) break
    some.push(one)
  }
  return some
}

/** The name of a feed for other processes: it reveals neither connection nor handle. 96 bits do not collide. */
const nameOf = ({ connectionId, handle }: FeedKey): string =>
  createHash("sha256").update(`${connectionId} ${handle}`).digest().toString("base64url", 0, 12)
