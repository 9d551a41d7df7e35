import { Context, Duration, Effect, Layer, Queue, Stream } from "effect"
import { lookup, type ReadError, Storage } from "../../ports/Storage.js"

/** Identifies the feed of a recipient on a connection. */
export interface FeedKey {
  readonly connectionId: string
  /** Normalised. */
  readonly handle: string
}

/** Notifies the readers of a feed of new messages. */
export interface FeedUpdates {
  /**
   * Emits immediately and whenever the feed may have new messages; never ends. Messages that other hosts append are
   * noticed within {@link pollMs}.
   */
  readonly of: (key: FeedKey) => Stream.Stream<void>
  /** Calls the listener whenever {@link of} would emit again, until the returned function is called. */
  readonly watch: (key: FeedKey, listener: () => void) => () => void
  /** Reports the feed's length after this process appended to it. */
  readonly notify: (key: FeedKey, fed: number) => void
}
export const FeedUpdates = Context.GenericTag<FeedUpdates>("@parley/core/FeedUpdates")

/** Poll interval of the watched feeds, in ms. */
const pollMs = 500
/** Maximum number of feeds in one read. */
const together = 500

interface Watched extends FeedKey {
  /** Length at the last poll; null before the first poll. */
  fed: number | null
  readonly listeners: Set<() => void>
}

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const feeds = new Map<string, Watched>()
  // Open while there are readers: without readers there is no polling.
  const watching = yield* Effect.makeLatch()

  const observe = (feed: Watched, fed: number): void => {
    if (fed === feed.fed) return
    feed.fed = fed
    for (const listener of feed.listeners) listener()
  }

  const poll: Effect.Effect<void, ReadError> = Effect.gen(function* () {
    const all = [...feeds.values()]
    for (let from = 0; from < all.length; from += together) {
      const some = all.slice(from, from + together)
      const found = yield* storage.read(
        Object.fromEntries(
          some.map(({ connectionId, handle }, n) => [n, lookup("conversations", { connectionId, handle })])
        )
      )
      for (const [n, feed] of some.entries()) observe(feed, found[n]?.[0]?.fed ?? 0)
    }
  })

  yield* poll.pipe(
    Effect.catchAll((error) => Effect.logDebug(`feeds could not be polled: ${error.message}`)),
    watching.whenOpen,
    Effect.zipRight(Effect.sleep(Duration.millis(pollMs))),
    Effect.forever,
    Effect.forkScoped
  )

  const watch: FeedUpdates["watch"] = (key, listener) => {
    const name = nameOf(key)
    const feed: Watched = feeds.get(name) ?? { ...key, fed: null, listeners: new Set() }
    feeds.set(name, feed)
    feed.listeners.add(listener)
    watching.unsafeOpen()
    return () => {
      feed.listeners.delete(listener)
      if (feed.listeners.size === 0 && feeds.get(name) === feed) feeds.delete(name)
      if (feeds.size === 0) watching.unsafeClose()
    }
  }
  /** Watches with a queue that holds one notification, the first one at once. */
  const queueOf = (key: FeedKey) =>
    Effect.map(Queue.dropping<void>(1), (queue) => {
      const unwatch = watch(key, () => queue.unsafeOffer(undefined))
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
      const feed = feeds.get(nameOf(key))
      if (feed !== undefined) observe(feed, fed)
    }
  })
})

const nameOf = ({ connectionId, handle }: FeedKey): string => `${connectionId} ${handle}`

export const layer: Layer.Layer<FeedUpdates, never, Storage> = Layer.scoped(FeedUpdates, make)
